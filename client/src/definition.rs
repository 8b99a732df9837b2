//! A score-sheet ruleset as data: what one's own game is sent to the service as. Its JSON form is
//! that of the contract, so a file serves this client, grpcurl and every other language alike.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A ruleset of the score-sheet kind: every turn the player throws the dice up to `rolls` times,
/// keeping what it likes in between, and records the outcome in one open category.
///
/// ```
/// use dicepoker_client::{Category, Definition, Pattern, Points};
///
/// let game = Definition::new(3, 6, 2)
///     .category(Category::new("sixes", Pattern::Face(6), Points::matching()).upper())
///     .category(Category::new("chance", Pattern::Any {}, Points::all()))
///     .category(Category::new("three_alike", Pattern::groups([3]), Points::fixed(20)));
/// assert_eq!(game.categories.len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Number of dice.
    pub dice: u32,
    /// Number of faces of a die; they are 1 to this.
    pub faces: u32,
    /// Throws a turn, the first included.
    pub rolls: u32,
    /// The rows of the score sheet from top to bottom.
    pub categories: Vec<Category>,
    /// Points for the sum of the upper section; all whose threshold is reached are earned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upper_bonuses: Vec<UpperBonus>,
    /// Points for each further roll of all dice alike once their category holds points; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub five_alike_bonus: i32,
    /// What a further roll of all dice alike may stand for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joker: Option<Joker>,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

impl Definition {
    /// Rules with no category yet.
    #[must_use]
    pub fn new(dice: u32, faces: u32, rolls: u32) -> Self {
        Self {
            dice,
            faces,
            rolls,
            categories: Vec::new(),
            upper_bonuses: Vec::new(),
            five_alike_bonus: 0,
            joker: None,
        }
    }

    /// With one more row at the bottom of the sheet.
    #[must_use]
    pub fn category(mut self, category: Category) -> Self {
        self.categories.push(category);
        self
    }

    /// With `points` for an upper section of `threshold` or more.
    #[must_use]
    pub fn upper_bonus(mut self, threshold: i32, points: i32) -> Self {
        self.upper_bonuses.push(UpperBonus { threshold, points });
        self
    }
}

/// A row of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// Stable name in snake case.
    pub id: String,
    /// Name to show, in English.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Name to show in other languages, by language tag.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub local_titles: BTreeMap<String, String>,
    /// The section whose sum the row belongs to.
    #[serde(default)]
    pub section: Section,
    /// What the dice must show for the row to pay. Absent in the race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// What the row pays when its pattern holds. Absent in the race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// What it pays instead when recorded on the first roll of a turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_points: Option<Points>,
    /// What the row needs and pays, in an English sentence. Only in answers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The cells of the row; only in answers about the race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race_row: Option<RaceRow>,
}

impl Category {
    /// A row of the lower section.
    #[must_use]
    pub fn new(id: impl Into<String>, pattern: Pattern, points: Points) -> Self {
        Self {
            id: id.into(),
            title: String::new(),
            local_titles: BTreeMap::new(),
            section: Section::Lower,
            pattern: Some(pattern),
            points: Some(points),
            served_points: None,
            description: String::new(),
            race_row: None,
        }
    }

    /// The row in the upper section.
    #[must_use]
    pub fn upper(mut self) -> Self {
        self.section = Section::Upper;
        self
    }

    /// The row with a name to show.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The name to show: the title, or the id where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.title.is_empty() { &self.id } else { &self.title }
    }
}

/// The cells of a row of the race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceRow {
    /// The least value that may be written into each cell, from left to right.
    pub minimums: Vec<i32>,
    /// What the row's sum is multiplied by in a player's total.
    pub multiplier: u32,
    /// Whether the row's closing counts towards the end of the game.
    pub counts_to_end: bool,
}

/// The part of the score sheet that a category stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Section {
    /// The rows that count towards the upper bonuses.
    #[serde(rename = "SECTION_UPPER", alias = "upper")]
    Upper,
    /// All other rows.
    #[default]
    #[serde(rename = "SECTION_LOWER", alias = "lower", alias = "SECTION_UNSPECIFIED")]
    Lower,
}

/// What the dice must show for a category to pay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Any roll; the dice of this face are the matching ones.
    Face(u32),
    /// Any roll; all dice match.
    Any {},
    /// Groups of alike dice; they match, of the highest possible faces.
    Groups {
        /// Size of each group: `[2]` a pair, `[3, 2]` a full house.
        sizes: Vec<u32>,
        /// Whether one face may serve several groups.
        #[serde(default)]
        allow_same_face: bool,
    },
    /// At least so many different faces in sequence.
    Straight(u32),
    /// At least one die of each of certain faces.
    Run {
        /// The faces, each once.
        faces: Vec<u32>,
    },
    /// Every die shows an even face.
    AllEven {},
    /// Every die shows an odd face.
    AllOdd {},
    /// The dice add up to so much or more.
    SumAtLeast(u32),
    /// The dice add up to so much or less.
    SumAtMost(u32),
}

impl Pattern {
    /// Groups of different faces.
    #[must_use]
    pub fn groups(sizes: impl Into<Vec<u32>>) -> Self {
        Self::Groups { sizes: sizes.into(), allow_same_face: false }
    }
}

/// What a category pays: fixed points and those of dice, together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Points whatever the faces.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fixed: i32,
    /// The dice whose faces are added.
    #[serde(default, skip_serializing_if = "DiceSum::is_none")]
    pub sum: DiceSum,
}

impl Points {
    /// Points whatever the faces.
    #[must_use]
    pub fn fixed(points: i32) -> Self {
        Self { fixed: points, sum: DiceSum::None }
    }

    /// The sum of all dice.
    #[must_use]
    pub fn all() -> Self {
        Self { fixed: 0, sum: DiceSum::All }
    }

    /// The sum of the dice that match the pattern.
    #[must_use]
    pub fn matching() -> Self {
        Self { fixed: 0, sum: DiceSum::Matching }
    }
}

/// Which dice add their faces to the points of a category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DiceSum {
    /// None.
    #[default]
    #[serde(rename = "DICE_SUM_UNSPECIFIED", alias = "none")]
    None,
    /// All dice on the table.
    #[serde(rename = "DICE_SUM_ALL", alias = "all")]
    All,
    /// The dice that match the pattern.
    #[serde(rename = "DICE_SUM_MATCHING", alias = "matching")]
    Matching,
}

impl DiceSum {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// Points for the sum of the upper section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpperBonus {
    /// The sum at which the bonus is earned: this much or more.
    pub threshold: i32,
    /// Points of the bonus.
    pub points: i32,
}

/// What a roll of all dice alike may stand for once its own category is filled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joker {
    /// When it is in force and where it must go.
    #[serde(default)]
    pub policy: JokerPolicy,
    /// Ids of the lower categories that a joker fills as though their pattern held.
    #[serde(default)]
    pub fills: Vec<String>,
}

/// When a joker is in force and where it must go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum JokerPolicy {
    /// There is no joker.
    #[default]
    #[serde(rename = "JOKER_POLICY_UNSPECIFIED", alias = "none")]
    None,
    /// Any open row may be chosen; it fills rows only once the rows it would else go to are filled.
    #[serde(rename = "JOKER_POLICY_FREE", alias = "free")]
    Free,
    /// In force, and its order forced, whenever the category of all dice alike is filled.
    #[serde(rename = "JOKER_POLICY_FORCED", alias = "forced")]
    Forced,
    /// As forced, but only while that category holds points.
    #[serde(rename = "JOKER_POLICY_FORCED_WHILE_SCORED", alias = "forced_while_scored")]
    ForcedWhileScored,
}
