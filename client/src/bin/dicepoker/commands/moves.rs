//! `dicepoker moves`: the legal moves of the player to move.

use dicepoker_client::proto::LegalMovesResponse;
use dicepoker_client::{Client, Json, Move};

use crate::args::MomentArgs;
use crate::draw;
use crate::failure::Failure;
use crate::moment::Moment;
use crate::output::Output;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    moment: MomentArgs,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let Moment { rules, ruleset, position } = Moment::find(client, args.moment).await?;
    let moves = client.legal_moves(rules, position).await?;
    let answer = LegalMovesResponse { moves: moves.iter().cloned().map(Into::into).collect() };
    let line = |one: &Move| draw::chosen(&ruleset, one);
    output.answer(&Json(answer), |_| moves.iter().map(line).collect::<Vec<_>>().join("\n"))
}
