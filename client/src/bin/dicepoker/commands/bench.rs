//! `dicepoker bench`: how fast the service answers. Bounded in time and calls, and of servers on
//! this machine only unless told otherwise. With a rate, latency counts from the moment a call was
//! due, so that a server that stalls is not excused from the calls that it kept waiting.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::ValueEnum;
use dicepoker_client::{Client, Error, Position, Rules};
use dicepoker_proto::code_name;
use hdrhistogram::Histogram;
use serde::Serialize;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::args::{Global, read_dice};
use crate::commands::rulesets::describe;
use crate::failure::Failure;
use crate::output::Output;

/// What to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The call to make.
    #[arg(value_enum, default_value = "score")]
    call: Call,

    #[command(flatten)]
    rules: crate::args::RulesArgs,

    /// The dice of every call.
    #[arg(long, default_value = "13244")]
    dice: String,

    /// Throws left in the position of every call.
    #[arg(short = 'n', long, default_value_t = 2)]
    rolls_left: u32,

    /// How long to measure, in seconds; at most 60.
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,

    /// How many calls may be under way at the same time.
    #[arg(short, long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=512))]
    concurrency: u32,

    /// Connections to spread the calls over.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    connections: u32,

    /// Offer so many calls a second, instead of the next as soon as one is answered. Latency then
    /// counts from when a call was due, to within a millisecond.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: Option<u32>,

    /// Also measure a server that is not on this machine; its owner should know.
    #[arg(long)]
    remote: bool,
}

/// The calls that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Call {
    Score,
    Moves,
    Suggest,
    Rulesets,
}

/// What was measured; latencies in milliseconds.
#[derive(Debug, Serialize)]
struct Report {
    calls: u64,
    failed: BTreeMap<&'static str, u64>,
    seconds: f64,
    calls_per_second: f64,
    mean: f64,
    p50: f64,
    p90: f64,
    p99: f64,
    p999: f64,
    max: f64,
}

/// What one caller measured.
struct Measured {
    latencies: Histogram<u64>,
    failed: BTreeMap<&'static str, u64>,
}

impl Measured {
    fn new() -> Self {
        // A minute in microseconds, to three digits.
        let latencies = Histogram::new_with_bounds(1, 60_000_000, 3).expect("sound bounds");
        Self { latencies, failed: BTreeMap::new() }
    }

    fn note(&mut self, since: Instant, answer: Result<(), Error>) {
        match answer {
            Ok(()) => {
                let micros = since.elapsed().as_micros().try_into().unwrap_or(u64::MAX);
                self.latencies.saturating_record(micros.max(1));
            }
            Err(error) => {
                *self.failed.entry(code_name(error.code())).or_default() += 1;
            }
        }
    }
}

pub(crate) async fn run(global: &Global, args: Args, output: Output) -> Result<(), Failure> {
    if !args.remote && !global.is_local()? {
        return Err(Failure::Typed(format!(
            "{} is not on this machine: add --remote if its owner knows of the load",
            global.server
        )));
    }
    let rules = args.rules.read()?;
    let mut clients = Vec::new();
    for _ in 0..args.connections {
        clients.push(global.plain_client().await?);
    }
    let dice = read_dice(&describe(&clients[0], &rules).await?, &args.dice)?;
    let position = Position::new(dice, args.rolls_left);
    // Solves what is to be solved, and fails where every call would.
    ask(&clients[0], args.call, &rules, &position).await?;

    let start = Instant::now();
    let end = start + Duration::from_secs(args.seconds);
    let due = Arc::new(AtomicU64::new(0));
    let mut callers = JoinSet::new();
    for caller in 0..args.concurrency {
        let client = clients[caller as usize % clients.len()].clone();
        let (rules, position, due) = (rules.clone(), position.clone(), Arc::clone(&due));
        let (call, rate) = (args.call, args.rate);
        callers.spawn(async move {
            let mut measured = Measured::new();
            loop {
                let since = match rate {
                    None => Instant::now(),
                    Some(rate) => {
                        let number = due.fetch_add(1, Ordering::Relaxed);
                        start + Duration::from_secs_f64(number as f64 / f64::from(rate))
                    }
                };
                if since >= end || Instant::now() >= end + Duration::from_secs(5) {
                    return measured;
                }
                tokio::time::sleep_until(since).await;
                measured.note(since, ask(&client, call, &rules, &position).await);
            }
        });
    }
    let mut all = Measured::new();
    while let Some(measured) = callers.join_next().await {
        let measured = measured.expect("no caller panics");
        all.latencies.add(&measured.latencies).expect("the same bounds");
        for (code, count) in measured.failed {
            *all.failed.entry(code).or_default() += count;
        }
    }
    output.answer(&report(&all, start.elapsed().as_secs_f64()), text)
}

async fn ask(client: &Client, call: Call, rules: &Rules, at: &Position) -> Result<(), Error> {
    match call {
        Call::Score => client.score(rules, at.dice.clone()).await.map(drop),
        Call::Moves => client.legal_moves(rules, at.clone()).await.map(drop),
        Call::Suggest => client.suggest(rules, at.clone()).await.map(drop),
        Call::Rulesets => client.rulesets().await.map(drop),
    }
}

fn report(all: &Measured, seconds: f64) -> Report {
    let ms = |micros: u64| micros as f64 / 1000.0;
    let quantile = |q| ms(all.latencies.value_at_quantile(q));
    Report {
        calls: all.latencies.len(),
        failed: all.failed.clone(),
        seconds,
        calls_per_second: all.latencies.len() as f64 / seconds,
        mean: all.latencies.mean() / 1000.0,
        p50: quantile(0.5),
        p90: quantile(0.9),
        p99: quantile(0.99),
        p999: quantile(0.999),
        max: ms(all.latencies.max()),
    }
}

fn text(report: &Report) -> String {
    let mut text = format!(
        "{} calls in {:.1} s: {:.0} a second\n\
         milliseconds: mean {:.3}, p50 {:.3}, p90 {:.3}, p99 {:.3}, p99.9 {:.3}, max {:.3}\n",
        report.calls,
        report.seconds,
        report.calls_per_second,
        report.mean,
        report.p50,
        report.p90,
        report.p99,
        report.p999,
        report.max
    );
    for (code, count) in &report.failed {
        text += &format!("failed with {code}: {count}\n");
    }
    text
}
