//! The family: built-in score sheets and their options, and every definition of a score sheet.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use dicepoker_engine::check::check;
use dicepoker_engine::definition::Definition;
use dicepoker_engine::ruleset::{OptionValue, Ruleset, SolveWhen};
use dicepoker_engine::solve::{Budget, Estimate, Key, Solver};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::{ScoreSheet, definition, description, support};
use crate::error::Error;
use crate::family::{Context, Draft, Family, Rules};
use crate::telemetry;

/// The family of score sheets.
#[derive(Debug)]
pub(crate) struct ScoreSheets {
    rulesets: Vec<Ruleset>,
    /// Of the built-in rulesets.
    keys: HashSet<String>,
    context: Context,
}

impl ScoreSheets {
    pub(crate) fn new(context: Context) -> Self {
        let rulesets = Ruleset::built_in();
        let keys = rulesets.iter().map(|ruleset| Key::of(&ruleset.definition).to_string());
        Self { keys: keys.collect(), rulesets, context }
    }

    fn ruleset(&self, id: &str) -> Result<&Ruleset, Error> {
        let found = self.rulesets.iter().find(|ruleset| ruleset.id == id);
        found.ok_or(Error::Internal("a ruleset of another family"))
    }

    fn draft(&self, definition: Definition) -> Draft {
        let (key, estimate) = (Key::of(&definition).to_string(), Estimate::of(&definition));
        let context = self.context.clone();
        let built_in = self.keys.contains(&key);
        let budget = if built_in { Budget::BUILT_IN } else { context.budget };
        let over = estimate.within(&budget).err();
        let learned = Solver::can_learn(&definition);
        let limitation = over.as_ref().map(|over| match learned {
            true => format!("values are learned, not exact: {over}"),
            false => format!("no values, and no advice: {over}"),
        });
        let support = support::Facts {
            values: match (&over, learned) {
                (None, _) => support::Values::Exact,
                (Some(_), true) => support::Values::Learned,
                (Some(_), false) => support::Values::None,
            },
            seconds: estimate.seconds(1),
            definition: definition.clone(),
        };
        Draft {
            support: Box::new(move || support.list()),
            cost: pb::ValidateRulesetResponse {
                key,
                states: estimate.states,
                table_bytes: estimate.table_bytes,
                working_bytes: estimate.working_bytes,
                estimated_seconds: estimate.seconds(1),
                accepted: over.is_none(),
                limitation: limitation.unwrap_or_default(),
                support: Vec::new(),
                warnings: Vec::new(),
            },
            make: Box::new(move || Ok(Arc::new(ScoreSheet::new(definition, None, context)?))),
        }
    }
}

impl Family for ScoreSheets {
    fn built_in(&self) -> Vec<(String, Arc<dyn Rules>)> {
        let sheet = |ruleset: &Ruleset| {
            let label = telemetry::ruleset::label(&ruleset.id);
            ScoreSheet::new(ruleset.definition.clone(), Some(label), self.context.clone())
                .expect("built-in rulesets are tested sound")
        };
        self.rulesets
            .iter()
            .map(|ruleset| (ruleset.id.clone(), Arc::new(sheet(ruleset)) as Arc<dyn Rules>))
            .collect()
    }

    fn solved_at_start(&self) -> Vec<String> {
        let at_start = self.rulesets.iter().filter(|ruleset| ruleset.solve == SolveWhen::AtStart);
        at_start.map(|ruleset| ruleset.id.clone()).collect()
    }

    fn with_options(
        &self,
        id: &str,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<Draft, Error> {
        let definition = self.ruleset(id)?.with_options(options);
        let definition = definition.map_err(|found| Error::invalid_under("options", found))?;
        Ok(self.draft(definition))
    }

    fn define(&self, definition: &pb::RulesetDefinition) -> Option<Result<Draft, Error>> {
        let mut found = Violations::new();
        let definition = definition::read(definition, &mut found);
        found.extend_under("", check(&definition));
        let sound = found.or(()).map_err(|found| Error::invalid_under("definition", found));
        Some(sound.map(|()| self.draft(definition)))
    }

    fn describe(&self, id: &str, rules: pb::Ruleset) -> pb::Ruleset {
        match self.ruleset(id) {
            Ok(ruleset) => description::of_built_in(ruleset, rules),
            Err(_) => rules,
        }
    }
}
