//! Three times as much as the server can do: what it still does, how fast it answers what it takes,
//! how it refuses the rest, and how it comes back. Everything is told as a ratio to the peak of the
//! same run.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tonic::Code;

use crate::drive::{self, Call, Connections, Outcome};
use crate::scenario;
use crate::server::Server;

/// Parts of capacity among which the peak is sought.
const TOWARDS_PEAK: [f64; 4] = [0.7, 0.8, 0.9, 1.0];

/// What is offered in the overload, as a multiple of the peak.
const OVERLOAD: f64 = 3.0;

/// What is offered before and after, as a part of the peak.
const ORDINARY: f64 = 0.5;

/// From when on after the overload the server must be as it was before.
const RECOVERY: Duration = Duration::from_secs(1);

/// Callers of the closed loop that finds the capacity, enough to keep the server busy.
const CALLERS: usize = 64;

/// How to overload.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The calls to make.
    pub scenario: &'a str,
    /// Length of each measurement.
    pub length: Duration,
    /// Connections to the server.
    pub connections: usize,
    /// The core that the server has for itself.
    pub core: usize,
    /// Settings of the server.
    pub settings: &'a [(&'a str, &'a str)],
}

/// Overloads `program`, and prints what came of it.
pub async fn run(program: &Path, plan: &Plan<'_>) -> io::Result<()> {
    let settings = [&[("DICEPOKER_WORKERS", "1")][..], plan.settings].concat();
    let server = Server::start_on(plan.core, program, &settings).await?;
    let connections = Connections::open(&server.url, plan.connections).await.map_err(other)?;
    let scenarios = scenario::all(&connections).await.map_err(other)?;
    let Some(found) = scenarios.into_iter().find(|one| one.name == plan.scenario) else {
        return Err(io::Error::other(format!("no scenario {}", plan.scenario)));
    };
    let calls = found.calls;
    let closed = drive::closed_loop(&connections, &calls, CALLERS, plan.length).await;
    eprintln!("closed loop: {:.0}/s", closed.rate());

    let mut peak: Option<(Outcome, Duration)> = None;
    for part in TOWARDS_PEAK {
        let cpu = server.cpu()?;
        let outcome = connections.offer(&calls, closed.rate() * part, plan.length).await;
        let cpu = server.cpu()? - cpu;
        tell(&format!("{part:.1} of capacity"), &outcome);
        if peak.as_ref().is_none_or(|(peak, _)| outcome.goodput() > peak.goodput()) {
            peak = Some((outcome, cpu));
        }
    }
    let (peak, peak_cpu) = peak.expect("several were offered");
    let ordinary = peak.goodput() * ORDINARY;
    let before = connections.offer(&calls, ordinary, plan.length).await;
    tell("ordinary load", &before);
    let memory = server.memory("VmRSS")?;

    let (refusals, after) = (Timeline::default(), Timeline::default());
    let cpu = server.cpu()?;
    let overload = {
        let (connections, calls, log) = (connections.clone(), Arc::clone(&calls), refusals.clone());
        drive::open_loop(peak.goodput() * OVERLOAD, plan.length, move |turn| {
            timed(connections.clone(), Arc::clone(&calls), turn, log.clone())
        })
    };
    let recovery = async {
        tokio::time::sleep(plan.length).await;
        let cpu = server.cpu().map(|now| now - cpu);
        after.begin();
        let (connections, calls, log) = (connections.clone(), Arc::clone(&calls), after.clone());
        let length = RECOVERY + plan.length;
        let outcome = drive::open_loop(ordinary, length, move |turn| {
            timed(connections.clone(), Arc::clone(&calls), turn, log.clone())
        });
        (outcome.await, cpu)
    };
    let (overload, (recovery, cpu)) = tokio::join!(overload, recovery);
    let cpu = cpu?;
    tell("three times the peak", &overload);
    tell("ordinary load again", &recovery);
    let memory_after = server.memory("VmHWM")?;
    server.stop().await?;

    let p99 = |outcome: &Outcome| outcome.good.value_at_quantile(0.99);
    let again = after.p99_since(RECOVERY);
    println!(
        "{:#}",
        json!({
            "scenario": plan.scenario,
            "peak_per_second": peak.goodput(),
            "peak_p99_micros": p99(&peak),
            "offered_against_peak": OVERLOAD,
            "goodput_against_peak": overload.goodput() / peak.goodput(),
            // The same a second of processor time: on a shared machine the server may have had less.
            "goodput_of_cpu_against_peak": a_second_of(cpu, &overload) / a_second_of(peak_cpu, &peak),
            "cores_at_peak_and_overload": [cores(peak_cpu, &peak), cores(cpu, &overload)],
            "accepted_p99_against_peak": ratio(p99(&overload), p99(&peak)),
            "refused_p50_micros": refusals.refused_quantile(0.5),
            "refused_p99_micros": refusals.refused_quantile(0.99),
            "codes": overload.codes,
            "generator_late_p99_micros": overload.lateness.value_at_quantile(0.99),
            "memory_mib_before_and_most": [memory, memory_after],
            "last_refusal_seconds_after": after.last_refusal(),
            "p99_a_second_after_against_before": ratio(again, p99(&before)),
            "codes_after": recovery.codes,
        })
    );
    Ok(())
}

