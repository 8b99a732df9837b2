//! `dicepoker suggest`: the best move, and what every other is worth.

use dicepoker_client::{Advice, Client, SuggestQuery};

use crate::args::{PositionArgs, RulesArgs};
use crate::failure::Failure;
use crate::output::{Output, table};

/// What to give advice on.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// How many moves to show, best first; 0 for all.
    #[arg(short, long, default_value_t = 5, value_name = "COUNT")]
    top: u32,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let (rules, position) = (args.rules.read()?, args.position.read()?);
    let advice = client.suggest(rules, SuggestQuery::from(position).top(args.top)).await?;
    output.answer(&advice, text)
}

/// The moves with what they are worth and give up.
pub(crate) fn text(advice: &Advice) -> String {
    let row = |other: &dicepoker_client::Alternative| {
        vec![
            other.chosen.to_string(),
            format!("{:.3}", other.expected_value),
            if other.regret < 0.0005 { "best".to_owned() } else { format!("-{:.3}", other.regret) },
        ]
    };
    let rows = advice.alternatives.iter().map(row).collect();
    table(&["move", "expected", "regret"], 1, rows)
}
