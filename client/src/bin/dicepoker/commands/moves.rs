//! `dicepoker moves`: what the player to move may do.

use dicepoker_client::{Client, Move};

use crate::args::MomentArgs;
use crate::draw;
use crate::failure::Failure;
use crate::output::Output;

/// Whose moves.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    moment: MomentArgs,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let moment = args.moment.read(client).await?;
    let moves = client.legal_moves(&moment.rules, moment.position).await?;
    let line = |one: &Move| draw::chosen(&moment.ruleset, one);
    output.answer(&moves, |moves| moves.iter().map(line).collect::<Vec<_>>().join("\n"))
}
