//! `dicepoker analyze`: the figures of a ruleset, alone or compared with another.

mod text;

use std::path::PathBuf;
use std::time::Duration;

use dicepoker_client::proto::RulesetFamily;
use dicepoker_client::{
    AnalyzeQuery, AnalyzeResponse, Client, Error, Json, Opponent, Rules, RulesetDefinition,
};
use indicatif::{ProgressBar, ProgressStyle};
use prost_types::Value;
use serde::Serialize;

use crate::args::{RulesArgs, option};
use crate::documents::read_message;
use crate::failure::Failure;
use crate::moment::describe;
use crate::output::Output;

/// The deadline unless `--timeout` sets one.
const DEADLINE: Duration = Duration::from_secs(3600);

/// The steps of the progress bar.
const STEPS: u64 = 1000;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,

    /// Number of games for figures that are not exact, and for each opponent.
    #[arg(short, long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// The seed of the games: the same seed gives the same figures.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Final scores whose chances to print, with commas.
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    targets: Vec<i32>,

    /// Opponents to measure, levels or profiles with commas; by default levels 1 to 9, in the race
    /// none. `none` for none.
    #[arg(long, value_name = "OPPONENTS", value_delimiter = ',', value_parser = opponent)]
    opponents: Option<Vec<Option<Opponent>>>,

    /// Players of the race or of a showdown; by default the smallest number.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    players: u32,

    /// Sample rows, bonuses and the deviation where exact figures would take up to a minute.
    #[arg(short, long)]
    quick: bool,

    /// Id of a built-in ruleset to compare with.
    #[arg(short, long, value_name = "ID")]
    compare: Option<String>,

    /// Set an option of the ruleset to compare with.
    #[arg(long = "compare-option", value_name = "ID=VALUE", value_parser = option, requires = "compare")]
    compare_options: Vec<(String, Value)>,

    /// File with a ruleset as JSON to compare with (- for standard input).
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    compare_definition: Option<PathBuf>,
}

/// An opponent as typed; nothing for `none`.
fn opponent(text: &str) -> Result<Option<Opponent>, String> {
    match (text, text.parse()) {
        ("", _) => Err("must be a level (1 to 10) or a profile".to_owned()),
        ("none", _) => Ok(None),
        (_, Ok(level)) => Ok(Some(Opponent::Level(level))),
        (profile, Err(_)) => Ok(Some(Opponent::profile(profile))),
    }
}

/// The last response, with its request.
#[derive(Debug, Serialize)]
struct Report {
    games: u32,
    seed: u64,
    /// The names of the rows and hands, by id.
    #[serde(skip)]
    names: text::Names,
    #[serde(flatten)]
    answer: Json<AnalyzeResponse>,
}

/// Analyzes until the end, the deadline, or Ctrl-C.
pub(crate) async fn run(
    client: &Client,
    args: Args,
    timeout: Option<Duration>,
    output: Output,
) -> Result<(), Failure> {
    let rules = args.rules.read()?;
    let ruleset = describe(client, &rules).await?;
    let mut query =
        AnalyzeQuery::new(args.games, args.seed).targets(args.targets).players(args.players);
    if args.quick {
        query = query.quick();
    }
    let levels = || (1..=9).map(|level| Some(Opponent::Level(level))).collect();
    let opponents = match (args.opponents, ruleset.family()) {
        (Some(opponents), _) => opponents,
        (None, RulesetFamily::Race) => Vec::new(),
        (None, _) => levels(),
    };
    for opponent in opponents.into_iter().flatten() {
        query = query.opponent(opponent);
    }
    let compared = match (&args.compare_definition, args.compare) {
        (Some(file), _) => Some(Rules::defined(read_message::<RulesetDefinition>(file)?)),
        (None, named) => named.map(|id| {
            let options = args.compare_options.into_iter();
            options.fold(Rules::named(id), |rules, (id, value)| rules.option(id, value))
        }),
    };
    if let Some(compared) = compared {
        query = query.compare(compared);
    }
    let client = client.with_deadline(timeout.unwrap_or(DEADLINE));
    let progress = progress();
    let mut last = None;
    let ended = tokio::select! {
        ended = work(&client, &rules, query, |answer| {
            progress.set_position((answer.progress * STEPS as f64) as u64);
            last = Some(answer);
        }) => ended.map_err(Failure::from),
        _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
    };
    progress.finish_and_clear();
    // An unfinished analysis has figures too.
    let Some(answer) = last else { return ended };
    let names = text::Names::of(&ruleset);
    let report = Report { games: args.games, seed: args.seed, names, answer: Json(answer) };
    output.answer(&report, |report| text::write(&report.names, &report.answer.0))?;
    ended
}

/// Passes each response to `report`.
async fn work(
    client: &Client,
    rules: &Rules,
    query: AnalyzeQuery,
    mut report: impl FnMut(AnalyzeResponse),
) -> Result<(), Error> {
    let mut analysis = client.analyze(rules, query).await?;
    while let Some(answer) = analysis.next().await? {
        report(answer);
    }
    Ok(())
}

fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent} %, {eta} left");
    ProgressBar::new(STEPS).with_style(style.expect("a sound template"))
}
