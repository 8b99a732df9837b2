//! The whole measurement: what every kind of call costs, how latency is spread, what happens near
//! and beyond what the server can do. All in one run, so that ratios to the null RPC mean something
//! on a machine that is busy or slow.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::drive::{self, Connections, Outcome};
use crate::plot::{self, Axis, Line};
use crate::scenario::{self, Scenario};
use crate::server::Server;

/// How long and how wide to measure.
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

/// Quantiles that the latency curve goes through, and how they are written.
const QUANTILES: [(f64, &str); 6] =
    [(0.5, "50 %"), (0.9, "90 %"), (0.99, "99 %"), (0.999, "99.9 %"), (0.9999, "99.99 %"), (0.99999, "99.999 %")];

/// Parts of capacity offered in the open loop.
const OFFERED: [f64; 7] = [0.1, 0.25, 0.5, 0.7, 0.85, 1.0, 1.2];

struct Row {
    name: String,
    rate: f64,
    micros_of_cpu: f64,
    failed: u64,
}

/// Measures `program`, and writes report.md, report.json and two plots into `folder`.
pub async fn write(program: &Path, folder: &Path, size: Size) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let server = Server::start(program).await?;
    let connections = Connections::open(&server.url, size.connections).await.map_err(other)?;
    let at_rest = server.memory("VmRSS")?;
    eprintln!("ready after {:.2} s; {at_rest:.0} MiB", server.start.as_secs_f64());
    let scenarios = scenario::all(&connections).await.map_err(other)?;

    let mut rows = Vec::new();
    let null = cost(&server, &connections, &scenarios[0], size).await?;
    for scenario in &scenarios[1..] {
        rows.push(cost(&server, &connections, scenario, size).await?);
    }
    // The null RPC before and after: what differs is the machine.
    let null_again = cost(&server, &connections, &scenarios[0], size).await?;
    let null_micros = (null.micros_of_cpu + null_again.micros_of_cpu) / 2.0;
    let null_rate = (null.rate + null_again.rate) / 2.0;
    let drift = null.rate.max(null_again.rate) / null.rate.min(null_again.rate);

    let mut latencies = Vec::new();
    for name in ["null", "score", "apply", "suggest/yahtzee/first", "suggest/dice-poker-15/first", "review/yahtzee", "mixed"] {
        let Some(scenario) = scenarios.iter().find(|scenario| scenario.name == name) else { continue };
        let capacity = rows.iter().find(|row| row.name == name).map_or(null_rate, |row| row.rate);
        let rate = capacity * 0.3;
        let outcome = connections.offer(&scenario.calls, rate, size.length).await;
        tell(name, &outcome);
        latencies.push((name, rate, outcome));
    }

    let mixed = scenarios.iter().find(|scenario| scenario.name == "mixed");
    let capacity = rows.iter().find(|row| row.name == "mixed").map_or(0.0, |row| row.rate);
    let mut offered = Vec::new();
    if let Some(mixed) = mixed {
        for part in OFFERED {
            let rate = capacity * part;
            let outcome = connections.offer(&mixed.calls, rate, size.length).await;
            tell(&format!("mixed at {:.0} %", part * 100.0), &outcome);
            offered.push((part, rate, outcome));
        }
    }
    let unseen = scenario::unseen(&connections, size.unseen).await.map_err(other)?;
    let before = server.cpu()?;
    let mut solved = Vec::new();
    for call in unseen.calls.iter() {
        let begun = std::time::Instant::now();
        connections.call(call).await.map_err(other)?;
        solved.push(begun.elapsed().as_secs_f64());
    }
    let solving_cpu = (server.cpu()? - before).as_secs_f64() / f64::from(size.unseen.max(1));
    solved.sort_by(f64::total_cmp);
    let solving = solved.get(solved.len() / 2).copied().unwrap_or(f64::NAN);
    let most = server.memory("VmHWM")?;
    let start = server.start;
    server.stop().await?;

    let mut text = String::from("# Load report\n\n");
    let mut line = |args: std::fmt::Arguments<'_>| {
        let _ = text.write_fmt(args);
        text.push('\n');
    };
    line(format_args!(
        "Ready {:.2} s after its start. Memory: {at_rest:.0} MiB when ready, {most:.0} MiB at most. \
         A definition never seen before: {solving:.3} s until its answer, {solving_cpu:.3} s of CPU.\n",
        start.as_secs_f64()
    ));
    line(format_args!(
        "## What a call costs\n\nClosed loop, {} callers over {} connections, {} s each; server and \
         generator share the machine. CPU is the server's own, from /proc; a core's worth is what one \
         core does if it does nothing else. The null RPC (health Check) was measured first and last; \
         its rates differ by a factor of {drift:.2}, which is how far to trust the rest.\n",
        size.callers, size.connections, size.length.as_secs_f64()
    ));
    line(format_args!("| calls | CPU a call, µs | × null | calls a second and core | calls/s here | failed |"));
    line(format_args!("|---|--:|--:|--:|--:|--:|"));
    let mut null_row = null;
    (null_row.micros_of_cpu, null_row.rate) = (null_micros, null_rate);
    for row in std::iter::once(&null_row).chain(&rows) {
        line(format_args!(
            "| {} | {:.1} | {:.2} | {:.0} | {:.0} | {} |",
            row.name,
            row.micros_of_cpu,
            row.micros_of_cpu / null_micros,
            1e6 / row.micros_of_cpu,
            row.rate,
            row.failed
        ));
    }
    line(format_args!(
        "\n## Latency\n\nOpen loop, Poisson, at 30 % of the rate above; from the moment a call was \
         due. `late` is the generator's own share at the 99th percentile.\n\n![latency](latency.svg)\n"
    ));
    line(format_args!("| calls | offered/s | p50, µs | p99 | p99.9 | p50 × null | p99 × null | late | failed |"));
    line(format_args!("|---|--:|--:|--:|--:|--:|--:|--:|--:|"));
    for (name, rate, outcome) in &latencies {
        let against = |q| outcome.micros(q) as f64 / latencies[0].2.micros(q).max(1) as f64;
        line(format_args!(
            "| {name} | {rate:.0} | {} | {} | {} | {:.2} | {:.2} | {} | {} |",
            outcome.micros(0.5),
            outcome.micros(0.99),
            outcome.micros(0.999),
            against(0.5),
            against(0.99),
            outcome.lateness.value_at_quantile(0.99),
            outcome.failed()
        ));
    }
    line(format_args!(
        "\n## Near capacity\n\nMixed calls, open loop, offered in parts of the closed-loop rate.\n\n\
         ![throughput](throughput.svg)\n"
    ));
    line(format_args!("| part | offered/s | answered/s | p50, µs | p99 | late | failed |\n|--:|--:|--:|--:|--:|--:|--:|"));
    for (part, rate, outcome) in &offered {
        line(format_args!(
            "| {part:.2} | {rate:.0} | {:.0} | {} | {} | {} | {} |",
            outcome.rate(),
            outcome.micros(0.5),
            outcome.micros(0.99),
            outcome.lateness.value_at_quantile(0.99),
            outcome.failed()
        ));
    }
    std::fs::write(folder.join("report.md"), text)?;
    std::fs::write(folder.join("latency.svg"), latency_plot(&latencies))?;
    std::fs::write(folder.join("throughput.svg"), throughput_plot(&offered))?;
    let data = json!({
        "ready_seconds": start.as_secs_f64(),
        "memory_mib": {"ready": at_rest, "most": most},
        "unseen_definition_seconds": solving,
        "unseen_definition_cpu_seconds": solving_cpu,
        "null": {"cpu_micros": null_micros, "rate": null_rate, "drift": drift},
        "cost": rows.iter().map(|row| json!({
            "calls": row.name, "cpu_micros": row.micros_of_cpu, "rate": row.rate, "failed": row.failed,
        })).collect::<Vec<_>>(),
        "latency": latencies.iter().map(|(name, rate, outcome)| summary(name, *rate, outcome)).collect::<Vec<_>>(),
        "offered": offered.iter().map(|(part, rate, outcome)| summary(&part.to_string(), *rate, outcome)).collect::<Vec<_>>(),
    });
    std::fs::write(folder.join("report.json"), format!("{data:#}\n"))
}

