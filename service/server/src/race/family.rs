//! The family: one built-in ruleset and its options.

use std::collections::BTreeMap;
use std::sync::Arc;

use dicepoker_engine::race::RaceRules;
use dicepoker_engine::ruleset::OptionValue;
use dicepoker_engine::violation::{Violations, shorten};
use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::SupportedFeature::{ExpectedScore, Explanation, ReachTarget, Win};

use super::Race;
use crate::error::Error;
use crate::family::{Context, Draft, Family, Rules, support};
use crate::rulesets::ids::RACE;

/// The family of the race.
#[derive(Debug)]
pub(crate) struct Races {
    context: Context,
}

impl Races {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }

    fn race(&self, rules: RaceRules) -> Race {
        // All rules are fields of this type, so its debug text identifies them.
        let key = format!("{rules:?}");
        Race { key, rules, long_work: self.context.long_work.clone() }
    }
}

impl Family for Races {
    fn built_in(&self) -> Vec<(String, Arc<dyn Rules>)> {
        vec![(RACE.to_owned(), Arc::new(self.race(RaceRules::default())))]
    }

    fn with_options(
        &self,
        _id: &str,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<Draft, Error> {
        let race = self.race(read_options(options)?);
        let cost = pb::ValidateRulesetResponse {
            key: race.key.clone(),
            accepted: true,
            ..Default::default()
        };
        Ok(Draft { cost, support: Box::new(support), make: Box::new(move || Ok(Arc::new(race))) })
    }

    fn define(&self, _definition: &pb::RulesetDefinition) -> Option<Result<Draft, Error>> {
        None
    }

    fn describe(&self, _id: &str, rules: pb::Ruleset) -> pb::Ruleset {
        rules
    }
}

fn support() -> Vec<pb::Support> {
    vec![
        support::none(ExpectedScore, "the race is played to win"),
        support::estimated(Win, "values are learned"),
        support::none(ReachTarget, "the race is played to win"),
        support::none(Explanation, "the race has no explanations"),
    ]
}

fn read_options(options: &BTreeMap<String, OptionValue>) -> Result<RaceRules, Error> {
    let mut rules = RaceRules::default();
    let mut found = Violations::new();
    for (id, value) in options {
        let text = match value {
            OptionValue::Integer(number) => number.to_string(),
            OptionValue::Boolean(on) => on.to_string(),
            OptionValue::Text(text) => shorten(text),
            OptionValue::List(_) => "a list".to_owned(),
        };
        if let Err(why) = rules.set(id, &text) {
            found.push(format!("options.{}", shorten(id)), why);
        }
    }
    found.or(rules).map_err(Error::Invalid)
}
