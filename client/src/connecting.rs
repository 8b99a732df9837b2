//! How connections are made: their timeouts, encryption and keep-alive.

use std::time::Duration;

use http::Uri;
use tonic::transport::Endpoint;

use crate::Error;
use crate::resolve::Resolver;

/// The settings of connections.
#[derive(Clone, Debug)]
pub(crate) struct Connecting {
    pub(crate) timeout: Duration,
    pub(crate) refresh: Duration,
    pub(crate) resolver: Resolver,
    #[cfg(feature = "tls")]
    pub(crate) tls: Option<crate::Tls>,
}

impl Connecting {
    /// The endpoint of `uri`; `name` is the expected name of the server's certificate if it is not the
    /// host of `uri`.
    pub(crate) fn endpoint(&self, uri: Uri, name: Option<&str>) -> Result<Endpoint, Error> {
        let wrong = |error: tonic::transport::Error| {
            Error::config(format!("cannot connect to {uri}: {error}")).with_source(error)
        };
        let endpoint = Endpoint::from(uri.clone())
            .connect_timeout(self.timeout)
            .tcp_nodelay(true)
            // Detects a vanished peer within half a minute.
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
