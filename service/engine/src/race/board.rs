//! The board of a player and the boards of a table. Everything that follows from the cells is
//! derived and never stored: which rows are closed, which count double, the totals.

use arrayvec::ArrayVec;

use super::row::{ByRow, CELLS, Row};
use super::rules::RaceRules;

/// The board of one player: the points in the cells of each row, filled from the left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    cells: ByRow<ArrayVec<u16, CELLS>>,
}

impl Board {
    /// An empty board.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The points in the cells of `row`, from the left.
    #[must_use]
    pub fn cells(&self, row: Row) -> &[u16] {
        &self.cells[row]
    }

    /// How many cells of `row` are filled, 0 to 5.
    #[must_use]
    pub fn count(&self, row: Row) -> usize {
        self.cells[row].len()
    }

    /// The points in `row`, neither multiplied nor doubled.
    #[must_use]
    pub fn sum(&self, row: Row) -> u32 {
        self.cells[row].iter().map(|&points| u32::from(points)).sum()
    }

    /// Fills the next cell of `row`; false if there is none.
    pub(super) fn push(&mut self, row: Row, points: u16) -> bool {
        self.cells[row].try_push(points).is_ok()
    }
}

/// Whether a player has filled `row`, so that it accepts no more records.
#[must_use]
pub fn is_closed(boards: &[Board], row: Row) -> bool {
    boards.iter().any(|board| board.count(row) == CELLS)
}

/// Whether `row` counts double for every player who has it: it is closed, and when it closed some
/// player had no cell in it. A closed row accepts nothing, so that player still has none.
#[must_use]
pub fn is_doubled(rules: &RaceRules, boards: &[Board], row: Row) -> bool {
    rules.double_unopened
        && is_closed(boards, row)
        && boards.iter().any(|board| board.count(row) == 0)
}

/// How many of the seven rows are closed. Six end the game.
#[must_use]
pub fn closed_rows(boards: &[Board]) -> usize {
    Row::SEVEN.into_iter().filter(|&row| is_closed(boards, row)).count()
}

/// Closed rows that end the game.
pub const ROWS_TO_END: usize = 6;

/// The points of the rows of one player if the game ended now, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Total {
    /// Points of each row, multiplied and doubled as they count.
    pub rows: ByRow<u32>,
    /// Their sum.
    pub points: u32,
}

/// The totals of every player if the game ended with these boards.
#[must_use]
pub fn totals(rules: &RaceRules, boards: &[Board]) -> Vec<Total> {
    let weight = ByRow::from_fn(|row| {
        let counts = rules.unclosed_rows_count || row == Row::Poker || is_closed(boards, row);
        let double = if is_doubled(rules, boards, row) { 2 } else { 1 };
        if counts { row.multiplier() * double } else { 0 }
    });
    boards
        .iter()
        .map(|board| {
            let rows = ByRow::from_fn(|row| board.sum(row) * weight[row]);
            Total { rows, points: rows.0.iter().sum() }
        })
        .collect()
}

/// The players with the most points, in order; several if they tie.
#[must_use]
pub fn winners(totals: &[Total]) -> Vec<usize> {
    let best = totals.iter().map(|total| total.points).max();
    (0..totals.len()).filter(|&player| Some(totals[player].points) == best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &[(Row, &[u16])]) -> Board {
        let mut board = Board::new();
        for &(row, cells) in rows {
            assert!(cells.iter().all(|&points| board.push(row, points)));
        }
        board
    }

    #[test]
    fn totals_of_the_text() {
        let rules = RaceRules::default();
        let other = board(&[(Row::Aces, &[7]), (Row::Queens, &[7]), (Row::Sequences, &[15])]);
        let closer = board(&[
            (Row::Aces, &[7, 8, 9, 8, 9]),
            (Row::Queens, &[8, 6, 6, 20, 8]),
            (Row::Sequences, &[60, 15, 30, 60, 30]),
        ]);
        let total = totals(&rules, &[closer.clone(), other])[0];
        assert_eq!(total.rows[Row::Aces], 246);
        assert_eq!(total.rows[Row::Queens], 192);
        assert_eq!(total.rows[Row::Sequences], 195);
        assert_eq!(total.points, 246 + 192 + 195);

        let unopened = totals(&rules, &[closer.clone(), Board::new()])[0];
        assert_eq!(unopened.rows[Row::Queens], 384);
        let plain = RaceRules { double_unopened: false, ..rules };
        assert_eq!(totals(&plain, &[closer.clone(), Board::new()])[0].rows[Row::Queens], 192);
        assert_eq!(totals(&rules, &[closer])[0].rows[Row::Queens], 192, "nobody else to open it");
    }

    #[test]
    fn every_player_who_opened_a_doubled_row_counts_it_double() {
        let rules = RaceRules::default();
        let boards =
            [board(&[(Row::Tens, &[7, 6, 6, 8, 8])]), board(&[(Row::Tens, &[9])]), Board::new()];
        let points: Vec<u32> = totals(&rules, &boards).iter().map(|total| total.points).collect();
        assert_eq!(points, [35 * 2 * 2, 9 * 2 * 2, 0]);
    }

    #[test]
    fn the_open_row_counts_unless_its_option_is_off() {
        let boards = [board(&[(Row::Kings, &[8]), (Row::Poker, &[100])]), Board::new()];
        let rules = RaceRules { poker_row: true, ..RaceRules::default() };
        assert_eq!(totals(&rules, &boards)[0].points, 140);
        let closed_only = RaceRules { unclosed_rows_count: false, ..rules };
        assert_eq!(totals(&closed_only, &boards)[0].points, 100);
    }

    #[test]
    fn ties_share() {
        let total = |points| Total { points, ..Total::default() };
        assert_eq!(winners(&[total(3), total(9), total(9)]), [1, 2]);
    }
}
