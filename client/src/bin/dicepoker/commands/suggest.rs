//! `dicepoker suggest`: the moves ranked, the move of an opponent, and an explanation.

use dicepoker_client::proto::{CategoryChance, RulesetFamily};
use dicepoker_client::{
    Alternative, Client, Json, Objective, Position, Ruleset, SuggestQuery, SuggestResponse,
};
use serde::Serialize;

use crate::args::{MomentArgs, OpponentArgs, objective};
use crate::documents::WrittenRules;
use crate::draw;
use crate::failure::Failure;
use crate::moment::Moment;
use crate::output::{Output, table};

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    moment: MomentArgs,

    /// Number of moves to show, best first; 0 for all.
    #[arg(short, long, default_value_t = 5, value_name = "COUNT")]
    top: u32,

    /// The objective: score, win or target=POINTS.
    #[arg(long, value_parser = objective)]
    objective: Option<Objective>,

    /// Explain the move in this language: en, pt or lt.
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

    /// The seed of the opponent's errors.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Advice with its rules and position, as other commands read it.
#[derive(Debug, Serialize)]
struct Advised {
    #[serde(flatten)]
    rules: WrittenRules,
    position: Json<Position>,
    #[serde(flatten)]
    advice: Json<SuggestResponse>,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let Moment { rules, ruleset, position } = Moment::find(client, args.moment).await?;
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
    let (position, advice) = (Json(position), Json(advice));
    let advised = Advised { rules: (&rules).into(), position, advice };
    output.answer(&advised, |Advised { advice: Json(advice), .. }| {
        let mut text = text(&ruleset, advice);
        if let Some(opponent) = opponent {
            let chosen = draw::answered(&ruleset, advice.r#move.as_ref());
            text += &format!("\n\n{opponent} plays: {chosen}");
        }
        text
    })
}

/// The moves with their values and regrets, and the explanation.
pub(crate) fn text(ruleset: &Ruleset, advice: &SuggestResponse) -> String {
    let first = advice.alternatives.first();
    let has = |figure: fn(&Alternative) -> bool| first.is_some_and(figure);
    // Where both choose at once, best play draws its move.
    let drawn = has(|one| one.probability.is_some());
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
    if drawn {
        header.push("played");
    }
    header.push("regret");
    // Regret has the unit by which moves are ranked.
    let in_chances = chances || target || margin;
    let row = |other: &Alternative| {
        let mut row = vec![draw::answered(ruleset, other.r#move.as_ref())];
        match other.expected_margin {
            Some(margin) => row.extend([percent(other.expected_value), format!("{margin:+.1}")]),
            None => row.push(format!("{:.3}", other.expected_value)),
        }
        if let Some(chances) = other.chances {
            row.extend([chances.win, chances.draw, chances.loss].map(percent));
        }
        row.extend(other.target_probability.map(percent));
        row.extend(other.probability.map(percent));
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
        text += match ruleset.family() {
            RulesetFamily::Showdown => "\n(not exact: moves are ranked by this round alone)",
            _ => "\n(chances are estimates: too many categories are open for exact ones)",
        };
    }
    if let Some(explanation) = &advice.explanation {
        text += &format!("\n\n{}\n", explanation.plan);
        let row = |chance: &CategoryChance| {
            vec![chance.category.clone(), percent(chance.recorded), percent(chance.made)]
        };
        let likely = explanation.category_chances.iter().filter(|chance| chance.recorded >= 0.005);
        let rows: Vec<_> = likely.map(row).collect();
        if !rows.is_empty() {
            text += &table(&["the turn may end in", "recorded", "made"], 1, rows);
        }
        let Some(score) = &explanation.score else { return text };
        let spread: Vec<String> = score
            .percentiles
            .iter()
            .map(|one| format!("{} % up to {:.0}", one.percent, one.score))
            .collect();
        text += &format!(
            "\n\nfinal score {:.1} ± {:.1}: {}",
            score.mean,
            score.standard_deviation,
            spread.join(", ")
        );
    }
    text
}

fn percent(probability: f64) -> String {
    format!("{:.2} %", probability * 100.0)
}
