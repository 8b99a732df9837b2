//! The stack of layers that a call passes, outermost first, and the choice of its service.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_proto::v1::dice_poker_service_server::{DicePokerServiceServer, SERVICE_NAME};
use futures_util::future::{Either, FutureExt};
use http::{HeaderValue, Method, StatusCode, Version, header};
use http_body_util::Full;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tower::layer::layer_fn;
use tower::{Layer, ServiceBuilder, service_fn};

use super::AnyError;
use super::health::Health;
use super::page::page;
use super::web::{Web, web};
use crate::auth::{Auth, Tokens};
use crate::config::Config;
use crate::error::with_service_errors;
use crate::limits::admission::{admission, pace_errors};
use crate::limits::deadline::{Ends, deadline};
use crate::limits::gate::{REST, discard, gate};
use crate::limits::message::{Messages, place, whole_message};
use crate::limits::rate::Rate;
use crate::limits::unread::Unread;
use crate::limits::{Calls, Request, Response};
use crate::other_services::{NAMES, Others, service_of};
use crate::rulesets::Rulesets;
use crate::runtime::Load;
use crate::service::Service;
use crate::telemetry::{Observer, Telemetry};

/// The content types of gRPC and gRPC-Web, each without or with `+proto`.
const GRPC: [&str; 1] = ["application/grpc"];
const GRPC_WEB: [&str; 2] = ["application/grpc-web", "application/grpc-web-text"];

/// KiB that all calls may hold whose messages are incomplete.
const INCOMPLETE_KIB: usize = 32 << 10;

/// The one method that is served however busy the service is.
const HEALTH_CHECK: &str = "/grpc.health.v1.Health/Check";

/// The end of the service.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopping {
    /// No more calls are accepted, and endless streams end.
    pub(super) drain: CancellationToken,
    /// Running calls end too.
    pub(super) cut: CancellationToken,
}

/// What the stacks of all connections share.
pub(super) struct Stack {
    page: bool,
    web: Option<Web>,
    observer: Option<Observer>,
    auth: Option<Auth>,
    pub(super) rate: Option<Rate>,
    longest_wait: Option<Duration>,
    longest_call: Option<Duration>,
    stopping: Stopping,
    messages: Messages,
    /// Calls of the game that run.
    pub(super) places: Arc<Semaphore>,
    /// Streams of other services.
    streams: Arc<Semaphore>,
    game: DicePokerServiceServer<Service>,
    others: Others,
}

impl Stack {
    pub(super) fn new(
        config: &Config,
        telemetry: &Telemetry,
        tokens: Option<Tokens>,
        games: &Arc<Rulesets>,
        health: &Health,
        stopping: Stopping,
    ) -> Result<Self, AnyError> {
        let longest_call = Some(config.max_call_seconds).filter(|longest| !longest.is_zero());
        let service =
            Service::new(Arc::clone(games)).simulating_at_most(config.simulate_games, longest_call);
        let largest = config.max_request_kib << 10;
        let calls = config.max_calls.min(Semaphore::MAX_PERMITS);
        Ok(Self {
            page: config.web,
            web: (config.grpc_web || config.web).then(|| web(&config.cors_origins)),
            observer: telemetry.observer(config),
            auth: tokens.map(|tokens| Auth::new(tokens, config.auth_exempt)),
            rate: Rate::new(config.rate_per_second, config.rate_burst),
            longest_wait: Some(config.max_wait_seconds).filter(|wait| !wait.is_zero()),
            longest_call,
            stopping,
            messages: Messages { largest, incomplete: Arc::new(Semaphore::new(INCOMPLETE_KIB)) },
            places: Arc::new(Semaphore::new(calls)),
            streams: Arc::new(Semaphore::new(calls)),
            game: DicePokerServiceServer::new(service).max_decoding_message_size(largest),
            others: Others::new(health.service())?,
        })
    }

