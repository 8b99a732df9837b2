//! The threads that serve calls: one single-threaded runtime each, which serves its own connections and
//! shares nothing with the others. A call is a task like its connection, so both have their turns in the
//! order in which they are woken, and the responses of a round leave a connection in one write.

use std::future::Future;
use std::sync::Arc;

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;

use super::Load;
use super::cores;

/// Tasks that a worker runs before it looks for new input: often enough that a call is judged soon after
/// its headers arrive.
const TASKS_BETWEEN_LOOKS: u32 = 8;

/// The workers. Each connection is dealt to the one that holds the fewest: a kernel that spreads
/// connections by hashing (`SO_REUSEPORT`) often leaves a core idle when connections are few.
#[derive(Debug)]
pub(crate) struct Workers {
    workers: Vec<Worker>,
    stop: CancellationToken,
}

#[derive(Debug)]
struct Worker {
    handle: Handle,
    load: Load,
    /// One clone per connection.
    connections: Arc<()>,
}

impl Workers {
    /// Starts `count` workers, 0 for one a core.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn start(count: usize) -> std::io::Result<Self> {
        let count = if count == 0 { cores() } else { count };
        let stop = CancellationToken::new();
        let workers = (0..count).map(|index| start(index, stop.clone()));
        Ok(Self { workers: workers.collect::<Result<_, _>>()?, stop })
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
        let fewest =
            self.workers.iter().min_by_key(|worker| Arc::strong_count(&worker.connections));
        let worker = fewest.expect("at least one worker");
        let (held, connection) = (Arc::clone(&worker.connections), serve(worker.load.clone()));
        worker.handle.spawn(async move {
            connection.await;
            drop(held);
        });
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn start(index: usize, stop: CancellationToken) -> std::io::Result<Worker> {
    let mut builder = Builder::new_current_thread();
    let runtime = builder.enable_all().event_interval(TASKS_BETWEEN_LOOKS).build()?;
    let handle = runtime.handle().clone();
    let name = format!("worker-{index}");
    std::thread::Builder::new().name(name).spawn(move || runtime.block_on(stop.cancelled()))?;
    Ok(Worker { handle, load: Load::idle(), connections: Arc::default() })
}
