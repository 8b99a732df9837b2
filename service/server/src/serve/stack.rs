//! What a call passes on its way in, outermost first: who tells of it, who may call, how fast that one
//! errs, how often it calls, how long it would wait, how long it may take, whether its message has come
//! and how many are served at a time; then the service it is for.

use std::net::IpAddr;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::AnyError;
use super::health::Health;
use super::router::{AnswerBody, Game, Router};
use crate::auth::{Auth, Tokens};
use crate::config::Config;
use crate::games::Games;
use crate::limits::{Arriving, Concurrency, Deadline, Gated, Paced, Queue, Rate, Whole};
use crate::runtime::Load;
use crate::service::Service;
use crate::telemetry::{Observe, Observed, Telemetry};

/// KiB that all calls may hold whose messages have not come whole.
const ARRIVING_KIB: usize = 32 << 10;

/// What tells of the end of the service.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// No more calls are taken, and what would never end ends.
    pub(super) drain: CancellationToken,
    /// Calls that still run end too.
    pub(super) cut: CancellationToken,
}

/// Everything between a connection and the services.
#[derive(Clone)]
pub(super) struct Stack(Calls);

/// The stack of one connection.
pub(super) type Calls = Observe<Gated<Auth, Paced<Router>>>;

/// What it answers.
pub(super) type Answer = http::Response<Observed<AnswerBody>>;

impl Stack {
    pub(super) fn new(
        config: &Config,
        telemetry: &Telemetry,
        tokens: Option<Tokens>,
        games: &Arc<Games>,
        health: &Health,
        ends: Ends,
    ) -> Result<Self, AnyError> {
        let most = config.max_request_kib << 10;
        let longest = Some(config.max_call_seconds).filter(|longest| !longest.is_zero());
        let rate = Rate::new(config.rate_per_second, config.rate_burst);
        let arriving = Arriving::new(ARRIVING_KIB);
        let concurrency = Concurrency::new(config.max_calls);
        let service =
            Service::new(Arc::clone(games)).simulating_at_most(config.simulate_games, longest);
        let game = Whole::new(Router::game(service, most), most, arriving.clone(), concurrency);
        let game = Deadline::new(game, longest, ends.cut.clone());
        let wait = Some(config.max_wait_seconds).filter(|wait| !wait.is_zero());
        let game: Game = Gated::new(rate, Queue::new(game, wait));
        let router = Router::new(game, health, arriving, ends)?;
        let router = Paced::new(router, Rate::new(config.errors_per_second, 0));
        let auth = Auth::new(tokens, config.auth_exempt);
        Ok(Self(telemetry.observe(config, Gated::new(auth, router))))
    }

    /// The count of calls.
    pub(super) fn concurrency(&self) -> Concurrency {
        self.0.inner().inner().inner().concurrency().clone()
    }

    /// The counts of callers.
    pub(super) fn rates(&self) -> [Rate; 2] {
        let paced = self.0.inner().inner();
        [paced.inner().rate(), paced.errors()].map(Rate::clone)
    }

    /// The stack for a connection from `peer` on a worker of this load.
    pub(super) fn for_peer(&self, peer: IpAddr, load: Load) -> Calls {
        let mut stack = self.0.clone();
        stack.set_peer(peer);
        let paced = stack.inner_mut().inner_mut();
        paced.errors_mut().set_peer(peer);
        paced.inner_mut().set_peer(peer, load);
        stack
    }
}
