//! Several times the load that the server can serve: its goodput, the latency of accepted calls,
//! its refusals, and its recovery. Everything is a ratio to a peak measured just before.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_testkit::Server;
use serde_json::json;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use tonic::Code;

use crate::drive::{Call, Connections, Outcome};
use crate::frames::{self, Peers, Phase};
use crate::scenario;
use crate::server::{self, mebibytes};

/// Tenths of the capacity of a closed loop among which the peak is sought: under more load a server
/// reads and writes more at a time, so its peak may exceed the capacity of a closed loop.
const TOWARDS_PEAK: std::ops::RangeInclusive<u32> = 8..=20;

/// The load before and after, as a part of the peak.
const ORDINARY: f64 = 0.5;

/// The time after the overload when the server must have recovered.
const RECOVERY: Duration = Duration::from_secs(1);

/// Callers of the closed loop that finds the capacity, enough to keep the server busy.
const CALLERS: usize = 32;

/// The plan of an overload.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The scenario.
    pub scenario: &'a str,
    /// Length of each measurement.
    pub length: Duration,
    /// The load, as a multiple of the peak.
    pub times: f64,
    /// How often peak and overload are measured.
    pub pairs: u32,
    /// Connections to the server.
    pub connections: usize,
    /// The core of the server.
    pub core: usize,
    /// Settings of the server.
    pub settings: &'a [(&'a str, &'a str)],
}

/// A server under load, and what is offered.
struct Run<'a> {
    server: &'a Server,
    peers: Peers,
    calls: Arc<[Call]>,
    plan: &'a Plan<'a>,
}

