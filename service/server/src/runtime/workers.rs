//! The threads that serve calls.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::sync::CancellationToken;

use super::load::{Clock, Load};
use super::{calls, cores};
use crate::config::RuntimeKind;

/// Tasks that a worker runs before it looks whether something has come, which is seldom enough to
/// cost nothing and often enough that what has come is not left with the kernel for long.
const TASKS_BETWEEN_LOOKS: u32 = 8;

/// The workers. Each connection is dealt to the one that holds the fewest: a kernel that spreads
/// connections by hashing (`SO_REUSEPORT`) often leaves a core idle when connections are few.
#[derive(Debug)]
pub(crate) struct Workers {
    workers: Vec<Worker>,
    /// A runtime that has threads of its own.
    shared: Option<Runtime>,
    stop: CancellationToken,
}

#[derive(Debug)]
struct Worker {
    handle: Handle,
    load: Load,
    connections: Arc<AtomicUsize>,
}

impl Workers {
    /// Starts `count` workers, 0 for one a core.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn start(kind: RuntimeKind, count: usize) -> std::io::Result<Self> {
        let count = if count == 0 { cores() } else { count };
        let stop = CancellationToken::new();
        match kind {
            RuntimeKind::PerCore => {
                let workers = (0..count).map(|index| per_core(index, stop.clone()));
                Ok(Self { workers: workers.collect::<Result<_, _>>()?, shared: None, stop })
            }
            RuntimeKind::Shared => {
                let mut builder = Builder::new_multi_thread();
                builder.worker_threads(count).thread_name("worker");
                let (runtime, worker) = worker(builder, Clock::OfAll)?;
                let workers = vec![worker];
                Ok(Self { workers, shared: Some(runtime), stop })
            }
        }
    }

    /// The load of every worker.
    pub(crate) fn loads(&self) -> Vec<Load> {
        self.workers.iter().map(|worker| worker.load.clone()).collect()
    }

    /// Has the worker with the fewest connections serve one more, by the future that `serve` makes of
    /// its load.
    pub(crate) fn deal<F>(&self, serve: impl FnOnce(Load) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let fewest = self.workers.iter().min_by_key(|worker| worker.connections.load(Relaxed));
        let worker = fewest.expect("at least one worker");
        let held = Held::new(&worker.connections);
        let connection = serve(worker.load.clone());
        worker.handle.spawn(async move {
            let _held = held;
            connection.await;
        });
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(runtime) = self.shared.take() {
            runtime.shutdown_background();
        }
    }
}

fn per_core(index: usize, stop: CancellationToken) -> std::io::Result<Worker> {
    let (runtime, worker) = worker(Builder::new_current_thread(), Clock::OfThread)?;
    std::thread::Builder::new().name(format!("worker-{index}")).spawn(move || {
        runtime.spawn(calls::run());
        runtime.block_on(stop.cancelled());
    })?;
    Ok(worker)
}

/// The runtime of a worker, which tells when it has nothing to do.
fn worker(mut builder: Builder, clock: Clock) -> std::io::Result<(Runtime, Worker)> {
    let load = Load::new(clock);
    let (idle, woken) = (load.clone(), load.clone());
    let runtime = builder
        .enable_all()
        .event_interval(TASKS_BETWEEN_LOOKS)
        .on_thread_park(move || idle.idle())
        // Where time that passes counts, that of the pause itself does not.
        .on_thread_unpark(move || woken.idle())
        .build()?;
    let handle = runtime.handle().clone();
    Ok((runtime, Worker { handle, load, connections: Arc::default() }))
}

/// Counts a connection while it lasts.
struct Held(Arc<AtomicUsize>);

impl Held {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_worker_that_had_nothing_to_do_has_not_been_busy() {
        for kind in [RuntimeKind::PerCore, RuntimeKind::Shared] {
            let workers = Workers::start(kind, 1).expect("started");
            std::thread::sleep(Duration::from_secs(1));
            let (tell, told) = mpsc::channel();
            workers.deal(|load| async move {
                tell.send(load.busy_for(Duration::from_millis(500))).expect("heard");
            });
            assert_eq!(told.recv(), Ok(false), "{kind:?}");
        }
    }
}
