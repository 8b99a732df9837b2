//! The built-in rulesets of the score-sheet kind. Each is a data file in `rulesets/`, compiled in:
//! its name, its [`Definition`], and its options, which are named places in that definition that
//! house rules set. A new ruleset is a new file and a line in [`FILES`].

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Value;

use crate::check::check;
use crate::definition::Definition;
use crate::violation::{Violations, shorten};

/// The data files, in the order in which the rulesets are listed.
const FILES: [&str; 19] = [
    include_str!("../rulesets/dice-poker-13.toml"),
    include_str!("../rulesets/dice-poker-15.toml"),
    include_str!("../rulesets/yahtzee.toml"),
    include_str!("../rulesets/yahtzee-free-joker.toml"),
    include_str!("../rulesets/kniffel.toml"),
    include_str!("../rulesets/yatzy.toml"),
    include_str!("../rulesets/yacht.toml"),
    include_str!("../rulesets/generala.toml"),
    include_str!("../rulesets/maxi-yatzy.toml"),
    include_str!("../rulesets/maxi-yatzy-saved.toml"),
    include_str!("../rulesets/forced-yatzy.toml"),
    include_str!("../rulesets/forced-maxi-yatzy.toml"),
    include_str!("../rulesets/crag.toml"),
    include_str!("../rulesets/kismet.toml"),
    include_str!("../rulesets/balut.toml"),
    include_str!("../rulesets/escalero.toml"),
    include_str!("../rulesets/triple-yahtzee.toml"),
    include_str!("../rulesets/yamb.toml"),
    include_str!("../rulesets/kosci.toml"),
];

/// A ruleset with a name, and options that change its definition.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset {
    /// Stable name in kebab case, such as `dice-poker-15`.
    pub id: String,
    /// Name to show, in English.
    pub title: String,
    /// The rules in a few English sentences.
    pub description: String,
    /// The house rules that it supports.
    #[serde(default)]
    pub options: Vec<RuleOption>,
    /// When its table is made.
    #[serde(default)]
    pub solve: SolveWhen,
    /// The rules as data, all options at their defaults.
    pub definition: Definition,
}

/// When the table of a built-in ruleset is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SolveWhen {
    /// At start: it takes a fraction of a second.
    #[default]
    AtStart,
    /// On first use: it takes seconds, and memory that few callers need.
    OnDemand,
}

/// A house rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleOption {
    /// Stable name in snake case.
    pub id: String,
    /// Name to show, in English.
    pub title: String,
    /// What it changes, in English.
    pub description: String,
    /// The place of its value in the definition, as keys and indices joined by dots; each variant
    /// has its own instead.
    #[serde(default)]
    pub(crate) path: String,
    /// The values it can take.
    pub kind: OptionKind,
}

/// The values that an option can take.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionKind {
    /// A whole number from `min` to `max`.
    Integer {
        /// The least value.
        min: u32,
        /// The greatest value.
        max: u32,
    },
    /// On or off.
    Boolean,
    /// One of these words.
    Choice(Vec<String>),
    /// A list of category ids.
    Categories,
    /// One of these changes of the definition, by its id; the first is the default.
    Variants(Vec<Variant>),
}

/// A change of a definition that has a name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Stable name in snake case.
    pub id: String,
    /// Values to put into the definition.
    set: Vec<Change>,
}

/// A value and its place in a definition; `+` in place of an index appends to a list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    path: String,
    value: Value,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A whole number.
    Integer(u32),
    /// On or off.
    Boolean(bool),
    /// A word.
    Text(String),
    /// A list of words.
    List(Vec<String>),
}

impl Ruleset {
    /// All built-in rulesets, in the order in which they are listed.
    #[must_use]
    pub fn built_in() -> Vec<Self> {
        FILES.iter().map(|file| compiled_in(file)).collect()
    }

