//! Watches one address by the standard health service. While the address serves, an open Watch reports
//! when it stops. The Watch is then closed, because a draining server would wait for it, and the
//! address is checked periodically until it serves again. A server without a health service counts as
//! serving while it can be reached.

use dicepoker_proto::v1::dice_poker_service_server::SERVICE_NAME;
use http::Uri;
use tokio::sync::mpsc::Sender;
use tonic::transport::Endpoint;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use super::{Health, RECHECK};
use crate::error::innermost;

/// Sends every change of the health of `uri` to `reports`, until it is aborted.
pub(super) async fn watch(uri: Uri, endpoint: Endpoint, reports: Sender<(Uri, Health)>) {
    loop {
        let why = match endpoint.connect().await {
            Err(error) => format!("cannot be reached: {}", innermost(&error)),
            Ok(channel) => follow(&uri, HealthClient::new(channel), &reports).await,
        };
        if reports.send((uri.clone(), Health::Down(why))).await.is_err() {
            return;
        }
        tokio::time::sleep(RECHECK).await;
    }
}

type Client = HealthClient<tonic::transport::Channel>;

/// Watches one connection; returns why the address no longer serves.
async fn follow(uri: &Uri, mut client: Client, reports: &Sender<(Uri, Health)>) -> String {
    let mut statuses = match client.watch(request()).await {
        Ok(answer) => answer.into_inner(),
        Err(status) if status.code() == Code::Unimplemented => {
            return poll(uri, client, reports).await;
        }
        Err(status) => return broke(&status),
    };
    loop {
        match statuses.message().await {
            Ok(Some(answer)) if answer.status() == ServingStatus::Serving => {
                if reports.send((uri.clone(), Health::Up)).await.is_err() {
                    return String::new();
                }
            }
            Ok(Some(answer)) => return format!("reports {}", answer.status().as_str_name()),
            Ok(None) => return "ended its health watch".to_owned(),
            Err(status) => return broke(&status),
        }
    }
}

/// Checks a server without Watch periodically.
async fn poll(uri: &Uri, mut client: Client, reports: &Sender<(Uri, Health)>) -> String {
    loop {
        match client.check(request()).await {
            Ok(answer) if answer.get_ref().status() != ServingStatus::Serving => {
                return format!("reports {}", answer.get_ref().status().as_str_name());
            }
            Ok(_) => {}
            Err(status) if status.code() == Code::Unimplemented => {}
            Err(status) => return broke(&status),
        }
        if reports.send((uri.clone(), Health::Up)).await.is_err() {
            return String::new();
        }
        tokio::time::sleep(RECHECK).await;
    }
}

fn request() -> HealthCheckRequest {
    HealthCheckRequest { service: SERVICE_NAME.to_owned() }
}

fn broke(status: &Status) -> String {
    format!("broke its health watch: {}", innermost(status))
}
