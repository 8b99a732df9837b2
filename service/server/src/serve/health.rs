//! The phase of the service, as health checks and probes report it.

use dicepoker_proto::v1::dice_poker_service_server::SERVICE_NAME;
use tokio::sync::watch;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

/// The health service of the liveness probe: SERVING while the service drains, too, so that Kubernetes does not
/// kill it.
const LIVENESS: &str = "liveness";

/// A phase in the life of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It solves rulesets.
    Starting,
    /// It serves.
    Ready,
    /// It serves the calls that it has, before it exits.
    Draining,
}

/// Reports the phase to the gRPC health service and to receivers.
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

    pub(super) fn phase(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// The gRPC health service.
    pub(super) fn service(&self) -> HealthServer<HealthService> {
        HealthServer::new(HealthService::from_health_reporter(self.reporter.clone()))
    }

    pub(super) async fn enter(&self, phase: Phase) {
        let status = match phase {
            Phase::Ready => ServingStatus::Serving,
            Phase::Starting | Phase::Draining => ServingStatus::NotServing,
        };
        self.reporter.set_service_status("", status).await;
        self.reporter.set_service_status(SERVICE_NAME, status).await;
        self.phase.send_replace(phase);
    }
}
