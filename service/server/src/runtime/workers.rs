//! The threads that serve calls.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::sync::CancellationToken;

use super::cores;
use crate::config::RuntimeKind;

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
                let runtime = Builder::new_multi_thread()
                    .worker_threads(count)
                    .thread_name("worker")
                    .enable_all()
                    .build()?;
                let handle = runtime.handle().clone();
                let workers = vec![Worker { handle, connections: Arc::default() }];
                Ok(Self { workers, shared: Some(runtime), stop })
            }
        }
    }

    /// Runs the future that serves a connection on the worker with the fewest.
    pub(crate) fn deal(&self, connection: impl Future<Output = ()> + Send + 'static) {
        let fewest = self.workers.iter().min_by_key(|worker| worker.connections.load(Relaxed));
        let worker = fewest.expect("at least one worker");
        let held = Held::new(&worker.connections);
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
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new()
        .name(format!("worker-{index}"))
        .spawn(move || runtime.block_on(stop.cancelled()))?;
    Ok(Worker { handle, connections: Arc::default() })
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
