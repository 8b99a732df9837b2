//! A ruleset ready for play: its sound [`Definition`], with a table for everything that scoring and
//! solving look up. The points of a roll are one load from a table of rolls and categories, in any
//! order of the dice, since a [`Roll`] has none.
//!
//! A [`Category`] of a sheet is one box of it: one entry of a row in one column.

mod build;
pub(crate) mod cells;
mod classes;
mod groups;
mod joker;
mod lattice;
mod pairs;
mod score;
mod state;
pub(crate) mod tallies;

use std::fmt;
use std::sync::Arc;

use crate::category::{Category, CategorySet};
use crate::definition::{CategoryDefinition, Definition, ExtraThrows, JokerPolicy, Served};
use crate::dice::{DiceSpace, Roll};
use crate::violation::shorten;

pub(crate) use cells::Cells;
pub(crate) use classes::RollClasses;
pub(crate) use groups::Groups;
pub(crate) use lattice::{Lattice, Steps};
pub(crate) use pairs::Pairs;
pub use score::Scores;
pub use state::{CardState, Gain, MAX_TALLIES, Score, Throw};
use tallies::Tallies;

/// A sound ruleset with its lookup tables: immutable, and cheap to share.
pub struct Sheet {
    definition: Definition,
    space: Arc<DiceSpace>,
    cells: Cells,
    groups: Groups,
    /// The pairs of kept dice and rolls, where kept dice stay.
    pairs: Option<Pairs>,
    /// `[throw][category * rolls + roll]`: points of a roll; the last for every later throw.
    points: Vec<Vec<i16>>,
    /// `[category * faces + face - 1]`: points of a joker of that face in a category it fills.
    joker: Vec<i16>,
    /// `[roll]`: the face all dice show, or 0.
    alike: Vec<u8>,
    upper: CategorySet,
    joker_fills: CategorySet,
    /// `[face - 1]`: the upper boxes of that single face.
    face_rows: Vec<CategorySet>,
    /// The boxes of all dice alike.
    alike_cells: CategorySet,
    upper_cap: u16,
    /// `[sum]`: upper bonuses earned by a sum, up to the cap.
    upper_bonus: Vec<u16>,
    /// `[category]`: what its points count times in the total.
    weights: Vec<i32>,
    tallies: Tallies,
    /// `[category]`: the points that win the game at once.
    wins: Vec<Vec<i16>>,
    /// `[category]`: every value that can stand in it, ascending.
    possible: Vec<Vec<i16>>,
    /// See [`Sheet::special_rolls`].
    special: Vec<Roll>,
    lattice: Lattice,
    /// `[throw]`: as the points.
    classes: Vec<RollClasses>,
}

impl fmt::Debug for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet")
            .field("space", &self.space)
            .field("categories", &self.cells.len())
            .finish_non_exhaustive()
    }
}

impl Sheet {
    /// The ruleset as data.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The dice of the game.
    #[must_use]
    pub fn space(&self) -> &DiceSpace {
        &self.space
    }

    /// Throws a turn, the first included.
    #[must_use]
    pub fn rolls(&self) -> u8 {
        self.definition.rolls
    }

    /// All categories.
    #[must_use]
    pub fn categories(&self) -> CategorySet {
        CategorySet::first(self.cells.len())
    }

    /// The boxes of the sheet.
    pub(crate) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Whether `category` is of an announced column.
    #[must_use]
    pub fn is_announced(&self, category: Category) -> bool {
        self.cells.announced().contains(category)
    }

    /// The numbers of the sets of filled boxes.
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The pairs of dice kept and dice on the table, where kept dice stay.
    pub(crate) fn pairs(&self) -> Option<&Pairs> {
        self.pairs.as_ref()
    }

    /// Whether it makes a difference for rolls after the first that all dice were thrown at once.
    #[must_use]
    pub fn counts_full_throw(&self) -> bool {
        self.definition.served == Served::WholeThrow && self.has_served()
    }

