//! A score sheet ready for play: its tables, and its solution once it has been needed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use dicepoker_engine::definition::Definition;
use dicepoker_engine::objective::{Forecast, TargetChances};
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Budget, Estimate, Key, Solution, Solver, Unsolved, Values};
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::SheetOutlook;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OnceCell};

use crate::error::Error;
use crate::family::Context;
use crate::runtime::LongWork;
use crate::telemetry;

/// A score sheet ready for play.
#[derive(Debug)]
pub(crate) struct ScoreSheet {
    pub(super) key: String,
    sheet: Arc<Sheet>,
    estimate: Estimate,
    budget: Budget,
    /// The label of a built-in ruleset in metrics. Solving one continues when all callers that wait
    /// have cancelled, since the next caller needs it; solving any other ruleset stops.
    built_in: Option<&'static str>,
    solution: Arc<OnceCell<Solution>>,
    /// The deviations of the rest of a card's game.
    forecast: OnceLock<Forecast>,
    /// The same with the chances to reach any number of points.
    forecast_with_targets: OnceLock<Forecast>,
    /// The exact outlook of rows and bonuses under best play, once an analysis has computed it.
    best_play: OnceLock<Arc<SheetOutlook>>,
    /// A cheap estimate, for responses sent before the forecasts are made.
    rough: OnceLock<Forecast>,
    /// Whether a forecast is being made in the background, without targets and with them.
    in_background: [AtomicBool; 2],
    /// Held while a built-in sheet is solved or a forecast is made.
    making: Arc<Mutex<()>>,
    context: Context,
}

/// Sheets that take longer to solve, in seconds of one core, have sampled deviations by the number of turns
/// left: a solved table of deviations takes about four times as long as the sheet.
pub(super) const MOST_SECONDS_FOR_FORECAST: f64 = 2.0;

/// The same for the chances to reach a target, which take about thirty times as long.
pub(super) const MOST_SECONDS_FOR_TARGETS: f64 = 0.5;

impl ScoreSheet {
    /// Makes the tables of a sound definition; `built_in` is its label in metrics if it is built in.
    /// Scoring needs no solution, so a definition that is too large to solve is accepted.
    ///
    /// # Errors
    /// An unsound definition.
    pub(super) fn new(
        definition: Definition,
        built_in: Option<&'static str>,
        context: Context,
    ) -> Result<Self, Error> {
        let (key, estimate) = (Key::of(&definition).to_string(), Estimate::of(&definition));
        let sheet = Sheet::new(definition)
            .map_err(|violations| Error::invalid_under("definition", violations))?;
        Ok(Self {
            key,
            sheet: Arc::new(sheet),
            estimate,
            budget: if built_in.is_some() { Budget::BUILT_IN } else { context.budget },
            built_in,
            solution: Arc::default(),
            forecast: OnceLock::new(),
            forecast_with_targets: OnceLock::new(),
            best_play: OnceLock::new(),
            rough: OnceLock::new(),
            in_background: Default::default(),
            making: Arc::default(),
            context,
        })
    }

    /// The score sheet.
    pub(super) fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The value of every scorecard: solved on first use, once for all callers that wait.
    ///
    /// # Errors
    /// If solving exceeds the budget, there is no room for more long work, or the service stops.
    pub(super) async fn solution(self: &Arc<Self>) -> Result<&Solution, Error> {
        if let Some(solution) = self.solution.get() {
            return Ok(solution);
        }
        if self.built_in.is_some() {
            self.solve_to_the_end().await?;
        }
        let solve = || async {
            let sheet = Arc::clone(self);
            self.context.long_work.run(move |cancelled| sheet.solve_now(Some(cancelled))).await?
        };
        let solution = self.solution.get_or_try_init(solve).await?;
        self.context.cache.weigh(self.clone()).await;
        Ok(solution)
    }

    /// Solves it even if all callers cancel.
    async fn solve_to_the_end(self: &Arc<Self>) -> Result<(), Error> {
        let making = Arc::clone(&self.making).lock_owned().await;
        if self.solution.get().is_some() {
            return Ok(());
        }
        let sheet = Arc::clone(self);
        let solve = move || {
            let _making = making;
            // Only the holder of this lock sets it.
            sheet.solve_now(None).map(|solved| drop(sheet.solution.set(solved)))
        };
        self.context.long_work.finish(solve).await?
    }

    fn solve_now(&self, cancelled: Option<&AtomicBool>) -> Result<Solution, Error> {
        let solver =
            Solver { threads: threads(), cancelled, budget: self.budget, ..Solver::default() };
        let begun = Instant::now();
        let solution = solver.values(&self.sheet).map_err(|why| match why {
            Unsolved::OverBudget(over) => over.into(),
            // Only the end of the service cancels solving while a caller waits.
            Unsolved::Cancelled => Error::Stopping,
        })?;
        let label = self.built_in.unwrap_or(telemetry::ruleset::CUSTOM);
        telemetry::solved(label, begun.elapsed());
        Ok(solution)
    }

    /// The value of every scorecard, if it is solved already.
    pub(super) fn solved(&self) -> Option<&Solution> {
        self.solution.get()
    }

