//! Dice from a caller's seed: the same seed gives the same dice on every platform and in every
//! release. The generator is ChaCha with 12 rounds; a face is drawn from its 32-bit output by
//! rejection, so that every face is exactly equally likely. One seed serves a whole game: the
//! moment of the throw (how many categories are filled, whose turn it is, which throw of the turn)
//! selects one of the generator's independent streams.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::position::Position;

/// Dice thrown by a seed.
#[derive(Clone, Debug)]
pub struct SeededDice(ChaCha12Rng);

impl SeededDice {
    /// The dice of `seed` in this stream.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha12Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// The dice of `seed` for the next throw in `position`.
    #[must_use]
    pub fn for_position(seed: u64, position: &Position) -> Self {
        let filled: u64 = position.cards().iter().map(|card| card.filled().len() as u64).sum();
        // Only this distinguishes the throws bought in one turn.
        let extra = u64::from(position.card().extra_throws());
        let moment = extra << 32
            | filled << 16
            | (position.to_move() as u64) << 8
            | u64::from(position.rolls_left());
        Self::new(seed, moment)
    }

    /// One die with faces `1..=faces`.
    pub fn die(&mut self, faces: u8) -> u8 {
        let faces = u32::from(faces);
        // The largest multiple of `faces` below 2^32: outputs from there on would favour low faces.
        let limit = u32::MAX - u32::MAX % faces;
        loop {
            let drawn = self.0.next_u32();
            if drawn < limit {
                return (drawn % faces) as u8 + 1;
            }
        }
    }

    /// So many dice with faces `1..=faces`.
    pub fn throw(&mut self, dice: usize, faces: u8) -> Vec<u8> {
        (0..dice).map(|_| self.die(faces)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_of_a_seed_never_change() {
        assert_eq!(SeededDice::new(42, 0).throw(10, 6), [5, 2, 2, 6, 4, 2, 1, 1, 5, 4]);
        assert_eq!(SeededDice::new(42, 1).throw(10, 6), [2, 3, 4, 1, 5, 2, 1, 1, 4, 1]);
    }

    #[test]
    fn faces_are_equally_likely() {
        let mut dice = SeededDice::new(1, 0);
        let mut counts = [0u32; 6];
        (0..60_000).for_each(|_| counts[usize::from(dice.die(6)) - 1] += 1);
        // Chi-square with 5 degrees of freedom: 20.5 is exceeded once in a thousand seeds.
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 20.5, "{counts:?}");
    }
}
