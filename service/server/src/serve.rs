//! The life of the service: listen, get ready, serve, drain, end.

use std::sync::Arc;
use std::time::Duration;

use dicepoker_proto::FILE_DESCRIPTOR_SET;
use dicepoker_proto::v1::dice_poker_service_server::{DicePokerServiceServer, SERVICE_NAME};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tracing::{info, warn};

use crate::config::Config;
use crate::games::Games;
use crate::service::Service;

/// The health service name that says whether the process lives: SERVING also while it drains, so
/// that draining does not get it killed.
const LIVENESS: &str = "liveness";

/// Runs the service until SIGTERM or SIGINT, then lets running calls finish.
pub(crate) async fn run(config: &Config) -> Result<(), Box<dyn std::error::Error>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let listener = TcpListener::bind(config.address).await?;
    let address = listener.local_addr()?;
    let games = Arc::new(Games::new(config.cache_mib << 20));
    let (health, health_service) = tonic_health::server::health_reporter();
    set_ready(&health, ServingStatus::NotServing).await;
    health.set_service_status(LIVENESS, ServingStatus::Serving).await;

    let (stop, stopped) = oneshot::channel::<()>();
    let server = Server::builder()
        .add_service(health_service)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?)
        .add_service(DicePokerServiceServer::new(Service::new(Arc::clone(&games))))
        .serve_with_incoming_shutdown(
            TcpIncoming::from(listener).with_nodelay(Some(true)),
            async {
                let _ = stopped.await;
            },
        );
    let server = tokio::spawn(server);
    info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");

    let told = async {
        tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        }
    };
    tokio::pin!(told);
    let signal = tokio::select! {
        signal = &mut told => signal,
        solved = games.solve_built_in() => {
            solved?;
            set_ready(&health, ServingStatus::Serving).await;
            info!("ready");
            told.await
        }
    };

    info!(signal, "draining");
    set_ready(&health, ServingStatus::NotServing).await;
    let _ = stop.send(());
    // An open health watch would keep the server for ever: the drain is bounded.
    drain(server, config.drain_seconds).await
}

async fn drain(
    server: tokio::task::JoinHandle<Result<(), tonic::transport::Error>>,
    bound: Duration,
) -> Result<(), Box<dyn std::error::Error>> {
    match tokio::time::timeout(bound, server).await {
        Ok(ended) => ended??,
        Err(_) => warn!(seconds = bound.as_secs_f64(), "calls were still running when time was up"),
    }
    info!("stopped");
    Ok(())
}

async fn set_ready(health: &HealthReporter, status: ServingStatus) {
    health.set_service_status("", status).await;
    health.set_service_status(SERVICE_NAME, status).await;
}

/// Reflection over the contract, health, and the error details, without which tools print details
/// as bytes.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}
