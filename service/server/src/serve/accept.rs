//! Taking connections from the listener and dealing them to the workers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::connection::Connections;
use crate::runtime::Workers;

/// Connections the kernel holds for us while we are busy.
const BACKLOG: i32 = 4096;

/// How long to wait when the process may open no more files.
const OUT_OF_FILES: Duration = Duration::from_millis(50);

/// How long a peer's machine may be silent before the kernel asks whether it is there: for
/// clients that vanished without a word even where HTTP/2 keepalive is off.
const TCP_KEEPALIVE: Duration = Duration::from_secs(60);

/// A bound listener.
#[derive(Debug)]
pub(super) struct Acceptor(TcpListener);

impl Acceptor {
    pub(super) fn bind(address: SocketAddr) -> std::io::Result<Self> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        // Lets a restarted service take its port back while old connections linger.
        socket.set_reuse_address(true)?;
        socket.set_nonblocking(true)?;
        socket.bind(&address.into()).map_err(|reason| {
            std::io::Error::new(reason.kind(), format!("cannot listen on {address}: {reason}"))
        })?;
        socket.listen(BACKLOG)?;
        Ok(Self(TcpListener::from_std(socket.into())?))
    }

    pub(super) fn address(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }

    /// Deals connections to `workers` until `drain`, then gives them back.
    pub(super) async fn accept(
        self,
        workers: Workers,
        connections: Arc<Connections>,
        drain: CancellationToken,
    ) -> Workers {
        loop {
            let accepted = tokio::select! {
                accepted = self.0.accept() => accepted,
                () = drain.cancelled() => break,
            };
            match accepted {
                Ok((stream, peer)) => deal(stream, peer, &workers, &connections),
                Err(reason) => on_error(&reason).await,
            }
        }
        self.empty_backlog(&workers, &connections);
        workers
    }

    /// Connections that the kernel took for us already would be reset when the listener closes:
    /// they are served as far as a draining service serves.
    fn empty_backlog(self, workers: &Workers, connections: &Arc<Connections>) {
        let Ok(listener) = self.0.into_std() else { return };
        while let Ok((stream, peer)) = listener.accept() {
            if stream.set_nonblocking(true).is_ok()
                && let Ok(stream) = TcpStream::from_std(stream)
            {
                deal(stream, peer, workers, connections);
            }
        }
    }
}

fn deal(stream: TcpStream, peer: SocketAddr, workers: &Workers, connections: &Arc<Connections>) {
    let Some(place) = connections.place() else {
        debug!(%peer, "connection refused: there are too many");
        return;
    };
    // Out of this thread's reactor, into that of the worker.
    let Ok(stream) = stream.into_std() else { return };
    let connections = Arc::clone(connections);
    workers.deal(move |load| async move {
        let _place = place;
        match TcpStream::from_std(stream).and_then(prepare) {
            Ok(stream) => connections.serve(stream, peer, load).await,
            Err(reason) => debug!(%peer, %reason, "connection lost"),
        }
    });
}

fn prepare(stream: TcpStream) -> std::io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(TCP_KEEPALIVE);
    socket2::SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
    Ok(stream)
}

async fn on_error(reason: &std::io::Error) {
    const EMFILE: i32 = 24;
    const ENFILE: i32 = 23;
    if matches!(reason.raw_os_error(), Some(EMFILE | ENFILE)) {
        warn!(%reason, "no more connections for now");
        tokio::time::sleep(OUT_OF_FILES).await;
    } else {
        // The peer gave up before we came round to it.
        debug!(%reason, "connection lost");
    }
}
