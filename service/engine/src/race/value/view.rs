//! The boards as the player who ends a turn sees them: its own against those of the others.

use arrayvec::ArrayVec;

use crate::race::board::{Board, is_closed};
use crate::race::row::{CELLS, ROWS, Row};
use crate::race::rules::{MAX_PLAYERS, RaceRules};

/// The counts of one board.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// Filled cells of each row.
    pub counts: [u8; ROWS],
    /// Points of each row, neither multiplied nor doubled.
    pub sums: [f32; ROWS],
}

impl Side {
    fn new(board: &Board) -> Self {
        Self {
            counts: Row::ALL.map(|row| board.count(row) as u8),
            sums: Row::ALL.map(|row| board.sum(row) as f32),
        }
    }
}

/// The boards of a game, seen by one player.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The rules.
    pub rules: RaceRules,
    /// The player's own board.
    pub own: Side,
    /// The other boards, in the order of play after it.
    pub others: ArrayVec<Side, MAX_PLAYERS>,
    /// The most cells any other player has in each row.
    pub most: [u8; ROWS],
    /// Rows in which some other player has no cell.
    pub unopened: [bool; ROWS],
    /// Rows that some player has filled.
    pub closed: [bool; ROWS],
}

impl View {
    /// The boards as player `own` of them sees them.
    #[must_use]
    pub fn new(rules: &RaceRules, boards: &[Board], own: usize) -> Self {
        let others: ArrayVec<Side, MAX_PLAYERS> = (1..boards.len().min(MAX_PLAYERS))
            .map(|after| Side::new(&boards[(own + after) % boards.len()]))
            .collect();
        let most = |row: usize| others.iter().map(|side| side.counts[row]).max().unwrap_or(0);
        Self {
            rules: *rules,
            own: Side::new(&boards[own]),
            most: std::array::from_fn(most),
            unopened: std::array::from_fn(|row| others.iter().any(|side| side.counts[row] == 0)),
            closed: Row::ALL.map(|row| is_closed(boards, row)),
            others,
        }
    }

    /// The factor of one point in `row`, for a side, if own cells are `own_count` and the row is
    /// `closed`; an open row as if it closed undoubled.
    pub(super) fn weight(&self, row: Row, own_count: u8, closed: bool) -> f32 {
        let doubled =
            self.rules.double_unopened && closed && (own_count == 0 || self.unopened[row.index()]);
        row.multiplier() as f32 * if doubled { 2.0 } else { 1.0 }
    }

    /// Totals of the player and of the others, if own cells and points were `own` and the rows
    /// `closed`. With `last` the game has ended and an open row counts as the rules say.
    pub(super) fn totals(
        &self,
        own: &Side,
        closed: &[bool; ROWS],
        last: bool,
    ) -> (f32, ArrayVec<f32, MAX_PLAYERS>) {
        let weights: [f32; ROWS] = Row::ALL.map(|row| {
            let lost = last
                && !closed[row.index()]
                && !self.rules.unclosed_rows_count
                && row != Row::Poker;
            let weight = self.weight(row, own.counts[row.index()], closed[row.index()]);
            if lost { 0.0 } else { weight }
        });
        let total = |side: &Side| -> f32 {
            side.sums.iter().zip(&weights).map(|(sum, weight)| sum * weight).sum()
        };
        (total(own), self.others.iter().map(total).collect())
    }

    /// The other player who is ahead of the others, and both best totals.
    pub(super) fn leaders(totals: &[f32]) -> (usize, f32, f32) {
        let mut leader = (0, f32::NEG_INFINITY, f32::NEG_INFINITY);
        for (player, &total) in totals.iter().enumerate() {
            if total > leader.1 {
                leader = (player, total, leader.1);
            } else if total > leader.2 {
                leader.2 = total;
            }
        }
        if totals.is_empty() {
            return (0, 0.0, 0.0);
        }
        if totals.len() == 1 { (leader.0, leader.1, leader.1) } else { leader }
    }
}

/// Cells still to be filled until the game can end: all that open rows need, less the row that
/// needs most, which may stay open. `filled` are the most cells of any player in each row.
pub(super) fn cells_to_end(filled: impl Fn(usize) -> u8, closed: &[bool; ROWS]) -> usize {
    let mut sum = 0;
    let mut most = 0;
    for row in Row::SEVEN {
        if !closed[row.index()] {
            let needs = CELLS - usize::from(filled(row.index())).min(CELLS);
            sum += needs;
            most = most.max(needs);
        }
    }
    sum - most
}
