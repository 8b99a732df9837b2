//! `dicepoker turn`: somebody plays a whole turn.

use dicepoker_client::{Client, PlayedTurn, Player, Ruleset};

use crate::args::{Moment, MomentArgs, player};
use crate::commands::played::Played;
use crate::commands::score::totals;
use crate::draw;
use crate::failure::Failure;
use crate::output::Output;

/// Who plays, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    moment: MomentArgs,

    /// Who plays: best, a level from 1 to 10, or a profile; with @win or @target=POINTS what for.
    #[arg(long, value_name = "PLAYER", default_value = "best", value_parser = player)]
    player: Player,

    /// What dice and errors come from.
    #[arg(long)]
    seed: u64,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let Moment { rules, ruleset, position } = args.moment.read(client).await?;
    let turn = client.play_turn(&rules, position.clone(), args.player, args.seed).await?;
    output.answer(&Played::new(&rules, position, turn), |played| text(&ruleset, &played.answer))
}

fn text(ruleset: &Ruleset, turn: &PlayedTurn) -> String {
    let mut text = String::new();
    for step in &turn.steps {
        let (dice, chosen) =
            (draw::faces(ruleset, &step.dice), draw::chosen(ruleset, &step.chosen));
        text += &format!("{dice:>12}  {chosen}");
        if let Some(recorded) = &step.recorded {
            text += &format!(": {} points", recorded.points + recorded.bonus);
        } else if !step.thrown.is_empty() {
            text += &format!(", throws {}", draw::faces(ruleset, &step.thrown));
        }
        text += "\n";
    }
    for (player, sums) in turn.totals.iter().enumerate() {
        text += &format!("player {}: {}\n", player + 1, totals(ruleset, sums));
    }
    text
}
