//! The service inside the process of a test or a documented example, which have no program to
//! start: its code behind a real socket, with a health status that the test sets and a
//! fault-injecting interceptor.

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::JoinHandle;

use dicepoker_engine::solve::Budget;
use dicepoker_proto::v1::dice_poker_service_server::{DicePokerServiceServer, SERVICE_NAME};
use dicepoker_server::rulesets::Rulesets;
use dicepoker_server::runtime::LongWork;
use dicepoker_server::service::Service;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Status};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

#[cfg(feature = "tls")]
use crate::Certificate;

/// The rulesets, solved once for all servers of a process.
static RULESETS: LazyLock<Arc<Rulesets>> = LazyLock::new(|| {
    let long_work = LongWork::new(0, 64).expect("threads");
    Arc::new(Rulesets::new(
        64 << 20,
        std::time::Duration::from_secs(3600),
        Budget::BUILT_IN,
        long_work,
    ))
});

/// The fault-injecting interceptor: called with each request's metadata; its error is the response.
type Interceptor = dyn FnMut(&Request<()>) -> Result<(), Status> + Send;

/// The settings of a [`InProcess`].
#[derive(Default)]
pub struct Settings {
    address: Option<SocketAddr>,
    interceptor: Option<Box<Interceptor>>,
    without_health: bool,
    #[cfg(feature = "tls")]
    certificate: Option<Certificate>,
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Settings {
    /// Listens on this address instead of a free port.
    #[must_use]
    pub fn at(mut self, address: SocketAddr) -> Self {
        self.address = Some(address);
        self
    }

    /// Intercepts every call of the service: an error of `interceptor` is the response.
    #[must_use]
    pub fn intercept(
        mut self,
        interceptor: impl FnMut(&Request<()>) -> Result<(), Status> + Send + 'static,
    ) -> Self {
        self.interceptor = Some(Box::new(interceptor));
        self
    }

    /// Leaves out the health service.
    #[must_use]
    pub fn without_health(mut self) -> Self {
        self.without_health = true;
        self
    }

    /// Encrypts connections with this certificate.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn encrypted(mut self, certificate: &Certificate) -> Self {
        self.certificate = Some(certificate.clone());
        self
    }

    /// Starts it; it serves when this returns.
    ///
    /// # Panics
    /// If the address is taken.
    #[must_use]
    pub fn start(self) -> InProcess {
        InProcess::run(self)
    }
}

/// A running service; dropping it kills it, connections and all.
#[derive(Debug)]
pub struct InProcess {
    address: SocketAddr,
    scheme: &'static str,
    health: HealthReporter,
    kill: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl InProcess {
    /// A server on a free port.
    ///
    /// # Panics
    /// If no port is free.
    #[must_use]
    pub fn start() -> Self {
        Settings::default().start()
    }

    /// The settings of a server.
    #[must_use]
    pub fn with() -> Settings {
        Settings::default()
    }

    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL that it listens on.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Sets its health status.
    ///
    /// # Panics
    /// If the server has stopped.
    pub fn set_serving(&self, serving: bool) {
        let status = if serving { ServingStatus::Serving } else { ServingStatus::NotServing };
        let health = self.health.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        std::thread::spawn(move || {
            runtime.block_on(async {
                health.set_service_status(SERVICE_NAME, status).await;
                health.set_service_status("", status).await;
            });
        })
        .join()
        .expect("set");
    }

    fn run(settings: Settings) -> Self {
        let (health, health_service) = tonic_health::server::health_reporter();
        let (started, starting_up) = std::sync::mpsc::channel();
        let (kill, killed) = oneshot::channel();
        let address = settings.address.unwrap_or_else(|| ([127, 0, 0, 1], 0).into());
        let interceptor = Arc::new(Mutex::new(settings.interceptor));
        let guard = move |request: Request<()>| {
            if let Some(interceptor) = interceptor.lock().expect("no panic").as_mut() {
                interceptor(&request)?;
            }
            Ok(request)
        };
        let service = DicePokerServiceServer::new(Service::new(Arc::clone(&RULESETS)));
        let service = InterceptedService::new(service, guard);
        #[cfg(feature = "tls")]
        let tls = settings.certificate.as_ref().map(Certificate::server_config);
        #[cfg(feature = "tls")]
        let scheme = if tls.is_some() { "https" } else { "http" };
        #[cfg(not(feature = "tls"))]
        let scheme = "http";
        let health_service = (!settings.without_health).then_some(health_service);
        let reporter = health.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::bind(address).await.expect("the address is free");
                let address = listener.local_addr().expect("bound");
                reporter.set_service_status(SERVICE_NAME, ServingStatus::Serving).await;
                let mut server = tonic::transport::Server::builder();
                #[cfg(feature = "tls")]
                if let Some(tls) = tls {
                    server = server.tls_config(tls).expect("a sound certificate");
                }
                let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
                let router = server.add_optional_service(health_service).add_service(service);
                started.send(address).expect("the starter waits");
                tokio::select! {
                    served = router.serve_with_incoming(incoming) => served.expect("serves"),
                    _ = killed => {}
                }
            });
            // Connections end with their runtime at once, like those of a killed process.
            runtime.shutdown_background();
        });
        let address = starting_up.recv().expect("the server started");
        Self { address, scheme, health, kill: Some(kill), thread: Some(thread) }
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        drop(self.kill.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
