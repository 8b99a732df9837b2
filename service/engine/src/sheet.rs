//! A ruleset ready for play: its sound [`Definition`], with a table for everything that scoring and
//! solving look up. The points of a roll are one load from a table of rolls and categories, in any
//! order of the dice, since a [`Roll`] has none.
//!
//! A [`Category`] of a sheet is one box of it: one entry of a row in one column.

pub(crate) mod cells;
mod classes;
mod groups;
mod joker;
mod lattice;
mod score;
mod state;
pub(crate) mod tallies;

use std::fmt;
use std::sync::Arc;

use crate::category::{Category, CategorySet};
use crate::check::{check, is_all_alike, shorten};
use crate::definition::{
    CategoryDefinition, Definition, ExtraThrows, FinalScore, JokerPolicy, Pattern, Section, Served,
};
use crate::dice::{DiceSpace, Roll};
use crate::pattern::{joker_worth, worth};
use crate::solve::Pairs;
use crate::violation::Violations;

pub(crate) use cells::Cells;
pub(crate) use classes::RollClasses;
pub(crate) use groups::Groups;
pub(crate) use lattice::{Lattice, Steps};
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
    /// Makes the tables of a definition.
    ///
    /// # Errors
    /// Everything that keeps the definition from being a game.
    pub fn new(definition: Definition) -> Result<Self, Violations> {
        check(&definition).or(())?;
        let space = DiceSpace::new(definition.dice.into(), definition.faces.into());
        let cells = Cells::new(&definition);
        let rows = &definition.categories;
        let of_cells = |member: &dyn Fn(&CategoryDefinition) -> bool| -> CategorySet {
            let members = cells.iter().filter(|(_, cell)| member(&rows[cell.row]));
            members.map(|(category, _)| category).collect()
        };
        let points = points(&definition, &cells, &space);
        let faces = 1..=definition.faces;
        let joker = cells.iter().flat_map(|(_, cell)| {
            let row = &rows[cell.row];
            let dice = definition.dice;
            faces
                .clone()
                .map(move |face| bounded(joker_worth(&row.pattern, row.points, dice, face)))
        });
        let joker = joker.collect();
        let upper = of_cells(&|row| row.section == Section::Upper);
        let face_rows = faces.clone().map(|face| {
            of_cells(&|row| row.section == Section::Upper && row.pattern == Pattern::Face(face))
        });
        let face_rows = face_rows.collect();
        let joker_fills = of_cells(&|row| definition.joker.fills.contains(&row.id));
        let alike_cells = of_cells(&|row| is_all_alike(row, definition.dice));
        let columns = definition.columns.len().max(1);
        let thresholds = definition.upper_bonuses.iter().map(|b| b.threshold);
        let upper_cap = thresholds.max().filter(|_| columns == 1).unwrap_or(0);
        let tracks_alike = definition.five_alike_bonus > 0
            || definition.joker.policy == JokerPolicy::ForcedWhileScored;
        let alike = if tracks_alike { alike_cells } else { CategorySet::EMPTY };
        let tallies = Tallies::new(&definition, &cells, alike);
        let factors = tallies.factors();
        let weights = cells.iter().map(|(category, cell)| {
            let counts = definition.final_score == FinalScore::Total && !factors.contains(category);
            let weight = definition.columns.get(cell.column).map_or(1, |c| c.weight);
            if counts { i32::from(weight) } else { 0 }
        });
        let weights: Vec<i32> = weights.collect();
        let wins = cells
            .iter()
            .map(|(category, cell)| wins(&rows[cell.row], &points[0], category, &space));
        let mut sheet = Self {
            wins: wins.collect(),
            joker,
            alike: space.all_rolls().map(|roll| space.alike(roll).unwrap_or(0)).collect(),
            upper,
            joker_fills,
            face_rows,
            alike_cells,
            upper_cap,
            upper_bonus: (0..=upper_cap).map(|sum| definition.upper_bonus(sum)).collect(),
            weights,
            tallies,
            possible: Vec::new(),
            special: Vec::new(),
            lattice: Lattice::new(&space),
            classes: Vec::new(),
            points,
            groups: Groups::new(&definition, &cells),
            pairs: definition.kept_dice_stay.then(|| Pairs::new(&space)),
            space: Arc::new(space),
            cells,
            definition,
        };
        if sheet.minds_alike() {
            let alike = |roll: &Roll| sheet.alike[roll.index()] > 0;
            sheet.special = sheet.space.all_rolls().filter(alike).collect();
        }
        let by_points = sheet.leads_by_points();
        let rolls = sheet.space.rolls();
        let classes = sheet.points.iter().map(|points| RollClasses::new(points, rolls, by_points));
        sheet.classes = classes.collect();
        sheet.possible =
            sheet.categories().iter().map(|category| sheet.find_possible(category)).collect();
        Ok(sheet)
    }

    /// Bytes that the sheet takes, its definition included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists = |lists: &[Vec<i16>]| -> usize {
            size_of_val(lists) + lists.iter().map(|list| size_of_val(&list[..])).sum::<usize>()
        };
        size_of::<Self>()
            + self.definition.bytes()
            + self.space.bytes()
            + self.cells.bytes()
            + self.groups.bytes()
            + self.pairs.as_ref().map_or(0, Pairs::bytes)
            + lists(&self.points)
            + size_of_val(&self.joker[..])
            + size_of_val(&self.alike[..])
            + size_of_val(&self.face_rows[..])
            + size_of_val(&self.upper_bonus[..])
            + size_of_val(&self.weights[..])
            + lists(&self.wins)
            + lists(&self.possible)
            + size_of_val(&self.special[..])
            + self.lattice.bytes()
            + self.classes.iter().map(RollClasses::bytes).sum::<usize>()
    }

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
        self.has_plain_turns()
            && self.tallies.is_empty()
            && self.cells.gated().is_empty()
            && self.weights.iter().all(|&weight| weight == 1)
            && self.wins.iter().all(Vec::is_empty)
            && (self.alike_cells.len() <= 1 || !self.minds_alike())
            && !self.definition.categories.iter().any(CategoryDefinition::may_be_negative)
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

    fn find_possible(&self, category: Category) -> Vec<i16> {
        let faces = (1..=self.space.faces() as u8).filter(|_| self.has_joker());
        let natural = self.classes.iter();
        let mut values: Vec<i16> = natural
            .flat_map(|classes| classes.of(category).map(|class| classes.points(class)))
            .chain(faces.filter_map(|face| self.joker_points(category, face)))
            .collect();
        values.sort_unstable();
        values.dedup();
        values
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

    /// The table of points of a throw.
    pub(crate) fn table(&self, Throw(throw): Throw) -> usize {
        usize::from(throw).min(self.points.len() - 1)
    }
}

