//! `dicepoker score`: the score of a roll in each category, and the sums of a scorecard.

use std::path::PathBuf;

use dicepoker_client::proto::{IllegalReason, RulesetFamily, ScorecardTotals};
use dicepoker_client::{CategoryScore, Client, Json, Ruleset, ScoreQuery, ScoreResponse};

use crate::args::{CardArgs, RulesArgs};
use crate::documents::read_position;
use crate::failure::Failure;
use crate::moment::{describe, parse_dice};
use crate::output::{Output, table};

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The dice, by number or by name: 13244, AAKKQ; none to add up a card.
    dice: Option<String>,

    /// Score only this category.
    #[arg(short, long, value_name = "ID")]
    category: Option<String>,

    #[command(flatten)]
    card: CardArgs,

    /// File with a whole position as JSON (- for standard input), or the output of
    /// `dicepoker --json turn`, `apply` or `play`: if other players' cards or the number of the throw
    /// matter.
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
        None => ScoreQuery::from(parse_dice(&ruleset, args.dice.as_deref().unwrap_or_default())?),
    };
    if let Some(card) = args.card.read()? {
        query = query.on(card);
    }
    if let Some(category) = args.category {
        query = query.only(category);
    }
    let scores = client.score(&rules, query).await?;
    output.answer(&Json(scores), |Json(scores)| text(&ruleset, scores))
}

fn text(ruleset: &Ruleset, scores: &ScoreResponse) -> String {
    let on_card = scores.totals.clone().unwrap_or_default();
    let sums = format!("on the card: {}", totals(ruleset, &on_card));
    if scores.scores.is_empty() {
        return sums;
    }
    let text = if ruleset.family() == RulesetFamily::Race {
        let rows = scores.scores.iter().map(race_row).collect();
        table(&["category", "points", "thrown together", "cell", ""], 1, rows)
    } else {
        let rows = scores.scores.iter().map(row).collect();
        table(&["category", "points", "bonus", ""], 1, rows)
    };
    if on_card.grand_total == 0 { text } else { format!("{text}\n\n{sums}") }
}

fn row(score: &CategoryScore) -> Vec<String> {
    let bonus = if score.bonus == 0 { String::new() } else { format!("+{}", score.bonus) };
    vec![score.category.clone(), score.points.to_string(), bonus, why(score)]
}

/// A row of the race, which has no bonuses, but pays more for dice thrown together.
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
    let why = match (score.illegal_reason(), &score.race) {
        (IllegalReason::Unspecified, _) if score.legal => "",
        (IllegalReason::Unspecified, _) => "not allowed",
        (IllegalReason::Filled, _) => "filled",
        (IllegalReason::JokerElsewhere, _) => "joker must go elsewhere",
        (IllegalReason::Closed, _) => "closed",
        (IllegalReason::BelowMinimum, Some(race)) => return format!("needs {}", race.minimum),
        (IllegalReason::BelowMinimum, None) => "too little",
        (IllegalReason::NoPattern, _) => "not what the dice show",
        (IllegalReason::NotOpen, _) => "opens when others are full",
        (IllegalReason::NotAnnounced, _) => "only when announced",
        (IllegalReason::AnnouncedElsewhere, _) => "another is announced",
        (IllegalReason::NotFullThrow, _) => "only when all dice are thrown together",
    };
    why.to_owned()
}

/// The sums of a card in a line.
pub(crate) fn totals(ruleset: &Ruleset, totals: &ScorecardTotals) -> String {
    if ruleset.family() == RulesetFamily::Race {
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