async fn cost(
    server: &Server,
    connections: &Connections,
    scenario: &Scenario,
    size: Size,
) -> io::Result<Row> {
    let before = server.cpu()?;
    let outcome =
        drive::closed_loop(connections, &scenario.calls, size.callers, size.length).await;
    let cpu = server.cpu()? - before;
    let row = Row {
        name: scenario.name.clone(),
        rate: outcome.rate(),
        micros_of_cpu: cpu.as_secs_f64() * 1e6 / outcome.calls().max(1) as f64,
        failed: outcome.failed(),
    };
    eprintln!(
        "{:32} {:9.0}/s {:8.1} µs CPU  {:?}",
        row.name, row.rate, row.micros_of_cpu, outcome.codes
    );
    Ok(row)
}

/// A line about an open loop for the person who waits.
pub fn tell(name: &str, outcome: &Outcome) {
    eprintln!(
        "{name:32} {:9.0}/s p50 {} p99 {} p99.9 {} µs  {:?}",
        outcome.rate(),
        outcome.micros(0.5),
        outcome.micros(0.99),
        outcome.micros(0.999),
        outcome.codes
    );
}

/// An open loop as data.
pub fn summary(name: &str, offered: f64, outcome: &Outcome) -> Value {
    json!({
        "name": name,
        "offered": offered,
        "answered": outcome.rate(),
        "calls": outcome.calls(),
        "codes": outcome.codes,
        "micros": QUANTILES.iter().map(|(q, label)| (label.replace(" %", ""), outcome.micros(*q).into()))
            .collect::<serde_json::Map<_, _>>(),
        "lateness_micros_99": outcome.lateness.value_at_quantile(0.99),
    })
}

