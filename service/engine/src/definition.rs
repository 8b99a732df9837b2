//! A score-sheet ruleset as data. The built-in rulesets are files of this form, and callers may
//! send their own; a sound definition becomes a [`Sheet`]. `RULESETS.md` documents the language.
//!
//! [`Sheet`]: crate::sheet::Sheet

mod pattern;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use pattern::{Among, Best, Groups, Pattern, Points, Sum};

/// A ruleset of the score-sheet kind: in every turn the player throws the dice up to
/// [`rolls`](Definition::rolls) times, keeping any of them in between, and records the roll in one
/// open category. The game ends when all categories are filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Number of dice.
    pub dice: u8,
    /// Number of faces of a die; they are `1..=faces`.
    pub faces: u8,
    /// Throws a turn, the first included.
    pub rolls: u8,
    /// The rows of the score sheet, from top to bottom.
    pub categories: Vec<CategoryDefinition>,
    /// The columns of the score sheet, from left to right; none stands for one free column. Every
    /// row can be filled in every column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// Points for the sum of the upper section of each column; they add up when several thresholds
    /// are reached.
    #[serde(default)]
    pub upper_bonuses: Vec<UpperBonus>,
    /// Points for each further roll of all dice alike once the row of that roll (the category of
    /// one group of all dice) holds its points; 0 for none.
    #[serde(default)]
    pub five_alike_bonus: u16,
    /// The patterns that a further roll of all dice alike may stand for.
    #[serde(default)]
    pub joker: Joker,
    /// Further bonuses, for the entries of some rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bonuses: Vec<Bonus>,
    /// Rows that count only through a product, such as (max − min) × ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
    /// The parts of the final score.
    #[serde(default, skip_serializing_if = "is_default")]
    pub final_score: FinalScore,
    /// Which rolls are served, see [`CategoryDefinition::served_points`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub served: Served,
    /// Whether dice once kept stay on the table until the end of the turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kept_dice_stay: bool,
    /// Throws beyond those of a turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub extra_throws: ExtraThrows,
}

impl Default for Definition {
    /// Five dice of six faces, three throws, and no rows yet.
    fn default() -> Self {
        Self {
            dice: 5,
            faces: 6,
            rolls: 3,
            categories: Vec::new(),
            columns: Vec::new(),
            upper_bonuses: Vec::new(),
            five_alike_bonus: 0,
            joker: Joker::default(),
            bonuses: Vec::new(),
            products: Vec::new(),
            final_score: FinalScore::default(),
            served: Served::default(),
            kept_dice_stay: false,
            extra_throws: ExtraThrows::default(),
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Definition {
    /// The upper bonuses earned by an upper section with this sum.
    #[must_use]
    pub fn upper_bonus(&self, sum: u16) -> u16 {
        let earned = self.upper_bonuses.iter().filter(|bonus| sum >= bonus.threshold);
        earned.map(|bonus| bonus.points).sum()
    }

    /// Bytes on the heap, as far as a caller decides their number.
    pub(crate) fn bytes(&self) -> usize {
        let texts = |category: &CategoryDefinition| {
            let local: usize = category
                .local_titles
                .iter()
                .map(|(language, title)| 2 * size_of::<String>() + language.len() + title.len())
                .sum();
            let lists = size_of_val(&category.later_points[..])
                + category.after.iter().map(|row| size_of::<String>() + row.len()).sum::<usize>();
            category.id.len() + category.title.len() + local + lists + category.pattern.bytes()
        };
        let column = |column: &Column| column.id.len() + column.title.len();
        let rows = |rows: &[String]| rows.iter().map(|row| size_of::<String>() + row.len()).sum();
        let bonus = |bonus: &Bonus| -> usize {
            let listed: usize = rows(&bonus.rows);
            size_of_val(&bonus.steps[..]) + listed
        };
        size_of_val(&self.categories[..])
            + size_of_val(&self.columns[..])
            + size_of_val(&self.bonuses[..])
            + size_of_val(&self.products[..])
            + self.columns.iter().map(column).sum::<usize>()
            + self.bonuses.iter().map(bonus).sum::<usize>()
            + size_of_val(&self.upper_bonuses[..])
            + self.categories.iter().map(texts).sum::<usize>()
    }
}

/// A row of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CategoryDefinition {
    /// Stable name in snake case, such as `full_house`.
    pub id: String,
    /// Name to show, in English.
    pub title: String,
    /// Name to show in other languages, by language tag (`pt`, `lt`), where the rule text has one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub local_titles: BTreeMap<String, String>,
    /// The section whose sum the row belongs to.
    pub section: Section,
    /// What the dice must show for the row to pay.
    pub pattern: Pattern,
    /// Points of the row when its pattern holds; otherwise it has 0.
    pub points: Points,
    /// Points instead when the roll is served: recorded on the first roll of a turn, or as
    /// [`Definition::served`] says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_points: Option<Points>,
    /// Points instead when recorded on the second, third, ... roll of a turn; `points` from
    /// there on. A bought throw counts as the last of its turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_points: Vec<Points>,
    /// How many rolls are recorded in the row, each in a turn of its own.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub entries: u8,
    /// Ids of the rows of the same column that must be full before this one opens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Whether a served roll that the row pays wins the game at once.
    #[serde(default, skip_serializing_if = "is_default")]
    pub served_wins: bool,
}

impl CategoryDefinition {
    /// A row of one entry in the lower section, without a title.
    #[must_use]
    pub fn new(id: impl Into<String>, pattern: Pattern, points: Points) -> Self {
        Self {
            id: id.into(),
            title: String::new(),
            local_titles: BTreeMap::new(),
            section: Section::Lower,
            pattern,
            points,
            served_points: None,
            later_points: Vec::new(),
            entries: 1,
            after: Vec::new(),
            served_wins: false,
        }
    }

    /// Whether the row may hold less than 0 points.
    pub(crate) fn may_be_negative(&self) -> bool {
        let kinds = [Some(self.points), self.served_points].into_iter().flatten();
        let mut kinds = kinds.chain(self.later_points.iter().copied());
        kinds.any(|points| points.fixed < 0 || points.factor < 0)
    }
}

fn one() -> u8 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_one(entries: &u8) -> bool {
    *entries == 1
}

/// A column of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Stable name in snake case, such as `down`.
    pub id: String,
    /// Name to show, in English.
    #[serde(default)]
    pub title: String,
    /// In which order the rows of the column are filled.
    #[serde(default)]
    pub order: Order,
    /// Factor of all points in the column, bonuses included.
    #[serde(default = "one")]
    pub weight: u8,
}

/// The order in which the rows of a column are filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Any.
    #[default]
    Free,
    /// From top to bottom.
    Down,
    /// From bottom to top.
    Up,
    /// Any, but a row must be announced after the first roll of the turn; the turn then ends by
    /// recording in it.
    Announced,
}

