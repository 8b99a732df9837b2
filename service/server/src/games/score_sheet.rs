//! A score sheet ready for play: its tables, and its solution as soon as somebody needs it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use dicepoker_engine::definition::Definition;
use dicepoker_engine::objective::{Forecast, TargetChances};
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Budget, Estimate, Solution, Solver, Unsolved, Values};
use dicepoker_engine::solved_sheet::SolvedSheet;
use tokio::sync::{Mutex, OnceCell};

use crate::error::Error;
use crate::runtime::LongWork;
use crate::telemetry;

/// A score sheet ready for play.
#[derive(Debug)]
pub struct ScoreSheet {
    sheet: Arc<Sheet>,
    estimate: Estimate,
    budget: Budget,
    /// What it is called in metrics.
    label: &'static str,
    solution: Arc<OnceCell<Solution>>,
    abandoned: Abandoned,
    /// How widely the rest of a card's game is spread.
    spread: OnceLock<Forecast>,
    /// The same with the chances to reach any number of points.
    reach: OnceLock<Forecast>,
    /// Held by who makes one of them.
    making: Arc<Mutex<()>>,
    long_work: LongWork,
}

/// What becomes of solving when all who waited for it have gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abandoned {
    /// It goes on: the next one will be glad of it. For rules of which there are only so many.
    Finish,
    /// It stops. For rules that anybody may send.
    Cancel,
}

/// Sheets that take longer to solve, in seconds of one core, have deviations by the number of turns
/// left for aims and explanations: a table of them takes about four times as long.
const MOST_SECONDS_FOR_SPREAD: f64 = 2.0;

/// The same for the chances to reach a target, which take about thirty times as long.
const MOST_SECONDS_FOR_REACH: f64 = 0.5;

impl ScoreSheet {
    /// Makes the tables of a sound definition, to be solved on `long_work` within `budget`; metrics
    /// call it `label`; `abandoned` if those who wait for that go. Scoring needs no solution, so a
    /// definition whose solution exceeds the budget is accepted.
    ///
    /// # Errors
    /// An unsound definition.
    pub(super) fn new(
        definition: Definition,
        budget: Budget,
        label: &'static str,
        abandoned: Abandoned,
        long_work: LongWork,
    ) -> Result<Self, Error> {
        let estimate = Estimate::of(&definition);
        let sheet = Sheet::new(definition)
            .map_err(|violations| Error::invalid_under("definition", violations))?;
        Ok(Self {
            sheet: Arc::new(sheet),
            estimate,
            budget,
            label,
            solution: Arc::default(),
            abandoned,
            spread: OnceLock::new(),
            reach: OnceLock::new(),
            making: Arc::default(),
            long_work,
        })
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
    pub(super) async fn solution(&self) -> Result<&Solution, Error> {
        if self.solution.get().is_none() && self.abandoned == Abandoned::Finish {
            self.solve_to_the_end().await?;
        }
        let solve = || async {
            let (sheet, budget, label) = (Arc::clone(&self.sheet), self.budget, self.label);
            let solve = move |cancelled: &AtomicBool| solve(&sheet, budget, label, Some(cancelled));
            self.long_work.run(solve).await?
        };
        self.solution.get_or_try_init(solve).await
    }

    /// Solves it though those who wait may go, so that one of them finds it solved.
    async fn solve_to_the_end(&self) -> Result<(), Error> {
        let making = Arc::clone(&self.making).lock_owned().await;
        if self.solution.get().is_some() {
            return Ok(());
        }
        let (sheet, budget, label) = (Arc::clone(&self.sheet), self.budget, self.label);
        let solution = Arc::clone(&self.solution);
        let solve = move || {
            let _making = making;
            // Nobody else sets it while this is held.
            solve(&sheet, budget, label, None).map(|solved| drop(solution.set(solved)))
        };
        self.long_work.finish(solve).await?
    }

    /// The value of every scorecard, if it is solved already.
    #[must_use]
    pub fn solved(&self) -> Option<&Solution> {
        self.solution.get()
    }

    /// How widely the rest of a card's game is spread, if that was worked out; `with_reach` with
    /// the chances to reach any number of points.
    #[must_use]
    pub fn spread(&self, with_target_chances: bool) -> Option<&Forecast> {
        if with_target_chances { self.reach.get() } else { self.spread.get() }
    }

    /// Works out [`ScoreSheet::spread`] of a solved ruleset, once for all who wait, and to its end
    /// though they may go: seconds of work that the next one will be glad of. `made` is told when
    /// there is one more.
    ///
    /// # Errors
    /// If there is no room for more long work, or the service stops.
    pub(super) async fn make_spread(
        self: &Arc<Self>,
        with_target_chances: bool,
        made: impl FnOnce(&Arc<Self>) + Send + 'static,
    ) -> Result<(), Error> {
        let making = Arc::clone(&self.making).lock_owned().await;
        if self.spread(with_target_chances).is_some() {
            return Ok(());
        }
        let sheet = Arc::clone(self);
        let make = move || {
            let _making = making;
            sheet.make_spread_now(with_target_chances);
            made(&sheet);
        };
        self.long_work.finish(make).await
    }

    fn make_spread_now(&self, with_target_chances: bool) {
        let Some(solution) = self.solved() else { return };
        let game = SolvedSheet::new(&self.sheet, solution);
        let seconds = self.estimate.seconds(1);
        let spread = self.spread.get_or_init(|| match seconds <= MOST_SECONDS_FOR_SPREAD {
            true => Forecast::solve(&game, threads()),
            false => Forecast::sampled(&game),
        });
        if with_target_chances {
            self.reach.get_or_init(|| match seconds <= MOST_SECONDS_FOR_REACH {
                true => spread.clone().with_target_chances(&game, threads()),
                false => spread.clone().with_sampled_target_chances(&game),
            });
        }
    }

    /// Expected final score of an empty card, if the ruleset is solved already; learned values
    /// overestimate it.
    #[must_use]
    pub fn expected_score(&self) -> Option<f64> {
        let exact = self.solution.get().filter(|solution| solution.is_exact())?;
        Some(f64::from(self.sheet.starts_with()) + exact.value(CardState::EMPTY))
    }

    /// The memory it takes with what was made of it by now, in KiB.
    pub(super) fn kibibytes(&self) -> u32 {
        let solution = self.solution.get().map_or(0, Solution::bytes);
        let spreads = [self.spread.get(), self.reach.get()].into_iter().flatten();
        let of_spread = |spread: &Forecast| {
            spread.bytes() + spread.target_chances().map_or(0, TargetChances::bytes)
        };
        let bytes = self.sheet.bytes() + solution + spreads.map(of_spread).sum::<usize>();
        u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX)
    }
}

fn solve(
    sheet: &Sheet,
    budget: Budget,
    label: &'static str,
    cancelled: Option<&AtomicBool>,
) -> Result<Solution, Error> {
    let solver = Solver { threads: threads(), cancelled, budget, ..Solver::default() };
    let begun = Instant::now();
    let solution = solver.values(sheet).map_err(|why| match why {
        Unsolved::OverBudget(over) => over.into(),
        // Only the service's own end cancels what somebody waits for.
        Unsolved::Cancelled => Error::Stopping,
    })?;
    telemetry::solved(label, begun.elapsed());
    Ok(solution)
}

/// Threads to solve with: all that this process may use, for a caller waits.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
