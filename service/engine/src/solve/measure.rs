//! Measures values by games played with them. The luck of the dice, by the values, is subtracted
//! from each score: the mean stays the same, and most of the deviation goes.

use super::states::{PlayedTurn, Turn};
use super::{Solution, Values};
use crate::seeded::SeededDice;
use crate::sheet::{CardState, Sheet};

/// The mean final score of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Mean of the scores less the luck.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Mean of the scores themselves.
    pub plain_mean: f64,
    /// Standard deviation of the scores themselves.
    pub deviation: f64,
}

/// Plays so many games of one player by `values` and returns their scores. The same seed gives the
/// same games.
#[must_use]
pub fn measure(sheet: &Sheet, values: &Solution, games: u64, seed: u64) -> Measured {
    let mut turn = Turn::default();
    let (mut sums, mut squares) = ([0.0; 2], [0.0; 2]);
    for game in 0..games {
        let mut dice = SeededDice::new(seed, game);
        let mut state = CardState::EMPTY;
        let start = f64::from(sheet.starts_with());
        let mut score = start;
        let mut adjusted = start + values.value(state);
        while state.filled != sheet.categories() {
            let PlayedTurn { value, gain, after } = turn.play(sheet, values, state, &mut dice);
            adjusted += value - values.value(state);
            score += f64::from(gain);
            state = sheet.canonical(after);
        }
        for (i, value) in [adjusted, score].into_iter().enumerate() {
            sums[i] += value;
            squares[i] += value * value;
        }
    }
    let n = games as f64;
    let deviation = |i: usize| ((squares[i] - sums[i] * sums[i] / n) / (n - 1.0)).max(0.0).sqrt();
    Measured {
        mean: sums[0] / n,
        error: deviation(0) / n.sqrt(),
        plain_mean: sums[1] / n,
        deviation: deviation(1),
    }
}
