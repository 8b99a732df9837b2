//! `dicepoker score`: what a roll is worth in each category, and what a scorecard adds up to.

use std::path::PathBuf;

use dicepoker_client::{
    CategoryScore, Client, Family, IllegalReason, Ruleset, ScoreQuery, Scores, Totals,
};

use crate::args::{CardArgs, RulesArgs, read_dice, read_position};
use crate::commands::rulesets::describe;
use crate::failure::Failure;
use crate::output::{Output, table};

/// What is to be scored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The dice, by number or by name: 13244, AAKKQ; may be left out to add up a card.
    dice: Option<String>,

    /// Only this category.
    #[arg(short, long, value_name = "ID")]
    category: Option<String>,

    #[command(flatten)]
    card: CardArgs,

    /// File with a whole position as JSON (- for standard input) instead, or what
    /// `dicepoker --json turn`, `apply` or `play` printed: where other players' cards or the number
    /// of the throw matter.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["dice", "card"])]
    position: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesArgs,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let (written, position) = match &args.position {
        Some(file) => read_position(file).map(|(rules, position)| (rules, Some(position)))?,
        None => (None, None),
    };
    let rules = args.rules.read_or(written)?;
    let ruleset = describe(client, &rules).await?;
    let mut query = match position {
        Some(position) => ScoreQuery::position(position),
        None => ScoreQuery::from(read_dice(&ruleset, args.dice.as_deref().unwrap_or_default())?),
    };
    if let Some(card) = args.card.read()? {
        query = query.on(card);
    }
    if let Some(category) = args.category {
        query = query.only(category);
    }
    let scores = client.score(&rules, query).await?;
    output.answer(&scores, |scores| text(&ruleset, scores))
}

fn text(ruleset: &Ruleset, scores: &Scores) -> String {
    let sums = format!("on the card: {}", totals(ruleset, &scores.totals));
    if scores.scores.is_empty() {
        return sums;
    }
    let text = if ruleset.family == Family::Race {
        let rows = scores.scores.iter().map(race_row).collect();
        table(&["category", "points", "thrown together", "cell", ""], 1, rows)
    } else {
        let rows = scores.scores.iter().map(row).collect();
        table(&["category", "points", "bonus", ""], 1, rows)
    };
    if scores.totals.grand_total == 0 { text } else { format!("{text}\n\n{sums}") }
}

fn row(score: &CategoryScore) -> Vec<String> {
    let bonus = if score.bonus == 0 { String::new() } else { format!("+{}", score.bonus) };
    vec![score.category.clone(), score.points.to_string(), bonus, why(score)]
}

/// A row of the race, which knows no bonuses, but pays more for dice thrown together.
fn race_row(score: &CategoryScore) -> Vec<String> {
    let race = score.race.unwrap_or_default();
    let cell = if race.cell == 0 { String::new() } else { race.cell.to_string() };
    vec![
        score.category.clone(),
        score.points.to_string(),
        race.full_throw_points.to_string(),
        cell,
        why(score),
    ]
}

/// Why a roll may not be recorded, in a few words.
fn why(score: &CategoryScore) -> String {
    let told = match score.illegal_reason {
        None => "",
        Some(IllegalReason::Filled) => "filled",
        Some(IllegalReason::JokerElsewhere) => "joker must go elsewhere",
        Some(IllegalReason::Closed) => "closed",
        Some(IllegalReason::BelowMinimum) => match score.race {
            Some(race) => return format!("needs {}", race.minimum),
            None => "too little",
        },
        Some(IllegalReason::NoPattern) => "not what the dice show",
        Some(IllegalReason::NotFullThrow) => "only when all dice are thrown together",
        Some(_) => "not allowed",
    };
    told.to_owned()
}

/// The sums of a card in a line.
pub(crate) fn totals(ruleset: &Ruleset, totals: &Totals) -> String {
    if ruleset.family == Family::Race {
        let rows = totals.rows.iter().filter(|row| row.points > 0);
        let rows: Vec<String> =
            rows.map(|row| format!("{} {}", row.category, row.points)).collect();
        return match rows.as_slice() {
            [] => totals.grand_total.to_string(),
            rows => format!("{} ({})", totals.grand_total, rows.join(", ")),
        };
    }
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
