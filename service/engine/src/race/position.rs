//! A moment in a game: the boards of the table, whose turn it is and the state of the turn. A
//! [`RacePosition`] is made only by [`RacePosition::start`], by parsing or by playing a move, so it
//! is always legal.

use arrayvec::ArrayVec;

use super::board::{Board, Total, closed_rows, is_closed, totals};
use super::points::{count, points_of};
use super::row::{CELLS, ROWS, Row};
use super::rules::{MAX_PLAYERS, RaceRules, THROWS};
use crate::dice::Roll;

/// A count that continues over several throws, in the variant that sums figures: the sum of the
/// throws put aside so far, without the dice on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunningCount {
    /// The figure row it is for.
    pub row: Row,
    /// The count of the throws put aside.
    pub points: u16,
}

/// A moment in a game.
///
/// | dice | `rolls_left` | what it is |
/// |---|---|---|
/// | none | 3 | start of a turn: the only move is to throw |
/// | on the table | 2, 1, 0 | after a throw: record, hold (while throws are left) or stop |
/// | none | 2, 1 | after recording within a turn: throw all five dice, or stop |
/// | none | 0 | the game has ended: no move |
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RacePosition {
    pub(super) rules: RaceRules,
    pub(super) boards: Vec<Board>,
    pub(super) to_move: usize,
    pub(super) dice: Option<Roll>,
    pub(super) rolls_left: u8,
    pub(super) full_throw: bool,
    pub(super) running: Option<RunningCount>,
}

/// The reasons why a throw cannot be recorded in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// A player has filled the row.
    #[error("the row is closed")]
    Closed,
    /// The next cell of the row needs more points.
    #[error("the next cell needs at least {minimum} points")]
    BelowMinimum {
        /// The points that it needs.
        minimum: u16,
    },
    /// The dice show no such combination.
    #[error("the dice do not show what the row needs")]
    DoesNotHold,
    /// The dice do show a poker, but some of them were held.
    #[error("a poker counts only de mão, when all five dice are thrown together")]
    NotDeMao,
}

/// The score of the dice on the table in one row of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowScore {
    /// The row.
    pub row: Row,
    /// The points that a record would write, a running count included; 0 if nothing holds.
    pub points: u16,
    /// The points of these dice de mão, and their points when some were held; without any running
    /// count.
    pub de_mao: u16,
    /// See [`RowScore::de_mao`].
    pub held: u16,
    /// The next cell of the row, from 0 on the left; `None` if the player has filled all five.
    pub cell: Option<usize>,
    /// The least points that cell accepts; 0 in rows without a minimum.
    pub minimum: u16,
    /// The reason why the dice cannot be recorded here; `None` if they can.
    pub refusal: Option<Refusal>,
}

impl RowScore {
    /// Whether the dice can be recorded in this row.
    #[must_use]
    pub fn legal(&self) -> bool {
        self.refusal.is_none()
    }
}

impl RacePosition {
    /// The start of a game: empty boards, the first player to throw.
    ///
    /// The number of players is clamped to 1 to [`MAX_PLAYERS`].
    #[must_use]
    pub fn start(rules: RaceRules, players: usize) -> Self {
        Self {
            rules,
            boards: vec![Board::new(); players.clamp(1, MAX_PLAYERS)],
            to_move: 0,
            dice: None,
            rolls_left: THROWS,
            full_throw: false,
            running: None,
        }
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> &RaceRules {
        &self.rules
    }

    /// The board of each player, in the order of play.
    #[must_use]
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The board of the player to move.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.boards[self.to_move]
    }

    /// Number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.boards.len()
    }

    /// Whose turn it is, an index of the boards.
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// The dice on the table; none before a throw of all five.
    #[must_use]
    pub fn dice(&self) -> Option<Roll> {
        self.dice
    }

    /// Throws still allowed in this turn.
    #[must_use]
    pub fn rolls_left(&self) -> u8 {
        self.rolls_left
    }

    /// Whether all dice on the table were thrown together; false without dice.
    #[must_use]
    pub fn full_throw(&self) -> bool {
        self.full_throw
    }

    /// The count put aside before the dice on the table, in the variant that sums figures.
    #[must_use]
    pub fn running_count(&self) -> Option<RunningCount> {
        self.running
    }

    /// Whether the dice on the table are de mão under the rules.
    #[must_use]
    pub fn is_de_mao(&self) -> bool {
        self.rules.is_de_mao(self.full_throw, self.rolls_left)
    }

    /// Whether six of the seven rows are closed.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        closed_rows(&self.boards) >= super::board::ROWS_TO_END
    }

    /// The totals of every player if the game ended now.
    #[must_use]
    pub fn totals(&self) -> Vec<Total> {
        totals(&self.rules, &self.boards)
    }

    /// The score of the dice on the table in each row of the board, in its order. Empty without
    /// dice.
    #[must_use]
    pub fn score(&self) -> ArrayVec<RowScore, ROWS> {
        let rows = Row::ALL.into_iter().filter(|row| row.exists(&self.rules));
        let Some(dice) = self.dice else { return ArrayVec::new() };
        rows.map(|row| self.row_score(row, dice)).collect()
    }

    /// The points that a record of `dice` in `row` would write.
    pub(super) fn points(&self, row: Row, dice: Roll) -> u16 {
        match self.running {
            Some(running) if running.row == row => running.points + count(row, dice),
            _ => points_of(&self.rules, row, dice, self.is_de_mao()),
        }
    }

    pub(super) fn row_score(&self, row: Row, dice: Roll) -> RowScore {
        let points = self.points(row, dice);
        let de_mao = points_of(&self.rules, row, dice, true);
        let filled = self.board().count(row);
        let minimum = row.minimum(filled);
        let refusal = if is_closed(&self.boards, row) {
            Some(Refusal::Closed)
        } else if points < minimum {
            Some(Refusal::BelowMinimum { minimum })
        } else if points == 0 && de_mao > 0 {
            Some(Refusal::NotDeMao)
        } else if points == 0 {
            Some(Refusal::DoesNotHold)
        } else {
            None
        };
        RowScore {
            row,
            points,
            de_mao,
            held: points_of(&self.rules, row, dice, false),
            cell: (filled < CELLS).then_some(filled),
            minimum,
            refusal,
        }
    }
}