fn tell(what: &str, outcome: &Outcome) {
    eprintln!(
        "{what:22} good {:8.0}/s p50 {} p99 {} µs, generator late by {} µs at p99  {:?}",
        outcome.goodput(),
        outcome.good.value_at_quantile(0.5),
        outcome.good.value_at_quantile(0.99),
        outcome.lateness.value_at_quantile(0.99),
        outcome.codes
    );
}

/// Good calls a second of processor time.
fn a_second_of(cpu: Duration, outcome: &Outcome) -> f64 {
    outcome.good.len() as f64 / cpu.as_secs_f64()
}

fn cores(cpu: Duration, outcome: &Outcome) -> f64 {
    cpu.as_secs_f64() / outcome.took.as_secs_f64()
}

fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other.max(1) as f64
}

async fn timed(connections: Connections, calls: Arc<[Call]>, turn: usize, log: Timeline) -> Code {
    let begun = Instant::now();
    let answer = connections.call(&calls[turn % calls.len()]).await;
    let code = answer.map_or_else(|status| status.code(), |_| Code::Ok);
    log.add(begun, code);
    code
}

/// Calls as they come back, since a moment.
#[derive(Clone, Debug)]
struct Timeline(Arc<Mutex<(Instant, Vec<Returned>)>>);

#[derive(Clone, Copy, Debug)]
struct Returned {
    begun: Duration,
    took: Duration,
    good: bool,
}

impl Default for Timeline {
    fn default() -> Self {
        Self(Arc::new(Mutex::new((Instant::now(), Vec::new()))))
    }
}

impl Timeline {
    fn begin(&self) {
        self.0.lock().expect("no panic while held").0 = Instant::now();
    }

    fn add(&self, begun: Instant, code: Code) {
        let (took, good) = (begun.elapsed(), code == Code::Ok);
        let mut kept = self.0.lock().expect("no panic while held");
        let begun = begun.saturating_duration_since(kept.0);
        kept.1.push(Returned { begun, took, good });
    }

    /// Microseconds within which a part of the refusals came.
    fn refused_quantile(&self, quantile: f64) -> u64 {
        self.quantile(quantile, |returned| !returned.good)
    }

    /// Microseconds that 99 of 100 good calls took at most that began after `moment`.
    fn p99_since(&self, moment: Duration) -> u64 {
        self.quantile(0.99, |returned| returned.good && returned.begun >= moment)
    }

    fn quantile(&self, quantile: f64, of: impl Fn(&&Returned) -> bool) -> u64 {
        let kept = self.0.lock().expect("no panic while held");
        let mut took: Vec<Duration> = kept.1.iter().filter(of).map(|one| one.took).collect();
        took.sort_unstable();
        let at = (took.len() as f64 * quantile) as usize;
        took.get(at).map_or(0, |took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX))
    }

    /// Seconds until the beginning of the last call that was refused; 0 if none was.
    fn last_refusal(&self) -> f64 {
        let kept = self.0.lock().expect("no panic while held");
        let refused = kept.1.iter().filter(|returned| !returned.good);
        refused.map(|returned| returned.begun.as_secs_f64()).fold(0.0, f64::max)
    }
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