    /// The stack of a connection from `peer` on the worker of this load.
    pub(super) fn calls(&self, peer: IpAddr, load: Load, unread: Unread) -> impl Calls + use<> {
        let Stopping { drain, cut } = self.stopping.clone();
        let rate = self.rate.clone();
        let ends = Ends { longest: self.longest_call, stopping: cut, unread: unread.clone() };
        let game = ServiceBuilder::new()
            .option_layer(rate.map(|rate| gate(move |request| rate.check(request, peer))))
            .layer(admission(load.clone(), self.longest_wait))
            .layer(deadline(ends))
            .layer(whole_message(self.messages.clone()))
            .layer(place(Arc::clone(&self.places)))
            .service(self.game.clone());

        // A health watch lasts until the service drains.
        let ends = || Ends { longest: None, stopping: drain.clone(), unread: unread.clone() };
        let check = ServiceBuilder::new()
            .layer(deadline(ends()))
            .layer(whole_message(Messages { largest: NAMES, ..self.messages.clone() }))
            .service(self.others.clone().calls());
        let streams = ServiceBuilder::new()
            .layer(deadline(ends()))
            .layer(place(Arc::clone(&self.streams)))
            .service(self.others.clone().calls());

        let auth = self.auth.clone();
        ServiceBuilder::new()
            .option_layer(self.page.then(page))
            .layer(protocol(self.web.is_some()))
            .option_layer(self.web.clone())
            .option_layer(self.observer.clone().map(|observer| observer.layer(peer)))
            .map_response(with_service_errors)
            .layer(pace_errors(load))
            .option_layer(auth.map(|auth| gate(move |request| auth.admit(request))))
            .service(route(game, check, streams))
    }
}

/// Answers requests that are no gRPC calls in plain HTTP; `web` lets that of browsers pass.
fn protocol<S: Calls>(web: bool) -> impl Layer<S, Service = impl Calls> {
    layer_fn(move |mut inner: S| {
        service_fn(move |request: Request| match check(&request, web) {
            Ok(()) => Either::Left(inner.call(request)),
            Err((status, why)) => Either::Right(async move {
                discard(request.into_body(), REST).await;
                Ok(refusal(status, why))
            }),
        })
    })
}

/// Checks the method, the version of HTTP and the content type.
fn check(request: &Request, web: bool) -> Result<(), (StatusCode, &'static str)> {
    let content = request.headers().get(header::CONTENT_TYPE);
    let content = content.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = content.split_once(';').map_or(content, |(kind, _)| kind).trim_end();
    let kind = kind.strip_suffix("+proto").unwrap_or(kind);
    let is = |names: &[&str]| names.iter().any(|name| kind.eq_ignore_ascii_case(name));
    if web && (*request.method() == Method::OPTIONS || is(&GRPC_WEB)) {
        return Ok(());
    }
    if request.version() < Version::HTTP_2 {
        let why = "this port speaks gRPC, which needs HTTP/2: use a gRPC client, such as grpcurl\n";
        return Err((StatusCode::HTTP_VERSION_NOT_SUPPORTED, why));
    }
    if *request.method() != Method::POST {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "gRPC calls are POST requests\n"));
    }
    if !is(&GRPC) {
        let why = "content-type: must be application/grpc or application/grpc+proto\n";
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    Ok(())
}

fn refusal(status: StatusCode, why: &'static str) -> Response {
    let mut response = Response::new(Body::new(Full::from(why)));
    *response.status_mut() = status;
    let mut set =
        |name, value| response.headers_mut().insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, "text/plain; charset=utf-8");
    match status {
        StatusCode::METHOD_NOT_ALLOWED => set(header::ALLOW, "POST"),
        StatusCode::HTTP_VERSION_NOT_SUPPORTED => set(header::CONNECTION, "close"),
        _ => None,
    };
    response
}

/// The service that a call is for, by its path.
fn route(mut game: impl Calls, mut check: impl Calls, mut streams: impl Calls) -> impl Calls {
    service_fn(move |request: Request| match request.uri().path() {
        path if service_of(path) == Some(SERVICE_NAME) => Either::Left(game.call(request)),
        HEALTH_CHECK => Either::Right(check.call(request).boxed()),
        _ => Either::Right(streams.call(request).boxed()),
    })
}
