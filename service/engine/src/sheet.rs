//! A ruleset ready for play: its [`Definition`] found sound, and every question that scoring or
//! solving asks of it turned into a table. What a roll is worth is one load from 252 rolls ×
//! categories; the order of dice costs nothing, since a [`Roll`] has none.

mod classes;
mod lattice;

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::category::{Category, CategorySet, MAX_CATEGORIES};
use crate::check::{check, is_all_alike, shorten};
use crate::definition::{Definition, JokerPolicy, Pattern, Section};
use crate::dice::{DiceSpace, Roll};
use crate::pattern::{joker_worth, worth};
use crate::violation::Violations;

pub(crate) use classes::RollClasses;
pub(crate) use lattice::{Lattice, Steps};

/// What decides the rest of a scorecard's game: the state that exact solving runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardState {
    /// The categories filled.
    pub filled: CategorySet,
    /// Points in the upper section, at most [`Sheet::upper_cap`].
    pub upper: u16,
    /// Whether the row of all dice alike holds points; always false where that makes no
    /// difference ([`Sheet::tracks_alike`]).
    pub alike_scored: bool,
}

impl CardState {
    /// An empty scorecard.
    pub const EMPTY: Self = Self { filled: CategorySet::EMPTY, upper: 0, alike_scored: false };
}

/// What recording a roll brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gain {
    /// Points written into the category.
    pub points: u16,
    /// Upper bonuses reached by it.
    pub upper_bonus: u16,
    /// Bonus for a further roll of all dice alike.
    pub five_alike_bonus: u16,
}

impl Gain {
    /// All of it together.
    #[must_use]
    pub fn total(self) -> u32 {
        u32::from(self.points) + u32::from(self.upper_bonus) + u32::from(self.five_alike_bonus)
    }
}

/// What a roll is worth in one category of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The category.
    pub category: Category,
    /// What recording the roll there brings; where it is not legal, what it would.
    pub gain: Gain,
    /// Whether the roll may be recorded there.
    pub legal: bool,
}

/// The scores of a roll in all categories, in the order of the sheet.
pub type Scores = ArrayVec<Score, MAX_CATEGORIES>;

/// A sound ruleset with its lookup tables. Cheap to share, never changes.
pub struct Sheet {
    definition: Definition,
    space: Arc<DiceSpace>,
    /// `[category * rolls + roll]`: points of a roll.
    points: Vec<u16>,
    /// The same on the first roll of a turn, if any category pays it differently.
    served: Option<Vec<u16>>,
    /// `[category * faces + face - 1]`: points of a joker of that face in a category it fills.
    joker: Vec<u16>,
    /// `[roll]`: the face all dice show, or 0.
    alike: Vec<u8>,
    upper: CategorySet,
    joker_fills: CategorySet,
    /// `[face - 1]`: the upper row of that single face.
    face_row: Vec<Option<Category>>,
    alike_row: Option<Category>,
    upper_cap: u16,
    /// `[sum]`: upper bonuses earned by a sum, up to the cap.
    upper_bonus: Vec<u16>,
    /// `[category]`: every value that can stand in it, ascending.
    possible: Vec<Vec<u16>>,
    /// See [`Sheet::special_rolls`].
    special: Vec<Roll>,
    lattice: Lattice,
    classes: RollClasses,
    served_classes: Option<RollClasses>,
}

impl fmt::Debug for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet")
            .field("space", &self.space)
            .field("categories", &self.definition.categories.len())
            .finish_non_exhaustive()
    }
}

