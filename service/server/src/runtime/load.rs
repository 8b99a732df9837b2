//! How far behind a worker is: how long a call that comes now would wait for its turn.
//!
//! By Little's law that is the number of calls that wait, times the time from one turn to the next.
//! The time from turn to turn is measured while calls wait, so it holds all that a worker does: the
//! calls themselves, the connections, the refusals.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds over which the time from turn to turn is averaged: short enough to follow what is
/// asked, and many times as long as a worker takes to look at its connections and serve some calls, in
/// which turns come by one and then long none.
const AVERAGED: f64 = 50e6;

/// Nanoseconds after which the last turns tell nothing of the next: other calls may come then.
const FRESH: u64 = 1_000_000_000;

/// The load of one worker; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Load(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    /// What the moments below count from, in nanoseconds.
    start: Instant,
    waiting: AtomicUsize,
    /// Turns of late, and the nanoseconds in which they came, the older ones counting less: bits of
    /// `f64`. Only the worker itself writes them.
    turns: AtomicU64,
    time: AtomicU64,
    /// The last turn.
    seen: AtomicU64,
    /// The same if another call waited for the next; 0: none did.
    turn: AtomicU64,
    /// What the worker's clock said when it last had nothing to do.
    idle: AtomicU64,
    /// Nanoseconds that it has been at work since, at least.
    busy: AtomicU64,
    /// When a call was last refused; 0: none was.
    refused: AtomicU64,
    clock: Clock,
}

/// How it is measured for how long a worker has had something to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clock {
    /// By the processor time of its one thread: being kept from working is not being busy.
    OfThread,
    /// By the time that passes, where several threads are the worker.
    OfAll,
}

impl Default for Load {
    fn default() -> Self {
        Self::new(Clock::OfAll)
    }
}

impl Load {
    /// That of a worker with nothing to do.
    pub(super) fn new(clock: Clock) -> Self {
        Self(Arc::new(Counts {
            clock,
            start: Instant::now(),
            waiting: AtomicUsize::new(0),
            turns: AtomicU64::new(0),
            time: AtomicU64::new(0),
            seen: AtomicU64::new(0),
            turn: AtomicU64::new(0),
            idle: AtomicU64::new(0),
            busy: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }))
    }

    /// Calls that wait for their turn.
    pub(crate) fn waiting(&self) -> usize {
        self.0.waiting.load(Relaxed)
    }

    /// How long a call that comes now would wait.
    pub(crate) fn wait(&self) -> Duration {
        match self.waiting() {
            0 => Duration::ZERO,
            waiting => Duration::from_nanos((waiting as f64 * self.pace()) as u64),
        }
    }

    /// Whether the worker has been at work for longer than that without a pause; asked on the worker
    /// itself.
    pub(crate) fn busy_for(&self, time: Duration) -> bool {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        // The clock costs a call of the system, and whoever is refused asks.
        if self.0.busy.load(Relaxed) <= nanos {
            let busy = self.worked().saturating_sub(self.0.idle.load(Relaxed));
            self.0.busy.store(busy, Relaxed);
        }
        self.0.busy.load(Relaxed) > nanos
    }

    /// Tells that a call is refused.
    pub(crate) fn refuse(&self) {
        self.0.refused.store(self.now(), Relaxed);
    }

    /// Whether no call has been refused for that time.
    pub(crate) fn calm_for(&self, time: Duration) -> bool {
        let refused = self.0.refused.load(Relaxed);
        refused == 0 || Duration::from_nanos(self.now().saturating_sub(refused)) > time
    }

    /// Tells that the worker, on which this is called, has nothing to do.
    pub(super) fn idle(&self) {
        self.0.idle.store(self.worked(), Relaxed);
        self.0.busy.store(0, Relaxed);
    }

