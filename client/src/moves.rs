//! What a player does: keep some dice, write the roll down, or, in the race, stop.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Dice;

/// A move. Its JSON form is that of the contract: `{"keep": {"dice": [6, 6]}}`,
/// `{"record": {"category": "sixes"}}`, `{"stop": {}}`.
///
/// ```
/// use dicepoker_client::Move;
///
/// assert_eq!(Move::keep([6, 6]).to_string(), "keep 66");
/// assert_eq!(Move::record("sixes").to_string(), "record sixes");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// These dice stay on the table, the others are thrown again.
    Keep {
        /// The dice that stay; none throws all.
        #[serde(default)]
        dice: Dice,
    },
    /// The roll is written into a category. On a score sheet this ends the turn.
    Record {
        /// Id of the category.
        category: String,
    },
    /// The turn ends and nothing more is written down; only in the race.
    Stop {},
}

impl Move {
    /// Keeps these dice and throws the others.
    #[must_use]
    pub fn keep(dice: impl Into<Dice>) -> Self {
        Self::Keep { dice: dice.into() }
    }

    /// Throws all dice, as every turn begins.
    #[must_use]
    pub fn throw_all() -> Self {
        Self::Keep { dice: Dice::NONE }
    }

    /// Writes the roll into a category.
    #[must_use]
    pub fn record(category: impl Into<String>) -> Self {
        Self::Record { category: category.into() }
    }
}

/// As the command line reads it: `keep 66`, `record sixes`, `stop`; `throw` keeps nothing.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep { dice } if dice.is_empty() => f.write_str("throw"),
            Self::Keep { dice } => write!(f, "keep {dice}"),
            Self::Record { category } => write!(f, "record {category}"),
            Self::Stop {} => f.write_str("stop"),
        }
    }
}
