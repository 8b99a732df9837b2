//! `dicepoker turn`: a player of any strength plays a whole turn.

use dicepoker_client::{Client, Json, PlayTurnResponse, Player, Ruleset};

use crate::args::{MomentArgs, player};
use crate::commands::score::totals;
use crate::documents::Played;
use crate::draw;
use crate::failure::Failure;
use crate::moment::Moment;
use crate::output::Output;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    moment: MomentArgs,

    /// The player: best, a level from 1 to 10, or a profile; @win or @target=POINTS sets its
    /// objective.
    #[arg(long, value_name = "PLAYER", default_value = "best", value_parser = player)]
    player: Player,

    /// The seed of the dice and of the player's errors.
    #[arg(long)]
    seed: u64,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let Moment { rules, ruleset, position } = Moment::find(client, args.moment).await?;
    let turn = client.play_turn(&rules, position.clone(), args.player, args.seed).await?;
    let played = Played::new(&rules, position, Json(turn));
    output.answer(&played, |played| text(&ruleset, &played.answer.0))
}

fn text(ruleset: &Ruleset, turn: &PlayTurnResponse) -> String {
    let mut text = String::new();
    for step in &turn.steps {
        let (dice, chosen) =
            (draw::faces(ruleset, &step.dice), draw::answered(ruleset, step.r#move.as_ref()));
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
