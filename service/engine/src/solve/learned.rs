//! Values of sheets with too many states to solve: a network with one hidden layer, trained by
//! playing; every turn is solved exactly on top of it. One method serves all sheets: the definition
//! decides the features.

mod encoder;
mod network;
mod shipped;
mod train;

pub use train::Training;

use self::encoder::Encoder;
use self::network::Network;
use super::Values;
use super::rounds::Ahead;
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
        self.encoder.value(state, self.network.output(&hidden))
    }

    fn is_exact(&self) -> bool {
        false
    }
}

impl Ahead for Learned {}