impl Sheet {
    /// Makes a ruleset playable.
    ///
    /// # Errors
    /// Everything that keeps `definition` from being a game, see [`check`].
    pub fn new(definition: Definition) -> Result<Self, Violations> {
        check(&definition).or(())?;
        let space = DiceSpace::new(definition.dice.into(), definition.faces.into());
        let categories =
            || definition.categories.iter().enumerate().map(|(i, c)| (Category::new(i), c));
        let table = |served: bool| -> Vec<u16> {
            categories()
                .flat_map(|(_, category)| {
                    let points = match category.served_points {
                        Some(points) if served => points,
                        _ => category.points,
                    };
                    let space = &space;
                    space.all_rolls().map(move |roll| {
                        bounded(worth(&category.pattern, points, space.roll_counts(roll)))
                    })
                })
                .collect()
        };
        let joker = categories()
            .flat_map(|(_, category)| {
                let dice = definition.dice;
                (1..=definition.faces).map(move |face| {
                    bounded(joker_worth(&category.pattern, category.points, dice, face))
                })
            })
            .collect();
        let upper: CategorySet = categories()
            .filter(|(_, category)| category.section == Section::Upper)
            .map(|(index, _)| index)
            .collect();
        let face_row = (1..=definition.faces)
            .map(|face| {
                categories()
                    .find(|(index, category)| {
                        upper.contains(*index) && category.pattern == Pattern::Face(face)
                    })
                    .map(|(index, _)| index)
            })
            .collect();
        let joker_fills = categories()
            .filter(|(_, category)| definition.joker.fills.contains(&category.id))
            .map(|(index, _)| index)
            .collect();
        let alike_row = categories()
            .find(|(_, category)| is_all_alike(category, definition.dice))
            .map(|(index, _)| index);
        let any_served = definition.categories.iter().any(|c| c.served_points.is_some());
        let upper_cap = definition.upper_bonuses.iter().map(|b| b.threshold).max().unwrap_or(0);
        let mut sheet = Self {
            points: table(false),
            served: any_served.then(|| table(true)),
            joker,
            alike: space.all_rolls().map(|roll| space.alike(roll).unwrap_or(0)).collect(),
            upper,
            joker_fills,
            face_row,
            alike_row,
            upper_cap,
            upper_bonus: (0..=upper_cap).map(|sum| definition.upper_bonus(sum)).collect(),
            possible: Vec::new(),
            special: Vec::new(),
            lattice: Lattice::new(&space),
            classes: RollClasses::default(),
            served_classes: None,
            space: Arc::new(space),
            definition,
        };
        if sheet.tracks_alike() || sheet.has_joker() {
            let alike = |roll: &Roll| sheet.alike[roll.index()] > 0;
            sheet.special = sheet.space.all_rolls().filter(alike).collect();
        }
        let rolls = sheet.space.rolls();
        let by_points = sheet.leads_by_points();
        sheet.classes = RollClasses::new(&sheet.points, rolls, by_points);
        sheet.served_classes =
            sheet.served.as_ref().map(|points| RollClasses::new(points, rolls, by_points));
        sheet.possible =
            sheet.categories().iter().map(|category| sheet.find_possible(category)).collect();
        Ok(sheet)
    }

