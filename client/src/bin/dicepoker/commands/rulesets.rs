//! `dicepoker rulesets`: the built-in rulesets, or one of them in full.

use clap::Subcommand;
use dicepoker_client::{
    Client, Definition, Family, OpponentLevel, OpponentProfile, OptionKind, OptionValue, Rules,
    Ruleset, RulesetOption,
};

use crate::args::option;
use crate::failure::Failure;
use crate::output::{Output, table};

/// Which rulesets.
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
        options: Vec<(String, OptionValue)>,

        /// Print only the rules as data (JSON), to be changed and used with `--definition FILE`.
        #[arg(short, long)]
        definition: bool,
    },
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    match args.which.unwrap_or(Which::List) {
        Which::List => output.answer(&client.rulesets().await?, |rulesets| list(rulesets)),
        Which::Show { id, options, definition } => {
            let rules = options
                .into_iter()
                .fold(Rules::named(id), |rules, (id, value)| rules.option(id, value));
            let ruleset = client.ruleset(rules).await?;
            if definition {
                return Output::new(true).answer(&ruleset.definition, |_| String::new());
            }
            output.answer(&ruleset, show)
        }
    }
}

/// The ruleset to draw; one sent as data describes itself.
pub(crate) async fn describe(client: &Client, rules: &Rules) -> Result<Ruleset, Failure> {
    let Some(definition) = rules.definition() else { return Ok(client.ruleset(rules).await?) };
    Ok(described(definition.clone()))
}

/// A game of one's own, as far as it describes itself.
pub(crate) fn described(definition: Definition) -> Ruleset {
    Ruleset {
        id: "definition".to_owned(),
        title: "Your own game".to_owned(),
        description: String::new(),
        family: Family::ScoreSheet,
        definition,
        options: Vec::new(),
        faces: Vec::new(),
        max_players: 32,
        expected_score: None,
        levels: Vec::new(),
        profiles: Vec::new(),
    }
}

fn list(rulesets: &[Ruleset]) -> String {
    let row = |ruleset: &Ruleset| {
        let expected = ruleset.expected_score.map_or_else(String::new, |e| format!("{e:.3}"));
        vec![
            ruleset.id.clone(),
            ruleset.title.clone(),
            ruleset.definition.categories.len().to_string(),
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
    let definition = &ruleset.definition;
    let mut text = format!("{} ({})\n\n{}\n", ruleset.title, ruleset.id, ruleset.description);
    let kind = match ruleset.family {
        Family::ScoreSheet => "score sheet",
        Family::Race => "race",
        _ => "another kind of game",
    };
    text += &format!(
        "\n{kind}: {} dice with {} faces, {} throws a turn, up to {} players\n",
        definition.dice, definition.faces, definition.rolls, ruleset.max_players
    );
    if let Some(expected) = ruleset.expected_score {
        text += &format!("best play averages {expected:.6}\n");
    }
    let row = |category: &dicepoker_client::Category| {
        vec![category.id.clone(), category.description.clone()]
    };
    let rows = definition.categories.iter().map(row).collect();
    text += &format!("\n{}\n", table(&["category", "what it needs: what it pays"], 2, rows));
    for bonus in &definition.upper_bonuses {
        text += &format!("upper section of {} or more: {} points\n", bonus.threshold, bonus.points);
    }
    if definition.five_alike_bonus > 0 {
        text += &format!("each further roll of all dice alike: {}\n", definition.five_alike_bonus);
    }
    if !ruleset.levels.is_empty() {
        let told = |figure: Option<f64>, digits| {
            figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
        };
        let row = |level: &OpponentLevel| {
            let mut row = vec![level.level.to_string(), told(level.mean_score, 1)];
            row.extend(match ruleset.family {
                Family::Race => vec![told(level.beats_greedy, 2)],
                _ => vec![told(level.standard_deviation, 1), told(level.regret_per_decision, 2)],
            });
            row.push(format!("{:.2}", level.beats_next));
            row
        };
        let header: &[&str] = match ruleset.family {
            Family::Race => &["level", "averages", "beats a greedy one", "beats the next"],
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
    let values = match &option.kind {
        OptionKind::Integer { minimum, maximum } => format!("{minimum} to {maximum}"),
        OptionKind::Boolean {} => "true or false".to_owned(),
        OptionKind::Choice { choices } => format!("one of {}", choices.join(", ")),
        OptionKind::Categories { choices } => format!("some of {}", choices.join(", ")),
        _ => "of an unknown kind".to_owned(),
    };
    let default = option.default_value.as_ref().map_or_else(String::new, OptionValue::to_string);
    format!(
        "--option {}=...  {} (default {default})\n  {}",
        option.id,
        values,
        option.description.trim().replace('\n', "\n  ")
    )
}
