//! `dicepoker score`: what a roll is worth in each category, and what a scorecard adds up to.

use dicepoker_client::{CategoryScore, Client, Dice, IllegalReason, ScoreQuery, Scores, Totals};

use crate::args::{CardArgs, RulesArgs};
use crate::failure::Failure;
use crate::output::{Output, table};

/// What is to be scored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The dice; may be left out to add up a card.
    dice: Option<Dice>,

    /// Only this category.
    #[arg(short, long, value_name = "ID")]
    category: Option<String>,

    #[command(flatten)]
    card: CardArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let mut query = ScoreQuery::from(args.dice.unwrap_or_default());
    if let Some(card) = args.card.read()? {
        query = query.on(card);
    }
    if let Some(category) = args.category {
        query = query.only(category);
    }
    let scores = client.score(args.rules.read()?, query).await?;
    output.answer(&scores, text)
}

fn text(scores: &Scores) -> String {
    let sums = format!("on the card: {}", totals(&scores.totals));
    if scores.scores.is_empty() {
        return sums;
    }
    let rows = scores.scores.iter().map(row).collect();
    let text = table(&["category", "points", "bonus", ""], 1, rows);
    if scores.totals == Totals::default() { text } else { format!("{text}\n\n{sums}") }
}

fn row(score: &CategoryScore) -> Vec<String> {
    let bonus = if score.bonus == 0 { String::new() } else { format!("+{}", score.bonus) };
    vec![score.category.clone(), score.points.to_string(), bonus, why(score).to_owned()]
}

/// Why a roll may not be recorded, in a word or two.
pub(crate) fn why(score: &CategoryScore) -> &'static str {
    match score.illegal_reason {
        None => "",
        Some(IllegalReason::Filled) => "filled",
        Some(IllegalReason::JokerElsewhere) => "joker must go elsewhere",
        Some(IllegalReason::Closed) => "closed",
        Some(IllegalReason::BelowMinimum) => "too little",
        Some(IllegalReason::NoPattern) => "does not hold",
        Some(IllegalReason::NotFullThrow) => "only when all dice are thrown together",
        Some(_) => "not allowed",
    }
}

/// The sums of a card in a line.
pub(crate) fn totals(totals: &Totals) -> String {
    let mut text = format!("{} (upper {}", totals.grand_total, totals.upper_subtotal);
    if totals.upper_bonus > 0 {
        text += &format!(" + {}", totals.upper_bonus);
    }
    text += &format!(", lower {}", totals.lower_subtotal);
    if totals.five_alike_bonus > 0 {
        text += &format!(", bonuses {}", totals.five_alike_bonus);
    }
    text + ")"
}