    /// Bytes that the sheet takes, its definition included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let possible: usize = self.possible.iter().map(|values| size_of_val(&values[..])).sum();
        let served = self.served.as_ref().map_or(0, |points| size_of_val(&points[..]));
        size_of::<Self>()
            + self.definition.bytes()
            + self.space.bytes()
            + size_of_val(&self.points[..])
            + served
            + size_of_val(&self.joker[..])
            + size_of_val(&self.alike[..])
            + size_of_val(&self.face_row[..])
            + size_of_val(&self.upper_bonus[..])
            + size_of_val(&self.possible[..])
            + possible
            + size_of_val(&self.special[..])
            + self.lattice.bytes()
            + self.classes.bytes()
            + self.served_classes.as_ref().map_or(0, RollClasses::bytes)
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
        CategorySet::first(self.definition.categories.len())
    }

    /// The category of this id.
    #[must_use]
    pub fn category(&self, id: &str) -> Option<Category> {
        self.definition.categories.iter().position(|category| category.id == id).map(Category::new)
    }

    /// Says that `id` is no category, and which there are.
    #[must_use]
    pub fn unknown_category(&self, id: &str) -> String {
        let ids: Vec<&str> = self.categories().iter().map(|category| self.id(category)).collect();
        let known = ids.join(", ");
        format!("\"{}\" is no category of this ruleset: must be one of {known}", shorten(id))
    }

    /// The id of `category`.
    #[must_use]
    pub fn id(&self, category: Category) -> &str {
        &self.definition.categories[category.index()].id
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
        self.alike_row
    }

    /// Whether it matters for the rest of a game if the row of all dice alike holds points.
    #[must_use]
    pub fn tracks_alike(&self) -> bool {
        self.definition.five_alike_bonus > 0
            || self.definition.joker.policy == JokerPolicy::ForcedWhileScored
    }

    /// Whether some category pays differently on the first roll of a turn.
    #[must_use]
    pub fn has_served(&self) -> bool {
        self.served.is_some()
    }

    /// The points of every roll in `category`, by [`Roll::index`], without joker; `served` on
    /// the first roll of a turn.
    #[must_use]
    pub fn points_by_roll(&self, category: Category, served: bool) -> &[u16] {
        let table = self.served.as_ref().filter(|_| served).unwrap_or(&self.points);
        let rolls = self.space.rolls();
        &table[category.index() * rolls..][..rolls]
    }

    /// The face of the joker that `roll` is on a card in `state`, if it is one.
    #[must_use]
    pub fn joker_face(&self, state: CardState, roll: Roll) -> Option<u8> {
        let face = self.alike[roll.index()];
        let row = self.alike_row.filter(|_| face > 0)?;
        let in_force = match self.definition.joker.policy {
            JokerPolicy::None => false,
            JokerPolicy::Free => {
                state.filled.contains(row) && self.face_row_filled(state.filled, face)
            }
            JokerPolicy::Forced => state.filled.contains(row),
            JokerPolicy::ForcedWhileScored => state.alike_scored,
        };
        in_force.then_some(face)
    }

    /// The categories in which `roll` may be recorded on a card in `state`: the open ones, of
    /// which a forced joker leaves some.
    #[must_use]
    pub fn legal(&self, state: CardState, roll: Roll) -> CategorySet {
        self.categories().without(state.filled).and(self.order(state, roll))
    }

    /// The categories to which a forced joker's order points on a card in `state`, whether open
    /// or not; all of them where `roll` may go anywhere.
    #[must_use]
    pub(crate) fn order(&self, state: CardState, roll: Roll) -> CategorySet {
        let all = self.categories();
        let forced = matches!(
            self.definition.joker.policy,
            JokerPolicy::Forced | JokerPolicy::ForcedWhileScored
        );
        match self.joker_face(state, roll).filter(|_| forced) {
            None => all,
            Some(face) => match self.face_row[usize::from(face) - 1] {
                Some(row) if !state.filled.contains(row) => CategorySet::EMPTY.with(row),
                _ => {
                    let lower = all.without(self.upper);
                    if lower.without(state.filled).is_empty() { all } else { lower }
                }
            },
        }
    }

    /// The points of a joker of this face in `category`, if it fills it.
    #[must_use]
    pub(crate) fn joker_points(&self, category: Category, face: u8) -> Option<u16> {
        let faces = self.space.faces();
        let points = self.joker[category.index() * faces + usize::from(face) - 1];
        self.joker_fills.contains(category).then_some(points)
    }

    /// Whether a roll of all dice alike may be a joker.
    #[must_use]
    pub fn has_joker(&self) -> bool {
        self.definition.joker.policy != JokerPolicy::None
    }

    /// The points that `roll` writes into `category` of a card in `state`; `served` on the first
    /// roll of a turn. Where the joker's order forbids the category, what the roll itself shows.
    #[must_use]
    pub fn points(&self, state: CardState, roll: Roll, category: Category, served: bool) -> u16 {
        let natural = self.points_by_roll(category, served)[roll.index()];
        if !self.joker_fills.contains(category) {
            return natural;
        }
        match self.joker_face(state, roll) {
            Some(face) if self.legal(state, roll).contains(category) => {
                let faces = self.space.faces();
                natural.max(self.joker[category.index() * faces + usize::from(face) - 1])
            }
            _ => natural,
        }
    }

    /// What recording `roll` in `category` brings on a card in `state`.
    #[must_use]
    pub fn gain(&self, state: CardState, roll: Roll, category: Category, served: bool) -> Gain {
        let points = self.points(state, roll, category, served);
        Gain {
            points,
            upper_bonus: self.upper_bonus_gain(state, category, points),
            five_alike_bonus: self.five_alike_gain(state, roll),
        }
    }

    /// What `roll` is worth in every category of a card in `state`, filled ones included; `served`
    /// on the first roll of a turn. The same as [`Sheet::gain`] and [`Sheet::legal`] for each, for
    /// the price of one.
    pub fn score_all(&self, state: CardState, roll: Roll, served: bool, scores: &mut Scores) {
        let classes = self.classes(served);
        let joker = self.joker_face(state, roll);
        let legal = self.legal(state, roll);
        let before = self.upper_bonus(state.upper.into());
        let five_alike_bonus = self.five_alike_gain(state, roll);
        scores.clear();
        for (category, &class) in self.categories().iter().zip(classes.of_roll(roll)) {
            let legal = legal.contains(category);
            let mut points = classes.points(class.into());
            if let Some(joker) = joker.filter(|_| legal) {
                points = points.max(self.joker_points(category, joker).unwrap_or(0));
            }
            let upper_bonus = if self.upper.contains(category) {
                self.upper_bonus(u32::from(state.upper) + u32::from(points)) - before
            } else {
                0
            };
            let gain = Gain { points, upper_bonus, five_alike_bonus };
            scores.push(Score { category, gain, legal });
        }
    }

    /// The bonus for rolling all dice alike again on a card in `state`.
    #[must_use]
    pub fn five_alike_gain(&self, state: CardState, roll: Roll) -> u16 {
        let again = state.alike_scored && self.alike[roll.index()] > 0;
        if again { self.definition.five_alike_bonus } else { 0 }
    }

    /// The upper bonus that recording `points` in `category` brings on a card in `state`.
    pub(crate) fn upper_bonus_gain(
        &self,
        state: CardState,
        category: Category,
        points: u16,
    ) -> u16 {
        if !self.upper.contains(category) {
            return 0;
        }
        self.upper_bonus(u32::from(state.upper) + u32::from(points))
            - self.upper_bonus(state.upper.into())
    }

    /// The upper bonuses earned by an upper section of this sum.
    #[must_use]
    pub fn upper_bonus(&self, sum: u32) -> u16 {
        self.upper_bonus[sum.min(self.upper_cap.into()) as usize]
    }

    /// The state of a card after `points` were recorded in `category`.
    #[must_use]
    pub fn after(&self, state: CardState, category: Category, points: u16) -> CardState {
        let upper = if self.upper.contains(category) {
            (state.upper + points).min(self.upper_cap)
        } else {
            state.upper
        };
        let scored = self.alike_row == Some(category) && points > 0 && self.tracks_alike();
        CardState {
            filled: state.filled.with(category),
            upper,
            alike_scored: state.alike_scored || scored,
        }
    }

    /// Every value that `category` can hold on a card of this ruleset, ascending.
    #[must_use]
    pub fn possible_points(&self, category: Category) -> &[u16] {
        &self.possible[category.index()]
    }

    fn find_possible(&self, category: Category) -> Vec<u16> {
        let served = self.served_classes.as_ref();
        let natural = std::iter::once(&self.classes).chain(served);
        let faces = (1..=self.space.faces() as u8).filter(|_| self.has_joker());
        let mut values: Vec<u16> = natural
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

    /// The categories where the points recorded decide to which state of the card that leads: the
    /// upper rows that count, and the row of all dice alike where it matters that it holds points.
    #[must_use]
    pub(crate) fn leads_by_points(&self) -> CategorySet {
        self.alike_row
            .filter(|_| self.tracks_alike())
            .map_or(self.counted(), |row| self.counted().with(row))
    }

    /// The rolls of all dice alike, where they are not recorded like any other: there may be a
    /// joker or a bonus for them.
    pub(crate) fn special_rolls(&self) -> &[Roll] {
        &self.special
    }

    /// The steps of a turn.
    pub(crate) fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The rolls sorted by what they pay; `served` on the first roll of a turn.
    pub(crate) fn classes(&self, served: bool) -> &RollClasses {
        self.served_classes.as_ref().filter(|_| served).unwrap_or(&self.classes)
    }

    fn face_row_filled(&self, filled: CategorySet, face: u8) -> bool {
        self.face_row[usize::from(face) - 1].is_none_or(|row| filled.contains(row))
    }
}

fn bounded(points: u32) -> u16 {
    u16::try_from(points).expect("checked definitions pay at most MAX_POINTS and a sum of dice")
}