/// The points of every roll in every category, for each throw that they depend on.
fn points(definition: &Definition, cells: &Cells, space: &DiceSpace) -> Vec<Vec<i16>> {
    let rows = &definition.categories;
    let served = rows.iter().any(|row| row.served_points.is_some());
    let later = rows.iter().map(|row| row.later_points.len()).max().unwrap_or(0);
    let tables = if served || later > 0 { later + 2 } else { 1 };
    let mut points = vec![Vec::with_capacity(cells.len() * space.rolls()); tables];
    for (throw, table) in points.iter_mut().enumerate() {
        for row in (0..definition.columns.len().max(1)).flat_map(|_| rows) {
            let pays = match throw {
                0 if tables > 1 => row.served_points,
                _ => throw.checked_sub(1).and_then(|later| row.later_points.get(later)).copied(),
            };
            let pays = pays.unwrap_or(row.points);
            let start = table.len();
            for roll in space.all_rolls() {
                table.push(bounded(worth(&row.pattern, pays, space.roll_counts(roll))));
            }
            for _ in 1..row.entries {
                table.extend_from_within(start..start + space.rolls());
            }
        }
    }
    points
}

/// The points in `category` that win the game, given those of served rolls.
fn wins(
    row: &CategoryDefinition,
    served: &[i16],
    category: Category,
    space: &DiceSpace,
) -> Vec<i16> {
    if !row.served_wins {
        return Vec::new();
    }
    let rolls = &served[category.index() * space.rolls()..][..space.rolls()];
    let mut wins: Vec<i16> = rolls.iter().copied().filter(|&points| points > 0).collect();
    wins.sort_unstable();
    wins.dedup();
    wins
}

fn bounded(points: i32) -> i16 {
    i16::try_from(points).expect("checked definitions pay at most so many points and sums of dice")
}
