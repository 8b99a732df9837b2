//! `dicepoker rulesets`: the built-in rulesets, or one of them in full.

use clap::Subcommand;
use dicepoker_client::proto::{
    ListRulesetsResponse, OpponentLevel, OpponentProfile, OptionType, RulesetFamily, RulesetOption,
};
use dicepoker_client::{Client, Json, Rules, Ruleset};
use prost_types::Value;

use crate::args::option;
use crate::documents::to_json;
use crate::failure::Failure;
use crate::output::{Output, table};

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    which: Option<Which>,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// All of them; the default.
    List,
    /// One of them in full.
    Show {
        /// Its id.
        id: String,

        /// Set an option of it, such as upper_bonus_threshold=63.
        #[arg(short, long = "option", value_name = "ID=VALUE", value_parser = option)]
        options: Vec<(String, Value)>,

        /// Print only the rules as data (JSON), for `--definition FILE`.
        #[arg(short, long)]
        definition: bool,
    },
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    match args.which.unwrap_or(Which::List) {
        Which::List => {
            let (rulesets, next_page_token) = (client.rulesets().await?, String::new());
            let answer = Json(ListRulesetsResponse { rulesets, next_page_token });
            output.answer(&answer, |Json(answer)| list(&answer.rulesets))
        }
        Which::Show { id, options, definition } => {
            let rules = options
                .into_iter()
                .fold(Rules::named(id), |rules, (id, value)| rules.option(id, value));
            let ruleset = client.ruleset(rules).await?;
            if definition {
                let definition = ruleset.definition.unwrap_or_default();
                return Output::new(true).answer(&Json(definition), |_| String::new());
            }
            output.answer(&Json(ruleset), |Json(ruleset)| show(ruleset))
        }
    }
}

fn list(rulesets: &[Ruleset]) -> String {
    let row = |ruleset: &Ruleset| {
        let expected = ruleset.expected_score.map_or_else(String::new, |e| format!("{e:.3}"));
        vec![
            ruleset.id.clone(),
            ruleset.title.clone(),
            ruleset.categories().len().to_string(),
            expected,
        ]
    };
    table(
        &["ruleset", "title", "rows", "best play averages"],
        2,
        rulesets.iter().map(row).collect(),
    )
}

fn show(ruleset: &Ruleset) -> String {
    let definition = ruleset.definition.clone().unwrap_or_default();
    let mut text = format!("{} ({})\n\n{}\n", ruleset.title, ruleset.id, ruleset.description);
    let family = ruleset.family();
    let kind = match family {
        RulesetFamily::ScoreSheet => "score sheet",
        RulesetFamily::Race => "race",
        RulesetFamily::Showdown => "showdown",
        RulesetFamily::Unspecified => "another kind of game",
    };
    text += &format!(
        "\n{kind}: {} dice with {} faces, {} throws a turn, up to {} players\n",
        definition.dice, definition.faces, definition.rolls, ruleset.max_players
    );
    if let Some(expected) = ruleset.expected_score {
        text += &format!("best play averages {expected:.6}\n");
    }
    if let Some(showdown) = &definition.showdown {
        let hands = showdown
            .hands
            .iter()
            .map(|hand| vec![hand.id.clone(), hand.title.clone(), hand.throws.to_string()]);
        text +=
            &format!("\n{}\n", table(&["hand, best first", "title", "throws"], 2, hands.collect()));
    }
    let row = |category: &dicepoker_client::Category| {
        vec![category.id.clone(), category.description.clone()]
    };
    let rows = definition.categories.iter().map(row).collect();
    text += &format!("\n{}\n", table(&["category", "pattern: points"], 2, rows));
    for bonus in &definition.upper_bonuses {
        text += &format!("upper section of {} or more: {} points\n", bonus.threshold, bonus.points);
    }
    if definition.five_alike_bonus > 0 {
        text += &format!("each further roll of all dice alike: {}\n", definition.five_alike_bonus);
    }
    if !ruleset.levels.is_empty() {
        let optional = |figure: Option<f64>, digits| {
            figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
        };
        let row = |level: &OpponentLevel| {
            let mut row = vec![level.level.to_string(), optional(level.mean_score, 1)];
            row.extend(match family {
                RulesetFamily::Race => vec![optional(level.beats_greedy, 2)],
                _ => vec![
                    optional(level.standard_deviation, 1),
                    optional(level.regret_per_decision, 2),
                ],
            });
            row.push(format!("{:.2}", level.beats_next));
            row
        };
        let header: &[&str] = match family {
            RulesetFamily::Race => &["level", "averages", "beats a greedy one", "beats the next"],
            _ => &["level", "averages", "deviation", "lost a move", "beats the next"],
        };
        text += &format!("\n{}\n", table(header, 0, ruleset.levels.iter().map(row).collect()));
    }
    if !ruleset.profiles.is_empty() {
        let row = |profile: &OpponentProfile| {
            let mean = profile.mean_score.map_or_else(String::new, |mean| format!("{mean:.1}"));
            vec![profile.id.clone(), mean, profile.description.clone()]
        };
        let header = ["profile", "averages", ""];
        text += &format!("\n{}\n", table(&header, 3, ruleset.profiles.iter().map(row).collect()));
    }
    for option in &ruleset.options {
        text += &format!("\n{}\n", show_option(option));
    }
    text
}

fn show_option(option: &RulesetOption) -> String {
    let RulesetOption { minimum, maximum, choices, .. } = option;
    let values = match option.value_type() {
        OptionType::Integer => format!("{minimum} to {maximum}"),
        OptionType::Boolean => "true or false".to_owned(),
        OptionType::Choice => format!("one of {}", choices.join(", ")),
        OptionType::Categories => format!("some of {}", choices.join(", ")),
        OptionType::Unspecified => "of an unknown kind".to_owned(),
    };
    let default = match option.default_value.as_ref().map(to_json) {
        Some(serde_json::Value::String(word)) => word,
        Some(serde_json::Value::Array(words)) => {
            words.iter().filter_map(|word| word.as_str()).collect::<Vec<_>>().join(",")
        }
        other => other.unwrap_or_default().to_string(),
    };
    format!(
        "--option {}=...  {} (default {default})\n  {}",
        option.id,
        values,
        option.description.trim().replace('\n', "\n  ")
    )
}
