//! One turn, solved for one scorecard: from the values of recording each roll to the value of each
//! roll and each keep with any number of throws left.
//!
//! Two identities keep it cheap. The value of a keep is the mean over the next die of the keep with
//! that
//! die added, so keeps are valued one die at a time from the rolls down. And the best keep of a
//! roll is the best of the rolls' parts, found upwards: the best part of a multiset is itself or
//! the best part of it with one die fewer.

use crate::dice::{DiceSpace, Keep, Roll};

/// The value of recording a roll in the best category, by [`Roll::index`].
pub type Leaf = Vec<f64>;

/// The values of a turn's keeps and rolls, by throws left.
#[derive(Clone, Debug)]
pub struct TurnTables {
    /// `keeps[t][k]`: value of keeping `k` and throwing the rest with `t` throws left after it.
    keeps: Vec<Vec<f64>>,
    /// `rolls[t][r]`: value of the roll `r` with `t` throws left.
    rolls: Vec<Vec<f64>>,
}

impl TurnTables {
    /// Solves a turn of `throws` throws in all. `leaf` is the value of recording each roll, and
    /// `served` the same on the first roll of the turn, where that differs.
    #[must_use]
    pub fn solve(space: &DiceSpace, throws: u8, leaf: Leaf, served: Option<&Leaf>) -> Self {
        Self::solve_served(space, throws, leaf, served, false)
    }

    /// The same where, with `whole`, every roll is served whose dice were all thrown at once.
    pub(crate) fn solve_served(
        space: &DiceSpace,
        throws: u8,
        leaf: Leaf,
        served: Option<&Leaf>,
        whole: bool,
    ) -> Self {
        let mut tables = Self { keeps: Vec::new(), rolls: Vec::new() };
        for left in 1..=throws {
            let record = served.filter(|_| left == throws).unwrap_or(&leaf);
            let best = tables.keeps.last().map(|keeps| best_parts(space, keeps));
            let values = |record: &Leaf| -> Vec<f64> {
                match &best {
                    None => record.clone(),
                    Some(best) => record.iter().zip(best).map(|(a, b)| a.max(*b)).collect(),
                }
            };
            let rolls = values(record);
            let mut keeps = keep_values(space, &rolls);
            if let Some(served) = served.filter(|_| whole) {
                let odds = space.all_rolls().map(|roll| space.probability(roll));
                let mean = odds.zip(values(served)).map(|(odds, value)| odds * value).sum();
                keeps[Keep::EMPTY.index()] = mean;
            }
            tables.keeps.push(keeps);
            tables.rolls.push(rolls);
        }
        tables
    }

    /// The value of keeping `keep` and throwing the rest, with `left` throws left after that.
    #[must_use]
    pub fn keep(&self, left: u8, keep: Keep) -> f64 {
        self.keeps[usize::from(left)][keep.index()]
    }

    /// The value of `roll` with `left` throws left.
    #[must_use]
    pub fn roll(&self, left: u8, roll: Roll) -> f64 {
        self.rolls[usize::from(left)][roll.index()]
    }

    /// The value of the turn before its first throw.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.keeps.last().map_or(0.0, |keeps| keeps[Keep::EMPTY.index()])
    }
}

/// The value of every keep, given that of every roll: the expectation over the dice thrown.
fn keep_values(space: &DiceSpace, rolls: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; space.keeps()];
    values[space.level(space.dice())].copy_from_slice(rolls);
    for index in (0..space.level(space.dice()).start).rev() {
        let sum: f64 = space.more(space.keep(index)).map(|more| values[more.index()]).sum();
        values[index] = sum / space.faces() as f64;
    }
    values
}

/// The best keep of every roll, all dice excluded, by [`Roll::index`].
fn best_parts(space: &DiceSpace, keeps: &[f64]) -> Vec<f64> {
    let mut best = keeps.to_vec();
    best[space.level(space.dice())].fill(f64::NEG_INFINITY);
    for index in 1..space.keeps() {
        let parts = space.fewer(space.keep(index)).map(|part| best[part.index()]);
        best[index] = parts.fold(best[index], |a, b| if a > b { a } else { b });
    }
    best.split_off(space.level(space.dice()).start)
}
