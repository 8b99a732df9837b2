//! Pseudorandom numbers for the decisions of players, the same on every platform and in every
//! release: a documented generator, and only arithmetic that IEEE 754 defines exactly (sums,
//! products and quotients), no mathematics library.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::position::Position;

/// Streams with this bit serve decisions; those without it are thrown dice.
const DECISIONS: u64 = 1 << 63;

/// The moment of a game that a position is: the categories filled, whose turn it is, and the
/// throws left. The same numbers select the dice of a seed.
pub(crate) fn moment(position: &Position) -> u64 {
    let filled: u64 = position.cards().iter().map(|card| card.filled().len() as u64).sum();
    // Nothing else distinguishes positions before and after an announcement, or with throws bought.
    let extra = u64::from(position.card().extra_throws()) << 1;
    (extra | u64::from(position.announced().is_some())) << 32
        | filled << 16
        | (position.to_move() as u64) << 8
        | u64::from(position.rolls_left())
}

/// A number from 0 up to but not including 1, one of 2⁵³ equally likely ones: what `seed` draws
/// for the decision at `moment`, from ChaCha with 12 rounds.
pub(crate) fn uniform(seed: u64, moment: u64) -> f64 {
    let mut generator = ChaCha12Rng::seed_from_u64(seed);
    generator.set_stream(DECISIONS | moment);
    (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// The seed of game number `game` of a run with this seed.
pub(crate) fn seed_of_game(seed: u64, game: u64) -> u64 {
    let mut generator = ChaCha12Rng::seed_from_u64(seed);
    generator.set_stream(game);
    generator.next_u64()
}

/// The weight at a distance from 0: 1 at 0, and near e^-x, computed as (1 + x/1024)^-1024.
pub(crate) fn decay(x: f64) -> f64 {
    let mut power = 1.0 + x / 1024.0;
    for _ in 0..10 {
        power *= power;
    }
    1.0 / power
}

/// The index that `draw` selects by these weights, at least one of which must be positive.
pub(crate) fn select(weights: &[f64], draw: f64) -> usize {
    let mut left = draw * weights.iter().sum::<f64>();
    let mut last = 0;
    for (i, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        last = i;
        if left < weight {
            break;
        }
        left -= weight;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_fall_off_like_an_exponential() {
        for i in 0..200 {
            let x = f64::from(i) / 10.0;
            assert!((decay(x) - (-x).exp()).abs() < 1e-3, "{x}");
        }
        assert_eq!((decay(0.0), decay(1e300), decay(f64::INFINITY)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn draws_of_a_seed_never_change() {
        let drawn = [uniform(42, 0), uniform(42, 1), uniform(43, 0)];
        assert!(drawn.iter().all(|d| (0.0..1.0).contains(d)));
        assert_eq!(drawn.map(|d| (d * 1e6) as u32), [791_004, 470_223, 734_121]);
    }

    #[test]
    fn selection_follows_the_weights() {
        let weights = [0.0, 1.0, 3.0, 0.0];
        let picks: Vec<usize> = (0..8).map(|i| select(&weights, f64::from(i) / 8.0)).collect();
        assert_eq!(picks, [1, 1, 2, 2, 2, 2, 2, 2]);
    }
}
