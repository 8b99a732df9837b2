//! A score-sheet ruleset as data: what a game's rule page says, and nothing else. The built-in
//! rulesets are files of this form and a caller may send one of its own; a [`Sheet`] is made from
//! it, once it is found sound.
//!
//! [`Sheet`]: crate::sheet::Sheet

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A ruleset of the score-sheet kind: every turn the player throws the dice up to
/// [`rolls`](Definition::rolls) times, keeping what it likes in between, and records the outcome
/// in one open category; when all are filled, the game is over.
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
    /// Points for the sum of the upper section; they add up when several thresholds are reached.
    #[serde(default)]
    pub upper_bonuses: Vec<UpperBonus>,
    /// Points for each further roll of all dice alike once the row of that roll (the category of
    /// one group of all dice) holds its points; 0 for none.
    #[serde(default)]
    pub five_alike_bonus: u16,
    /// What a further roll of all dice alike may stand for.
    #[serde(default)]
    pub joker: Joker,
}

impl Definition {
    /// The upper bonuses earned by an upper section of this sum.
    #[must_use]
    pub fn upper_bonus(&self, sum: u16) -> u16 {
        let earned = self.upper_bonuses.iter().filter(|bonus| sum >= bonus.threshold);
        earned.map(|bonus| bonus.points).sum()
    }

    /// Bytes that it takes besides its own size, as far as a caller may make them many.
    pub(crate) fn bytes(&self) -> usize {
        let texts = |category: &CategoryDefinition| {
            let local: usize = category
                .local_titles
                .iter()
                .map(|(language, title)| 2 * size_of::<String>() + language.len() + title.len())
                .sum();
            category.id.len() + category.title.len() + local
        };
        size_of_val(&self.categories[..])
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
    /// What the row pays when its pattern holds; otherwise 0.
    pub points: Points,
    /// What it pays instead when recorded on the first roll of a turn ("served").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_points: Option<Points>,
}

/// The part of the score sheet that a category stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The rows that count towards the upper bonuses.
    Upper,
    /// All other rows.
    Lower,
}

/// What the dice must show for a category to pay.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Any roll; the dice of this face are the matching ones.
    Face(u8),
    /// Any roll; all dice match.
    Any,
    /// Groups of alike dice, such as `[3, 2]` for a full house.
    Groups(Groups),
    /// At least so many different faces in sequence. The dice of the sequence match, the highest
    /// sequence if there are several.
    Straight(u8),
    /// At least one die of each of these faces; they match, one die each.
    Run(Vec<u8>),
    /// Every die shows an even face; all match.
    AllEven,
    /// Every die shows an odd face; all match.
    AllOdd,
    /// The dice add up to so much or more; all match.
    SumAtLeast(u16),
    /// The dice add up to so much or less; all match.
    SumAtMost(u16),
}

/// Groups of alike dice. The dice of the groups match, of the highest possible faces.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Size of each group: `[2]` a pair, `[2, 2]` two pairs, `[3, 2]` a full house, `[4, 2]` a
    /// tower, `[3, 3]` a villa, `[5]` five alike.
    pub sizes: Vec<u8>,
    /// Whether the groups must be of different faces. If not, five alike hold `[3, 2]` and four
    /// alike hold `[2, 2]`.
    #[serde(default = "yes")]
    pub distinct: bool,
}

fn yes() -> bool {
    true
}

/// What a category pays: `fixed` points and, with `sum`, those of dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Points whatever the faces.
    #[serde(default)]
    pub fixed: u16,
    /// The dice whose faces are added.
    #[serde(default)]
    pub sum: Sum,
}

/// Which dice add their faces to the points of a category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sum {
    /// None.
    #[default]
    None,
    /// All dice on the table.
    All,
    /// The dice that match the pattern.
    Matching,
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
