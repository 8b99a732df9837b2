//! Accepts connections and deals them to the workers, the threads that serve calls. Each is a
//! single-threaded runtime, which serves its own connections and shares nothing with the others on the way
//! of a call. A call is a task like its connection, so both have their turns in the order in which they are
//! woken, and the responses of a round leave a connection in one write.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::connection::Connections;
use crate::runtime::{Load, cores};

/// How long to wait when the process may open no more files.
const OUT_OF_FILES: Duration = Duration::from_millis(50);

/// Tasks that a worker runs before it looks for new input: often enough that a call is judged soon after
/// its headers arrive.
const TASKS_BETWEEN_LOOKS: u32 = 8;

/// Deals connections to `workers` until `drain`, then gives them back.
pub(super) async fn accept(
    listener: TcpListener,
    workers: Workers,
    connections: Arc<Connections>,
    drain: CancellationToken,
) -> Workers {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = drain.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => deal(stream, peer, &workers, &connections),
            Err(reason) => on_error(&reason).await,
        }
    }
    // The kernel would reset the connections that it has already accepted when the listener closes: they
    // are served as far as a draining service serves.
    if let Ok(listener) = listener.into_std() {
        while let Ok((stream, peer)) = listener.accept() {
            let stream = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
            if let Ok(stream) = stream {
                deal(stream, peer, &workers, &connections);
            }
        }
    }
    workers
}

fn deal(stream: TcpStream, peer: SocketAddr, workers: &Workers, connections: &Arc<Connections>) {
    let Some(place) = connections.place() else {
        debug!(%peer, "connection closed: max-connections are open");
        return;
    };
    // Moves the socket from the reactor of this thread to that of the worker.
    let Ok(stream) = stream.into_std() else { return };
    let connections = Arc::clone(connections);
    workers.deal(move |load| async move {
        let _place = place;
        let stream = TcpStream::from_std(stream);
        match stream.and_then(|stream| stream.set_nodelay(true).map(|()| stream)) {
            Ok(stream) => connections.serve(stream, peer, load).await,
            Err(reason) => debug!(%peer, %reason, "connection lost"),
        }
    });
}

async fn on_error(reason: &std::io::Error) {
    const EMFILE: i32 = 24;
    const ENFILE: i32 = 23;
    if matches!(reason.raw_os_error(), Some(EMFILE | ENFILE)) {
        warn!(%reason, "no more connections for now");
        tokio::time::sleep(OUT_OF_FILES).await;
    } else {
        // The client closed it first.
        debug!(%reason, "connection lost");
    }
}

/// The workers. Each connection is dealt to the one that holds the fewest: a kernel that spreads
/// connections by hashing (`SO_REUSEPORT`) often leaves a core idle when connections are few.
#[derive(Debug)]
pub(super) struct Workers {
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
    pub(super) fn start(count: usize) -> std::io::Result<Self> {
        let count = if count == 0 { cores() } else { count };
        let stop = CancellationToken::new();
        let workers = (0..count).map(|index| start(index, stop.clone()));
        Ok(Self { workers: workers.collect::<Result<_, _>>()?, stop })
    }

    /// The load of every worker.
    pub(super) fn loads(&self) -> Vec<Load> {
        self.workers.iter().map(|worker| worker.load.clone()).collect()
    }

    /// Has the worker with the fewest connections serve one more, by the future that `serve` makes of
    /// its load.
    pub(super) fn deal<F>(&self, serve: impl FnOnce(Load) -> F)
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
