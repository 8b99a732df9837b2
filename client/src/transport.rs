//! What carries calls: a connection, a balanced set of them, or a service in this process. The
//! rest of the client does not care which; tonic's transport is touched here and in `balance` only.

use std::time::Duration;

use http::Uri;
use tonic::transport::Endpoint;
use tower::util::BoxCloneSyncService;

use crate::Error;
use crate::balance::{self, Serving};
use crate::resolve::Resolver;
use crate::target::{Kind, Target};

/// What carries calls, for generated stubs: see [`Client::stub`](crate::Client::stub).
pub type Transport = BoxCloneSyncService<
    http::Request<tonic::body::Body>,
    http::Response<tonic::body::Body>,
    tonic::transport::Error,
>;

/// How connections are made.
#[derive(Clone, Debug)]
pub(crate) struct Connecting {
    pub(crate) timeout: Duration,
    pub(crate) refresh: Duration,
    pub(crate) resolver: Resolver,
    #[cfg(feature = "tls")]
    pub(crate) tls: Option<crate::Tls>,
}

impl Connecting {
    /// How to reach `uri`; `name` is what the server's certificate must be for, where that is not
    /// the host of `uri`.
    pub(crate) fn endpoint(&self, uri: Uri, name: Option<&str>) -> Result<Endpoint, Error> {
        let wrong = |error: tonic::transport::Error| {
            Error::config(format!("cannot connect to {uri}: {error}")).with_source(error)
        };
        let endpoint = Endpoint::from(uri.clone())
            .connect_timeout(self.timeout)
            .tcp_nodelay(true)
            // Finds a peer that vanished without a word within half a minute.
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10))
            .keep_alive_while_idle(true)
            .user_agent(concat!("dicepoker-client/", env!("CARGO_PKG_VERSION")))
            .map_err(wrong)?;
        self.encrypt(endpoint, &uri, name)
    }

    #[cfg(feature = "tls")]
    fn encrypt(
        &self,
        endpoint: Endpoint,
        uri: &Uri,
        name: Option<&str>,
    ) -> Result<Endpoint, Error> {
        if uri.scheme() != Some(&http::uri::Scheme::HTTPS) {
            return match self.tls {
                None => Ok(endpoint),
                Some(_) => Err(Error::config(format!(
                    "{uri} is an address in plain text: TLS needs https:// or dnss:///"
                ))),
            };
        }
        let mut tls = self.tls.clone().unwrap_or_default();
        if let Some(name) = name {
            tls = tls.server_name(name);
        }
        endpoint.tls_config(tls.into_config()).map_err(|error| {
            Error::config(format!("cannot encrypt connections to {uri}: {error}"))
                .with_source(error)
        })
    }

    #[cfg(not(feature = "tls"))]
    fn encrypt(&self, endpoint: Endpoint, uri: &Uri, _: Option<&str>) -> Result<Endpoint, Error> {
        if uri.scheme() == Some(&http::uri::Scheme::HTTPS) {
            return Err(Error::config(format!("{uri} needs this crate's feature \"tls\"")));
        }
        Ok(endpoint)
    }
}

/// Starts to connect to `target`; for a balanced one also says how many addresses are serving.
pub(crate) fn open(
    target: &Target,
    connecting: Connecting,
) -> Result<(Transport, Option<Serving>), Error> {
    let (channel, serving) = match &target.0 {
        Kind::One(uri) => (connecting.endpoint(uri.clone(), None)?.connect_lazy(), None),
        Kind::List(_) | Kind::Dns { .. } => {
            let (channel, serving) = balance::channel(target, connecting)?;
            (channel, Some(serving))
        }
    };
    Ok((BoxCloneSyncService::new(channel), serving))
}
