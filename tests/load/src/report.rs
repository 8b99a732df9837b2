//! The whole measurement: the cost of every kind of call, the distribution of latency, and the
//! behaviour near and beyond capacity. All in one run, so that ratios to the null RPC are
//! meaningful on a busy or slow machine.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use dicepoker_testkit::Server;
use serde_json::{Value, json};

use crate::drive::{self, Connections, Outcome};
use crate::plot::{self, Axis, Line};
use crate::scenario::{self, Scenario};
use crate::server::{self, mebibytes};
use crate::tables;

/// The size of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Length of each measurement.
    pub length: Duration,
    /// Connections to the server.
    pub connections: usize,
    /// Callers in closed loops.
    pub callers: usize,
    /// Definitions never seen before.
    pub unseen: u32,
}

/// Quantiles of the latency curve, and their labels.
const QUANTILES: [(f64, &str); 6] = [
    (0.5, "50 %"),
    (0.9, "90 %"),
    (0.99, "99 %"),
    (0.999, "99.9 %"),
    (0.9999, "99.99 %"),
    (0.99999, "99.999 %"),
];

/// Parts of capacity offered in the open loop.
const OFFERED: [f64; 7] = [0.1, 0.25, 0.5, 0.7, 0.85, 1.0, 1.2];

/// Part of capacity at which latencies are measured.
const QUIET: f64 = 0.3;

/// The kinds of calls whose latencies are measured; the null RPC first, for ratios.
const TIMED: [&str; 13] = [
    "null",
    "score",
    "score/custom",
    "apply",
    "suggest/yahtzee/first",
    "suggest/yahtzee/second",
    "suggest/yahtzee/last",
    "suggest/dice-poker-15/first",
    "suggest/poquer-tradicional/first",
    "suggest/custom",
    "suggest-to-win/yahtzee",
    "review/yahtzee",
    "mixed",
];

/// The cost of a kind of calls, in a closed loop.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Its scenario.
    pub name: String,
    /// Calls answered a second.
    pub rate: f64,
    /// The server's processor time for one of them.
    pub micros_of_cpu: f64,
    /// Calls by code.
    pub codes: BTreeMap<String, u64>,
}

/// The outcome of calls in an open loop.
#[derive(Debug)]
pub struct Offered {
    /// The scenario, or the part of capacity that was offered.
    pub name: String,
    /// Calls offered a second.
    pub rate: f64,
    /// The outcome.
    pub outcome: Outcome,
}

/// A whole measurement.
#[derive(Debug)]
pub struct Measured {
    /// The size.
    pub size: Size,
    /// From the start of the server until it is ready.
    pub start: Duration,
    /// Memory in MiB, when ready and at most.
    pub memory: [f64; 2],
    /// Seconds for a definition never seen before: until its response, and of the server's
    /// processor time.
    pub unseen: [f64; 2],
    /// The null RPC, and the factor between its first and last rate.
    pub null: (Cost, f64),
    /// All other kinds of calls.
    pub costs: Vec<Cost>,
    /// Latencies at a quiet rate, the null RPC's first.
    pub latencies: Vec<Offered>,
    /// Mixed calls near capacity.
    pub offered: Vec<Offered>,
}

/// Measures `program`, and writes report.md, report.json, two plots, and the tables of README and
/// CAPACITY into `folder`.
pub async fn write(program: &Path, folder: &Path, size: Size) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let measured = measure(program, size).await?;
    let latencies = latency_plot(&measured.latencies);
    std::fs::write(folder.join("report.md"), tables::report(&measured))?;
    std::fs::write(folder.join(tables::FIGURES), tables::figures(&measured))?;
    std::fs::write(folder.join(tables::COSTS), tables::costs(&measured))?;
    std::fs::write(folder.join("latency.svg"), latencies)?;
    std::fs::write(folder.join("throughput.svg"), throughput_plot(&measured.offered))?;
    std::fs::write(folder.join("report.json"), format!("{:#}\n", data(&measured)))
}

