//! `dicepoker simulate`: many games between players of any strength, played by the service, and how
//! they end.

use std::time::{Duration, Instant};

use dicepoker_client::{Client, Error, Family, Player, Rules, SimulateQuery, Statistics};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::{RulesArgs, player, read_position, spelled};
use crate::commands::rulesets::describe;
use crate::failure::Failure;
use crate::output::{Output, table};

/// As long as it takes, if nothing is said of a deadline.
const PATIENCE: Duration = Duration::from_secs(3600);

/// What to simulate.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,

    /// How many games.
    #[arg(short, long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// What dice and errors come from: the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// A player: best, a level from 1 to 10, or a profile; with @win or @target=POINTS what it
    /// plays for. Once for each player; the best alone unless set, in the race two of them.
    #[arg(long = "player", value_name = "PLAYER", value_parser = player)]
    players: Vec<Player>,

    /// File with a position as JSON (- for standard input), with which each game begins; or what
    /// `dicepoker --json turn`, `apply` or `play` printed.
    #[arg(short, long, value_name = "FILE")]
    position: Option<std::path::PathBuf>,
}

/// How the games ended.
#[derive(Debug, Serialize)]
struct Report {
    /// How many were asked for; `games_played` are fewer where something ended them.
    games: u32,
    seed: u64,
    seconds: f64,
    /// What best play averages, where the service knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    names: Vec<String>,
    #[serde(flatten)]
    statistics: Statistics,
}

/// Simulates; `patient` if nothing was said of a deadline.
pub(crate) async fn run(
    client: &Client,
    args: Args,
    patient: bool,
    output: Output,
) -> Result<(), Failure> {
    let (written, start) = match &args.position {
        Some(file) => read_position(file).map(|(rules, position)| (rules, Some(position)))?,
        None => (None, None),
    };
    let rules = args.rules.read_or(written)?;
    let ruleset = describe(client, &rules).await?;
    let players = match (args.players.is_empty(), ruleset.family) {
        (false, _) => args.players,
        (true, Family::Race) => vec![Player::default(); 2],
        (true, _) => vec![Player::default()],
    };
    let mut query = SimulateQuery::new(players.clone(), args.games, args.seed);
    if let Some(start) = start {
        query = query.starting_at(start);
    }
    let client = if patient { client.with_deadline(PATIENCE) } else { client.clone() };
    let begin = Instant::now();
    let progress = progress(args.games);
    let mut last = None;
    let ended = tokio::select! {
        ended = play(&client, &rules, query, |statistics| {
            progress.set_position(statistics.games_played.into());
            if let (None, Some(games)) = (&last, statistics.expected_games) {
                let asked = args.games;
                progress.println(format!("time for about {games} of {asked} games"));
            }
            last = Some(statistics);
        }) => ended.map_err(Failure::from),
        _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
    };
    progress.finish_and_clear();
    // What was played is told also where not all of it was.
    let Some(statistics) = last else { return ended };
    let report = Report {
        games: args.games,
        seed: args.seed,
        seconds: begin.elapsed().as_secs_f64(),
        expected: ruleset.expected_score,
        names: players.iter().map(spelled).collect(),
        statistics,
    };
    output.answer(&report, text)?;
    ended
}

/// Has the games played, and tells how they stand each time that the service does.
async fn play(
    client: &Client,
    rules: &Rules,
    query: SimulateQuery,
    mut tell: impl FnMut(Statistics),
) -> Result<(), Error> {
    let mut simulation = client.simulate(rules, query).await?;
    while let Some(statistics) = simulation.next().await? {
        tell(statistics);
    }
    Ok(())
}

fn progress(games: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left")
        .expect("a sound template");
    ProgressBar::new(games.into()).with_style(style)
}

fn text(report: &Report) -> String {
    let Statistics { games_played, players, .. } = &report.statistics;
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
    let row = |(name, of): (&String, &dicepoker_client::PlayerStatistics)| {
        let mean = of.mean_score;
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
            let half = (of.win_share.high - of.win_share.low) * 50.0;
            let share = format!("{:.1} ± {half:.1} %", of.win_share.value * 100.0);
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
    let asked = match report.games {
        games if games == *games_played => String::new(),
        games => format!(" of {games}"),
    };
    let mut text = format!(
        "{games_played}{asked} games from seed {} in {:.1} s\n{}\n",
        report.seed,
        report.seconds,
        table(&header, 1, rows)
    );
    if let Some(expected) = report.expected {
        text += &format!("best play averages {expected:.6}\n");
    }
    text
}
