//! The rules, as every command that needs some takes them.

use std::path::PathBuf;

use clap::Args;
use dicepoker_client::{Definition, OptionValue, Rules};

use crate::args::position::read_json;
use crate::failure::Failure;

/// The ruleset to go by where none is named.
const DEFAULT: &str = "dice-poker-13";

/// The rules to go by.
#[derive(Clone, Debug, Args)]
pub(crate) struct RulesArgs {
    /// Id of a built-in ruleset; `dicepoker rulesets` lists them. dice-poker-13 unless set.
    #[arg(short, long, value_name = "ID")]
    ruleset: Option<String>,

    /// Set an option of the ruleset, such as upper_bonus_threshold=63; lists with commas.
    #[arg(short, long = "option", value_name = "ID=VALUE", value_parser = option)]
    options: Vec<(String, OptionValue)>,

    /// File with a ruleset as JSON (- for standard input), instead of a built-in one: what
    /// `dicepoker rulesets show ID --definition` prints, changed as you like.
    #[arg(
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["ruleset", "options"]
    )]
    definition: Option<PathBuf>,
}

impl RulesArgs {
    /// Whether anything was said of them.
    pub(crate) fn is_given(&self) -> bool {
        self.ruleset.is_some() || self.definition.is_some()
    }

    /// The rules that these arguments name.
    pub(crate) fn read(&self) -> Result<Rules, Failure> {
        if let Some(file) = &self.definition {
            return Ok(Rules::defined(read_json::<Definition>(file)?));
        }
        let named = Rules::named(self.ruleset.as_deref().unwrap_or(DEFAULT));
        Ok(self.options.iter().cloned().fold(named, |rules, (id, value)| rules.option(id, value)))
    }
}

/// An option as typed. What its value must be is for the service to say.
pub(crate) fn option(text: &str) -> Result<(String, OptionValue), String> {
    let (id, value) =
        text.split_once('=').ok_or_else(|| "must look like upper_bonus_threshold=63".to_owned())?;
    let value = match value {
        "true" => OptionValue::Boolean(true),
        "false" => OptionValue::Boolean(false),
        number if number.parse::<u32>().is_ok() => {
            OptionValue::Integer(number.parse().map_err(|_| "no number".to_owned())?)
        }
        // An id with a comma after it is a list of one.
        list if list.contains(',') || list.is_empty() => OptionValue::List(
            list.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        ),
        word => OptionValue::Text(word.to_owned()),
    };
    Ok((id.to_owned(), value))
}