    /// The category of the row of this id, the first of them where there are several.
    #[must_use]
    pub fn category(&self, id: &str) -> Option<Category> {
        self.row(id).map(|row| self.cells.first(row, 0))
    }

    /// The place of the row of this id.
    pub(crate) fn row(&self, id: &str) -> Option<usize> {
        self.definition.categories.iter().position(|category| category.id == id)
    }

    /// The row that `category` belongs to.
    #[must_use]
    pub fn row_of(&self, category: Category) -> &CategoryDefinition {
        &self.definition.categories[self.cells.get(category).row]
    }

    /// The description of the violation that `id` is no category, with the valid ones.
    #[must_use]
    pub fn unknown_category(&self, id: &str) -> String {
        let ids: Vec<&str> = self.definition.categories.iter().map(|row| row.id.as_str()).collect();
        let known = ids.join(", ");
        format!("\"{}\" is no category of this ruleset: must be one of {known}", shorten(id))
    }

    /// The id of the row of `category`.
    #[must_use]
    pub fn id(&self, category: Category) -> &str {
        &self.row_of(category).id
    }

    /// The id of the column of `category`; empty on a sheet without columns.
    #[must_use]
    pub fn column_id(&self, category: Category) -> &str {
        let column = self.definition.columns.get(self.cells.get(category).column);
        column.map_or("", |column| &column.id)
    }

    /// Which entry of its row `category` holds, from 0.
    #[must_use]
    pub fn entry(&self, category: Category) -> usize {
        self.cells.get(category).entry
    }

    /// The categories of the upper section.
    #[must_use]
    pub fn upper(&self) -> CategorySet {
        self.upper
    }

    /// The upper total from which on more makes no difference: the highest bonus threshold.
    #[must_use]
    pub fn upper_cap(&self) -> u16 {
        self.upper_cap
    }

    /// The row that a roll of all dice alike is named for, such as yahtzee.
    #[must_use]
    pub fn alike_row(&self) -> Option<Category> {
        self.alike_cells.iter().next()
    }

    /// The boxes of all dice alike.
    pub(crate) fn alike_cells(&self) -> CategorySet {
        self.alike_cells
    }

    /// Whether the rest of a game depends on whether the row of all dice alike holds points.
    #[must_use]
    pub fn tracks_alike(&self) -> bool {
        self.definition.five_alike_bonus > 0
            || self.definition.joker.policy == JokerPolicy::ForcedWhileScored
    }

    /// Whether rolls of all dice alike have rules of their own for recording.
    fn minds_alike(&self) -> bool {
        self.tracks_alike() || self.has_joker()
    }

    /// Whether points depend on the throw of a turn on which they are recorded.
    #[must_use]
    pub fn has_served(&self) -> bool {
        self.points.len() > 1
    }

    /// Whether turns are of the simplest kind: so many throws, any dice kept, no announcing, and
    /// points that differ at most on the first roll.
    #[must_use]
    pub fn has_plain_turns(&self) -> bool {
        let whole = self.definition.served == Served::WholeThrow && self.has_served();
        self.definition.extra_throws == ExtraThrows::None
            && !self.definition.kept_dice_stay
            && self.cells.announced().is_empty()
            && self.points.len() <= 2
            && !whole
    }

