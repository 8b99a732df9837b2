//! What health checks, load balancers and probes are told.

use dicepoker_proto::v1::dice_poker_service_server::SERVICE_NAME;
use tokio::sync::watch;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

/// The health service name that says whether the process lives: SERVING also while it drains, so
/// that draining does not get it killed.
const LIVENESS: &str = "liveness";

/// Where the service is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Tables are being solved.
    Starting,
    /// Calls are welcome.
    Ready,
    /// Calls should go elsewhere.
    Draining,
}

/// Tells the gRPC health service and whoever watches the phase.
#[derive(Clone, Debug)]
pub(super) struct Health {
    reporter: HealthReporter,
    phase: watch::Sender<Phase>,
}

impl Health {
    pub(super) async fn starting() -> Self {
        let reporter = HealthReporter::new();
        let health = Self { reporter, phase: watch::Sender::new(Phase::Starting) };
        health.reporter.set_service_status(LIVENESS, ServingStatus::Serving).await;
        health.enter(Phase::Starting).await;
        health
    }

    pub(super) async fn ready(&self) {
        self.enter(Phase::Ready).await;
    }

    pub(super) async fn draining(&self) {
        self.enter(Phase::Draining).await;
    }

    pub(super) fn phase(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// The gRPC health service.
    pub(super) fn service(&self) -> HealthServer<HealthService> {
        HealthServer::new(HealthService::from_health_reporter(self.reporter.clone()))
    }

    async fn enter(&self, phase: Phase) {
        let status = match phase {
            Phase::Ready => ServingStatus::Serving,
            Phase::Starting | Phase::Draining => ServingStatus::NotServing,
        };
        self.reporter.set_service_status("", status).await;
        self.reporter.set_service_status(SERVICE_NAME, status).await;
        self.phase.send_replace(phase);
    }
}
