//! The rules of a request: a built-in ruleset by name, with options where it has them, or a
//! ruleset as data.

use prost_types::{Struct, Value};

use crate::RulesetDefinition;

/// The rules that a call plays by.
///
/// ```
/// use dicepoker_client::Rules;
///
/// // The id of a built-in ruleset converts; options change it.
/// let plain: Rules = "dice-poker-13".into();
/// let house = Rules::named("dice-poker-15")
///     .option("upper_bonus_threshold", 63)
///     .option_list("joker_fills", ["full_house"]);
/// # let _ = (plain, house);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    pub(crate) ruleset: String,
    pub(crate) options: Option<Struct>,
    pub(crate) definition: Option<RulesetDefinition>,
}

impl Rules {
    /// The built-in ruleset of this id.
    #[must_use]
    pub fn named(ruleset: impl Into<String>) -> Self {
        Self { ruleset: ruleset.into(), ..Self::default() }
    }

    /// A ruleset as data.
    #[must_use]
    pub fn defined(definition: RulesetDefinition) -> Self {
        Self { definition: Some(definition), ..Self::default() }
    }

    /// Sets an option of the ruleset: a number, a boolean, a word, or any other JSON value.
    #[must_use]
    pub fn option(mut self, id: impl Into<String>, value: impl Into<Value>) -> Self {
        self.options.get_or_insert_default().fields.insert(id.into(), value.into());
        self
    }

    /// Sets an option whose value is a list of words.
    #[must_use]
    pub fn option_list<W: Into<String>>(
        self,
        id: impl Into<String>,
        words: impl IntoIterator<Item = W>,
    ) -> Self {
        let words: Vec<Value> = words.into_iter().map(|word| Value::from(word.into())).collect();
        self.option(id, words)
    }

    /// The id of the built-in ruleset; `None` for a ruleset as data.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        (!self.ruleset.is_empty()).then_some(self.ruleset.as_str())
    }

    /// The options that are set.
    #[must_use]
    pub fn options(&self) -> Option<&Struct> {
        self.options.as_ref()
    }

    /// The ruleset as data; `None` for a built-in one.
    #[must_use]
    pub fn definition(&self) -> Option<&RulesetDefinition> {
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

impl From<RulesetDefinition> for Rules {
    fn from(definition: RulesetDefinition) -> Self {
        Self::defined(definition)
    }
}

impl From<&Rules> for Rules {
    fn from(rules: &Rules) -> Self {
        rules.clone()
    }
}
