//! The family: built-in showdowns and their options, and every definition of a showdown.

use std::collections::BTreeMap;
use std::sync::Arc;

use dicepoker_engine::ruleset::OptionValue;
use dicepoker_engine::showdown::{
    FaceNames, Limit, Showdown, ShowdownDefinition, ShowdownRuleset, ShowdownValues,
};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::SupportedFeature::{ExpectedScore, Explanation, ReachTarget, Win};

use super::{Table, definition, description};
use crate::error::Error;
use crate::family::{Context, Draft, Family, Rules, support};

/// The family of showdowns.
#[derive(Debug)]
pub(crate) struct Showdowns {
    rulesets: Vec<ShowdownRuleset>,
    context: Context,
}

impl Showdowns {
    pub(crate) fn new(context: Context) -> Self {
        Self { rulesets: ShowdownRuleset::built_in(), context }
    }

    fn ruleset(&self, id: &str) -> Result<&ShowdownRuleset, Error> {
        let found = self.rulesets.iter().find(|ruleset| ruleset.id == id);
        found.ok_or(Error::Internal("a ruleset of another family"))
    }

    /// A sound definition under the field `path` of the request.
    fn draft(
        &self,
        definition: ShowdownDefinition,
        names: FaceNames,
        path: &str,
    ) -> Result<Draft, Error> {
        let key = definition.key();
        let game = Showdown::new(definition).map_err(|found| definition::unsound(path, found))?;
        let estimate = ShowdownValues::estimate(&game, *game.players().start());
        let limit = Limit::default();
        let accepted = estimate.table_bytes <= limit.bytes && estimate.work <= limit.work;
        let mut warnings = Violations::new();
        warnings.extend_under("definition.showdown", game.warnings());
        let cost = pb::ValidateRulesetResponse {
            key: key.clone(),
            states: estimate.states,
            table_bytes: estimate.table_bytes,
            working_bytes: estimate.working_bytes,
            estimated_seconds: estimate.work as f64 * SECONDS_A_STEP,
            accepted,
            limitation: match accepted {
                true => String::new(),
                false => "no values, and no advice: solving takes too much".to_owned(),
            },
            support: Vec::new(),
            warnings: warnings
                .as_slice()
                .iter()
                .map(|warning| pb::RulesetWarning {
                    field: warning.field.clone(),
                    description: warning.description.clone(),
                })
                .collect(),
        };
        let context = self.context.clone();
        let make = move || Ok(Arc::new(Table::new(key, game, names, context)) as Arc<dyn Rules>);
        let support = move || support(accepted);
        Ok(Draft { cost, support: Box::new(support), make: Box::new(make) })
    }
}

/// How well a showdown is served with the fewest players; with more of them, moves are ranked by the
/// round where a match takes too much.
fn support(accepted: bool) -> Vec<pb::Support> {
    let solved = |feature| match accepted {
        true => support::exact(feature),
        false => support::none(feature, "no values: solving takes too much"),
    };
    vec![
        support::none(ExpectedScore, "a showdown is played to win"),
        solved(Win),
        support::none(ReachTarget, "a showdown has no targets"),
        solved(Explanation),
    ]
}

/// The duration of a step of solving, see [`ShowdownValues::estimate`].
const SECONDS_A_STEP: f64 = 3e-9;

impl Family for Showdowns {
    fn built_in(&self) -> Vec<(String, Arc<dyn Rules>)> {
        let table = |ruleset: &ShowdownRuleset| {
            let definition = ruleset.definition.clone();
            let key = definition.key();
            let game = Showdown::new(definition).expect("built-in rulesets are tested sound");
            Table::new(key, game, ruleset.faces, self.context.clone())
        };
        self.rulesets
            .iter()
            .map(|ruleset| (ruleset.id.clone(), Arc::new(table(ruleset)) as Arc<dyn Rules>))
            .collect()
    }

    fn solved_at_start(&self) -> Vec<String> {
        self.rulesets.iter().map(|ruleset| ruleset.id.clone()).collect()
    }

    fn with_options(
        &self,
        id: &str,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<Draft, Error> {
        let ruleset = self.ruleset(id)?;
        let definition = ruleset.with_options(options);
        let definition = definition.map_err(|found| Error::invalid_under("options", found))?;
        self.draft(definition, ruleset.faces, "options")
    }

    fn define(&self, definition: &pb::RulesetDefinition) -> Option<Result<Draft, Error>> {
        definition.showdown.as_ref()?;
        let read = definition::read(definition);
        Some(read.and_then(|read| self.draft(read, FaceNames::Numbers, "definition")))
    }

    fn describe(&self, id: &str, rules: pb::Ruleset) -> pb::Ruleset {
        match self.ruleset(id) {
            Ok(ruleset) => description::of_built_in(ruleset, rules),
            Err(_) => rules,
        }
    }
}
