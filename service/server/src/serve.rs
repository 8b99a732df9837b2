//! The life of the service: bind, solve, serve, drain, stop. It runs on the control thread; calls run on the
//! [workers](accept::Workers).

mod accept;
mod admin;
mod connection;
mod health;
mod page;
mod signals;
mod stack;
mod web;
mod wire;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_engine::solve::Budget;
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};

use self::accept::Workers;
use self::connection::Connections;
use self::health::{Health, Phase};
use self::signals::Signals;
use self::stack::{Stack, Stopping};
use crate::config::{AtStart, Config, SolveAtStart};
use crate::rulesets::Rulesets;
use crate::runtime::LongWork;
use crate::secrets::Secrets;
use crate::telemetry::{self, Sources, Telemetry};

/// Time for the responses of calls that are cut at the end.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// Interval at which the counts of idle callers are dropped.
const FORGET_CALLERS: Duration = Duration::from_secs(60);

/// Connections that wait to be accepted; the system may allow fewer (`net.core.somaxconn`).
const BACKLOG: u32 = 4096;

/// An error that ends the service.
type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// Runs the service until SIGTERM or SIGINT, then lets running calls finish.
pub(crate) async fn run(
    config: &Config,
    secrets: Secrets,
    telemetry: &Telemetry,
) -> Result<(), AnyError> {
    let mut signals = Signals::listen()?;
    let Secrets { tls, tokens } = secrets.clone();
    tokio::spawn(secrets.follow(config.clone())?);
    let long_work = LongWork::new(config.long_work_threads, config.long_work_queue)?;
    let budget =
        Budget { bytes: config.solve_mib << 20, work: Budget::work_of(config.solve_seconds) };
    let games = Arc::new(Rulesets::new(
        config.cache_mib << 20,
        config.cache_idle_seconds,
        budget,
        long_work.clone(),
    ));
    let health = Health::starting().await;
    let stopping = Stopping::default();
    let Stopping { drain, cut } = stopping.clone();
    let listener = bind(config.address)?;
    let admin = config.admin_address.map(bind).transpose()?;
    info!(address = %listener.local_addr()?, version = env!("CARGO_PKG_VERSION"), "listening");
    if let Some(admin) = admin {
        info!(address = %admin.local_addr()?, "listening for operators");
        tokio::spawn(admin::serve(admin, health.phase(), telemetry.page()));
    }
    let workers = Workers::start(config.workers)?;
    let open = TaskTracker::new();
    let stack = Stack::new(config, telemetry, tokens, &games, &health, stopping)?;
    if let Some(rate) = stack.rate.clone() {
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(FORGET_CALLERS).await;
                rate.forget();
            }
        });
    }
    let (places, all) = (Arc::clone(&stack.places), stack.places.available_permits());
    let running = move || all - places.available_permits();
    let connections = Connections::new(config, stack, tls, drain.clone(), open.clone());
    let connections = Arc::new(connections);
    telemetry::show(sources(running.clone(), &workers, &connections, &long_work, &games));
    let accepting = tokio::spawn(accept::accept(listener, workers, connections, drain.clone()));

    let signal = tokio::select! {
        signal = signals.next() => signal,
        solved = solve(&games, &config.solve_at_start) => {
            solved?;
            long_work.yield_to_calls(config.long_work_nice);
            health.enter(Phase::Ready).await;
            info!("ready");
            signals.next().await
        }
    };

    info!(signal = signals::name(signal), calls = running(), "draining");
    signals.end_at_the_next();
    health.enter(Phase::Draining).await;
    tokio::time::sleep(config.drain_wait_seconds).await;
    drain.cancel();
    let workers = accepting.await?;
    open.close();
    let bound = config.drain_seconds;
    let last_words = LAST_WORDS.min(bound / 10);
    if timeout(bound - last_words, open.wait()).await.is_err() {
        warn!(
            connections = open.len(),
            seconds = bound.as_secs_f64(),
            "calls cut: drain-seconds are over"
        );
        cut.cancel();
        let _ = timeout(last_words, open.wait()).await;
    }
    drop(workers);
    info!("stopped");
    Ok(())
}

fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let listen = |socket: TcpSocket| {
        // A restart binds while connections of the process before it are still closing.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
    socket.and_then(listen).map_err(|reason| {
        std::io::Error::new(reason.kind(), format!("cannot listen on {address}: {reason}"))
    })
}

async fn solve(games: &Rulesets, which: &SolveAtStart) -> Result<(), crate::error::Error> {
    match &which.rulesets {
        AtStart::All => games.solve_at_start(which.objectives).await,
        AtStart::None => Ok(()),
        AtStart::Rulesets(ids) => {
            for id in ids {
                games.solve_built_in(id, which.objectives).await?;
            }
            Ok(())
        }
    }
}

fn sources(
    running: impl Fn() -> usize + Send + Sync + 'static,
    workers: &Workers,
    connections: &Arc<Connections>,
    long_work: &LongWork,
    games: &Arc<Rulesets>,
) -> Sources {
    let connections = Arc::clone(connections);
    let [cached, bytes, lookups] = [(); 3].map(|()| Arc::clone(games));
    let loads = workers.loads();
    let [working, waiting, refused] = [(); 3].map(|()| long_work.clone());
    Sources {
        calls: Box::new(move || running() as u64),
        calls_waiting: Box::new(move || loads.iter().map(|load| load.waiting() as u64).sum()),
        connections: Box::new(move || connections.open() as u64),
        long_work_running: Box::new(move || working.running() as u64),
        long_work_waiting: Box::new(move || waiting.waiting() as u64),
        long_work_refused: Box::new(move || refused.refused()),
        rulesets_cached: Box::new(move || cached.cached()),
        rulesets_bytes: Box::new(move || bytes.cached_bytes()),
        rulesets_lookups: Box::new(move || lookups.lookups()),
    }
}