    /// Whether the sheet is a list of independent rows with plain turns: one column, one entry a
    /// row, any order, no bonuses but for the upper section and for all dice alike.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.beyond_plain().is_none()
    }

    /// What makes it more than a [plain sheet](Self::is_plain), if anything does.
    #[must_use]
    pub fn beyond_plain(&self) -> Option<&'static str> {
        let several_alike = self.alike_cells.len() > 1 && self.minds_alike();
        if !self.has_plain_turns() {
            Some(
                "turns with announcements, throws saved or bought, dice that stay, or points by the throw",
            )
        } else if !self.tallies.is_empty() || several_alike {
            Some("bonuses or products of several rows or columns")
        } else if !self.cells.gated().is_empty() {
            Some("boxes that are filled in an order")
        } else if self.weights.iter().any(|&weight| weight != 1) {
            Some("columns with a weight")
        } else if self.wins.iter().any(|wins| !wins.is_empty()) {
            Some("rolls that win at once")
        } else if self.definition.categories.iter().any(CategoryDefinition::may_be_negative) {
            Some("rows that may hold less than 0")
        } else {
            None
        }
    }

    /// Whether the filled boxes, the upper total and the flag of all dice alike are the whole state
    /// of a card.
    pub(crate) fn has_plain_states(&self) -> bool {
        self.tallies.is_empty()
            && self.weights.iter().all(|&weight| weight == 1)
            && self.definition.extra_throws == ExtraThrows::None
            && self.wins.iter().all(Vec::is_empty)
            && (self.alike_cells.len() <= 1 || !self.minds_alike())
            && (self.cells.gated().is_empty() || !self.has_joker())
    }

    /// Whether turns are plain, except that any roll whose dice were thrown at once may be served.
    pub(crate) fn has_lattice_turns(&self) -> bool {
        self.definition.extra_throws == ExtraThrows::None
            && !self.definition.kept_dice_stay
            && self.cells.announced().is_empty()
            && self.points.len() <= 2
    }

    /// `state` with columns that are alike filled from the left: it has the same value.
    #[must_use]
    pub fn canonical(&self, state: CardState) -> CardState {
        CardState { filled: self.groups.canonical(state.filled), ..state }
    }

    /// The sums that bonuses and products depend on.
    pub(crate) fn tallies(&self) -> &Tallies {
        &self.tallies
    }

    /// The factor of points in `category` in the total.
    pub(crate) fn weight(&self, category: Category) -> i32 {
        self.weights[category.index()]
    }

    /// Whether these points in `category` win the game at once.
    pub(crate) fn wins_with(&self, category: Category, points: i16) -> bool {
        self.wins[category.index()].contains(&points)
    }

    /// The points of every roll in `category`, by [`Roll::index`], without joker.
    #[must_use]
    pub fn points_by_roll(&self, category: Category, throw: impl Into<Throw>) -> &[i16] {
        let rolls = self.space.rolls();
        &self.points[self.table(throw.into())][category.index() * rolls..][..rolls]
    }

    /// Every value that `category` can hold on a card of this ruleset, ascending.
    #[must_use]
    pub fn possible_points(&self, category: Category) -> &[i16] {
        &self.possible[category.index()]
    }

    /// The upper rows whose sum matters: none where it earns no bonus.
    #[must_use]
    pub(crate) fn counted(&self) -> CategorySet {
        if self.upper_cap > 0 { self.upper } else { CategorySet::EMPTY }
    }

    /// The categories where the next state of the card depends on the points recorded.
    #[must_use]
    pub(crate) fn leads_by_points(&self) -> CategorySet {
        let alike = if self.tracks_alike() { self.alike_cells } else { CategorySet::EMPTY };
        let wins = self.categories().iter().filter(|c| !self.wins[c.index()].is_empty());
        self.counted().or(alike).or(self.tallies.members()).or(wins.collect())
    }

    /// The rolls of all dice alike, where they have rules of their own for recording: a joker or a
    /// bonus.
    pub(crate) fn special_rolls(&self) -> &[Roll] {
        &self.special
    }

    /// The steps of a turn.
    pub(crate) fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The rolls sorted by what they pay.
    pub(crate) fn classes(&self, throw: impl Into<Throw>) -> &RollClasses {
        &self.classes[self.table(throw.into())]
    }

    /// The rolls sorted by what they pay by a table of points.
    pub(crate) fn classes_of_table(&self, table: usize) -> &RollClasses {
        &self.classes[table]
    }

    /// How many tables of points there are.
    pub(crate) fn tables(&self) -> usize {
        self.points.len()
    }

    /// The table of points of a throw.
    pub(crate) fn table(&self, Throw(throw): Throw) -> usize {
        usize::from(throw).min(self.points.len() - 1)
    }
}
