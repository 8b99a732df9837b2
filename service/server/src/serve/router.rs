//! Which service a call is for. The game is found by the start of its path alone; everything else
//! (health, reflection, unknown services) goes the longer way through tonic's routes.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use dicepoker_proto::FILE_DESCRIPTOR_SET;
use dicepoker_proto::v1::dice_poker_service_server::{DicePokerServiceServer, SERVICE_NAME};
use http::{Request, Response};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service as TowerService;

use super::AnyError;
use super::drain::UntilDrained;
use super::health::Health;
use crate::games::Games;
use crate::service::Service;

type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// All services.
#[derive(Clone)]
pub(super) struct Router {
    game: DicePokerServiceServer<Service>,
    others: Routes,
    drain: CancellationToken,
}

impl Router {
    pub(super) fn new(
        games: &Arc<Games>,
        health: &Health,
        drain: CancellationToken,
    ) -> Result<Self, AnyError> {
        let game = DicePokerServiceServer::new(Service::new(Arc::clone(games)));
        let others = Routes::new(health.service())
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .prepare();
        Ok(Self { game, others, drain })
    }
}

impl TowerService<Request<Incoming>> for Router {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Incoming>) -> Answer {
        if is_game(request.uri().path()) {
            return self.game.call(request);
        }
        let drain = self.drain.clone();
        let answer = self.others.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            Ok(answer.map(|body| Body::new(UntilDrained::new(body, drain))))
        })
    }
}

/// Whether a path is that of a method of the game, `/package.Service/Method`.
fn is_game(path: &str) -> bool {
    path.strip_prefix('/')
        .and_then(|path| path.strip_prefix(SERVICE_NAME))
        .is_some_and(|method| method.starts_with('/'))
}

/// Reflection over the contract, health, and the error details, without which tools print details
/// as bytes.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}
