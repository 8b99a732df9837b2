//! The settings of a client: deadline, retries, encryption, tokens, traces.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::client::{Shared, Source};
use crate::connecting::Connecting;
use crate::resolve::Resolver;
use crate::transport::{self, Transport};
use crate::{Client, Error, Retries, Target, TraceContext, balance};

/// Sets up a [`Client`]; everything has a default.
///
/// ```
/// # let server = dicepoker_testkit::InProcess::start();
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use std::time::Duration;
/// use dicepoker_client::{Client, Retries};
///
/// let client = Client::builder()
///     .deadline(Duration::from_secs(2))
///     .retries(Retries::default().attempts(5))
///     .bearer_token("secret")
///     .connect(server.url())
///     .await?;
/// assert_eq!(client.rulesets().await?[0].id, "dice-poker-13");
/// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
/// ```
#[derive(Clone)]
#[must_use]
pub struct ClientBuilder {
    deadline: Duration,
    connect_timeout: Duration,
    refresh: Duration,
    resolver: Resolver,
    retries: Retries,
    token: Option<Source<String>>,
    plaintext_token: bool,
    trace: Option<Source<TraceContext>>,
    #[cfg(feature = "tls")]
    tls: Option<crate::Tls>,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(5),
            refresh: Duration::from_secs(5),
            resolver: Resolver::default(),
            retries: Retries::default(),
            token: None,
            plaintext_token: false,
            #[cfg(feature = "opentelemetry")]
            trace: Some(Arc::new(crate::trace::current)),
            #[cfg(not(feature = "opentelemetry"))]
            trace: None,
            #[cfg(feature = "tls")]
            tls: None,
        }
    }
}

impl ClientBuilder {
    /// Sets how long a call may take, retries included; 10 seconds by default. Every call sends the
    /// remaining time to the service. [`Client::with_deadline`] sets another one for single calls.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets the timeout of a connection attempt; 5 seconds by default.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets how often the addresses of a `dns:///` target are looked up; every 5 seconds by default.
    pub fn refresh(mut self, every: Duration) -> Self {
        self.refresh = every.max(Duration::from_millis(10));
        self
    }

    /// Looks up the names of `dns:///` targets by `look_up`, for example in a service registry,
    /// instead of by the system's resolver.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let replica = server.address();
    /// use dicepoker_client::Client;
    ///
    /// // `replica` is a SocketAddr.
    /// let builder = Client::builder().resolve_by(move |_name, _port| async move { Ok(vec![replica]) });
    /// let client = builder.connect("dns:///dicepoker.registry:50051").await?;
    /// client.rulesets().await?;
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    pub fn resolve_by<F, A>(mut self, look_up: F) -> Self
    where
        F: Fn(String, u16) -> A + Send + Sync + 'static,
        A: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
    {
        self.resolver = Resolver::new(look_up);
        self
    }

    /// Sets when and how often a failed call is retried.
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// Sends this token with every call, as `authorization: Bearer …`. It travels over encrypted
    /// connections and to this machine only, unless [`ClientBuilder::plaintext_token`] allows more.
    pub fn bearer_token(self, token: impl Into<String>) -> Self {
        let token = token.into();
        self.bearer_token_from(move || Some(token.clone()))
    }

    /// [`ClientBuilder::bearer_token`] with a source that is called for every call, for tokens that
    /// expire. `None` sends no token.
    pub fn bearer_token_from(
        mut self,
        source: impl Fn() -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.token = Some(Arc::new(source));
        self
    }

    /// Allows the token to travel in plain text, for example behind a mesh that encrypts.
    pub fn plaintext_token(mut self) -> Self {
        self.plaintext_token = true;
        self
    }

    /// Sets the source of each call's trace; with the feature `opentelemetry` it is OpenTelemetry's
    /// current span by default.
    pub fn trace_from(
        mut self,
        source: impl Fn() -> Option<TraceContext> + Send + Sync + 'static,
    ) -> Self {
        self.trace = Some(Arc::new(source));
        self
    }

    /// Sets how connections to `https://` and `dnss:///` targets are encrypted.
    #[cfg(feature = "tls")]
    pub fn tls(mut self, tls: crate::Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// The client of the service at `target`, once the service can be reached and serves.
    ///
    /// # Errors
    /// If `target` or a setting is invalid, or no address serves within the deadline.
    pub async fn connect(self, target: impl AsRef<str>) -> Result<Client, Error> {
        let target: Target = target.as_ref().parse()?;
        let deadline = self.deadline;
        let client = self.open(&target)?;
        let ready = tokio::time::timeout(deadline, ready(&client));
        let error = match ready.await {
            Ok(Ok(())) => return Ok(client),
            Ok(Err(error)) => error.message().to_owned(),
            Err(_) => {
                let failure = client.serving().and_then(|s| s.borrow().last_failure.clone());
                failure.unwrap_or_else(|| "no response".to_owned())
            }
        };
        Err(Error::unavailable(format!("cannot connect to {target}: {error}")))
    }

    /// [`ClientBuilder::connect`] without waiting: connections are made when calls need them. Must be
    /// called within a Tokio runtime.
    ///
    /// # Errors
    /// If a setting is invalid.
    pub fn open(self, target: &Target) -> Result<Client, Error> {
        if self.token.is_some()
            && !(self.plaintext_token || target.is_encrypted() || target.is_loopback())
        {
            return Err(Error::config(format!(
                "a token for {target} would travel in plain text: use https:// or dnss:///, or \
                 plaintext_token()"
            )));
        }
        let connecting = Connecting {
            timeout: self.connect_timeout,
            refresh: self.refresh,
            resolver: self.resolver.clone(),
            #[cfg(feature = "tls")]
            tls: self.tls.clone(),
        };
        let (transport, serving) = transport::open(target, connecting)?;
        self.over(transport, serving)
    }

    pub(crate) fn over(
        self,
        transport: Transport,
        serving: Option<balance::Serving>,
    ) -> Result<Client, Error> {
        let retrier = self.retries.build()?;
        let shared = Shared { serving, retrier, token: self.token, trace: self.trace };
        Ok(Client::new(transport, shared, self.deadline))
    }
}

impl Client {
    /// A client with the defaults of [`ClientBuilder`] of the service at `target` (see
    /// [`Target`](crate::Target) for the forms it may have), once the service can be reached.
    ///
    /// # Errors
    /// If `target` is invalid or the service cannot be reached.
    pub async fn connect(target: impl AsRef<str>) -> Result<Self, Error> {
        Self::builder().connect(target).await
    }

    /// The settings of a client.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }
}

/// Waits until the service can be reached: until the balanced set has a serving address, or until the
/// one address answers a health check, with whatever status.
async fn ready(client: &Client) -> Result<(), Error> {
    if let Some(mut serving) = client.serving() {
        let gone = || Error::unavailable("the connection was closed");
        return balance::ready(&mut serving).await.ok_or_else(gone);
    }
    let checked = HealthClient::new(client.transport()).check(HealthCheckRequest::default()).await;
    match checked {
        Err(status) if std::error::Error::source(&status).is_some() => {
            Err(Error::unavailable(crate::error::innermost(&status)))
        }
        _ => Ok(()),
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("deadline", &self.deadline)
            .field("connect_timeout", &self.connect_timeout)
            .field("refresh", &self.refresh)
            .field("retries", &self.retries)
            .field("token", &self.token.is_some())
            .finish_non_exhaustive()
    }
}
