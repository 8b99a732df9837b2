//! The 252 rolls grouped by their records. Most rolls have none, the others a record in one row or
//! two, so that the best record of every roll follows from some forty *offers* instead of 252 × 8
//! look-ups.

use std::sync::LazyLock;

use arrayvec::ArrayVec;

use super::points::{count, dice, points_of, space};
use super::row::{ROWS, Row};
use super::rules::RaceRules;

/// Distinct points a row may be given by a single throw.
pub(super) const SLOTS: usize = 8;

/// Rolls of five dice.
pub(super) const ROLLS: usize = 252;

/// Keeps of at most four dice; they are numbered before the rolls.
pub(super) const KEEPS: usize = 210;

/// Points of each slot of a figure row.
const FIGURE_POINTS: [u16; SLOTS] = [6, 7, 8, 9, 20, 40, 30, 60];

/// The points of `slot` in `row`; 0 if there is no such slot.
pub(super) fn slot_points(rules: &RaceRules, row: Row, slot: usize) -> u16 {
    let few = |points: &[u16]| points.get(slot).copied().unwrap_or(0);
    match row {
        Row::Sequences => few(&[15, 30, 60]),
        Row::Fullens => few(&[rules.fullen_points, 2 * rules.fullen_points]),
        Row::Poker => few(&[100, 200]),
        _ => FIGURE_POINTS[slot],
    }
}

/// The slot of these points in `row`; `None` if no single throw gives a cell so many.
pub(super) fn slot_of(rules: &RaceRules, row: Row, points: u16) -> Option<usize> {
    (0..SLOTS).find(|&slot| points > 0 && slot_points(rules, row, slot) == points)
}

/// The common records of some rolls.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// The probability that a throw of all five dice shows one of them.
    pub(super) probability: f32,
    /// The records: index of the row and slot.
    pub(super) records: ArrayVec<(u8, u8), ROWS>,
}

/// The rolls sorted by their offers.
#[derive(Clone, Debug)]
pub(super) struct Throws {
    pub(super) offers: Vec<Offer>,
    /// The offer of each roll.
    pub(super) of_roll: [u8; ROLLS],
    /// Slots that occur, as a set of bits for each row.
    pub(super) slots: [u8; ROWS],
    /// For each figure row, the distinct pairs of offer and count with their probabilities.
    pub(super) counted: [Vec<(u8, u8, f32)>; 5],
}

impl Throws {
    fn new(de_mao: bool) -> Self {
        // With these rules no two slots of a row have the same points.
        let rules = RaceRules { poker_row: true, ..RaceRules::default() };
        let mut throws = Self {
            offers: vec![Offer { probability: 0.0, records: ArrayVec::new() }],
            of_roll: [0; ROLLS],
            slots: [0; ROWS],
            counted: Default::default(),
        };
        for roll in space().all_rolls() {
            let slot = |row: Row| slot_of(&rules, row, points_of(&rules, row, roll, de_mao));
            let records: ArrayVec<(u8, u8), ROWS> = Row::ALL
                .into_iter()
                .filter_map(|row| slot(row).map(|slot| (row as u8, slot as u8)))
                .collect();
            for &(row, slot) in &records {
                throws.slots[usize::from(row)] |= 1 << slot;
            }
            let known = throws.offers.iter().position(|offer| offer.records == records);
            let offer = known.unwrap_or_else(|| {
                throws.offers.push(Offer { probability: 0.0, records });
                throws.offers.len() - 1
            });
            let probability = space().probability(roll) as f32;
            throws.offers[offer].probability += probability;
            throws.of_roll[roll.index()] = offer as u8;
            for row in Row::FIGURES {
                let pair = (offer as u8, count(row, roll) as u8);
                let counted = &mut throws.counted[row.index()];
                match counted.iter_mut().find(|known| (known.0, known.1) == pair) {
                    Some(known) => known.2 += probability,
                    None => counted.push((pair.0, pair.1, probability)),
                }
            }
        }
        throws
    }
}

/// The look-up tables of the turn solver, made once.
pub(super) struct Tables {
    /// Throws that are not de mão, and throws that are.
    throws: [Throws; 2],
    /// Probability of each roll.
    pub(super) probability: [f32; ROLLS],
    /// `add[k][f]`: keep `k` of at most four dice with one more of face `f + 1`.
    pub(super) add: [[u16; 6]; KEEPS],
    /// The distinct keeps with one die less, for every keep and roll of two dice or more.
    pub(super) less: Vec<ArrayVec<u16, 5>>,
    /// For each figure row, the count of every roll.
    pub(super) count: [[u8; ROLLS]; 5],
    /// Index of the figure row that all dice of a roll belong to; 5 for five nines, else 6.
    pub(super) only: [u8; ROLLS],
}

impl Tables {
    pub(super) fn throws(&self, de_mao: bool) -> &Throws {
        &self.throws[usize::from(de_mao)]
    }
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let space = space();
    let mut add = [[0; 6]; KEEPS];
    let mut less = vec![ArrayVec::new(); space.keeps()];
    for (index, to) in add.iter_mut().enumerate() {
        for (face, to) in (1u8..).zip(to) {
            let more = space.add(space.keep(index), face).map_or(0, |keep| keep.index());
            *to = more as u16;
            if index > 0 {
                less[more].push(index as u16);
            }
        }
    }
    let mut tables = Tables {
        throws: [Throws::new(false), Throws::new(true)],
        probability: [0.0; ROLLS],
        add,
        less,
        count: [[0; ROLLS]; 5],
        only: [6; ROLLS],
    };
    for roll in space.all_rolls() {
        tables.probability[roll.index()] = space.probability(roll) as f32;
        for row in Row::FIGURES {
            tables.count[row.index()][roll.index()] = count(row, roll) as u8;
        }
        tables.only[roll.index()] = match dice().only_figure(roll) {
            Some(row) => row as u8,
            None if space.roll_counts(roll)[0] == 5 => 5,
            None => 6,
        };
    }
    tables
});

pub(super) fn tables() -> &'static Tables {
    &TABLES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rolls_have_fewer_than_fifty_offers() {
        for de_mao in [false, true] {
            let throws = tables().throws(de_mao);
            assert!(throws.offers.len() < 50, "{}", throws.offers.len());
            let total: f32 = throws.offers.iter().map(|offer| offer.probability).sum();
            assert!((total - 1.0).abs() < 1e-5);
            assert!(throws.offers[0].probability > 0.5);
            for counted in &throws.counted {
                let total: f32 = counted.iter().map(|pair| pair.2).sum();
                assert!((total - 1.0).abs() < 1e-5);
            }
        }
    }
}
