//! `dicepoker apply`: plays a move and shows the position after it.

use dicepoker_client::{Applied, Client, Dice, Move, Throw};

use crate::args::{PositionArgs, RulesArgs};
use crate::commands::score::totals;
use crate::draw;
use crate::failure::Failure;
use crate::output::Output;

/// What to play, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    chosen: Chosen,

    /// The dice thrown, as many as are not kept.
    #[arg(id = "thrown", long = "dice", value_name = "DICE", conflicts_with = "seed")]
    thrown: Option<Dice>,

    /// Have the dice thrown from this seed.
    #[arg(long)]
    seed: Option<u64>,
}

/// The move.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Chosen {
    /// Keep these dice and throw the others.
    #[arg(long, value_name = "DICE")]
    keep: Option<Dice>,

    /// Throw all dice.
    #[arg(long)]
    throw: bool,

    /// Write the roll into this category.
    #[arg(long, value_name = "ID")]
    record: Option<String>,

    /// End the turn (race).
    #[arg(long)]
    stop: bool,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let chosen = match args.chosen {
        Chosen { keep: Some(dice), .. } => Move::Keep { dice },
        Chosen { record: Some(category), .. } => Move::Record { category },
        Chosen { stop: true, .. } => Move::Stop {},
        Chosen { .. } => Move::throw_all(),
    };
    let throw = match (args.thrown, args.seed) {
        (Some(dice), _) => Throw::Dice(dice),
        (None, Some(seed)) => Throw::Seed(seed),
        (None, None) => Throw::None,
    };
    let (rules, position) = (args.rules.read()?, args.position.read()?);
    let applied = client.apply(rules, position, chosen, throw).await?;
    output.answer(&applied, text)
}

fn text(applied: &Applied) -> String {
    let mut text = String::new();
    if !applied.thrown.is_empty() {
        text += &format!("thrown: {}\n", applied.thrown);
    }
    if let Some(recorded) = &applied.recorded {
        text += &format!("recorded: {} in {}", recorded.points, recorded.category);
        if recorded.bonus > 0 {
            text += &format!(", with a bonus of {}", recorded.bonus);
        }
        text += "\n";
    }
    if !applied.position.dice.is_empty() {
        text += &draw::dice(&applied.position.dice, &|face| face.to_string());
        text += &format!("throws left: {}\n", applied.position.rolls_left);
    }
    for (player, sums) in applied.totals.iter().enumerate() {
        text += &format!("player {}: {}\n", player + 1, totals(sums));
    }
    if applied.game_ended {
        let winners: Vec<String> =
            applied.winners.iter().map(|player| format!("player {}", player + 1)).collect();
        text += &format!("the game is over: {} won\n", winners.join(" and "));
    }
    text
}
