//! `dicepoker moves`: what the player to move may do.

use dicepoker_client::{Client, Move};

use crate::args::{PositionArgs, RulesArgs};
use crate::failure::Failure;
use crate::output::Output;

/// Whose moves.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let moves = client.legal_moves(args.rules.read()?, args.position.read()?).await?;
    output.answer(&moves, |moves| moves.iter().map(Move::to_string).collect::<Vec<_>>().join("\n"))
}