    /// What the worker's clock says, in nanoseconds.
    fn worked(&self) -> u64 {
        match self.0.clock {
            Clock::OfAll => self.now(),
            Clock::OfThread => {
                let time = clock_gettime(ClockId::ThreadCPUTime);
                u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_nsec).unwrap_or(0)
            }
        }
    }

    /// Lets a call wait, until its turn comes or it goes: then the returned value must be dropped.
    pub(crate) fn queue(&self) -> Waiting {
        self.0.waiting.fetch_add(1, Relaxed);
        Waiting(self.clone())
    }

    fn turn(&self) {
        let others_wait = self.0.waiting.fetch_sub(1, Relaxed) > 1;
        let now = self.now();
        let last = self.0.turn.swap(if others_wait { now } else { 0 }, Relaxed);
        if !self.is_fresh(now) {
            self.0.turns.store(0, Relaxed);
            self.0.time.store(0, Relaxed);
        }
        self.0.seen.store(now, Relaxed);
        if last != 0 {
            let since = now.saturating_sub(last) as f64;
            let kept = (1.0 - since / AVERAGED).max(0.0);
            let add = |sum: &AtomicU64, more: f64| {
                let before = f64::from_bits(sum.load(Relaxed));
                sum.store((before * kept + more).to_bits(), Relaxed);
            };
            add(&self.0.turns, 1.0);
            add(&self.0.time, since);
        }
    }

    /// Whether what is known of the pace is of late.
    fn is_fresh(&self, now: u64) -> bool {
        now.saturating_sub(self.0.seen.load(Relaxed)) < FRESH
    }

    /// Nanoseconds from turn to turn on average; 0 if that is not known.
    fn pace(&self) -> f64 {
        if !self.is_fresh(self.now()) {
            return 0.0;
        }
        let [time, turns] =
            [&self.0.time, &self.0.turns].map(|sum| f64::from_bits(sum.load(Relaxed)));
        if turns > 0.0 { time / turns } else { 0.0 }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.0.start.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1)
    }
}

/// A call that waits for its turn.
#[derive(Debug)]
pub(crate) struct Waiting(Load);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.turn();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_waits_for_those_before_it() {
        let load = Load::new(Clock::OfAll);
        assert_eq!(load.wait(), Duration::ZERO);
        let mut waiting: Vec<_> = (0..10).map(|_| load.queue()).collect();
        for _ in 0..5 {
            waiting.pop();
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(load.waiting(), 5);
        assert!(load.wait() >= Duration::from_millis(10), "{:?}", load.wait());
        waiting.clear();
        assert_eq!(load.wait(), Duration::ZERO);
    }

    #[test]
    fn time_in_which_nobody_waits_is_no_pace() {
        let load = Load::new(Clock::OfAll);
        drop(load.queue());
        std::thread::sleep(Duration::from_millis(20));
        let waiting = [load.queue(), load.queue()];
        assert_eq!(load.wait(), Duration::ZERO, "nothing is known yet");
        drop(waiting);
        let _waiting = load.queue();
        assert!(load.wait() < Duration::from_millis(20), "{:?}", load.wait());
    }

    #[test]
    fn what_a_call_took_long_ago_tells_nothing() {
        let load = Load::new(Clock::OfAll);
        let mut waiting: Vec<_> = (0..10).map(|_| load.queue()).collect();
        for _ in 0..5 {
            waiting.pop();
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(load.wait() > Duration::ZERO);
        std::thread::sleep(Duration::from_nanos(FRESH));
        assert_eq!(load.wait(), Duration::ZERO);
        waiting.clear();
        let _waiting = [load.queue(), load.queue()];
        assert!(load.wait() < Duration::from_nanos(FRESH), "the pause is no pace");
    }

    #[test]
    fn a_pause_ends_being_busy() {
        let load = Load::new(Clock::OfAll);
        std::thread::sleep(Duration::from_millis(50));
        assert!(load.busy_for(Duration::from_millis(40)));
        assert!(!load.busy_for(Duration::from_secs(3600)));
        let began = Instant::now();
        load.idle();
        let busy = load.busy_for(Duration::from_millis(40));
        assert!(!busy || began.elapsed() > Duration::from_millis(40));
    }

    #[test]
    fn it_is_calm_a_while_after_a_refusal() {
        let load = Load::new(Clock::OfAll);
        assert!(load.calm_for(Duration::from_secs(3600)));
        load.refuse();
        assert!(!load.calm_for(Duration::from_secs(3600)));
        std::thread::sleep(Duration::from_millis(5));
        assert!(load.calm_for(Duration::from_millis(2)));
    }

    #[test]
    fn a_thread_that_is_kept_from_working_is_not_busy() {
        let load = Load::new(Clock::OfThread);
        load.idle();
        std::thread::sleep(Duration::from_millis(50));
        assert!(!load.busy_for(Duration::from_millis(50)));
        while !load.busy_for(Duration::from_millis(5)) {
            std::hint::spin_loop();
        }
    }
}
