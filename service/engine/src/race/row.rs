//! The rows of a board: five figure rows, sequences, fullens and, in one variant, poker. A figure
//! row is named after the figure it collects; the rank of that figure is at once its face on the
//! die and the multiplier of the row.

use std::fmt;
use std::ops::{Index, IndexMut};

use super::rules::RaceRules;

/// Cells of a row; filling the last one closes the row.
pub const CELLS: usize = 5;

/// Rows of a board, the poker row of the variant included.
pub const ROWS: usize = 8;

/// A row of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Row {
    /// Aces (*Ases*), multiplier 6.
    Aces,
    /// Kings (*Reis*), multiplier 5.
    Kings,
    /// Queens (*Damas*), multiplier 4.
    Queens,
    /// Jacks (*Valetes*), multiplier 3.
    Jacks,
    /// Tens (*Dez*), multiplier 2.
    Tens,
    /// Sequences of five faces.
    Sequences,
    /// Fullens: three of one figure and two of another, or five alike.
    Fullens,
    /// Poker, only in the variant with a poker row: four alike figures, de mão.
    Poker,
}

impl Row {
    /// Every row in the order of the board.
    pub const ALL: [Row; ROWS] = [
        Row::Aces,
        Row::Kings,
        Row::Queens,
        Row::Jacks,
        Row::Tens,
        Row::Sequences,
        Row::Fullens,
        Row::Poker,
    ];

    /// The five rows of figures.
    pub const FIGURES: [Row; 5] = [Row::Aces, Row::Kings, Row::Queens, Row::Jacks, Row::Tens];

    /// The seven rows of which six must close to end the game.
    pub const SEVEN: [Row; 7] =
        [Row::Aces, Row::Kings, Row::Queens, Row::Jacks, Row::Tens, Row::Sequences, Row::Fullens];

    /// Number of the row in the order of the board.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The stable name of the row on the wire.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Row::Aces => "aces",
            Row::Kings => "kings",
            Row::Queens => "queens",
            Row::Jacks => "jacks",
            Row::Tens => "tens",
            Row::Sequences => "sequences",
            Row::Fullens => "fullens",
            Row::Poker => "poker",
        }
    }

    /// The row of this name, if there is one.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Row> {
        Row::ALL.into_iter().find(|row| row.id() == id)
    }

    /// The name of the row in English, for a board to show.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Row::Aces => "Aces",
            Row::Kings => "Kings",
            Row::Queens => "Queens",
            Row::Jacks => "Jacks",
            Row::Tens => "Tens",
            Row::Sequences => "Sequences",
            Row::Fullens => "Fullens",
            Row::Poker => "Poker",
        }
    }

    /// The name of the row in Portuguese, as the traditional board has it.
    #[must_use]
    pub const fn title_pt(self) -> &'static str {
        match self {
            Row::Aces => "Ases",
            Row::Kings => "Reis",
            Row::Queens => "Damas",
            Row::Jacks => "Valetes",
            Row::Tens => "Dez",
            Row::Sequences => "Sequências",
            Row::Fullens => "Fullens",
            Row::Poker => "Póquer",
        }
    }

    /// The face a figure row collects (2 = ten … 6 = ace); `None` for the other rows.
    #[must_use]
    pub const fn figure(self) -> Option<u8> {
        match self {
            Row::Sequences | Row::Fullens | Row::Poker => None,
            _ => Some(6 - self as u8),
        }
    }

    /// What the points of the row are multiplied by in a total: the rank of a figure, or 1.
    #[must_use]
    pub const fn multiplier(self) -> u32 {
        match self.figure() {
            Some(face) => face as u32,
            None => 1,
        }
    }

    /// The least points that a cell of this row accepts, `cell` counted from 0 on the left: 7, 6,
    /// 6, 8, 8 in a figure row, 0 in the others.
    #[must_use]
    pub const fn minimum(self, cell: usize) -> u16 {
        const FIGURE: [u16; CELLS] = [7, 6, 6, 8, 8];
        if self.figure().is_some() && cell < CELLS { FIGURE[cell] } else { 0 }
    }

    /// Whether boards have this row under `rules`.
    #[must_use]
    pub fn exists(self, rules: &RaceRules) -> bool {
        self != Row::Poker || rules.poker_row
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The label of a face as the dice of the game show it: 1 = `9` (*pilo*), 2 = `10`, 3 = `J`
/// (*Valete*), 4 = `Q` (*Dama*), 5 = `K` (*Rei*), 6 = `A` (*Ás*).
#[must_use]
pub const fn face_label(face: u8) -> Option<&'static str> {
    match face {
        1 => Some("9"),
        2 => Some("10"),
        3 => Some("J"),
        4 => Some("Q"),
        5 => Some("K"),
        6 => Some("A"),
        _ => None,
    }
}

/// The name of a face in Portuguese.
#[must_use]
pub const fn face_name_pt(face: u8) -> Option<&'static str> {
    match face {
        1 => Some("Pilo"),
        2 => Some("Dez"),
        3 => Some("Valete"),
        4 => Some("Dama"),
        5 => Some("Rei"),
        6 => Some("Ás"),
        _ => None,
    }
}

/// One value for each row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByRow<T>(pub [T; ROWS]);

impl<T> ByRow<T> {
    /// The value of each row, in the order of the board.
    pub fn from_fn(mut value: impl FnMut(Row) -> T) -> Self {
        Self(Row::ALL.map(&mut value))
    }

    /// Rows and their values, in the order of the board.
    pub fn iter(&self) -> impl Iterator<Item = (Row, &T)> {
        Row::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Row> for ByRow<T> {
    type Output = T;

    fn index(&self, row: Row) -> &T {
        &self.0[row.index()]
    }
}

impl<T> IndexMut<Row> for ByRow<T> {
    fn index_mut(&mut self, row: Row) -> &mut T {
        &mut self.0[row.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_is_face_and_multiplier() {
        let figures: Vec<_> = Row::ALL.iter().map(|row| row.figure()).collect();
        assert_eq!(figures, [Some(6), Some(5), Some(4), Some(3), Some(2), None, None, None]);
        assert_eq!(Row::ALL.map(Row::multiplier), [6, 5, 4, 3, 2, 1, 1, 1]);
        assert_eq!(
            Row::FIGURES.map(|row| face_label(row.figure().unwrap()).unwrap()),
            ["A", "K", "Q", "J", "10"]
        );
    }

    #[test]
    fn minima_of_the_text() {
        assert_eq!([0, 1, 2, 3, 4].map(|cell| Row::Queens.minimum(cell)), [7, 6, 6, 8, 8]);
        assert_eq!([0, 1, 2, 3, 4].map(|cell| Row::Fullens.minimum(cell)), [0; 5]);
    }

    #[test]
    fn ids_name_their_rows() {
        assert!(Row::ALL.into_iter().all(|row| Row::from_id(row.id()) == Some(row)));
        assert_eq!(Row::from_id("nines"), None);
    }
}
