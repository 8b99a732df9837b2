//! Values of sheets with too many states to solve: a network with one hidden layer, trained by
//! playing; every turn is solved exactly on top of it. One method serves all sheets: the definition
//! decides the features.

mod encoder;
mod network;
mod shipped;
mod train;
mod usual;

pub use train::Training;

use pulp::{Simd, WithSimd};

use self::encoder::Encoder;
use self::network::Network;
use super::rounds::{Ahead, Slots};
use super::{Isa, Values};
use crate::category::CategorySet;
use crate::sheet::{CardState, Sheet};

/// Learned values of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Learned {
    encoder: Encoder,
    network: Network,
    all: CategorySet,
}

impl Learned {
    /// Untrained values: those of each open box by itself.
    fn untrained(sheet: &Sheet, seed: u64) -> Self {
        let encoder = Encoder::new(sheet);
        let network = Network::random(encoder.width(), seed);
        Self { encoder, network, all: sheet.categories() }
    }

    /// The values compiled in for `sheet`.
    pub(super) fn shipped(sheet: &Sheet) -> Option<Self> {
        shipped::find(sheet)
    }

    /// Values with these weights; `None` if they are not of this sheet.
    pub(super) fn read(sheet: &Sheet, weights: &[u8]) -> Option<Self> {
        let encoder = Encoder::new(sheet);
        let network = Network::read(encoder.width(), weights)?;
        Some(Self { encoder, network, all: sheet.categories() })
    }

    /// The weights, as [`Learned::read`] takes them.
    pub(super) fn write(&self) -> Vec<u8> {
        self.network.write()
    }

    pub(super) fn bytes(&self) -> usize {
        self.network.bytes() + self.encoder.bytes()
    }
}

impl Values for Learned {
    fn value(&self, state: CardState) -> f64 {
        if state.filled == self.all {
            return 0.0;
        }
        let mut hidden = self.network.start();
        self.encoder.each(state, |feature, value| self.network.add(&mut hidden, feature, value));
        self.encoder.value(self.encoder.estimate(state), self.network.output(&hidden))
    }

    fn is_exact(&self) -> bool {
        false
    }
}

impl Ahead for Learned {
    fn ahead(
        &self,
        sheet: &Sheet,
        slots: &Slots,
        state: CardState,
        open: CategorySet,
        worth: &mut [f32],
    ) {
        Isa::best().run(Records { learned: self, sheet, slots, state, open, worth });
    }
}

/// The records of one turn. The cards after them differ little, so what they share is summed up
/// once.
struct Records<'a> {
    learned: &'a Learned,
    sheet: &'a Sheet,
    slots: &'a Slots,
    state: CardState,
    open: CategorySet,
    worth: &'a mut [f32],
}

impl WithSimd for Records<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { learned: Learned { encoder, network, all }, sheet, slots, state, .. } = self;
        let state = sheet.canonical(state);
        let turns = all.without(state.filled).len() - 1;
        let mut shared = network.start();
        encoder.others(state, turns, |feature, value| network.add(&mut shared, feature, value));
        encoder.parts().for_each(|part| {
            encoder.part(state, turns, part, |feature, value| {
                network.add(&mut shared, feature, value)
            });
        });
        let open_boxes = encoder.boxes(state);
        let estimates: f32 =
            encoder.parts().map(|part| encoder.estimate_of(state, turns, part)).sum();
        let by_points = sheet.leads_by_points();
        for category in self.open.iter() {
            let touched = encoder.touched(category);
            let mut common = shared;
            let mut estimate = estimates;
            for &part in touched {
                let mut less = |feature, value: f32| network.add(&mut common, feature, -value);
                encoder.part(state, turns, part, &mut less);
                estimate -= encoder.estimate_of(state, turns, part);
            }
            network.add(&mut common, category.index(), 1.0);
            estimate += open_boxes.minus(encoder.usual(category)).after(turns);
            let worth = &mut self.worth[slots.first(category)..];
            let mut further = None;
            for (worth, &points) in worth.iter_mut().zip(sheet.possible_points(category)) {
                let value =
                    further.filter(|_| !by_points.contains(category)).unwrap_or_else(|| {
                        let after = sheet.after(state, category, points);
                        if after.filled == *all {
                            return 0.0;
                        }
                        let (mut hidden, mut estimate) = (common, estimate);
                        for &part in touched {
                            let more = |feature, value| network.add(&mut hidden, feature, value);
                            encoder.part(after, turns, part, more);
                            estimate += encoder.estimate_of(after, turns, part);
                        }
                        encoder.value(estimate, network.output(&hidden))
                    });
                further = Some(value);
                let gain = sheet.gain_of_points(state, category, points).total();
                *worth = (f64::from(gain) + value) as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;
    use crate::solve::rounds::{Rounds, Seat};

    /// On cards of all kinds that a game comes to.
    #[test]
    fn records_of_one_turn_are_worth_what_each_is_alone() {
        struct Plain<'a>(&'a Learned);
        impl Values for Plain<'_> {
            fn value(&self, state: CardState) -> f64 {
                self.0.value(state)
            }
        }
        impl Ahead for Plain<'_> {}
        let rulesets = Ruleset::built_in();
        for id in ["triple-yahtzee", "yamb", "maxi-yatzy-saved", "kosci", "generala", "escalero"] {
            let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
            let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
            let learned = Learned::untrained(&sheet, 1);
            let slots = Slots::new(&sheet);
            let mut rounds = Rounds::new(&sheet);
            let (mut seats, mut played) = (vec![Seat::new(0, 1, 1)], Vec::new());
            while seats[0].state.filled != sheet.categories() {
                let state = seats[0].state;
                let open = learned.open(&sheet, state);
                let [mut together, mut alone] =
                    std::array::from_fn(|_| vec![f32::NEG_INFINITY; slots.len()]);
                learned.ahead(&sheet, &slots, state, open, &mut together);
                Plain(&learned).ahead(&sheet, &slots, state, open, &mut alone);
                let equal = |(a, b): (&f32, &f32)| a == b || (a - b).abs() < 1e-2;
                assert!(together.iter().zip(&alone).all(equal), "{id}: {state:?}");
                rounds.play(&learned, &mut seats, &mut played);
                seats[0].state = played[0].after;
            }
        }
    }
}
