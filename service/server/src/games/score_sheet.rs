//! A score sheet ready for play: its tables, and its solution as soon as somebody needs it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicepoker_engine::definition::Definition;
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Budget, Estimate, Solution, Solver, Unsolved, Values};
use tokio::sync::OnceCell;

use crate::error::Error;
use crate::runtime::LongWork;

/// A score sheet ready for play.
#[derive(Debug)]
pub struct ScoreSheet {
    sheet: Arc<Sheet>,
    estimate: Estimate,
    budget: Budget,
    solution: OnceCell<Arc<Solution>>,
    long_work: LongWork,
}

impl ScoreSheet {
    /// Makes the tables of a sound definition, to be solved on `long_work` within `budget`.
    ///
    /// # Errors
    /// If solving it would take more than the budget; then nothing is made at all.
    pub(super) fn new(
        definition: Definition,
        budget: Budget,
        long_work: LongWork,
    ) -> Result<Self, Error> {
        let estimate = Estimate::of(&definition);
        estimate.within(&budget)?;
        let sheet = Sheet::new(definition)
            .map_err(|violations| Error::invalid_under("definition", violations))?;
        let solution = OnceCell::new();
        Ok(Self { sheet: Arc::new(sheet), estimate, budget, solution, long_work })
    }

    /// The score sheet.
    #[must_use]
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The value of every scorecard: solved on first use, once for all who wait.
    ///
    /// # Errors
    /// If there is no room for more long work, or the service stops.
    pub async fn solution(&self) -> Result<&Solution, Error> {
        let solve = || async {
            let sheet = Arc::clone(&self.sheet);
            let budget = self.budget;
            let solve = move |cancelled: &AtomicBool| {
                let cancelled = Some(cancelled);
                let solver = Solver { threads: threads(), cancelled, budget, ..Solver::default() };
                solver.solve(&sheet).map(Arc::new)
            };
            self.long_work.run(solve).await?.map_err(|why| match why {
                Unsolved::OverBudget(over) => over.into(),
                // Only the service's own end cancels what somebody waits for.
                Unsolved::Cancelled => Error::Stopping,
            })
        };
        self.solution.get_or_try_init(solve).await.map(AsRef::as_ref)
    }

    /// Expected final score of an empty card, if the ruleset is solved already.
    #[must_use]
    pub fn expected_score(&self) -> Option<f64> {
        self.solution.get().map(|solution| solution.value(CardState::EMPTY))
    }

    /// The memory it takes once solved, in KiB.
    pub(super) fn kibibytes(&self) -> u32 {
        u32::try_from(self.estimate.bytes().div_ceil(1 << 10)).unwrap_or(u32::MAX)
    }
}

/// Threads to solve with: all that this process may use, for a caller waits.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
