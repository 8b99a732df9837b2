//! The moves of the race: hold some dice and throw the others, record the throw in a row, or end
//! the turn.
//!
//! Every turn begins with a throw; after it the player may always stop, because recording is
//! optional. A turn therefore has at most three throws and three records, and the player to move
//! always has a move. A game ends only by closing rows: players who never record would play for
//! ever, so a program that plays both sides should limit turns.

use std::cmp::Ordering;

use arrayvec::ArrayVec;

use super::points::{count, dice, space};
use super::position::{RacePosition, RunningCount};
use super::row::{ROWS, Row};
use crate::dice::{Keep, Roll};

/// The most legal moves any position has: 31 keeps of five different dice, a record in each row
/// and stopping.
pub const MAX_MOVES: usize = 31 + ROWS + 1;

/// A move of the race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RaceMove {
    /// Write the throw into the next cell of this row.
    Record(Row),
    /// Hold these dice and throw the others; [`Keep::EMPTY`] throws all five.
    Keep(Keep),
    /// End the turn.
    Stop,
}

impl RaceMove {
    /// Holds dice of these faces, in any order; `None` if there are five or more of them or one
    /// is no face from 1 to 6.
    #[must_use]
    pub fn keep_of(faces: &[u8]) -> Option<Self> {
        let keep = space().keep_of(faces)?;
        space().as_roll(keep).is_none().then_some(Self::Keep(keep))
    }

    /// The order of preference among equal moves: records in the order of the board, then keeps,
    /// those of more dice first and then those of higher faces, then stopping.
    #[must_use]
    pub fn preference(&self, other: &Self) -> Ordering {
        let rank = |chosen: &Self| match *chosen {
            Self::Record(row) => (0, row as u16),
            Self::Keep(keep) => (1, dice().order(keep)),
            Self::Stop => (2, 0),
        };
        rank(self).cmp(&rank(other))
    }

    /// Number of dice that this move throws.
    #[must_use]
    pub fn dice_to_throw(&self) -> usize {
        match self {
            Self::Keep(keep) => 5 - space().size(*keep),
            Self::Record(_) | Self::Stop => 0,
        }
    }
}

/// The reasons why a move is not legal in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// Six of the seven rows are closed.
    #[error("the game has ended")]
    Finished,
    /// There are no dice on the table to record or to hold.
    #[error("there are no dice on the table: all five must be thrown, keep no dice")]
    NoDice,
    /// The turn has not begun.
    #[error("a turn begins with a throw: keep no dice")]
    BeforeFirstThrow,
    /// The third throw has been made.
    #[error("no throw is left in this turn: record or stop")]
    NoThrowLeft,
    /// Some of the dice to hold are not on the table.
    #[error("the dice to keep are not all on the table")]
    NotOnTable,
    /// All five dice are held.
    #[error("keeping all five dice throws nothing: keep fewer, record or stop")]
    NothingToThrow,
    /// The boards of this game have no such row.
    #[error("there is no row `{0}` under these rules")]
    NoSuchRow(Row),
    /// The throw cannot be recorded in this row.
    #[error("cannot record in {row}: {refusal}")]
    Refused {
        /// The row.
        row: Row,
        /// The reason.
        refusal: super::position::Refusal,
    },
}

impl RacePosition {
    /// Every legal move, each once, in the order of [`RaceMove::preference`].
    #[must_use]
    pub fn legal_moves(&self) -> ArrayVec<RaceMove, MAX_MOVES> {
        let mut moves = ArrayVec::new();
        if self.is_finished() {
            return moves;
        }
        moves.extend(self.score().iter().filter(|s| s.legal()).map(|s| RaceMove::Record(s.row)));
        match self.dice {
            Some(roll) if self.rolls_left > 0 => {
                let mut keeps: ArrayVec<Keep, 31> = space().keeps_of(roll).collect();
                keeps.sort_by_key(|&keep| dice().order(keep));
                moves.extend(keeps.into_iter().map(RaceMove::Keep));
            }
            Some(_) => {}
            None => moves.push(RaceMove::Keep(Keep::EMPTY)),
        }
        if !self.is_before_first_throw() {
            moves.push(RaceMove::Stop);
        }
        moves
    }

    /// Whether `chosen` may be played.
    ///
    /// # Errors
    /// The reason why it may not.
    pub fn check(&self, chosen: RaceMove) -> Result<(), IllegalMove> {
        if self.is_finished() {
            return Err(IllegalMove::Finished);
        }
        match (chosen, self.dice) {
            (RaceMove::Stop, _) if self.is_before_first_throw() => {
                Err(IllegalMove::BeforeFirstThrow)
            }
            (RaceMove::Stop, _) => Ok(()),
            (RaceMove::Keep(Keep::EMPTY), None) => Ok(()),
            (RaceMove::Keep(_) | RaceMove::Record(_), None) => Err(IllegalMove::NoDice),
            (RaceMove::Keep(_), Some(_)) if self.rolls_left == 0 => Err(IllegalMove::NoThrowLeft),
            (RaceMove::Keep(keep), Some(roll)) => {
                if !space().contains(space().as_keep(roll), keep) {
                    Err(IllegalMove::NotOnTable)
                } else if space().as_roll(keep).is_some() {
                    Err(IllegalMove::NothingToThrow)
                } else {
                    Ok(())
                }
            }
            (RaceMove::Record(row), Some(_)) if !row.exists(&self.rules) => {
                Err(IllegalMove::NoSuchRow(row))
            }
            (RaceMove::Record(row), Some(roll)) => match self.row_score(row, roll).refusal {
                Some(refusal) => Err(IllegalMove::Refused { row, refusal }),
                None => Ok(()),
            },
        }
    }

    /// The count that continues when `keep` is held of the dice on the table, in the variant that
    /// sums figures.
    ///
    /// Holding some dice leaves a count as it is: the throw goes on. Throwing all five puts the
    /// dice aside if all of them are nines or the figure of the count, or else of one figure, whose
    /// count begins; any other dice end the count. Continuing a count is never worse than giving it
    /// up, unless the next throw shows five alike, so it is not a choice.
    pub(super) fn running_after(&self, roll: Roll, keep: Keep) -> Option<RunningCount> {
        if !self.rules.sum_of_figures {
            None
        } else if keep != Keep::EMPTY {
            self.running
        } else {
            put_aside(self.running, roll)
                .filter(|running| !super::board::is_closed(&self.boards, running.row))
        }
    }

    fn is_before_first_throw(&self) -> bool {
        self.dice.is_none() && self.rolls_left == super::rules::THROWS
    }
}

/// The count after the dice `roll` are put aside; `None` if they fit none.
pub(super) fn put_aside(running: Option<RunningCount>, roll: Roll) -> Option<RunningCount> {
    let counts = space().roll_counts(roll);
    let all_nines = counts[0] == 5;
    match running {
        Some(RunningCount { row, points })
            if all_nines || dice().only_figure(roll) == Some(row) =>
        {
            Some(RunningCount { row, points: points + count(row, roll) })
        }
        _ => dice().only_figure(roll).map(|row| RunningCount { row, points: count(row, roll) }),
    }
}
