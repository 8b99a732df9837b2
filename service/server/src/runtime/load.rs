//! How far behind a worker is, and when it may send its next error.
//!
//! A call that arrives waits, by Little's law, for the number of calls before it times the time from the
//! start of one to the start of the next. That time is measured while calls wait, so it contains all that
//! a worker does: the calls, the connections, the errors, and what other processes take of its core.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Nanoseconds over which the time from start to start is averaged: short enough to follow what is asked,
/// and many times as long as a worker takes to go once round its connections and calls.
const AVERAGED: f64 = 50e6;

/// Nanoseconds after which a measurement expires.
const FRESH: u64 = 1_000_000_000;

/// The load of one worker; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    epoch: Instant,
    counts: Arc<Counts>,
}

/// Moments are nanoseconds since the epoch. Only the worker's thread writes them; others read them.
#[derive(Debug, Default)]
struct Counts {
    waiting: AtomicUsize,
    /// Starts counted, and the nanoseconds they took, older ones weighing less: bits of `f64`.
    starts: AtomicU64,
    time: AtomicU64,
    /// The last start.
    last: AtomicU64,
    /// Whether another call waited then: 1 or 0.
    others: AtomicU64,
    /// When a call last began to wait while no other did.
    busy_since: AtomicU64,
    /// When the next error may be sent.
    next_error: AtomicU64,
}

impl Load {
    /// The least time between two errors of a worker.
    pub(crate) const ERROR_INTERVAL: Duration = Duration::from_micros(100);

    /// The load of an idle worker.
    pub(crate) fn idle() -> Self {
        Self { epoch: Instant::now(), counts: Arc::default() }
    }

    /// Calls that wait for the worker.
    pub(crate) fn waiting(&self) -> usize {
        self.counts.waiting.load(Relaxed)
    }

    /// The predicted wait of a call that arrives now; zero without measurements.
    pub(crate) fn predicted_wait(&self) -> Duration {
        if self.now().saturating_sub(self.counts.last.load(Relaxed)) > FRESH {
            return Duration::ZERO;
        }
        let [time, starts] =
            [&self.counts.time, &self.counts.starts].map(|sum| f64::from_bits(sum.load(Relaxed)));
        let interval = if starts > 0.0 { time / starts } else { 0.0 };
        Duration::from_nanos((self.waiting() as f64 * interval) as u64)
    }

    /// Counts a call that waits until the returned value is dropped: when it starts, or is cancelled.
    pub(crate) fn queue(&self) -> Waiting {
        if self.counts.waiting.fetch_add(1, Relaxed) == 0 {
            self.counts.busy_since.store(self.now(), Relaxed);
        }
        Waiting(self.clone())
    }

    /// How long calls have been waiting without a pause.
    pub(crate) fn busy_for(&self) -> Duration {
        Duration::from_nanos(self.now().saturating_sub(self.counts.busy_since.load(Relaxed)))
    }

    /// Whether the worker sent no error of late: what arrives is a burst, not one of many.
    pub(crate) fn calm(&self) -> bool {
        let error = self.counts.next_error.load(Relaxed);
        error == 0 || self.now() > error + FRESH
    }

    fn started(&self) {
        let others = self.counts.waiting.fetch_sub(1, Relaxed) > 1;
        let now = self.now();
        let took = now.saturating_sub(self.counts.last.swap(now, Relaxed));
        if self.counts.others.swap(others.into(), Relaxed) == 0 {
            return;
        }
        let kept = if took > FRESH { 0.0 } else { (1.0 - took as f64 / AVERAGED).max(0.0) };
        for (sum, more) in [(&self.counts.starts, 1.0), (&self.counts.time, took as f64)] {
            sum.store((f64::from_bits(sum.load(Relaxed)) * kept + more).to_bits(), Relaxed);
        }
    }

    /// Returns when the caller of this function may send an error: one per [`Self::ERROR_INTERVAL`].
    pub(crate) async fn error_turn(&self) {
        let now = self.now();
        let interval = u64::try_from(Self::ERROR_INTERVAL.as_nanos()).unwrap_or(u64::MAX);
        let turn = self.counts.next_error.load(Relaxed).max(now);
        self.counts.next_error.store(turn + interval, Relaxed);
        if turn > now {
            tokio::time::sleep(Duration::from_nanos(turn - now)).await;
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// A call that waits for its worker.
#[derive(Debug)]
pub(crate) struct Waiting(Load);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.started();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_waits_for_those_before_it() {
        let load = Load::idle();
        assert_eq!(load.predicted_wait(), Duration::ZERO);
        let mut waiting: Vec<_> = (0..10).map(|_| load.queue()).collect();
        for _ in 0..5 {
            waiting.pop();
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(load.waiting(), 5);
        assert!(load.predicted_wait() >= Duration::from_millis(10), "{:?}", load.predicted_wait());
        waiting.clear();
        assert_eq!(load.predicted_wait(), Duration::ZERO);
    }

    #[test]
    fn time_without_waiting_calls_is_not_measured() {
        let load = Load::idle();
        drop(load.queue());
        std::thread::sleep(Duration::from_millis(20));
        let waiting = [load.queue(), load.queue()];
        assert_eq!(load.predicted_wait(), Duration::ZERO, "nothing is known yet");
        let busy = Instant::now();
        drop(waiting);
        let _waiting = load.queue();
        let wait = load.predicted_wait();
        assert!(wait <= busy.elapsed(), "{wait:?}");
    }

    #[test]
    fn old_measurements_expire() {
        let load = Load::idle();
        let mut waiting: Vec<_> = (0..10).map(|_| load.queue()).collect();
        for _ in 0..5 {
            waiting.pop();
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(load.predicted_wait() > Duration::ZERO);
        std::thread::sleep(Duration::from_nanos(FRESH) + Duration::from_millis(1));
        assert_eq!(load.predicted_wait(), Duration::ZERO);
    }

    #[test]
    fn busy_time_begins_when_the_queue_is_no_longer_empty() {
        let load = Load::idle();
        std::thread::sleep(Duration::from_millis(20));
        let begin = Instant::now();
        let first = load.queue();
        let busy = load.busy_for();
        assert!(busy <= begin.elapsed(), "{busy:?}");
        let _second = load.queue();
        drop(first);
        std::thread::sleep(Duration::from_millis(20));
        assert!(load.busy_for() >= Duration::from_millis(20), "{:?}", load.busy_for());
    }

    #[tokio::test]
    async fn a_recent_error_is_remembered() {
        let load = Load::idle();
        assert!(load.calm());
        load.error_turn().await;
        assert!(!load.calm());
        std::thread::sleep(
            Load::ERROR_INTERVAL + Duration::from_nanos(FRESH) + Duration::from_millis(1),
        );
        assert!(load.calm());
    }

    #[tokio::test]
    async fn errors_are_an_interval_apart() {
        let load = Load::idle();
        for _ in 0..100 {
            load.error_turn().await;
        }
        let next = Duration::from_nanos(load.counts.next_error.load(Relaxed));
        assert!(next >= 100 * Load::ERROR_INTERVAL, "{next:?}");
    }
}
