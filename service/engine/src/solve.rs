//! The expected value of every scorecard, by backward induction: the points that a card still gains
//! on average if every later decision is the best one.
//!
//! A turn starts from a [`CardState`]. Its value is the expectation over the first roll of the
//! best of recording it or keeping some dice and throwing the others; recording leads to the
//! value of a card with one more category filled, so cards are solved from the fullest to the
//! empty one.

mod batch;
mod bound;
mod budget;
pub(crate) mod endings;
mod estimate;
mod games;
mod isa;
pub(crate) mod kernel;
mod key;
mod layout;
mod learned;
mod measure;
mod program;
mod reference;
mod rounds;
mod solution;
pub(crate) mod stages;
pub(crate) mod states;
mod totals;
mod turns;

pub use bound::upper_bound;
pub use budget::Budget;
pub use estimate::{Estimate, OverBudget};
pub(crate) use games::{cards_of_games, empty_card};
pub use isa::Isa;
pub use key::Key;
pub(crate) use layout::is_reachable;
pub use learned::Training;
pub use measure::{Measured, measure, measure_greedy};
pub use reference::Reference;
pub use solution::{Solution, Solver, Unsolved};
pub use turns::{Leaf, TurnTables};

use crate::sheet::CardState;

/// The expected further gain of scorecards under best play, in points.
pub trait Values {
    /// What a card in `state` will still gain on average from the start of its next turn on,
    /// bonuses included; 0 for a complete card. `state` must be reachable.
    fn value(&self, state: CardState) -> f64;

    /// Whether these are the values of best play, not estimates of them.
    fn is_exact(&self) -> bool {
        true
    }
}
