//! The cards of plain sheets by number, and maps of them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::category::CategorySet;
use crate::sheet::CardState;

/// The state of a card of a plain sheet as a number. Those with the same rows filled are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Card(u64);

impl Card {
    /// The most categories of a sheet whose cards have numbers.
    pub(super) const MAX_CATEGORIES: usize = 32;

    /// The empty card.
    pub(super) const EMPTY: Self = Self(0);

    /// The card in `state`.
    pub(super) fn of(state: CardState) -> Self {
        let CardState { filled, upper, alike_scored, .. } = state;
        Self(u64::from(filled.bits()) << 32 | u64::from(upper) << 1 | u64::from(alike_scored))
    }

    /// The state of the card.
    pub(super) fn state(self) -> CardState {
        CardState {
            filled: CategorySet::from_bits((self.0 >> 32) as u32),
            upper: (self.0 >> 1) as u16,
            alike_scored: self.0 & 1 == 1,
            ..CardState::EMPTY
        }
    }
}

/// A map of cards. The hasher has no key, so that sums are added in the same order in every run.
pub(super) type Cards<T> = HashMap<Card, T, BuildHasherDefault<Mixer>>;

/// Multiplies by the golden ratio; far faster than the default, which resists chosen keys.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_its_state() {
        for (filled, upper, alike_scored) in [(0, 0, false), (1, 63, true), (u32::MAX, 500, true)] {
            let filled = CategorySet::from_bits(filled);
            let state = CardState { filled, upper, alike_scored, ..CardState::EMPTY };
            assert_eq!(Card::of(state).state(), state);
        }
        assert_eq!(Card::of(CardState::EMPTY), Card::EMPTY);
    }
}
