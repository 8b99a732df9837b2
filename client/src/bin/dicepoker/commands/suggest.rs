//! `dicepoker suggest`: the best move, what every other is worth, what an opponent would play, and
//! why.

use dicepoker_client::{Advice, Alternative, Client, Objective, Position, Ruleset, SuggestQuery};
use serde::Serialize;

use crate::args::{Moment, MomentArgs, OpponentArgs, WrittenRules, objective};
use crate::draw;
use crate::failure::Failure;
use crate::output::{Output, table};

/// What to give advice on.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    moment: MomentArgs,

    /// How many moves to show, best first; 0 for all.
    #[arg(short, long, default_value_t = 5, value_name = "COUNT")]
    top: u32,

    /// What to play for: score, win or target=POINTS.
    #[arg(long, value_parser = objective)]
    objective: Option<Objective>,

    /// Tell why, in this language: en, pt or lt.
    #[arg(
        short,
        long,
        value_name = "LANGUAGE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "en"
    )]
    explain: Option<String>,

    #[command(flatten)]
    opponent: OpponentArgs,

    /// What the opponent's errors come from.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Advice beside what it is on, so that the next command can go on from there.
#[derive(Debug, Serialize)]
struct Advised {
    #[serde(flatten)]
    rules: WrittenRules,
    position: Position,
    #[serde(flatten)]
    advice: Advice,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let Moment { rules, ruleset, position } = args.moment.read(client).await?;
    let mut query = SuggestQuery::from(position.clone()).top(args.top);
    if let Some(objective) = args.objective {
        query = query.objective(objective);
    }
    if let Some(language) = args.explain {
        query = query.explained(language);
    }
    let opponent = args.opponent.read();
    if let Some(opponent) = &opponent {
        query = query.opponent(opponent.clone(), args.seed);
    }
    let advice = client.suggest(&rules, query).await?;
    let advised = Advised { rules: (&rules).into(), position, advice };
    output.answer(&advised, |Advised { advice, .. }| {
        let mut told = text(&ruleset, advice);
        if let (Some(opponent), Some(chosen)) = (opponent, &advice.opponent_move) {
            told += &format!("\n\n{opponent} plays: {}", draw::chosen(&ruleset, chosen));
        }
        told
    })
}

/// The moves with what they are worth and give up, and why.
pub(crate) fn text(ruleset: &Ruleset, advice: &Advice) -> String {
    let first = advice.alternatives.first();
    let has = |figure: fn(&Alternative) -> bool| first.is_some_and(figure);
    let (chances, target, margin) = (
        has(|one| one.chances.is_some()),
        has(|one| one.target_probability.is_some()),
        has(|one| one.expected_margin.is_some()),
    );
    let mut header = vec!["move"];
    header.extend(if margin { ["win", "margin"].as_slice() } else { ["expected"].as_slice() });
    if chances {
        header.extend(["win", "draw", "loss"]);
    }
    if target {
        header.push("target");
    }
    header.push("regret");
    // Regret is in the unit that the moves are ranked by.
    let in_chances = chances || target || margin;
    let row = |other: &Alternative| {
        let mut row = vec![draw::chosen(ruleset, &other.chosen)];
        match other.expected_margin {
            Some(margin) => row.extend([percent(other.expected_value), format!("{margin:+.1}")]),
            None => row.push(format!("{:.3}", other.expected_value)),
        }
        if let Some(chances) = other.chances {
            row.extend([chances.win, chances.draw, chances.loss].map(percent));
        }
        row.extend(other.target_probability.map(percent));
        row.push(match (other.regret, in_chances) {
            (regret, true) if regret < 0.000_05 => "best".to_owned(),
            (regret, true) => format!("-{}", percent(regret)),
            (regret, false) if regret < 0.0005 => "best".to_owned(),
            (regret, false) => format!("-{regret:.3}"),
        });
        row
    };
    let rows = advice.alternatives.iter().map(row).collect();
    let mut text = table(&header, 1, rows);
    if (chances || target) && !advice.exact {
        text += "\n(chances are estimates: too many categories are open to count them out)";
    }
    if let Some(told) = &advice.explanation {
        text += &format!("\n\n{}\n", told.plan);
        let row = |chance: &dicepoker_client::CategoryChance| {
            vec![chance.category.clone(), percent(chance.recorded), percent(chance.made)]
        };
        let likely = told.category_chances.iter().filter(|chance| chance.recorded >= 0.005);
        let rows = likely.map(row).collect();
        text += &table(&["the turn may end in", "recorded", "made"], 1, rows);
        let spread: Vec<String> = told
            .score
            .percentiles
            .iter()
            .map(|one| format!("{} % up to {:.0}", one.percent, one.score))
            .collect();
        text += &format!(
            "\n\nfinal score {:.1} ± {:.1}: {}",
            told.score.mean,
            told.score.standard_deviation,
            spread.join(", ")
        );
    }
    text
}

fn percent(probability: f64) -> String {
    format!("{:.2} %", probability * 100.0)
}