    /// The default value of `option`.
    ///
    /// # Panics
    /// If `option` is not one of this ruleset.
    #[must_use]
    pub fn default_of(&self, option: &RuleOption) -> OptionValue {
        if let OptionKind::Variants(variants) = &option.kind {
            return OptionValue::Text(variants.first().map_or_else(String::new, |v| v.id.clone()));
        }
        let mut document = document(&self.definition);
        let value = place(&mut document, &option.path).expect("built-in options have a place");
        match value {
            Value::Integer(number) => OptionValue::Integer(u32::try_from(*number).unwrap_or(0)),
            Value::Boolean(on) => OptionValue::Boolean(*on),
            Value::String(text) => OptionValue::Text(text.clone()),
            Value::Array(list) => OptionValue::List(
                list.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect(),
            ),
            other => unreachable!("no option is a {}", other.type_str()),
        }
    }

    /// The definition with these options set and the others at their defaults.
    ///
    /// # Errors
    /// Unknown options, invalid values, and every violation in the changed definition under the option that
    /// causes it. Paths start at the option.
    pub fn with_options(
        &self,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<Definition, Violations> {
        let mut found = Violations::new();
        let mut document = document(&self.definition);
        for (id, value) in options {
            match self.options.iter().find(|option| option.id == *id) {
                None => found.push(shorten(id), self.unknown_option()),
                Some(option) => match option.accept(value) {
                    Ok(changes) => changes.iter().for_each(|change| change.make(&mut document)),
                    Err(why) => found.push(id.clone(), why),
                },
            }
        }
        let definition: Definition =
            document.try_into().expect("options keep the shape of a definition");
        // A list of ids has the right shape even if no row has these ids.
        let unsound = check(&definition);
        let culprit = options.keys().next().map_or("", String::as_str);
        for violation in unsound.as_slice() {
            let option = self
                .options
                .iter()
                .filter(|option| options.contains_key(&option.id))
                .find(|option| option.changes_field(&violation.field))
                .map_or(culprit, |option| option.id.as_str());
            found.push(option, violation.description.clone());
        }
        found.or(definition)
    }

    fn unknown_option(&self) -> String {
        let ids: Vec<&str> = self.options.iter().map(|option| option.id.as_str()).collect();
        match ids.as_slice() {
            [] => format!("no such option: \"{}\" has none", self.id),
            ids => format!("no such option: \"{}\" has {}", self.id, ids.join(", ")),
        }
    }
}

impl Change {
    fn make(&self, document: &mut Value) {
        let (parent, key) = match self.path.rsplit_once('.') {
            Some((parent, key)) => (place(document, parent), key),
            None => (Some(document), self.path.as_str()),
        };
        match parent.expect("options have a place") {
            Value::Table(table) => drop(table.insert(key.to_owned(), self.value.clone())),
            Value::Array(list) => match key.parse::<usize>() {
                Ok(index) => list[index] = self.value.clone(),
                Err(_) => list.push(self.value.clone()),
            },
            _ => unreachable!("options have a place"),
        }
    }
}

impl RuleOption {
    /// Whether the option sets this field of the definition or a part of it.
    fn changes_field(&self, field: &str) -> bool {
        let field = field.replace('[', ".").replace(']', "");
        let at = |path: &str| field.starts_with(path.trim_end_matches(".+"));
        match &self.kind {
            OptionKind::Variants(variants) => {
                variants.iter().flat_map(|variant| &variant.set).any(|change| at(&change.path))
            }
            _ => at(&self.path),
        }
    }

    /// The changes that set the option to `value`.
    fn accept(&self, value: &OptionValue) -> Result<Vec<Change>, String> {
        if let OptionKind::Variants(variants) = &self.kind {
            let chosen = match value {
                OptionValue::Text(word) => variants.iter().find(|variant| variant.id == *word),
                _ => None,
            };
            let ids: Vec<&str> = variants.iter().map(|variant| variant.id.as_str()).collect();
            let unknown = || format!("must be one of {}", ids.join(", "));
            return chosen.map(|variant| variant.set.clone()).ok_or_else(unknown);
        }
        let value = self.accept_value(value)?;
        Ok(vec![Change { path: self.path.clone(), value }])
    }

