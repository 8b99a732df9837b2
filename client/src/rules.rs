//! The rules of a request: a built-in ruleset by name, with options where it has them, or a
//! ruleset as data.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Definition;

/// The rules that a call plays by.
///
/// ```
/// use dicepoker_client::Rules;
///
/// // The name alone will do wherever rules are asked for; options change a house's rules.
/// let plain: Rules = "dice-poker-13".into();
/// let house = Rules::named("dice-poker-15").option("upper_bonus_threshold", 63);
/// # let _ = (plain, house);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    pub(crate) ruleset: String,
    pub(crate) options: BTreeMap<String, OptionValue>,
    pub(crate) definition: Option<Definition>,
}

impl Rules {
    /// The built-in ruleset of this id.
    #[must_use]
    pub fn named(ruleset: impl Into<String>) -> Self {
        Self { ruleset: ruleset.into(), options: BTreeMap::new(), definition: None }
    }

    /// A ruleset as data.
    #[must_use]
    pub fn defined(definition: Definition) -> Self {
        Self { ruleset: String::new(), options: BTreeMap::new(), definition: Some(definition) }
    }

    /// With this option of the ruleset set.
    #[must_use]
    pub fn option(mut self, id: impl Into<String>, value: impl Into<OptionValue>) -> Self {
        self.options.insert(id.into(), value.into());
        self
    }

    /// The id of the built-in ruleset, if it is one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        (!self.ruleset.is_empty()).then_some(self.ruleset.as_str())
    }

    /// The options that are set.
    #[must_use]
    pub fn options(&self) -> &BTreeMap<String, OptionValue> {
        &self.options
    }

    /// The ruleset as data, if it was given as that.
    #[must_use]
    pub fn definition(&self) -> Option<&Definition> {
        self.definition.as_ref()
    }
}

impl From<&str> for Rules {
    fn from(ruleset: &str) -> Self {
        Self::named(ruleset)
    }
}

impl From<String> for Rules {
    fn from(ruleset: String) -> Self {
        Self::named(ruleset)
    }
}

impl From<Definition> for Rules {
    fn from(definition: Definition) -> Self {
        Self::defined(definition)
    }
}

impl From<&Rules> for Rules {
    fn from(rules: &Rules) -> Self {
        rules.clone()
    }
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// On or off.
    Boolean(bool),
    /// A whole number.
    Integer(u32),
    /// A word.
    Text(String),
    /// A list of words.
    List(Vec<String>),
}

impl From<bool> for OptionValue {
    fn from(on: bool) -> Self {
        Self::Boolean(on)
    }
}

impl From<u32> for OptionValue {
    fn from(number: u32) -> Self {
        Self::Integer(number)
    }
}

impl From<&str> for OptionValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for OptionValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for OptionValue {
    fn from(list: Vec<String>) -> Self {
        Self::List(list)
    }
}

impl<const N: usize> From<[&str; N]> for OptionValue {
    fn from(list: [&str; N]) -> Self {
        Self::List(list.iter().map(|&word| word.to_owned()).collect())
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(on) => write!(f, "{on}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::List(words) => f.write_str(&words.join(",")),
        }
    }
}