async fn measure(program: &Path, size: Size) -> io::Result<Measured> {
    let begin = Instant::now();
    let server = server::start(program);
    let start = begin.elapsed();
    let connections = Connections::open(&server.url(), size.connections).await.map_err(other)?;
    let at_rest = mebibytes(server.memory());
    eprintln!("ready after {:.2} s; {at_rest:.0} MiB", start.as_secs_f64());
    let scenarios = scenario::all(&connections).await.map_err(other)?;

    let mut costs = Vec::new();
    let first = cost(&server, &connections, &scenarios[0], size).await?;
    for scenario in &scenarios[1..] {
        costs.push(cost(&server, &connections, scenario, size).await?);
    }
    // The null RPC before and after: a difference is due to the machine.
    let last = cost(&server, &connections, &scenarios[0], size).await?;
    let drift = first.rate.max(last.rate) / first.rate.min(last.rate);
    let null = Cost {
        rate: (first.rate + last.rate) / 2.0,
        micros_of_cpu: (first.micros_of_cpu + last.micros_of_cpu) / 2.0,
        ..first
    };

    let capacity = |name: &str| {
        costs.iter().find(|cost| cost.name == name).map_or(null.rate, |cost| cost.rate)
    };
    let mut latencies = Vec::new();
    for name in TIMED {
        let Some(scenario) = scenarios.iter().find(|scenario| scenario.name == name) else {
            continue;
        };
        let rate = capacity(name) * QUIET;
        let outcome = connections.offer(&scenario.calls, rate, size.length).await;
        print_line(name, &outcome);
        latencies.push(Offered { name: name.to_owned(), rate, outcome });
    }
    let mut offered = Vec::new();
    if let Some(mixed) = scenarios.iter().find(|scenario| scenario.name == "mixed") {
        for part in OFFERED {
            let rate = capacity("mixed") * part;
            let outcome = connections.offer(&mixed.calls, rate, size.length).await;
            print_line(&format!("mixed at {:.0} %", part * 100.0), &outcome);
            offered.push(Offered { name: format!("{part:.2}"), rate, outcome });
        }
    }
    let unseen = unseen(&server, &connections, size.unseen).await?;
    let most = mebibytes(server.peak_memory());
    server::stop(&server);
    let memory = [at_rest, most];
    Ok(Measured { size, start, memory, unseen, null: (null, drift), costs, latencies, offered })
}

async fn cost(
    server: &Server,
    connections: &Connections,
    scenario: &Scenario,
    size: Size,
) -> io::Result<Cost> {
    scenario.warm(connections).await.map_err(other)?;
    let before = server.cpu();
    let outcome = drive::closed_loop(connections, &scenario.calls, size.callers, size.length).await;
    let cpu = server.cpu() - before;
    let cost = Cost {
        name: scenario.name.clone(),
        rate: outcome.rate(),
        micros_of_cpu: cpu.as_secs_f64() * 1e6 / outcome.calls().max(1) as f64,
        codes: outcome.codes,
    };
    eprintln!(
        "{:32} {:9.0}/s {:8.1} µs CPU  {:?}",
        cost.name, cost.rate, cost.micros_of_cpu, cost.codes
    );
    Ok(cost)
}

/// Seconds until the response for definitions never seen before (the median), and of the server's
/// processor time.
async fn unseen(server: &Server, connections: &Connections, count: u32) -> io::Result<[f64; 2]> {
    let unseen = scenario::unseen(connections, count).await.map_err(other)?;
    let before = server.cpu();
    let mut solved = Vec::new();
    for call in unseen.calls.iter() {
        let begun = Instant::now();
        connections.call(call).await.map_err(other)?;
        solved.push(begun.elapsed().as_secs_f64());
    }
    let cpu = (server.cpu() - before).as_secs_f64() / f64::from(count.max(1));
    solved.sort_by(f64::total_cmp);
    Ok([solved.get(solved.len() / 2).copied().unwrap_or(f64::NAN), cpu])
}

