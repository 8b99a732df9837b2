//! The parts of the service that every family uses.

use dicepoker_engine::solve::Budget;

use super::cache::Cache;
use crate::runtime::LongWork;

/// The parts of the service that every family uses.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The pool for work that takes more than about a millisecond.
    pub(crate) long_work: LongWork,
    /// The most that making rules that are not built in may take.
    pub(crate) budget: Budget,
    /// The rules that are not built in. Call [`Cache::weigh`] when the memory of rules grows.
    pub(crate) cache: Cache,
}
