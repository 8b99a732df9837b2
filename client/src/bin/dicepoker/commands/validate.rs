//! `dicepoker validate`: checks rules, and estimates the cost of solving them.

use std::fmt::Write as _;

use dicepoker_client::proto::{SupportQuality, SupportedFeature};
use dicepoker_client::{Client, Json, ValidateRulesetResponse};

use crate::args::RulesArgs;
use crate::failure::Failure;
use crate::output::Output;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let validated = client.validate(args.rules.read()?).await?;
    output.answer(&Json(validated), |Json(validated)| text(validated))
}

fn text(validated: &ValidateRulesetResponse) -> String {
    let ValidateRulesetResponse { states, table_bytes, working_bytes, estimated_seconds, .. } =
        validated;
    let accepted = if validated.accepted {
        "this service would solve them"
    } else {
        "too large for this service"
    };
    let mut text = format!(
        "sound; {accepted}\n{states} states, {:.1} MB and {:.1} MB more while solving, about \
         {estimated_seconds:.2} s\nkey {}",
        *table_bytes as f64 / 1e6,
        *working_bytes as f64 / 1e6,
        validated.key
    );
    for support in &validated.support {
        let feature = match support.feature() {
            SupportedFeature::ExpectedScore => "expected score",
            SupportedFeature::Win => "win",
            SupportedFeature::ReachTarget => "target",
            SupportedFeature::Explanation => "explanation",
            SupportedFeature::Unspecified => continue,
        };
        let quality = match support.quality() {
            SupportQuality::Exact => "exact",
            SupportQuality::Estimated => "estimated",
            SupportQuality::None => "none",
            SupportQuality::Unspecified => "unknown",
        };
        let _ = write!(text, "\n{feature}: {quality}");
        if !support.limitation.is_empty() {
            let _ = write!(text, " ({})", support.limitation);
        }
    }
    text
}
