//! The built-in showdown rulesets. Each is a data file in `rulesets/`, compiled in: its name, its
//! [`ShowdownDefinition`], and its options. The option `hands` selects and orders hands by their
//! ids; the other options are fields of the definition.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Value;

use super::check::check;
use super::definition::{HandDefinition, ShowdownDefinition};
use crate::ruleset::{OptionKind, OptionValue, RuleOption, compiled_in};
use crate::violation::{Violations, shorten};

/// The data files, in the order in which the rulesets are listed.
const FILES: [&str; 4] = [
    include_str!("../../rulesets/dice-poker-witcher.toml"),
    include_str!("../../rulesets/dice-poker-classic.toml"),
    include_str!("../../rulesets/dice-poker-indian.toml"),
    include_str!("../../rulesets/dice-poker-payout.toml"),
];

/// The names of the faces of the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaceNames {
    /// One to six.
    Numbers,
    /// Nine, ten, jack, queen, king, ace.
    Cards,
}

/// A showdown ruleset with a name, and options that change its definition.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownRuleset {
    /// Stable name in kebab case.
    pub id: String,
    /// Name to show, in English.
    pub title: String,
    /// The rules in a few English sentences.
    pub description: String,
    /// The names of the faces.
    pub faces: FaceNames,
    /// The house rules that it supports.
    pub options: Vec<RuleOption>,
    /// The rules as data, all options at their defaults.
    pub definition: ShowdownDefinition,
    /// Hands that are not in the order by default, for the option `hands`.
    #[serde(default)]
    pub spare_hands: Vec<HandDefinition>,
}

/// The option that selects and orders hands.
const HANDS: &str = "hands";

/// The option that makes face 1 wild.
const WILD_ACES: &str = "wild_aces";

impl ShowdownRuleset {
    /// All built-in rulesets, in the order in which they are listed.
    #[must_use]
    pub fn built_in() -> Vec<Self> {
        FILES.iter().map(|file| compiled_in(file)).collect()
    }

    /// The ids that the option `hands` may hold.
    #[must_use]
    pub fn hand_ids(&self) -> Vec<&str> {
        let all = self.definition.hands.iter().chain(&self.spare_hands);
        all.map(|hand| hand.id.as_str()).collect()
    }

    /// The default value of `option`.
    ///
    /// # Panics
    /// If `option` is not one of this ruleset.
    #[must_use]
    pub fn default_of(&self, option: &RuleOption) -> OptionValue {
        match option.id.as_str() {
            HANDS => {
                let ids = self.definition.hands.iter().map(|hand| hand.id.clone());
                OptionValue::List(ids.collect())
            }
            WILD_ACES => OptionValue::Boolean(!self.definition.wild.is_empty()),
            _ => match document(&self.definition).get(&option.path) {
                Some(Value::Integer(number)) => {
                    OptionValue::Integer(u32::try_from(*number).unwrap_or(0))
                }
                Some(Value::Boolean(on)) => OptionValue::Boolean(*on),
                Some(Value::String(text)) => OptionValue::Text(text.clone()),
                _ => unreachable!("options are tested to have a place"),
            },
        }
    }

    /// The definition with these options set and the others at their defaults.
    ///
    /// # Errors
    /// Unknown options, invalid values, and under the option's name every violation in the changed
    /// definition. Paths start at the option.
    pub fn with_options(
        &self,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<ShowdownDefinition, Violations> {
        let mut found = Violations::new();
        let mut document = document(&self.definition);
        let mut hands = self.definition.hands.clone();
        let mut wild = self.definition.wild.clone();
        for (id, value) in options {
            let Some(option) = self.options.iter().find(|option| option.id == *id) else {
                let ids: Vec<&str> = self.options.iter().map(|o| o.id.as_str()).collect();
                let message = format!("no such option: \"{}\" has {}", self.id, ids.join(", "));
                found.push(shorten(id), message);
                continue;
            };
            match (option.accept_value(value), value) {
                (Err(why), _) => found.push(id.clone(), why),
                (Ok(_), OptionValue::List(ids)) => hands = self.pick(ids, &mut found),
                (Ok(_), OptionValue::Boolean(on)) if option.id == WILD_ACES => {
                    wild = if *on { vec![1] } else { Vec::new() };
                }
                (Ok(value), _) => {
                    if let Some(place) = document.get_mut(&option.path) {
                        *place = value;
                    }
                }
            }
        }
        let mut definition: ShowdownDefinition =
            document.try_into().expect("options keep the shape of a definition");
        (definition.hands, definition.wild) = (hands, wild);
        found.or(())?;
        // Options may be valid one by one but not together.
        let mut found = Violations::new();
        let culprit = options.keys().next().map_or("", String::as_str);
        for violation in check(&definition).as_slice() {
            let named = options.keys().find(|id| violation.field.starts_with(id.as_str()));
            let field = named.map_or(culprit, String::as_str);
            found.push(field, format!("{}: {}", violation.field, violation.description));
        }
        found.or(definition)
    }

    /// The hands of these ids, best first.
    fn pick(&self, ids: &[String], found: &mut Violations) -> Vec<HandDefinition> {
        let mut picked: Vec<HandDefinition> = Vec::new();
        for (i, id) in ids.iter().enumerate().take(super::check::MAX_HANDS + 1) {
            let all = self.definition.hands.iter().chain(&self.spare_hands);
            match all.clone().find(|hand| hand.id == *id) {
                Some(hand) => picked.push(hand.clone()),
                None => {
                    let known = self.hand_ids().join(", ");
                    let message = format!("no hand \"{}\": there are {known}", shorten(id));
                    found.push(format!("{HANDS}[{i}]"), message);
                }
            }
        }
        picked
    }

    /// Whether `option` is a list of hands.
    #[must_use]
    pub fn lists_hands(option: &RuleOption) -> bool {
        option.kind == OptionKind::Categories
    }
}

fn document(definition: &ShowdownDefinition) -> Value {
    Value::try_from(definition).expect("a definition has the shape of a document")
}
