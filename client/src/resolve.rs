//! The resolver of `dns:///` targets: the system's, or the caller's.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Looks up the addresses of a name and port.
#[derive(Clone)]
pub(crate) struct Resolver(Arc<dyn Fn(String, u16) -> Addresses + Send + Sync>);

impl Resolver {
    pub(crate) fn new<F, A>(look_up: F) -> Self
    where
        F: Fn(String, u16) -> A + Send + Sync + 'static,
        A: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
    {
        Self(Arc::new(move |name, port| Box::pin(look_up(name, port))))
    }

    pub(crate) async fn look_up(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        (self.0)(name.to_owned(), port).await
    }
}

/// The system's resolver.
impl Default for Resolver {
    fn default() -> Self {
        Self::new(|name: String, port| async move {
            Ok(tokio::net::lookup_host((name, port)).await?.collect())
        })
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver")
    }
}