    /// The deviations of the rest of a card's game, if they were made; `with_targets` with the
    /// chances to reach any number of points.
    pub(super) fn forecast(&self, with_targets: bool) -> Option<&Forecast> {
        if with_targets { self.forecast_with_targets.get() } else { self.forecast.get() }
    }

    /// The exact outlook of rows and bonuses under best play, if an analysis has computed it.
    pub(super) fn best_play(&self) -> Option<Arc<SheetOutlook>> {
        self.best_play.get().cloned()
    }

    /// Keeps the exact outlook for the next caller. It takes a few kilobytes.
    pub(super) fn keep_best_play(&self, outlook: SheetOutlook) -> Arc<SheetOutlook> {
        Arc::clone(self.best_play.get_or_init(|| Arc::new(outlook)))
    }

    /// The sheet with its values, for which the caller must have waited.
    pub(super) fn game(&self) -> Result<SolvedSheet<'_>, Error> {
        let solution = self.solved().ok_or(Error::Internal("used before it was solved"))?;
        Ok(SolvedSheet::new(&self.sheet, solution))
    }

    /// [`ScoreSheet::forecast`], for which the caller must have waited.
    pub(super) fn made_forecast(&self, with_targets: bool) -> Result<&Forecast, Error> {
        self.forecast(with_targets).ok_or(Error::Internal("used before it was made"))
    }

    /// The best forecast made so far: [`ScoreSheet::forecast`], without targets if those are not made, or an
    /// estimate. The sheet must be solved.
    pub(super) fn forecast_now(&self, with_targets: bool) -> Result<&Forecast, Error> {
        let made = self.forecast(with_targets).or_else(|| self.forecast(false));
        let solved = self.game()?;
        Ok(made.unwrap_or_else(|| self.rough.get_or_init(|| Forecast::rough(&solved))))
    }

    /// Makes [`ScoreSheet::forecast`] in the background, unless it is made or being made. Without room for
    /// more long work, the next call tries again.
    pub(super) fn make_forecast_in_background(self: &Arc<Self>, with_targets: bool) {
        let kind = usize::from(with_targets);
        if self.forecast(with_targets).is_some()
            || self.in_background[kind].swap(true, Ordering::Relaxed)
        {
            return;
        }
        let sheet = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(reason) = sheet.prepare_forecast(with_targets).await {
                tracing::debug!(%reason, "no forecast yet");
            }
            sheet.in_background[kind].store(false, Ordering::Relaxed);
        });
    }

    /// Makes [`ScoreSheet::forecast`] once for all callers that wait, even if they all cancel: it takes
    /// seconds, and the next caller needs it.
    ///
    /// # Errors
    /// As [`ScoreSheet::solution`].
    pub(super) async fn prepare_forecast(
        self: &Arc<Self>,
        with_targets: bool,
    ) -> Result<(), Error> {
        if self.forecast(with_targets).is_some() {
            return Ok(());
        }
        self.solution().await?;
        let making = Arc::clone(&self.making).lock_owned().await;
        if self.forecast(with_targets).is_some() {
            return Ok(());
        }
        let sheet = Arc::clone(self);
        let make = move || {
            let _making = making;
            sheet.make_forecast(with_targets);
            Handle::current().block_on(sheet.context.cache.weigh(sheet.clone()));
        };
        self.context.long_work.finish(make).await
    }

    /// Runs long work on the sheet until it is done or its caller has cancelled.
    ///
    /// # Errors
    /// If there is no room for more long work.
    pub(super) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let sheet = Arc::clone(self);
        self.context.long_work.run(move |_| work(&sheet)).await
    }

    /// The most that solving the rules may take.
    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The pool for long work.
    pub(super) fn long_work(&self) -> &LongWork {
        &self.context.long_work
    }

    fn make_forecast(&self, with_targets: bool) {
        let Some(solution) = self.solved() else { return };
        let game = SolvedSheet::new(&self.sheet, solution);
        let seconds = self.estimate.seconds(1);
        let forecast = self.forecast.get_or_init(|| match seconds <= MOST_SECONDS_FOR_FORECAST {
            true => Forecast::solve(&game, threads()),
            false => Forecast::sampled(&game),
        });
        if with_targets {
            self.forecast_with_targets.get_or_init(|| match seconds <= MOST_SECONDS_FOR_TARGETS {
                true => forecast.clone().with_target_chances(&game, threads()),
                false => forecast.clone().with_sampled_target_chances(&game),
            });
        }
    }

    /// Expected final score of an empty card, if the exact values are solved; learned values overestimate it.
    pub(super) fn expected_score(&self) -> Option<f64> {
        let exact = self.solution.get().filter(|solution| solution.is_exact())?;
        Some(f64::from(self.sheet.starts_with()) + exact.value(CardState::EMPTY))
    }

    /// The memory of all its tables now, in KiB.
    pub(super) fn kibibytes(&self) -> u32 {
        let solution = self.solution.get().map_or(0, Solution::bytes);
        let forecasts =
            [self.forecast.get(), self.forecast_with_targets.get()].into_iter().flatten();
        let of_forecast = |forecast: &Forecast| {
            forecast.bytes() + forecast.target_chances().map_or(0, TargetChances::bytes)
        };
        let bytes = self.sheet.bytes() + solution + forecasts.map(of_forecast).sum::<usize>();
        u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX)
    }
}

/// Threads to solve with: all that this process may use, since a caller waits.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
