//! `dicepoker simulate`: many games of best play, each with a seed of its own, and how they end.
//! Every move is asked for and every throw made by the service; here they are only counted.

use dicepoker_client::{Client, Move, Position, Rules, SuggestQuery, Throw};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tokio::task::JoinSet;

use crate::args::RulesArgs;
use crate::failure::Failure;
use crate::output::Output;

/// The normal quantile of a two-sided 95 % interval.
const Z95: f64 = 1.959_963_985;

/// What to simulate.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,

    /// How many games.
    #[arg(
        short,
        long,
        default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    games: u32,

    /// The seed of the first game; each later one takes the next.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many games to play at the same time.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=256))]
    parallel: u32,
}

/// How the games ended.
#[derive(Debug, Serialize)]
struct Report {
    games: u32,
    seed: u64,
    mean: f64,
    standard_deviation: f64,
    /// The 95 % confidence interval of the mean.
    confidence_95: [f64; 2],
    least: u32,
    most: u32,
    /// What best play averages, where the service knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    seconds: f64,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let rules = args.rules.read()?;
    let (rolls, expected) = match rules.definition() {
        Some(definition) => (definition.rolls, None),
        None => {
            let ruleset = client.ruleset(&rules).await?;
            (ruleset.definition.rolls, ruleset.expected_score)
        }
    };
    let start = std::time::Instant::now();
    let progress = progress(args.games);
    let mut waiting = (0..u64::from(args.games)).map(|game| args.seed.wrapping_add(game));
    let mut playing = JoinSet::new();
    let mut finals: Vec<u32> = Vec::with_capacity(args.games as usize);
    loop {
        while playing.len() < args.parallel as usize {
            let Some(seed) = waiting.next() else { break };
            playing.spawn(game(client.clone(), rules.clone(), rolls, seed));
        }
        // A game that panicked would be a mistake here: it is not to be hidden in the figures.
        let Some(ended) = playing.join_next().await else { break };
        finals.push(ended.expect("no game panics")?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let report = report(&args, &finals, expected, start.elapsed().as_secs_f64());
    output.answer(&report, text)
}

/// One game of one player: its final score.
async fn game(client: Client, rules: Rules, rolls: u32, seed: u64) -> Result<u32, Failure> {
    let mut position = Position::start(1, rolls);
    loop {
        let chosen = if position.dice.is_empty() {
            Move::throw_all()
        } else {
            client.suggest(&rules, SuggestQuery::from(position.clone()).top(1)).await?.best
        };
        let throw = match chosen {
            Move::Keep { .. } => Throw::Seed(seed),
            Move::Record { .. } | Move::Stop {} => Throw::None,
        };
        let applied = client.apply(&rules, position, chosen, throw).await?;
        if applied.game_ended {
            return Ok(applied.totals.first().map_or(0, |totals| totals.grand_total));
        }
        position = applied.position;
    }
}

fn progress(games: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left")
        .expect("a sound template");
    ProgressBar::new(games.into()).with_style(style)
}

fn report(args: &Args, finals: &[u32], expected: Option<f64>, seconds: f64) -> Report {
    let games = finals.len() as f64;
    let mean = finals.iter().map(|&score| f64::from(score)).sum::<f64>() / games;
    let squares = finals.iter().map(|&score| (f64::from(score) - mean).powi(2)).sum::<f64>();
    let standard_deviation = (squares / (games - 1.0).max(1.0)).sqrt();
    let margin = Z95 * standard_deviation / games.sqrt();
    Report {
        games: args.games,
        seed: args.seed,
        mean,
        standard_deviation,
        confidence_95: [mean - margin, mean + margin],
        least: finals.iter().copied().min().unwrap_or_default(),
        most: finals.iter().copied().max().unwrap_or_default(),
        expected,
        seconds,
    }
}

fn text(report: &Report) -> String {
    let [low, high] = report.confidence_95;
    let mut text = format!(
        "{} games from seed {} in {:.1} s\n\
         mean {:.3}, 95 % interval {low:.3} to {high:.3}\n\
         standard deviation {:.3}, least {}, most {}\n",
        report.games,
        report.seed,
        report.seconds,
        report.mean,
        report.standard_deviation,
        report.least,
        report.most
    );
    if let Some(expected) = report.expected {
        text += &format!("best play averages {expected:.6}\n");
    }
    text
}
