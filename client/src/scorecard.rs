//! A player's card: what stands in each category, and what it adds up to.

use serde::{Deserialize, Serialize};

/// What one player has written down.
///
/// ```
/// use dicepoker_client::Scorecard;
///
/// let card = Scorecard::new().with("ones", 3).with("chance", 22);
/// assert_eq!(card.points("ones"), Some(3));
/// assert_eq!(card.points("twos"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scorecard {
    /// The filled categories, in any order, each at most once.
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// How many bonuses for a further roll of all dice alike were earned; a count, not points.
    #[serde(default)]
    pub five_alike_bonuses: u32,
}

/// A category of the scorecard that holds something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Id of the category, such as `full_house`.
    pub category: String,
    /// What stands in it: one value on a score sheet, the row's cells in the race.
    pub points: Vec<i32>,
}

impl Scorecard {
    /// The card with nothing filled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The card with `points` written into `category`: on a score sheet its one value, in the
    /// race the row's next cell.
    #[must_use]
    pub fn with(mut self, category: impl Into<String>, points: i32) -> Self {
        let category = category.into();
        match self.entries.iter_mut().find(|entry| entry.category == category) {
            Some(entry) => entry.points.push(points),
            None => self.entries.push(Entry { category, points: vec![points] }),
        }
        self
    }

    /// The card with so many bonuses for further rolls of all dice alike.
    #[must_use]
    pub fn with_five_alike_bonuses(mut self, count: u32) -> Self {
        self.five_alike_bonuses = count;
        self
    }

    /// What stands in `category`, the sum of its cells, if it holds anything.
    #[must_use]
    pub fn points(&self, category: &str) -> Option<i32> {
        let entry = self.entries.iter().find(|entry| entry.category == category)?;
        Some(entry.points.iter().sum())
    }
}

/// The sums of a player's card, in points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Sum of the upper section, without bonus.
    pub upper_subtotal: i32,
    /// Upper bonuses earned.
    pub upper_bonus: i32,
    /// Sum of the lower section, without bonus.
    pub lower_subtotal: i32,
    /// Bonuses for further rolls of all dice alike.
    pub five_alike_bonus: i32,
    /// Everything together; what decides the game.
    pub grand_total: i32,
    /// Only in the race: what each row counts if the game ended now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowTotal>,
}

/// What a row of the race counts in a player's total.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowTotal {
    /// Id of the row.
    pub category: String,
    /// Points, multiplied and doubled as they count.
    pub points: i32,
    /// Whether the row is closed.
    pub closed: bool,
    /// Whether it counts double, because it closed while some player had no cell in it.
    pub doubled: bool,
}
