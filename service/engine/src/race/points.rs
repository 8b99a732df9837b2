//! The points of five dice in each row. Faces are ranks: 1 is the nine (*pilo*), which counts one
//! for any figure, 2 to 6 are the figures from the ten to the ace, which count two in their row.

use std::cmp::Reverse;
use std::sync::LazyLock;

use super::row::Row;
use super::rules::RaceRules;
use crate::dice::{DiceSpace, Keep, Roll};

/// Constant tables of the five dice of the game, made once.
pub(super) struct Dice {
    pub(super) space: DiceSpace,
    /// Every keep of less than five dice, those with more dice first, then those with higher faces.
    order: Vec<u16>,
    /// The figure that all dice of a roll show, nines aside; `None` for five nines.
    only: Vec<Option<Row>>,
}

static DICE: LazyLock<Dice> = LazyLock::new(|| {
    let space = DiceSpace::new(5, 6);
    let mut keeps: Vec<Keep> = (0..space.level(5).start).map(|index| space.keep(index)).collect();
    keeps.sort_by_key(|&keep| {
        let mut faces: Vec<u8> = space.faces_of(keep).collect();
        faces.reverse();
        Reverse((faces.len(), faces))
    });
    let mut order = vec![0; space.keeps()];
    for (rank, keep) in keeps.iter().enumerate() {
        order[keep.index()] = rank as u16;
    }
    let only = space
        .all_rolls()
        .map(|roll| {
            let counts = space.roll_counts(roll);
            let is =
                |row: &Row| row.figure().is_some_and(|f| counts[0] + counts[f as usize - 1] == 5);
            Row::FIGURES.into_iter().find(is).filter(|_| counts[0] < 5)
        })
        .collect();
    Dice { space, order, only }
});

pub(super) fn dice() -> &'static Dice {
    &DICE
}

/// The five six-sided dice of the game.
#[must_use]
pub fn space() -> &'static DiceSpace {
    &DICE.space
}

impl Dice {
    /// Rank of a keep among equal ones: more dice first, then higher faces.
    pub(super) fn order(&self, keep: Keep) -> u16 {
        self.order[keep.index()]
    }

    /// The one figure that all dice of `roll` show, nines aside. Five nines have no figure:
    /// recorded they are worth 30, more than any count that they could begin.
    pub(super) fn only_figure(&self, roll: Roll) -> Option<Row> {
        self.only[roll.index()]
    }
}

/// The count of `roll` for a figure row: two for each die of the figure, one for each nine.
///
/// It is the value of the throw unless the dice are five alike, and the amount that a throw adds to
/// a running count in any case. 0 for the other rows.
#[must_use]
pub fn count(row: Row, roll: Roll) -> u16 {
    let counts = DICE.space.roll_counts(roll);
    row.figure()
        .map_or(0, |figure| 2 * u16::from(counts[usize::from(figure) - 1]) + u16::from(counts[0]))
}

/// The points of `roll` in `row`, 0 if it does not hold there. [`Row::minimum`] decides whether a
/// cell accepts them.
#[must_use]
pub fn points_of(rules: &RaceRules, row: Row, roll: Roll, de_mao: bool) -> u16 {
    let counts = DICE.space.roll_counts(roll);
    let double = if de_mao { 2 } else { 1 };
    let [nines, figures @ ..] = counts else { return 0 };
    match row {
        Row::Sequences => match counts {
            [0, 1, 1, 1, 1, 1] => 30 * double,
            [1, 1, 1, 1, 1, 0] => 15 * double,
            _ => 0,
        },
        Row::Fullens => {
            let has = |n| figures.contains(&n);
            if has(5) || (has(3) && has(2)) { rules.fullen_points * double } else { 0 }
        }
        Row::Poker => match counts {
            [0, 0, 0, 0, 1, 4] if de_mao => 200,
            _ if de_mao && figures.iter().any(|&n| n >= 4) => 100,
            _ => 0,
        },
        _ if *nines == 5 => 30 * double,
        _ => match count(row, roll) {
            10 => 20 * double,
            count => count,
        },
    }
}

/// Whether cell `cell` (from 0) of `row` can ever hold `points`.
///
/// A figure row holds a count of 6 to 9, or 20, 30, 40, 60 for five alike. Where figures may be
/// summed a count can also end anywhere up to 30: it begins with a throw of 6 to 10 of which all
/// dice belong to it, may have another such throw of 5 to 10 added, and ends with any of 0 to 10.
#[must_use]
pub fn cell_accepts(rules: &RaceRules, row: Row, cell: usize, points: i32) -> bool {
    let fullen = i32::from(rules.fullen_points);
    match row {
        Row::Sequences => matches!(points, 15 | 30 | 60),
        Row::Fullens => points == fullen || points == 2 * fullen,
        Row::Poker => matches!(points, 100 | 200),
        _ => {
            points >= i32::from(row.minimum(cell))
                && (matches!(points, 0..=9 | 20 | 30 | 40 | 60)
                    || (rules.sum_of_figures && points <= 30))
        }
    }
}

