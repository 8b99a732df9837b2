//! The moves of a player: keep some dice, record the roll, announce a category, stop, or settle the
//! stakes.

use std::fmt;

use dicepoker_proto::v1 as pb;

use crate::{Dice, Error};

/// A move. It converts to and from the message [`proto::Move`](crate::proto::Move).
///
/// ```
/// use dicepoker_client::Move;
///
/// assert_eq!(Move::keep([6, 6]).to_string(), "keep 66");
/// assert_eq!(Move::record("sixes").to_string(), "record sixes");
/// assert_eq!(Move::record("down/sixes").to_string(), "record down/sixes");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// These dice stay on the table, the others are thrown again.
    Keep {
        /// The dice that stay; none throws all.
        dice: Dice,
    },
    /// The roll is recorded in a category. On a score sheet this ends the turn.
    Record {
        /// Id of the category.
        category: String,
        /// Id of the column; empty on a sheet without columns.
        column: String,
    },
    /// The turn will end by recording in a category of an announced column.
    Announce {
        /// Id of the category.
        category: String,
        /// Id of the column.
        column: String,
    },
    /// The turn ends without a record: in the race, and in a showdown, where all dice are kept.
    Stop,
    /// The stakes are raised by so many; only in a showdown with raises.
    Raise {
        /// The amount.
        amount: u32,
    },
    /// The raise on offer, or the stakes as they are, are agreed to; only in a showdown with raises.
    Accept,
    /// The round is given up; only in a showdown with raises.
    GiveUp,
}

impl Move {
    /// Keeps these dice and throws the others.
    #[must_use]
    pub fn keep(dice: impl Into<Dice>) -> Self {
        Self::Keep { dice: dice.into() }
    }

    /// Throws all dice, the first move of every turn.
    #[must_use]
    pub fn throw_all() -> Self {
        Self::Keep { dice: Dice::NONE }
    }

    /// Records the roll in a category: `sixes`, or `down/sixes` in a column.
    #[must_use]
    pub fn record(category: impl Into<String>) -> Self {
        let (column, category) = place(category.into());
        Self::Record { category, column }
    }

    /// Announces a category: `announced/sixes`.
    #[must_use]
    pub fn announce(category: impl Into<String>) -> Self {
        let (column, category) = place(category.into());
        Self::Announce { category, column }
    }
}

/// The column and the category of a place on the sheet.
fn place(text: String) -> (String, String) {
    match text.split_once('/') {
        Some((column, category)) => (column.to_owned(), category.to_owned()),
        None => (String::new(), text),
    }
}

/// As the command line reads it: `keep 66`, `record sixes`, `stop`; `throw` keeps nothing.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep { dice } if dice.is_empty() => f.write_str("throw"),
            Self::Keep { dice } => write!(f, "keep {dice}"),
            Self::Record { category, column } if column.is_empty() => {
                write!(f, "record {category}")
            }
            Self::Record { category, column } => write!(f, "record {column}/{category}"),
            Self::Announce { category, column } => write!(f, "announce {column}/{category}"),
            Self::Stop => f.write_str("stop"),
            Self::Raise { amount } => write!(f, "raise {amount}"),
            Self::Accept => f.write_str("accept"),
            Self::GiveUp => f.write_str("give up"),
        }
    }
}

impl From<Move> for pb::Move {
    fn from(chosen: Move) -> Self {
        use pb::r#move::Kind;
        let kind = match chosen {
            Move::Keep { dice } => {
                Kind::Keep(pb::KeepMove { dice: dice.into(), ..Default::default() })
            }
            Move::Record { category, column } => Kind::Record(pb::RecordMove { category, column }),
            Move::Announce { category, column } => {
                Kind::Announce(pb::AnnounceMove { category, column })
            }
            Move::Stop => Kind::Stop(pb::StopMove {}),
            Move::Raise { amount } => Kind::Raise(pb::RaiseMove { amount }),
            Move::Accept => Kind::Accept(pb::AcceptMove {}),
            Move::GiveUp => Kind::GiveUp(pb::GiveUpMove {}),
        };
        Self { kind: Some(kind) }
    }
}

/// Fails for a kind of move that this version of the client does not know.
impl TryFrom<pb::Move> for Move {
    type Error = Error;

    fn try_from(chosen: pb::Move) -> Result<Self, Error> {
        use pb::r#move::Kind;
        match chosen.kind.ok_or_else(|| Error::malformed("a move of no known kind"))? {
            Kind::Keep(keep) => Ok(Self::keep(keep.dice)),
            Kind::Record(pb::RecordMove { category, column }) => {
                Ok(Self::Record { category, column })
            }
            Kind::Announce(pb::AnnounceMove { category, column }) => {
                Ok(Self::Announce { category, column })
            }
            Kind::Stop(pb::StopMove {}) => Ok(Self::Stop),
            Kind::Raise(raise) => Ok(Self::Raise { amount: raise.amount }),
            Kind::Accept(pb::AcceptMove {}) => Ok(Self::Accept),
            Kind::GiveUp(pb::GiveUpMove {}) => Ok(Self::GiveUp),
        }
    }
}

/// The move of a response, where every move is optional.
impl TryFrom<Option<pb::Move>> for Move {
    type Error = Error;

    fn try_from(chosen: Option<pb::Move>) -> Result<Self, Error> {
        chosen.unwrap_or_default().try_into()
    }
}
