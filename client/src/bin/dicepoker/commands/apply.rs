//! `dicepoker apply`: plays a move and prints the position after it.

use std::path::PathBuf;

use dicepoker_client::{ApplyResponse, Client, Json, Move, Ruleset, Throw, proto};
use serde::Serialize;

use crate::args::MomentArgs;
use crate::commands::score::totals;
use crate::documents::{Played, read_move};
use crate::draw;
use crate::failure::Failure;
use crate::moment::{Moment, parse_dice};
use crate::output::Output;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    chosen: Chosen,

    /// The dice thrown, as many as are not kept.
    #[arg(id = "thrown", long = "dice", value_name = "DICE", conflicts_with = "seed")]
    thrown: Option<String>,

    /// Throw the dice from this seed, if the move throws any.
    #[arg(long)]
    seed: Option<u64>,
}

/// The move.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Chosen {
    /// Keep these dice and throw the others.
    #[arg(long, value_name = "DICE")]
    keep: Option<String>,

    /// Throw all dice.
    #[arg(long)]
    throw: bool,

    /// Record the roll in this category.
    #[arg(long, value_name = "ID")]
    record: Option<String>,

    /// End the turn (race).
    #[arg(long)]
    stop: bool,

    /// File with a move as JSON (- for standard input), one of those that `dicepoker --json moves`
    /// lists; or the output of `dicepoker --json suggest`, whose move is played.
    #[arg(id = "move", long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// A move and its result.
#[derive(Debug, Serialize)]
struct Made {
    #[serde(rename = "move")]
    chosen: Json<proto::Move>,
    #[serde(flatten)]
    applied: Json<ApplyResponse>,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let Moment { rules, ruleset, position } = Moment::find(client, args.moment).await?;
    let chosen = match args.chosen {
        Chosen { keep: Some(dice), .. } => Move::Keep { dice: parse_dice(&ruleset, &dice)? },
        Chosen { record: Some(category), .. } => Move::record(category),
        Chosen { stop: true, .. } => Move::Stop,
        Chosen { file: Some(file), .. } => read_move(&file)?,
        Chosen { .. } => Move::throw_all(),
    };
    let throw = match (args.thrown, args.seed) {
        (Some(dice), _) => Throw::Dice(parse_dice(&ruleset, &dice)?),
        (None, Some(seed)) => Throw::Seed(seed),
        (None, None) => Throw::None,
    };
    let applied = client.apply(&rules, position.clone(), chosen.clone(), throw).await?;
    let made = Made { chosen: Json(chosen.into()), applied: Json(applied) };
    let played = Played::new(&rules, position, made);
    output.answer(&played, |played| text(&ruleset, &played.answer.applied.0))
}

fn text(ruleset: &Ruleset, applied: &ApplyResponse) -> String {
    let mut text = String::new();
    if !applied.thrown.is_empty() {
        text += &format!("thrown: {}\n", draw::faces(ruleset, &applied.thrown));
    }
    if let Some(recorded) = &applied.recorded {
        text += &format!("recorded: {} in {}", recorded.points, recorded.category);
        if recorded.bonus > 0 {
            text += &format!(", with a bonus of {}", recorded.bonus);
        }
        text += "\n";
    }
    if applied.row_closed {
        let doubled = if applied.row_doubled { ", and counts double" } else { "" };
        text += &format!("the row is closed for all players{doubled}\n");
    }
    let position = applied.position.clone().unwrap_or_default();
    if !position.dice.is_empty() {
        text += &draw::dice(&position.dice, &|face| ruleset.label(face));
        text += &format!("throws left: {}\n", position.rolls_left);
    }
    for (player, sums) in applied.totals.iter().enumerate() {
        text += &format!("player {}: {}\n", player + 1, totals(ruleset, sums));
    }
    if applied.turn_ended && !applied.game_ended && applied.totals.len() > 1 {
        text += &format!("player {} is next\n", position.to_move + 1);
    }
    if applied.game_ended {
        let winners: Vec<String> =
            applied.winners.iter().map(|player| format!("player {}", player + 1)).collect();
        text += &format!("the game is over: {} won\n", winners.join(" and "));
    }
    text
}
