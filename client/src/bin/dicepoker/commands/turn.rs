//! `dicepoker turn`: somebody plays a whole turn.

use dicepoker_client::{Client, PlayedTurn, Player, Ruleset};

use crate::args::{PositionArgs, RulesArgs, player};
use crate::commands::rulesets::describe;
use crate::commands::score::totals;
use crate::draw;
use crate::failure::Failure;
use crate::output::Output;

/// Who plays, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Who plays: best, a level from 1 to 10, or a profile; with @win or @target=POINTS what for.
    #[arg(long, value_name = "PLAYER", default_value = "best", value_parser = player)]
    player: Player,

    /// What dice and errors come from.
    #[arg(long)]
    seed: u64,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let (rules, position) = (args.rules.read()?, args.position.read()?);
    let turn = client.play_turn(&rules, position, args.player, args.seed).await?;
    if output.is_json() {
        return output.answer(&turn, |_| String::new());
    }
    let ruleset = describe(client, &rules).await?;
    output.answer(&turn, |turn| text(&ruleset, turn))
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
        text += &format!("player {}: {}\n", player + 1, totals(sums));
    }
    text
}