    pub(crate) fn accept_value(&self, value: &OptionValue) -> Result<Value, String> {
        match (&self.kind, value) {
            (OptionKind::Integer { min, max }, OptionValue::Integer(number)) => {
                if (min..=max).contains(&number) {
                    Ok(Value::Integer((*number).into()))
                } else {
                    Err(format!("{number}: must be {min} to {max}"))
                }
            }
            (OptionKind::Integer { min, max }, _) => {
                Err(format!("must be a whole number, {min} to {max}"))
            }
            (OptionKind::Boolean, OptionValue::Boolean(on)) => Ok(Value::Boolean(*on)),
            (OptionKind::Boolean, _) => Err("must be true or false".to_owned()),
            (OptionKind::Choice(words), OptionValue::Text(word)) if words.contains(word) => {
                Ok(Value::String(word.clone()))
            }
            (OptionKind::Choice(words), _) => Err(format!("must be one of {}", words.join(", "))),
            (OptionKind::Categories, OptionValue::List(ids)) => {
                Ok(Value::Array(ids.iter().cloned().map(Value::String).collect()))
            }
            (OptionKind::Categories, _) => Err("must be a list of category ids".to_owned()),
            (OptionKind::Variants(_), _) => unreachable!("variants have changes, not a value"),
        }
    }
}

/// The content of a data file that is compiled in. Deserializes from a [`Value`], as options do: from
/// the text, the code for every type would be compiled a second time.
///
/// # Panics
/// If the file is malformed.
pub(crate) fn compiled_in<T: DeserializeOwned>(file: &str) -> T {
    let parsed = file.parse().map(Value::Table).and_then(Value::try_into);
    parsed.expect("built-in data files are tested to parse")
}

fn document(definition: &Definition) -> Value {
    Value::try_from(definition).expect("a definition has the shape of a document")
}

fn place<'a>(document: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    path.split('.').try_fold(document, |value, key| match value {
        Value::Table(table) => table.get_mut(key),
        Value::Array(list) => list.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Sheet;

    fn built_in(id: &str) -> Ruleset {
        Ruleset::built_in().into_iter().find(|ruleset| ruleset.id == id).expect("built in")
    }

    fn set(id: &str, value: OptionValue) -> BTreeMap<String, OptionValue> {
        BTreeMap::from([(id.to_owned(), value)])
    }

    #[test]
    fn built_in_rulesets_are_sound_and_their_options_have_defaults_they_accept() {
        for ruleset in Ruleset::built_in() {
            let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
            assert_eq!(sheet.space().dice(), usize::from(ruleset.definition.dice));
            for option in &ruleset.options {
                let default = set(&option.id, ruleset.default_of(option));
                assert_eq!(ruleset.with_options(&default).as_ref(), Ok(&ruleset.definition));
            }
        }
    }

    #[test]
    fn options_change_the_definition() {
        let ruleset = built_in("dice-poker-15");
        let threshold = set("upper_bonus_threshold", OptionValue::Integer(63));
        let definition = ruleset.with_options(&threshold).expect("accepted");
        assert_eq!(definition.upper_bonuses[0].threshold, 63);
        let fills = set("joker_fills", OptionValue::List(vec!["full_house".into()]));
        assert_eq!(ruleset.with_options(&fills).expect("accepted").joker.fills, ["full_house"]);
    }

    #[test]
    fn each_kind_of_invalid_option_has_its_message() {
        let ruleset = built_in("dice-poker-15");
        let describe = |options| {
            let found: Violations = ruleset.with_options(&options).expect_err("wrong");
            found.to_string()
        };
        assert_eq!(
            describe(set("upper_bonus_threshold", OptionValue::Integer(0))),
            "upper_bonus_threshold: 0: must be 1 to 105"
        );
        assert_eq!(
            describe(set("joker_fills", OptionValue::List(vec!["ones".into(), "x".into()]))),
            "joker_fills: \"ones\" is in the upper section, where a joker pays 0; \
             joker_fills: \"x\" is no category"
        );
        assert!(describe(set("jokers", OptionValue::Boolean(true))).contains("has upper_bonus"));
        let none = built_in("dice-poker-13");
        let wrong = none.with_options(&set("a", OptionValue::Boolean(true))).expect_err("wrong");
        assert_eq!(wrong.to_string(), "a: no such option: \"dice-poker-13\" has none");
    }
}
