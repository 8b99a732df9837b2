//! Retries of failed calls. No call of the contract has side effects, so every call may be retried. The
//! budget, shared by all clones of a client, limits retries to a small share of the calls, so that a
//! failing service is not overloaded.

use std::sync::Arc;
use std::time::Duration;

use tower::retry::backoff::{ExponentialBackoff, ExponentialBackoffMaker, MakeBackoff};
use tower::retry::budget::{Budget, TpsBudget};
use tower::util::rng::HasherRng;

use crate::Error;

/// The jitter of a backoff: up to half of it, either way.
const JITTER: f64 = 0.5;

/// How long a call counts towards the budget.
const BUDGET_WINDOW: Duration = Duration::from_secs(10);

/// When and how often a failed call is retried.
///
/// ```
/// use std::time::Duration;
/// use dicepoker_client::Retries;
///
/// let patient = Retries::default().attempts(6).backoff(
///     Duration::from_millis(50),
///     Duration::from_secs(3),
/// );
/// let never = Retries::none();
/// # let _ = (patient, never);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Retries {
    attempts: u32,
    backoff: (Duration, Duration),
    budget_share: f32,
    budget_per_second: u32,
}

impl Default for Retries {
    /// Four attempts, 25 ms to 1 s apart, doubling, with jitter; a budget of a fifth of the calls, at
    /// least ten a second.
    fn default() -> Self {
        Self {
            attempts: 4,
            backoff: (Duration::from_millis(25), Duration::from_secs(1)),
            budget_share: 0.2,
            budget_per_second: 10,
        }
    }
}

impl Retries {
    /// A single attempt.
    #[must_use]
    pub fn none() -> Self {
        Self { attempts: 1, ..Self::default() }
    }

    /// Sets the maximum number of attempts, the first included.
    #[must_use]
    pub fn attempts(mut self, most: u32) -> Self {
        self.attempts = most.max(1);
        self
    }

    /// Sets the pause before the first retry, and the longest pause. The retry delay of the server
    /// takes precedence.
    #[must_use]
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.backoff = (first, longest);
        self
    }

    /// Sets the budget: a share of the calls of the last ten seconds, 0.0 to 1.0, and a minimum a
    /// second (at least 1).
    #[must_use]
    pub fn budget(mut self, share: f32, per_second: u32) -> Self {
        self.budget_share = share.clamp(0.0, 1.0);
        self.budget_per_second = per_second.max(1);
        self
    }

    pub(crate) fn build(&self) -> Result<Retrier, Error> {
        let (first, longest) = self.backoff;
        let backoff = ExponentialBackoffMaker::new(first, longest, JITTER, HasherRng::default())
            .map_err(|wrong| {
                Error::config(format!("backoff of {first:?} to {longest:?}: {wrong}"))
            })?;
        let budget = TpsBudget::new(BUDGET_WINDOW, self.budget_per_second, self.budget_share);
        Ok(Retrier { attempts: self.attempts, backoff, budget: Arc::new(budget) })
    }
}

/// The state of [`Retries`].
#[derive(Clone, Debug)]
pub(crate) struct Retrier {
    attempts: u32,
    backoff: ExponentialBackoffMaker,
    budget: Arc<TpsBudget>,
}

impl Retrier {
    /// The pauses of one call.
    pub(crate) fn pauses(&self) -> ExponentialBackoff {
        self.backoff.clone().make_backoff()
    }

    /// Adds a successful call to the budget.
    pub(crate) fn succeeded(&self) {
        self.budget.deposit();
    }

    /// Whether another attempt may follow the first `made`; if so, takes it from the budget.
    pub(crate) fn may_retry(&self, made: u32) -> bool {
        made < self.attempts && self.budget.withdraw()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn retries_end_with_the_attempts_or_the_budget() {
        let retrier = Retries::default().attempts(3).budget(0.0, 1).build().expect("sound");
        assert!(retrier.may_retry(1) && retrier.may_retry(2) && !retrier.may_retry(3));
        // One a second over a window of ten seconds.
        let granted = (0..100).filter(|_| retrier.may_retry(1)).count();
        assert_eq!(granted, 8);
        assert!(!Retries::none().build().expect("sound").may_retry(1));
        let backwards = Retries::default().backoff(Duration::from_secs(2), Duration::from_secs(1));
        assert!(backwards.build().is_err());
    }
}
