//! `dicepoker play`: a game in the terminal. It reads one line for each decision from standard
//! input, so that a script can play too, and ends with a review of the player's moves.

mod input;
mod review;
mod showdown;
mod table;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::PathBuf;

use dicepoker_client::proto::{RulesetFamily, ScorecardTotals, SimulatedPlayer};
use dicepoker_client::{Client, Json, Position, ReviewResponse};
use serde::Serialize;

use crate::args::{OpponentArgs, RulesArgs};
use crate::documents::{SavedGame, WrittenRules};
use crate::failure::Failure;
use crate::moment::describe;
use crate::output::Output;
use table::{Player, Table};

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,

    /// Number of people at the keyboard.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=31))]
    players: u32,

    /// Number of opponents; 0 to play alone. 1 unless it is given, and 0 where the rules are for
    /// no more players.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=31))]
    bots: Option<u32>,

    #[command(flatten)]
    strength: OpponentArgs,

    /// Throw the dice from this seed: the same seed and moves give the same game.
    #[arg(long)]
    seed: Option<u64>,

    /// Leave out the review at the end.
    #[arg(long)]
    no_review: bool,

    /// Write the game to this file, for `dicepoker review`.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// The result of a game, for programs.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(flatten)]
    rules: WrittenRules,
    seed: u64,
    finished: bool,
    players: Vec<Standing>,
    winners: Vec<u32>,
    position: Json<Position>,
    review: Option<Json<ReviewResponse>>,
}

#[derive(Debug, Serialize)]
struct Standing {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bot: Option<Json<SimulatedPlayer>>,
    totals: Json<ScorecardTotals>,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let rules = args.rules.read()?;
    let ruleset = describe(client, &rules).await?;
    let bots = args.bots.unwrap_or(u32::from(ruleset.max_players > args.players));
    let at_table = args.players + bots;
    if at_table > ruleset.max_players {
        return Err(Failure::Argument(format!(
            "{at_table} players: {} allows at most {}, --players and --bots together",
            ruleset.id, ruleset.max_players
        )));
    }
    if at_table < ruleset.min_players {
        return Err(Failure::Argument(format!(
            "{at_table} players: {} needs at least {}, --players and --bots together",
            ruleset.id, ruleset.min_players
        )));
    }
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let people = (1..=args.players).map(|i| Player {
        name: if args.players == 1 { "you".to_owned() } else { format!("player {i}") },
        bot: None,
    });
    let opponent = dicepoker_client::Player { opponent: args.strength.read(), objective: None };
    let bots = (1..=bots).map(|i| Player {
        name: if bots == 1 { "bot".to_owned() } else { format!("bot {i}") },
        bot: Some(opponent.clone()),
    });
    let mut screen = Screen { for_programs: output.is_json() };
    screen.say(&format!("{}, seed {seed}. Type help for help.", ruleset.title))?;
    let mut table = Table::new(client, &rules, &ruleset, people.chain(bots).collect(), seed);
    let finished = match ruleset.family() {
        RulesetFamily::Showdown => showdown::play(&mut table, &mut screen).await?,
        _ => table.play(&mut screen).await?,
    };
    if let Some(file) = &args.save {
        let saved = SavedGame::new(&rules, table.record().clone());
        let json = serde_json::to_string_pretty(&saved).map_err(std::io::Error::from)?;
        std::fs::write(file, json + "\n").map_err(|error| Failure::file(file, error))?;
    }
    let review = if args.no_review || !table.has_decisions() {
        None
    } else {
        let review = client.review(&rules, table.record().clone()).await?;
        screen.say(&review::text(&ruleset, table.players(), &review))?;
        Some(review)
    };
    if output.is_json() {
        let standing = |(player, totals): (&Player, &ScorecardTotals)| Standing {
            name: player.name.clone(),
            bot: player.bot.clone().map(|bot| Json(bot.into())),
            totals: Json(totals.clone()),
        };
        // A showdown has no points.
        let mut totals = table.totals().to_vec();
        totals.resize(table.players().len(), ScorecardTotals::default());
        let summary = Summary {
            rules: WrittenRules::from(&rules),
            seed,
            finished,
            players: table.players().iter().zip(&totals).map(standing).collect(),
            winners: table.winners().to_vec(),
            position: Json(table.position().clone()),
            review: review.map(Json),
        };
        output.answer(&summary, |_| String::new())?;
    }
    Ok(())
}

/// The output for people: standard output, or standard error with `--json`.
#[derive(Debug)]
struct Screen {
    for_programs: bool,
}

impl Screen {
    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let line = format!("{}\n", text.trim_end());
        self.write(&line)
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        if self.for_programs {
            std::io::stderr().lock().write_all(text.as_bytes())?;
        } else {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }
}
