//! `dicepoker simulate`: many games between players of any strength, and their statistics.

use std::time::{Duration, Instant};

use dicepoker_client::proto::{PlayerStatistics, RulesetFamily};
use dicepoker_client::{Client, Error, Json, Player, Rules, SimulateQuery, SimulateResponse};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::{RulesArgs, describe_player, player};
use crate::documents::read_position;
use crate::failure::Failure;
use crate::moment::describe;
use crate::output::{Output, table};

/// The deadline unless `--timeout` sets one.
const DEADLINE: Duration = Duration::from_secs(3600);

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,

    /// Number of games.
    #[arg(short, long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// The seed of the dice and of the players' errors: the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// A player: best, a level from 1 to 10, or a profile; @win or @target=POINTS sets its objective.
    /// Repeat it for each player; by default one best player, in the race two.
    #[arg(long = "player", value_name = "PLAYER", value_parser = player)]
    players: Vec<Player>,

    /// File with the position at the start of each game as JSON (- for standard input), or the output
    /// of `dicepoker --json turn`, `apply` or `play`.
    #[arg(short, long, value_name = "FILE")]
    position: Option<std::path::PathBuf>,
}

/// The statistics, with the request.
#[derive(Debug, Serialize)]
struct Report {
    /// The games requested; `gamesPlayed` is fewer after an interrupt.
    games: u32,
    seed: u64,
    seconds: f64,
    /// The mean score of best play, if the service knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    names: Vec<String>,
    #[serde(flatten)]
    statistics: Json<SimulateResponse>,
}

/// Simulates games until the last one, the deadline, or Ctrl-C.
pub(crate) async fn run(
    client: &Client,
    args: Args,
    timeout: Option<Duration>,
    output: Output,
) -> Result<(), Failure> {
    let (written, start) = match &args.position {
        Some(file) => read_position(file).map(|(rules, position)| (rules, Some(position)))?,
        None => (None, None),
    };
    let rules = args.rules.read_or(written)?;
    let ruleset = describe(client, &rules).await?;
    let players = match (args.players.is_empty(), ruleset.family()) {
        (false, _) => args.players,
        (true, RulesetFamily::Race) => vec![Player::default(); 2],
        (true, _) => vec![Player::default()],
    };
    let mut query = SimulateQuery::new(players.clone(), args.games, args.seed);
    if let Some(start) = start {
        query = query.starting_at(start);
    }
    let client = client.with_deadline(timeout.unwrap_or(DEADLINE));
    let begin = Instant::now();
    let progress = progress(args.games);
    let mut last = None;
    let ended = tokio::select! {
        ended = play(&client, &rules, query, |statistics| {
            progress.set_position(statistics.games_played.into());
            if let (None, Some(games)) = (&last, statistics.expected_games) {
                let requested = args.games;
                progress.println(format!("time for about {games} of {requested} games"));
            }
            last = Some(statistics);
        }) => ended.map_err(Failure::from),
        _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
    };
    progress.finish_and_clear();
    // The games that were played count even if they are not all.
    let Some(statistics) = last else { return ended };
    let report = Report {
        games: args.games,
        seed: args.seed,
        seconds: begin.elapsed().as_secs_f64(),
        expected: ruleset.expected_score,
        names: players.iter().map(describe_player).collect(),
        statistics: Json(statistics),
    };
    output.answer(&report, text)?;
    ended
}

/// Plays the games and passes each message of statistics to `report`.
async fn play(
    client: &Client,
    rules: &Rules,
    query: SimulateQuery,
    mut report: impl FnMut(SimulateResponse),
) -> Result<(), Error> {
    let mut simulation = client.simulate(rules, query).await?;
    while let Some(statistics) = simulation.next().await? {
        report(statistics);
    }
    Ok(())
}

fn progress(games: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left")
        .expect("a sound template");
    ProgressBar::new(games.into()).with_style(style)
}

fn text(report: &Report) -> String {
    let Json(SimulateResponse { games_played, players, .. }) = &report.statistics;
    let alone = players.len() == 1;
    let mut header = vec!["player", "mean", "95 % interval", "deviation", "5 to 95 %"];
    if !alone {
        header.extend(["won", "shared", "share won"]);
    }
    let lost = players.iter().any(|player| player.regret_per_decision.is_some());
    if lost {
        header.push("lost a move");
    }
    let target = players.iter().any(|player| player.targets_reached.is_some());
    if target {
        header.push("reached");
    }
    let row = |(name, of): (&String, &PlayerStatistics)| {
        let (mean, share) = (of.mean_score.unwrap_or_default(), of.win_share.unwrap_or_default());
        let bound = |percent| of.percentiles.iter().find(|one| one.percent == percent);
        let spread = match (bound(5), bound(95)) {
            (Some(low), Some(high)) => format!("{:.0} to {:.0}", low.score, high.score),
            _ => String::new(),
        };
        let mut row = vec![
            name.clone(),
            format!("{:.2}", mean.value),
            format!("{:.2} to {:.2}", mean.low, mean.high),
            of.standard_deviation.map_or_else(String::new, |spread| format!("{spread:.2}")),
            spread,
        ];
        if !alone {
            let half = (share.high - share.low) * 50.0;
            let share = format!("{:.1} ± {half:.1} %", share.value * 100.0);
            row.extend([of.wins.to_string(), of.shared_wins.to_string(), share]);
        }
        if lost {
            row.push(of.regret_per_decision.map_or_else(String::new, |lost| format!("{lost:.3}")));
        }
        if target {
            row.push(of.targets_reached.map_or_else(String::new, |games| games.to_string()));
        }
        row
    };
    let rows = report.names.iter().zip(players).map(row).collect();
    let requested = match report.games {
        games if games == *games_played => String::new(),
        games => format!(" of {games}"),
    };
    let mut text = format!(
        "{games_played}{requested} games from seed {} in {:.1} s\n{}\n",
        report.seed,
        report.seconds,
        table(&header, 1, rows)
    );
    if let Some(expected) = report.expected {
        text += &format!("best play averages {expected:.6}\n");
    }
    text
}