fn latency_plot(latencies: &[(&str, f64, Outcome)]) -> String {
    // Percentiles by how many nines they have.
    let nines = |quantile: f64| 1.0 / (1.0 - quantile);
    let ticks = QUANTILES.iter().map(|(q, label)| (nines(*q), (*label).to_owned())).collect();
    let x = Axis { title: "percentile".to_owned(), ticks, log: true };
    let lines: Vec<Line> = latencies
        .iter()
        .map(|(name, _, outcome)| Line {
            name: (*name).to_owned(),
            // As far as there are ten calls beyond a percentile.
            points: (0..=100)
                .map(|step| nines(0.5) * (nines(0.99999) / nines(0.5)).powf(f64::from(step) / 100.0))
                .filter(|nines| outcome.calls() as f64 / nines >= 10.0)
                .map(|nines| (nines, outcome.micros(1.0 - 1.0 / nines).max(1) as f64))
                .collect(),
        })
        .collect();
    let all = || lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(1.0, f64::max));
    plot::svg("Latency by percentile, 30 % load", &x, &Axis::decades("µs", least, most), &lines)
}

fn throughput_plot(offered: &[(f64, f64, Outcome)]) -> String {
    let most = offered.iter().map(|(_, rate, _)| *rate).fold(1.0, f64::max);
    let answered = offered.iter().map(|(_, rate, outcome)| (*rate, outcome.rate())).collect();
    let ideal = vec![(0.0, 0.0), (most, most)];
    let lines = [
        Line { name: "answered".to_owned(), points: answered },
        Line { name: "offered".to_owned(), points: ideal },
    ];
    let axis = |title: &str| Axis::linear(title, most);
    plot::svg("Mixed calls: throughput against offered load", &axis("offered a second"), &axis("answered a second"), &lines)
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
