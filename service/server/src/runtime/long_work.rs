//! Thread pool for work that takes milliseconds or more: solving, simulating, searching.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use opentelemetry::metrics::Histogram;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::TaskTracker;

use super::cores;
use crate::error::Error;
use crate::telemetry::{LONG, meter};

/// A few threads with a bounded queue. They yield to the workers from [`LongWork::yield_to_calls`] on.
///
/// Work gets a flag that is set when its call was cancelled or timed out, and should poll it. Work that
/// is still queued by then never starts.
#[derive(Clone, Debug)]
pub struct LongWork(Arc<Pool>);

#[derive(Debug)]
struct Pool {
    /// Only its blocking threads are used. `None` once dropped.
    runtime: Option<Runtime>,
    room: Arc<Semaphore>,
    places: usize,
    running: TaskTracker,
    /// Nice value that the threads take before their next piece of work.
    nice: Arc<AtomicI32>,
    refused: AtomicU64,
    waited: Histogram<f64>,
    worked: Histogram<f64>,
}

impl LongWork {
    /// A pool of `threads` threads (0: one per core) with a queue for `queue` pieces of work.
    ///
    /// # Errors
    /// If the operating system starts no runtime.
    pub fn new(threads: usize, queue: usize) -> std::io::Result<Self> {
        let threads = if threads == 0 { cores() } else { threads };
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(threads)
            .thread_name("long-work")
            .build()?;
        let places = threads + queue;
        Ok(Self(Arc::new(Pool {
            runtime: Some(runtime),
            room: Arc::new(Semaphore::new(places)),
            places,
            running: TaskTracker::new(),
            nice: Arc::new(AtomicI32::new(current_nice())),
            refused: AtomicU64::new(0),
            waited: seconds("dicepoker.long_work.wait", "Time that long work waited for a thread."),
            worked: seconds("dicepoker.long_work.duration", "Time that long work ran."),
        })))
    }

    /// Adds `nice` to the nice value of the threads, from their next piece of work on. Called when the
    /// service begins to serve: until then there is nothing to yield to but other programs.
    pub fn yield_to_calls(&self, nice: u32) {
        let nice = i32::try_from(nice).unwrap_or(0);
        self.0.nice.store(current_nice().saturating_add(nice), Relaxed);
    }

    /// Runs `work` on the pool. Dropping the returned future sets the flag that `work` gets.
    ///
    /// # Errors
    /// [`Error::Overloaded`] at once if the queue is full, [`Error::Internal`] if `work` panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.reserve()?.run(work).await
    }

    /// Reserves a place for work in several pieces, which alternate with the work of others.
    ///
    /// # Errors
    /// [`Error::Overloaded`] at once if the queue is full.
    pub(crate) fn reserve(&self) -> Result<Place, Error> {
        let room = Arc::clone(&self.0.room).try_acquire_owned().map_err(|_| {
            self.0.refused.fetch_add(1, Relaxed);
            Error::Overloaded { retry_after: Self::RETRY_AFTER }
        })?;
        Ok(Place { pool: self.clone(), room: Arc::new(room) })
    }

    /// Runs `work` on the pool to its end even if its caller cancels, for results that are shared.
    ///
    /// # Errors
    /// As [`LongWork::run`].
    pub async fn finish<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.reserve()?.submit(Arc::default(), |_| work()).await
    }

    /// Retry delay of a rejected caller.
    pub(crate) const RETRY_AFTER: Duration = Duration::from_millis(200);

    /// Pieces of work rejected so far.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.0.refused.load(Relaxed)
    }

    /// Pieces of work that run now.
    #[must_use]
    pub fn running(&self) -> usize {
        self.0.running.len()
    }

    /// Pieces of work that wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let taken = self.0.places - self.0.room.available_permits();
        taken.saturating_sub(self.running())
    }
}

/// A reserved place on the pool. Each piece of work queues anew, so long work alternates with other work.
#[derive(Debug)]
pub(crate) struct Place {
    pool: LongWork,
    /// Shared with each piece: one that outlives its caller still occupies the place.
    room: Arc<OwnedSemaphorePermit>,
}

