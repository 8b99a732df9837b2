//! The state of a card, and the gain of a record.

use crate::category::{Category, CategorySet};

/// The most sums a sheet may keep besides the total of a single upper section.
pub const MAX_TALLIES: usize = 16;

/// The state of a scorecard, which decides the value of the rest of its game: exact solving has a
/// value for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardState {
    /// The categories filled; all of them on a card that has won.
    pub filled: CategorySet,
    /// Points in the upper section, at most [`Sheet::upper_cap`]; always 0 with several columns.
    ///
    /// [`Sheet::upper_cap`]: super::Sheet::upper_cap
    pub upper: u16,
    /// Whether the row of all dice alike holds points in every column; always false where that
    /// makes no difference ([`Sheet::tracks_alike`]).
    ///
    /// [`Sheet::tracks_alike`]: super::Sheet::tracks_alike
    pub alike_scored: bool,
    /// Throws saved from earlier turns, or bought.
    pub extra_throws: u8,
    /// The sums that further bonuses and products depend on; each 0 where it makes no difference.
    pub tallies: [i16; MAX_TALLIES],
}

impl CardState {
    /// An empty scorecard.
    pub const EMPTY: Self = Self {
        filled: CategorySet::EMPTY,
        upper: 0,
        alike_scored: false,
        extra_throws: 0,
        tallies: [0; MAX_TALLIES],
    };
}

/// The gain of recording a roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gain {
    /// Points written into the category.
    pub points: i16,
    /// Upper bonuses reached by it, times the weight of the column.
    pub upper_bonus: i32,
    /// Bonus for a further roll of all dice alike, times the weight of the column.
    pub five_alike_bonus: i32,
    /// Everything else: the points that the weight of the column adds, other bonuses, products.
    pub other: i32,
}

impl Gain {
    /// All of it together.
    #[must_use]
    pub fn total(self) -> i32 {
        i32::from(self.points) + self.upper_bonus + self.five_alike_bonus + self.other
    }
}

/// The score of a roll in one category of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The category.
    pub category: Category,
    /// The gain of recording the roll there; where that is not legal, the gain if it were.
    pub gain: Gain,
    /// Whether the roll may be recorded there.
    pub legal: bool,
}

/// Which roll of its turn a roll is, as far as points depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throw(pub(super) u8);

impl Throw {
    /// A served roll.
    pub const SERVED: Self = Self(0);
    /// A roll late in its turn.
    pub const LATE: Self = Self(u8::MAX);

    /// The roll of this number of its turn, from 0, which is not served unless it is the first.
    #[must_use]
    pub fn number(number: usize) -> Self {
        Self(number.min(usize::from(u8::MAX)) as u8)
    }
}

impl From<bool> for Throw {
    fn from(served: bool) -> Self {
        if served { Self::SERVED } else { Self::LATE }
    }
}