/// Prints a line about an open loop while the report is made.
pub fn print_line(name: &str, outcome: &Outcome) {
    eprintln!(
        "{name:32} {:9.0}/s p50 {} p99 {} p99.9 {} µs  {:?}",
        outcome.rate(),
        outcome.micros(0.5),
        outcome.micros(0.99),
        outcome.micros(0.999),
        outcome.codes
    );
}

fn data(measured: &Measured) -> Value {
    let (base, drift) = &measured.null;
    let cost = |cost: &Cost| {
        json!({
            "calls": cost.name,
            "cpu_micros": cost.micros_of_cpu,
            "rate": cost.rate,
            "codes": cost.codes,
        })
    };
    let open = |one: &Offered| summary(&one.name, one.rate, &one.outcome);
    json!({
        "ready_seconds": measured.start.as_secs_f64(),
        "memory_mib": {"ready": measured.memory[0], "most": measured.memory[1]},
        "unseen_definition_seconds": measured.unseen[0],
        "unseen_definition_cpu_seconds": measured.unseen[1],
        "null": {"cpu_micros": base.micros_of_cpu, "rate": base.rate, "drift": drift, "codes": base.codes},
        "cost": measured.costs.iter().map(cost).collect::<Vec<_>>(),
        "latency": measured.latencies.iter().map(open).collect::<Vec<_>>(),
        "offered": measured.offered.iter().map(open).collect::<Vec<_>>(),
    })
}

/// An open loop as data.
pub fn summary(name: &str, offered: f64, outcome: &Outcome) -> Value {
    let micros = |(quantile, label): &(f64, &str)| {
        (label.replace(" %", ""), Value::from(outcome.micros(*quantile)))
    };
    json!({
        "name": name,
        "offered": offered,
        "answered": outcome.rate(),
        "answered_ok": outcome.goodput(),
        "calls": outcome.calls(),
        "codes": outcome.codes,
        "micros": QUANTILES.iter().map(micros).collect::<serde_json::Map<_, _>>(),
        "lateness_micros_99": outcome.lateness.value_at_quantile(0.99),
    })
}

fn latency_plot(latencies: &[Offered]) -> String {
    // Percentiles by their number of nines.
    let nines = |quantile: f64| 1.0 / (1.0 - quantile);
    let ticks = QUANTILES.iter().map(|(q, label)| (nines(*q), (*label).to_owned())).collect();
    let x = Axis { title: "percentile".to_owned(), ticks, log: true };
    let lines: Vec<Line> = latencies
        .iter()
        .map(|Offered { name, outcome, .. }| Line {
            name: name.clone(),
            // Only percentiles with ten calls or more beyond them.
            points: (0..=100)
                .map(|step| {
                    nines(0.5) * (nines(0.99999) / nines(0.5)).powf(f64::from(step) / 100.0)
                })
                .filter(|nines| outcome.calls() as f64 / nines >= 10.0)
                .map(|nines| (nines, outcome.micros(1.0 - 1.0 / nines).max(1) as f64))
                .collect(),
        })
        .collect();
    let all = || lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(1.0, f64::max));
    plot::svg("Latency by percentile, 30 % load", &x, &Axis::decades("µs", least, most), &lines)
}

fn throughput_plot(offered: &[Offered]) -> String {
    let most = offered.iter().map(|one| one.rate).fold(1.0, f64::max);
    let good = offered.iter().map(|one| (one.rate, one.outcome.goodput())).collect();
    let lines = [
        Line { name: "answered OK".to_owned(), points: good },
        Line { name: "offered".to_owned(), points: vec![(0.0, 0.0), (most, most)] },
    ];
    let axis = |title: &str| Axis::linear(title, most);
    let title = "Mixed calls: throughput against offered load";
    plot::svg(title, &axis("offered a second"), &axis("answered OK a second"), &lines)
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
