//! The expected value of every scorecard, by backward induction: what a card with some categories
//! filled will still gain, on average, if every decision to come is the best one.
//!
//! A turn starts from a [`CardState`]. Its value is the expectation over the first roll of the
//! best of recording it or keeping some dice and throwing the others; recording leads to the
//! value of a card with one more category filled, so cards are solved from the fullest to the
//! empty one.

mod batch;
mod isa;
pub(crate) mod kernel;
mod layout;
mod program;
mod reference;
mod solution;
mod totals;
mod turns;

pub use isa::Isa;
pub use reference::Reference;
pub use solution::{Solution, Solver};
pub use turns::{Leaf, TurnTables};

use crate::sheet::CardState;

/// The expected further gain of scorecards under best play, in points.
pub trait Values {
    /// What a card in `state` will still gain on average from the start of its next turn on,
    /// bonuses included; 0 for a complete card. `state` must be reachable.
    fn value(&self, state: CardState) -> f64;
}