/// Points for the entries of some rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bonus {
    /// Ids of the rows; none stands for all.
    #[serde(default)]
    pub rows: Vec<String>,
    /// What the bonus counts.
    #[serde(default)]
    pub counts: Counts,
    /// Whether each column has the bonus, times the column's weight, or the whole sheet has it.
    #[serde(default)]
    pub per_column: bool,
    /// The points that the count earns; all steps reached add up.
    pub steps: Vec<Step>,
}

/// What a bonus counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// The points in the rows.
    #[default]
    Points,
    /// The entries that hold points.
    Made,
}

/// A step of a bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The count at which the step is reached: this much or more; 0 always.
    pub at: u16,
    /// Points of the step.
    pub points: i16,
}

/// Rows that count only together, in each column: the difference of two rows (or one row) times
/// another. The row `times` counts for itself as well. Counts once all of them are filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    /// Id of the row that is multiplied.
    pub of: String,
    /// Id of the row that is subtracted from it first, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub less: Option<String>,
    /// Id of the row to multiply by.
    pub times: String,
    /// The least that the product counts, if there is a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<i16>,
}

/// The parts of the final score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinalScore {
    /// The points in the rows and all bonuses.
    #[default]
    Total,
    /// The bonuses alone; points in rows count towards them only.
    Bonuses,
}

/// Which rolls are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Served {
    /// The first roll of a turn.
    #[default]
    FirstRoll,
    /// Any roll whose dice were all thrown at once.
    WholeThrow,
}

/// Throws beyond those of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraThrows {
    /// None.
    #[default]
    None,
    /// Throws that a turn does not use may be used in any later turn.
    Saved,
    /// After the last throw of a turn one more may be bought, and so on.
    Bought(BoughtThrows),
}

/// Throws that can be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoughtThrows {
    /// How many a player may buy in a game.
    pub number: u8,
    /// Points that each costs.
    pub price: u16,
}

/// The part of the score sheet that a category belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The rows that count towards the upper bonuses.
    Upper,
    /// All other rows.
    Lower,
}

/// Points for the sum of the upper section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpperBonus {
    /// The sum at which the bonus is earned: this much or more.
    pub threshold: u16,
    /// Points of the bonus.
    pub points: u16,
}

/// What a roll of all dice alike may stand for once its own row is filled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joker {
    /// When the joker is in force and where it must go.
    #[serde(default)]
    pub policy: JokerPolicy,
    /// Ids of the categories that a joker fills as though their pattern held.
    #[serde(default)]
    pub fills: Vec<String>,
}

/// When a joker is in force and where it must go.
///
/// "Forced" is this order: the upper row of the joker's face if it is open; else any open row of
/// the lower section; else any open row of the upper section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JokerPolicy {
    /// There is no joker.
    #[default]
    None,
    /// Any open row may be chosen; the joker fills rows only once the row of all dice alike and
    /// the upper row of its face are both filled.
    Free,
    /// In force, and its order forced, whenever the row of all dice alike is filled, also with 0.
    Forced,
    /// As `Forced`, but only while that row holds points.
    ForcedWhileScored,
}
