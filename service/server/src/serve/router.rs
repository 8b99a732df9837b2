//! Which service a call is for. The game is found by the start of its path alone; everything else
//! (health, reflection, unknown services) goes the longer way through tonic's routes, past the
//! limits: a service that is busy must still say that it is well.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use dicepoker_proto::v1::dice_poker_service_server::{DicePokerServiceServer, SERVICE_NAME};
use http::{Request, Response};
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service as TowerService;

use super::AnyError;
use super::drain::UntilDrained;
use super::health::Health;
use super::stack::Ends;
use crate::error::in_our_words;
use crate::limits::{
    Arriving, Concurrency, Deadline, Gated, Held, LimitedMessage, Queue, Rate, Timed, Whole,
};
use crate::reflection;
use crate::runtime::Load;
use crate::service::Service;

/// Largest message to another service than the game, in bytes: health and reflection are asked by
/// names. No limit on calls applies to them, so what they hold must be little.
const NAMES: usize = 4 << 10;

/// How the paths of health begin. Its methods have one message each; those of reflection are asked many
/// things in one call.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// The game behind its limits.
pub(super) type Game = Gated<Rate, Queue<Deadline<Whole<DicePokerServiceServer<Service>>>>>;

type GameBody = Timed<Held<Body>>;

type Boxed<T> = Pin<Box<dyn Future<Output = Result<T, Infallible>> + Send>>;

/// All services.
#[derive(Clone)]
pub(super) struct Router {
    game: Game,
    others: Deadline<Routes>,
    arriving: Arriving,
    drain: CancellationToken,
}

impl Router {
    /// `game` and the services every gRPC service has, whose messages may hold `arriving` until they have
    /// come.
    pub(super) fn new(
        game: Game,
        health: &Health,
        arriving: Arriving,
        ends: Ends,
    ) -> Result<Self, AnyError> {
        let (v1, v1alpha) = reflection::services()?;
        let others = Routes::new(health.service()).add_service(v1).add_service(v1alpha).prepare();
        // A watch or a stream of questions may last; a caller that says how long it waits is heard.
        let others = Deadline::new(others, None, ends.cut);
        Ok(Self { game, others, arriving, drain: ends.drain })
    }

    /// The game alone, for messages of `most` bytes.
    pub(super) fn game(service: Service, most: usize) -> DicePokerServiceServer<Service> {
        DicePokerServiceServer::new(service).max_decoding_message_size(most)
    }

    pub(super) fn concurrency(&self) -> &Concurrency {
        self.game.inner().inner().inner().serving()
    }

    pub(super) fn rate(&self) -> &Rate {
        self.game.gate()
    }

    /// Sets whose connection it is, and on which worker.
    pub(super) fn set_peer(&mut self, peer: IpAddr, load: Load) {
        self.game.gate_mut().set_peer(peer);
        self.game.inner_mut().set_load(load);
    }
}

impl<B> TowerService<Request<B>> for Router
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<AnyError> + Send + 'static,
{
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Answer<<Game as TowerService<Request<B>>>::Future>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        if is_game(request.uri().path()) {
            return Answer::Game { call: self.game.call(request) };
        }
        let streams = !request.uri().path().starts_with(HEALTH);
        let (head, body) = request.into_parts();
        let body = LimitedMessage::new(body, &head.headers, NAMES, streams, &self.arriving);
        let request = Request::from_parts(head, body);
        let drain = self.drain.clone();
        let answer = self.others.call(request);
        let call = Box::pin(async move {
            Ok(in_our_words(answer.await?).map(|body| UntilDrained::new(body, drain)))
        });
        Answer::Other { call }
    }
}

pin_project! {
    /// The answer of one or the other.
    #[project = AnswerProj]
    pub(super) enum Answer<F> {
        Game { #[pin] call: F },
        Other { call: Boxed<Response<UntilDrained<Timed<Body>>>> },
    }
}

impl<F> Future for Answer<F>
where
    F: Future<Output = Result<Response<GameBody>, Infallible>>,
{
    type Output = Result<Response<AnswerBody>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(Ok(match self.project() {
            AnswerProj::Game { call } => {
                in_our_words(ready!(call.poll(cx))?).map(|body| AnswerBody::Game { body })
            }
            AnswerProj::Other { call } => {
                ready!(call.as_mut().poll(cx))?.map(|body| AnswerBody::Other { body })
            }
        }))
    }
}

pin_project! {
    /// The body of one or the other.
    #[project = AnswerBodyProj]
    pub(super) enum AnswerBody {
        Game { #[pin] body: GameBody },
        Other { #[pin] body: UntilDrained<Timed<Body>> },
    }
}

impl Default for AnswerBody {
    fn default() -> Self {
        Self::Game { body: GameBody::default() }
    }
}

impl http_body::Body for AnswerBody {
    type Data = Bytes;
    type Error = tonic::Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, tonic::Status>>> {
        match self.project() {
            AnswerBodyProj::Game { body } => body.poll_frame(cx),
            AnswerBodyProj::Other { body } => body.poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Game { body } => body.is_end_stream(),
            Self::Other { body } => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Game { body } => body.size_hint(),
            Self::Other { body } => body.size_hint(),
        }
    }
}

/// Whether a path is that of a method of the game, `/package.Service/Method`.
fn is_game(path: &str) -> bool {
    path.strip_prefix('/')
        .and_then(|path| path.strip_prefix(SERVICE_NAME))
        .is_some_and(|method| method.starts_with('/'))
}