impl Place {
    /// Runs a piece of work. Dropping the returned future sets the flag that `work` gets.
    ///
    /// # Errors
    /// [`Error::Internal`] if `work` panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let cancelled = Cancelled(Arc::default());
        self.submit(Arc::clone(&cancelled.0), work).await
    }

    async fn submit<T: Send + 'static>(
        &self,
        flag: Arc<AtomicBool>,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let pool = &self.pool.0;
        let (room, running) = (Arc::clone(&self.room), pool.running.clone());
        let (waited, worked) = (pool.waited.clone(), pool.worked.clone());
        let nice = Arc::clone(&pool.nice);
        let queued = Instant::now();
        let job = move || {
            let _room = room;
            if flag.load(Relaxed) {
                return None;
            }
            let _running = running.token();
            lower_priority(nice.load(Relaxed));
            let begun = Instant::now();
            waited.record(begun.duration_since(queued).as_secs_f64(), &[]);
            let result = work(&flag);
            worked.record(begun.elapsed().as_secs_f64(), &[]);
            Some(result)
        };
        let runtime = pool.runtime.as_ref().expect("there until dropped");
        let done = runtime.spawn_blocking(job).await;
        done.ok().flatten().ok_or(Error::Internal("long work failed"))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Dropping a runtime would block on its threads.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn seconds(name: &'static str, description: &'static str) -> Histogram<f64> {
    meter()
        .f64_histogram(name)
        .with_unit("s")
        .with_description(description)
        .with_boundaries(LONG.to_vec())
        .build()
}

/// Sets the flag of the work when its caller drops the call.
struct Cancelled(Arc<AtomicBool>);

impl Drop for Cancelled {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The nice value of the calling thread; on Linux each thread has its own.
fn current_nice() -> i32 {
    rustix::process::getpriority_process(None).unwrap_or(0)
}

/// Raises the nice value of the calling thread to `nice`. A failure leaves the thread as it is.
fn lower_priority(nice: i32) {
    if current_nice() < nice
        && let Err(reason) = rustix::process::setpriority_process(None, nice)
    {
        tracing::debug!(%reason, nice, "long work keeps the priority of calls");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_beyond_the_queue_is_rejected_at_once() {
        let pool = LongWork::new(1, 1).expect("a pool");
        let (go, wait) = mpsc::channel::<()>();
        let first = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(move |_| wait.recv().is_ok()).await }
        });
        while pool.running() == 0 {
            tokio::task::yield_now().await;
        }
        let second = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(|_| 2).await }
        });
        while pool.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        let third = pool.run(|_| 3).await;
        assert!(matches!(third, Err(Error::Overloaded { .. })), "{third:?}");
        go.send(()).expect("waited for");
        assert!(first.await.expect("no panic").expect("done"));
        assert_eq!(second.await.expect("no panic").expect("done"), 2);
    }

    #[tokio::test]
    async fn threads_keep_their_priority_until_the_service_serves() {
        let pool = LongWork::new(1, 8).expect("a pool");
        let before = current_nice();
        let nice = || pool.run(|_| current_nice());
        assert_eq!(nice().await.expect("run"), before);
        pool.yield_to_calls(3);
        assert_eq!(nice().await.expect("run"), (before + 3).min(19));
        assert_eq!(nice().await.expect("run"), (before + 3).min(19), "once, not for each piece");
    }

    #[tokio::test]
    async fn work_of_a_dropped_call_stops_or_never_starts() {
        let pool = LongWork::new(1, 8).expect("a pool");
        let (sender, receiver) = mpsc::channel();
        let long = pool.run(move |cancelled| {
            while !cancelled.load(Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = sender.send(());
        });
        let (begin, begun) = mpsc::channel::<()>();
        let queued = pool.run(move |_| begin.send(()));
        let mut both = Box::pin(async { tokio::join!(long, queued) });
        assert!(futures_util::poll!(&mut both).is_pending());
        while pool.running() == 0 {
            tokio::task::yield_now().await;
        }
        drop(both);
        receiver.recv().expect("the running one stops");
        assert!(begun.recv().is_err(), "the queued one never begins");
    }

    #[tokio::test]
    async fn a_panic_fails_its_own_call_only() {
        let pool = LongWork::new(1, 8).expect("a pool");
        let died = pool.run(|_| -> u8 { panic!("on purpose") }).await;
        assert!(matches!(died, Err(Error::Internal(_))));
        assert_eq!(pool.run(|_| 1).await.expect("the pool lives"), 1);
    }
}
