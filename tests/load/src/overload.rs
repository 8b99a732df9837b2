//! Several times the load that the server can serve: its goodput, the latency of accepted calls,
//! its refusals, and its recovery. Everything is a ratio to the peak of the same run.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tonic::Code;

use crate::drive::{Connections, Outcome};
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
    /// Connections to the server.
    pub connections: usize,
    /// The core of the server.
    pub core: usize,
    /// Settings of the server.
    pub settings: &'a [(&'a str, &'a str)],
}

/// Overloads `program`, and prints the result.
pub async fn run(program: &Path, plan: &Plan<'_>) -> io::Result<()> {
    let settings = [&[("DICEPOKER_WORKERS", "1")][..], plan.settings].concat();
    let server = server::start_on(plan.core, program, &settings);
    let connections = Connections::open(&server.url(), 1).await.map_err(other)?;
    let scenarios = scenario::all(&connections).await.map_err(other)?;
    let Some(found) = scenarios.into_iter().find(|one| one.name == plan.scenario) else {
        return Err(io::Error::other(format!("no scenario {}", plan.scenario)));
    };
    let calls = found.calls;
    let address = server.address;
    let mut peers = Peers::open(address, plan.connections)?;
    let length = plan.length;
    let measure = |peers: &mut Peers, rate| -> io::Result<(Outcome, Duration)> {
        let cpu = server.cpu();
        let answered = peers.open_loop(&calls, &[Phase { rate, length }])?;
        Ok((frames::outcome(&answered, length), server.cpu() - cpu))
    };

    let closed = peers.closed_loop(&calls, CALLERS, length)?;
    let good = closed.iter().filter(|one| one.code == Code::Ok).count();
    let capacity = good as f64 / length.as_secs_f64();
    eprintln!("closed loop: {capacity:.0}/s");
    let mut peak: Option<(Outcome, Duration)> = None;
    for tenths in TOWARDS_PEAK {
        let part = f64::from(tenths) / 10.0;
        let (outcome, cpu) = measure(&mut peers, capacity * part)?;
        report_line(&format!("{part:.1} of capacity"), &outcome);
        if peak.as_ref().is_none_or(|(peak, _)| outcome.goodput() > peak.goodput()) {
            peak = Some((outcome, cpu));
        } else if part > 1.0 {
            break;
        }
    }
    let (peak, peak_cpu) = peak.expect("several were offered");
    let ordinary = peak.goodput() * ORDINARY;
    let (before, _) = measure(&mut peers, ordinary)?;
    report_line("ordinary load", &before);
    let memory = mebibytes(server.memory());

    // The phases follow each other without a pause: calls that wait when the overload ends belong
    // to it.
    let cpu = server.cpu();
    let end_of_overload = async {
        tokio::time::sleep(length).await;
        server.cpu() - cpu
    };
    let phases = [
        Phase { rate: peak.goodput() * plan.times, length },
        Phase { rate: ordinary, length: RECOVERY + length },
    ];
    let all = Arc::clone(&calls);
    let answered = tokio::task::spawn_blocking(move || peers.open_loop(&all, &phases));
    let (answered, cpu) = tokio::join!(answered, end_of_overload);
    let (answered, cpu) = (answered.map_err(other)??, cpu);
    let (during, after): (Vec<_>, Vec<_>) = answered.iter().partition(|one| one.due < length);
    let overload = frames::outcome(&during, length);
    let recovery = frames::outcome(&after, RECOVERY + length);
    report_line(&format!("{} times the peak", plan.times), &overload);
    report_line("ordinary load again", &recovery);
    let memory_after = mebibytes(server.peak_memory());
    server::stop(&server);

    // Responses after the overload do not count as goodput during it.
    let meanwhile: Vec<_> =
        during.iter().filter(|one| one.due + one.took <= length).copied().collect();
    let meanwhile = frames::outcome(&meanwhile, length);
    let p99 = |outcome: &Outcome| outcome.good.value_at_quantile(0.99);
    let refused: Vec<_> = during.iter().filter(|one| one.code != Code::Ok).copied().collect();
    let refused = frames::outcome(&refused, length).latency;
    let again: Vec<_> = after.iter().filter(|one| one.due >= length + RECOVERY).copied().collect();
    let again = frames::outcome(&again, length);
    let last_refusal = after.iter().filter(|one| one.code != Code::Ok).map(|one| one.due - length);
    println!(
        "{:#}",
        json!({
            "scenario": plan.scenario,
            "peak_per_second": peak.goodput(),
            "peak_p99_micros": p99(&peak),
            "offered_against_peak": plan.times,
            "goodput_against_peak": meanwhile.goodput() / peak.goodput(),
            // The same per second of processor time: on a shared machine the server may have had
            // less.
            "goodput_of_cpu_against_peak": a_second_of(cpu, &meanwhile) / a_second_of(peak_cpu, &peak),
            "cores_at_peak_and_overload": [cores(peak_cpu, &peak), cores(cpu, &meanwhile)],
            "accepted_p99_against_peak": ratio(p99(&overload), p99(&peak)),
            "refused_p50_micros": refused.value_at_quantile(0.5),
            "refused_p99_micros": refused.value_at_quantile(0.99),
            "codes": overload.codes,
            "generator_late_p99_micros": overload.lateness.value_at_quantile(0.99),
            "memory_mib_before_and_most": [memory, memory_after],
            "last_refusal_seconds_after": last_refusal.max().map(|last| last.as_secs_f64()),
            "p99_a_second_after_against_before": ratio(p99(&again), p99(&before)),
            "codes_after": recovery.codes,
        })
    );
    Ok(())
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

fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other.max(1) as f64
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