/// The points that cell `cell` of `row` accepts, in words.
pub(super) fn accepted(rules: &RaceRules, row: Row, cell: usize) -> String {
    match row {
        Row::Sequences => "15, 30 or 60".to_owned(),
        Row::Fullens => format!("{} or {}", rules.fullen_points, 2 * rules.fullen_points),
        Row::Poker => "100 or 200".to_owned(),
        _ if rules.sum_of_figures => format!("{} to 30, 40 or 60", row.minimum(cell)),
        _ => format!("{} to 9, 20, 30, 40 or 60", row.minimum(cell)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roll(faces: [u8; 5]) -> Roll {
        space().roll_of(&faces).unwrap()
    }

    fn points(row: Row, faces: [u8; 5]) -> [u16; 2] {
        let rules = RaceRules::default();
        [false, true].map(|de_mao| points_of(&rules, row, roll(faces), de_mao))
    }

    #[test]
    fn examples_of_the_text() {
        // Two aces are 4; with one nine 5.
        assert_eq!(points(Row::Aces, [6, 6, 5, 4, 3]), [4, 4]);
        assert_eq!(points(Row::Aces, [6, 6, 1, 4, 3]), [5, 5]);
        assert_eq!(points(Row::Queens, [4, 4, 4, 4, 4]), [20, 40]);
        assert_eq!(points(Row::Kings, [5, 5, 5, 3, 5]), [8, 8]);
        assert_eq!(points(Row::Queens, [5, 4, 4, 4, 3]), [6, 6]);
        assert_eq!(points(Row::Queens, [4, 4, 3, 5, 4]), [6, 6]);
        assert_eq!(points(Row::Queens, [4, 4, 1, 1, 3]), [6, 6]);
        for row in Row::FIGURES {
            assert_eq!(points(row, [1; 5]), [30, 60]);
        }
        assert_eq!(points(Row::Sequences, [6, 5, 4, 3, 2]), [30, 60]);
        assert_eq!(points(Row::Sequences, [5, 4, 3, 2, 1]), [15, 30]);
        assert_eq!(points(Row::Sequences, [6, 5, 4, 3, 1]), [0, 0]);
        assert_eq!(points(Row::Fullens, [5, 5, 4, 4, 4]), [20, 40]);
        assert_eq!(points(Row::Fullens, [2, 2, 3, 3, 3]), [20, 40]);
        assert_eq!(points(Row::Fullens, [2; 5]), [20, 40]);
        assert_eq!(points(Row::Fullens, [1, 1, 3, 3, 3]), [0, 0]);
        assert_eq!(points(Row::Fullens, [1; 5]), [0, 0]);
        assert_eq!(points(Row::Poker, [3, 3, 3, 4, 3]), [0, 100]);
        assert_eq!(points(Row::Poker, [6, 6, 6, 6, 5]), [0, 200]);
        assert_eq!(points(Row::Poker, [6; 5]), [0, 100]);
        assert_eq!(points(Row::Poker, [1, 1, 1, 1, 5]), [0, 0]);
    }

    #[test]
    fn first_throw_odds_out_of_7776() {
        let rules = RaceRules { poker_row: true, ..RaceRules::default() };
        let ways = |holds: &dyn Fn(Roll) -> bool| {
            let p: f64 =
                space().all_rolls().filter(|&r| holds(r)).map(|r| space().probability(r)).sum();
            (p * 7776.0).round() as u32
        };
        let counts = |r: Roll| space().roll_counts(r);
        assert_eq!(ways(&|r| points_of(&rules, Row::Sequences, r, false) == 30), 120);
        assert_eq!(ways(&|r| points_of(&rules, Row::Sequences, r, false) == 15), 120);
        assert_eq!(ways(&|r| points_of(&rules, Row::Fullens, r, false) > 0), 200 + 5);
        assert_eq!(ways(&|r| counts(r)[1..].contains(&5)), 5);
        assert_eq!(ways(&|r| counts(r)[0] == 5), 1);
        assert_eq!(ways(&|r| points_of(&rules, Row::Poker, r, true) > 0), 125 + 5);
        assert_eq!(ways(&|r| points_of(&rules, Row::Poker, r, true) == 200), 5);
        for row in Row::FIGURES {
            let at_least = [6, 7, 8].map(|n| ways(&|r| points_of(&rules, row, r, false) >= n));
            assert_eq!(at_least, [412, 127, 37]);
        }
    }

    #[test]
    fn every_score_is_accepted_by_some_cell() {
        let rules = RaceRules { poker_row: true, ..RaceRules::default() };
        for row in Row::ALL {
            for roll in space().all_rolls() {
                for de_mao in [false, true] {
                    let points = points_of(&rules, row, roll, de_mao);
                    let fits = points > 0 && points >= row.minimum(1);
                    assert_eq!(cell_accepts(&rules, row, 1, points.into()), fits);
                }
            }
        }
    }
}