/// Figures of one pair, by name.
type Figures = Vec<(&'static str, f64)>;

/// Overloads `program`, and prints the result: the median and the quartiles of every figure over the pairs. A pair
/// is a peak and an overload one after the other, so that a machine whose speed changes counts for both.
pub async fn run(program: &Path, plan: &Plan<'_>) -> io::Result<()> {
    let settings = [&[("DICEPOKER_WORKERS", "1")][..], plan.settings].concat();
    let server = server::start_on(plan.core, program, &settings);
    let connections = Connections::open(&server.url(), 1).await.map_err(other)?;
    let scenarios = scenario::all(&connections).await.map_err(other)?;
    let Some(found) = scenarios.into_iter().find(|one| one.name == plan.scenario) else {
        return Err(io::Error::other(format!("no scenario {}", plan.scenario)));
    };
    let peers = Peers::open(server.address, plan.connections)?;
    let mut run = Run { server: &server, peers, calls: found.calls, plan };
    let part = run.part_at_peak()?;
    let mut pairs = Vec::new();
    for number in 1..=plan.pairs {
        eprintln!("pair {number}");
        pairs.push(run.pair(part).await?);
    }
    drop(run);
    let mut result = json!({
        "scenario": plan.scenario,
        "offered_against_peak": plan.times,
        "pairs": plan.pairs,
    });
    for (index, (name, _)) in pairs[0].iter().enumerate() {
        let mut values: Vec<f64> = pairs.iter().map(|pair| pair[index].1).collect();
        values.sort_by(f64::total_cmp);
        let at = |part: f64| rounded(values[((values.len() - 1) as f64 * part).round() as usize]);
        result[*name] = json!({ "median": at(0.5), "quartiles": [at(0.25), at(0.75)] });
    }
    server::stop(&server);
    println!("{result:#}");
    Ok(())
}

impl Run<'_> {
    fn open_loop(&mut self, rate: f64) -> io::Result<(Outcome, Duration)> {
        let (cpu, length) = (self.server.cpu(), self.plan.length);
        let answered = self.peers.open_loop(&self.calls, &[Phase { rate, length }])?;
        Ok((frames::outcome(&answered, length), self.server.cpu() - cpu))
    }

    /// Successful calls a second in a closed loop.
    fn capacity(&mut self) -> io::Result<f64> {
        let length = self.plan.length;
        let closed = self.peers.closed_loop(&self.calls, CALLERS, length)?;
        let good = closed.iter().filter(|one| one.code == Code::Ok).count();
        Ok(good as f64 / length.as_secs_f64())
    }

    /// The load with the highest goodput, as a part of the capacity of a closed loop.
    fn part_at_peak(&mut self) -> io::Result<f64> {
        let mut best = (0.0, 0.0);
        for tenths in TOWARDS_PEAK {
            let (part, capacity) = (f64::from(tenths) / 10.0, self.capacity()?);
            let (outcome, _) = self.open_loop(capacity * part)?;
            report_line(&format!("{part:.1} of capacity"), &outcome);
            let goodput = outcome.goodput() / capacity;
            if goodput > best.1 {
                best = (part, goodput);
            } else if part > 1.0 {
                break;
            }
        }
        Ok(best.0)
    }

    /// A peak, ordinary load, the overload, and ordinary load again.
    async fn pair(&mut self, part: f64) -> io::Result<Figures> {
        let (length, times) = (self.plan.length, self.plan.times);
        let offered = self.capacity()? * part;
        let (peak, peak_cpu) = self.open_loop(offered)?;
        report_line("peak", &peak);
        let ordinary = peak.goodput() * ORDINARY;
        let (before, _) = self.open_loop(ordinary)?;
        report_line("ordinary load", &before);
        let memory = mebibytes(self.server.memory());

        // The phases follow each other without a pause: calls that wait when the overload ends belong
        // to it.
        let (server, cpu) = (self.server, self.server.cpu());
        let end_of_overload = async {
            tokio::time::sleep(length).await;
            server.cpu() - cpu
        };
        let phases = [
            Phase { rate: peak.goodput() * times, length },
            Phase { rate: ordinary, length: RECOVERY + length },
        ];
        let (peers, calls) = (&mut self.peers, &self.calls);
        let (answered, cpu) = std::thread::scope(|scope| {
            let answered = scope.spawn(|| peers.open_loop(calls, &phases));
            let cpu = block_in_place(|| Handle::current().block_on(end_of_overload));
            (answered.join().expect("no panic"), cpu)
        });
        let (during, after): (Vec<_>, Vec<_>) = answered?.iter().partition(|one| one.due < length);
        let overload = frames::outcome(&during, length);
        report_line(&format!("{times} times the peak"), &overload);
        report_line("ordinary load again", &frames::outcome(&after, RECOVERY + length));

        // Responses after the overload do not count as goodput during it.
        let meanwhile: Vec<_> =
            during.iter().filter(|one| one.due + one.took <= length).copied().collect();
        let meanwhile = frames::outcome(&meanwhile, length);
        let p99 = |outcome: &Outcome| outcome.good.value_at_quantile(0.99) as f64;
        let refused: Vec<_> = during.iter().filter(|one| one.code != Code::Ok).copied().collect();
        let refused = frames::outcome(&refused, length).latency;
        let again: Vec<_> =
            after.iter().filter(|one| one.due >= length + RECOVERY).copied().collect();
        let again = frames::outcome(&again, length);
        let last_refusal =
            after.iter().filter(|one| one.code != Code::Ok).map(|one| one.due - length).max();
        // On a shared machine the server may have had less processor time.
        let of_cpu = a_second_of(cpu, &meanwhile) / a_second_of(peak_cpu, &peak);
        Ok(vec![
            ("peak_per_second", peak.goodput()),
            ("peak_p99_micros", p99(&peak)),
            ("goodput_against_peak", meanwhile.goodput() / peak.goodput()),
            ("goodput_of_cpu_against_peak", of_cpu),
            ("accepted_p99_against_peak", p99(&overload) / p99(&peak).max(1.0)),
            ("cores_at_peak", cores(peak_cpu, &peak)),
            ("cores_at_overload", cores(cpu, &meanwhile)),
            ("refused_p50_micros", refused.value_at_quantile(0.5) as f64),
            ("refused_p99_micros", refused.value_at_quantile(0.99) as f64),
            ("generator_late_p99_micros", overload.lateness.value_at_quantile(0.99) as f64),
            ("memory_mib_more_at_most", mebibytes(self.server.peak_memory()) - memory),
            ("last_refusal_seconds_after", last_refusal.unwrap_or_default().as_secs_f64()),
            ("p99_a_second_after_against_before", p99(&again) / p99(&before).max(1.0)),
        ])
    }
}

fn report_line(what: &str, outcome: &Outcome) {
    eprintln!(
        "{what:22} good {:8.0}/s p50 {} p99 {} most {} µs, generator late by {} µs at p99  {:?}",
        outcome.goodput(),
        outcome.good.value_at_quantile(0.5),
        outcome.good.value_at_quantile(0.99),
        outcome.good.max(),
        outcome.lateness.value_at_quantile(0.99),
        outcome.codes
    );
}

/// Successful calls per second of processor time.
fn a_second_of(cpu: Duration, outcome: &Outcome) -> f64 {
    outcome.good.len() as f64 / cpu.as_secs_f64()
}

fn cores(cpu: Duration, outcome: &Outcome) -> f64 {
    cpu.as_secs_f64() / outcome.took.as_secs_f64()
}

/// Three digits after the point.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
