//! The rules, as every command that needs some takes them, and as every command writes them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use dicepoker_client::{Definition, OptionValue, Rules};
use serde::{Deserialize, Serialize};

use crate::args::position::read_json;
use crate::failure::Failure;

/// The ruleset to go by where none is named.
const DEFAULT: &str = "dice-poker-13";

/// The rules to go by.
#[derive(Clone, Debug, Args)]
pub(crate) struct RulesArgs {
    /// Id of a built-in ruleset; `dicepoker rulesets` lists them. dice-poker-13 unless set, or what
    /// the JSON that is read says.
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
    /// The rules that these arguments name.
    pub(crate) fn read(&self) -> Result<Rules, Failure> {
        self.read_or(None)
    }

    /// The rules that these arguments name; where they name none those that were `written` beside
    /// what was read.
    pub(crate) fn read_or(&self, written: Option<Rules>) -> Result<Rules, Failure> {
        if let Some(file) = &self.definition {
            return Ok(Rules::defined(read_json::<Definition>(file)?));
        }
        let named = match (&self.ruleset, written) {
            (None, Some(written)) => written,
            (named, _) => Rules::named(named.as_deref().unwrap_or(DEFAULT)),
        };
        Ok(self.options.iter().cloned().fold(named, |rules, (id, value)| rules.option(id, value)))
    }
}

/// Rules as they are written beside a position or a game, so that what reads it goes by them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct WrittenRules {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    options: BTreeMap<String, OptionValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    definition: Option<Definition>,
}

impl From<&Rules> for WrittenRules {
    fn from(rules: &Rules) -> Self {
        Self {
            ruleset: rules.id().map(str::to_owned),
            options: rules.options().clone(),
            definition: rules.definition().cloned(),
        }
    }
}

impl WrittenRules {
    /// The rules, if any were written.
    pub(crate) fn read(self) -> Option<Rules> {
        let rules = match (self.ruleset, self.definition) {
            (Some(id), _) => Rules::named(id),
            (None, Some(definition)) => Rules::defined(definition),
            (None, None) => return None,
        };
        Some(self.options.into_iter().fold(rules, |rules, (id, value)| rules.option(id, value)))
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
