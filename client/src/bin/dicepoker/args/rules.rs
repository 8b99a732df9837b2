//! The rules as arguments.

use std::path::PathBuf;

use clap::Args;
use dicepoker_client::{Rules, RulesetDefinition};
use prost_types::Value;

use crate::documents::read_message;
use crate::failure::Failure;

/// The default ruleset.
const DEFAULT: &str = "dice-poker-13";

/// The rules.
#[derive(Clone, Debug, Args)]
pub(crate) struct RulesArgs {
    /// Id of a built-in ruleset; `dicepoker rulesets` lists them. Unless set, that of the JSON that
    /// is read, else dice-poker-13.
    #[arg(short, long, value_name = "ID")]
    ruleset: Option<String>,

    /// Set an option of the ruleset, such as upper_bonus_threshold=63; lists with commas.
    #[arg(short, long = "option", value_name = "ID=VALUE", value_parser = option)]
    options: Vec<(String, Value)>,

    /// File with a ruleset as JSON (- for standard input) instead of a built-in one: the output of
    /// `dicepoker rulesets show ID --definition`, changed as you like.
    #[arg(
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["ruleset", "options"]
    )]
    definition: Option<PathBuf>,
}

impl RulesArgs {
    /// The rules that these arguments name.
    pub(crate) fn read(&self) -> Result<Rules, Failure> {
        self.read_or(None)
    }

    /// The rules that these arguments name; if none, those `written` in the document that was read.
    pub(crate) fn read_or(&self, written: Option<Rules>) -> Result<Rules, Failure> {
        if let Some(file) = &self.definition {
            return Ok(Rules::defined(read_message::<RulesetDefinition>(file)?));
        }
        let named = match (&self.ruleset, written) {
            (None, Some(written)) => written,
            (named, _) => Rules::named(named.as_deref().unwrap_or(DEFAULT)),
        };
        Ok(self.options.iter().cloned().fold(named, |rules, (id, value)| rules.option(id, value)))
    }
}

/// An option as typed: a boolean, a number, a list with commas, or a word.
pub(crate) fn option(text: &str) -> Result<(String, Value), String> {
    let (id, value) =
        text.split_once('=').ok_or_else(|| "must look like upper_bonus_threshold=63".to_owned())?;
    let value = match value {
        "true" => true.into(),
        "false" => false.into(),
        // A word with a comma after it is a list of one.
        list if list.contains(',') || list.is_empty() => {
            let words = list.split(',').filter(|word| !word.is_empty());
            words.map(Value::from).collect::<Vec<_>>().into()
        }
        text => text.parse::<u32>().map_or_else(|_| text.into(), Value::from),
    };
    Ok((id.to_owned(), value))
}
