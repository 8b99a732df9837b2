//! The rulesets that requests name: built in, built in with options, or sent as data. Each is made
//! once and shared; those that are not built in are in a cache of bounded memory. A call keeps its
//! rules when the cache drops them.

pub(crate) mod ids;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_engine::solve::Budget;
use dicepoker_engine::violation::shorten;
use dicepoker_proto::v1 as pb;
use prost::Message;
use prost_types::Struct;
use tokio::sync::Semaphore;
use tonic::Extensions;

use crate::error::Error;
use crate::family::{Cache, Context, Draft, Family, Rules};
use crate::race::Races;
use crate::runtime::LongWork;
use crate::score_sheet::ScoreSheets;
use crate::showdown::Showdowns;
use crate::telemetry::ruleset::{CUSTOM, RulesetLabel, label};
use crate::{analysis, wire};

/// The rulesets that are listed before all others.
const FIRST: [&str; 3] = ["dice-poker-13", "dice-poker-15", "poquer-tradicional"];

/// All rulesets.
#[derive(Debug)]
pub struct Rulesets {
    families: Vec<Box<dyn Family>>,
    /// Ids of the built-in rulesets in the order in which they are listed.
    ids: Vec<String>,
    built_in: HashMap<String, BuiltIn>,
    /// The built-in rules by key, for definitions and options with the same content.
    by_key: HashMap<String, Arc<dyn Rules>>,
    context: Context,
    /// Permits of analyses that follow many cards.
    large_analyses: Arc<Semaphore>,
}

#[derive(Debug)]
struct BuiltIn {
    /// Index of its family.
    family: usize,
    /// Its label in metrics.
    label: &'static str,
    rules: Arc<dyn Rules>,
}

/// How a request names its rules.
enum Named<'a> {
    BuiltIn(&'a str),
    Options(&'a str, &'a Struct),
    Definition(&'a pb::RulesetDefinition),
}

impl<'a> Named<'a> {
    fn read(
        ruleset: &'a str,
        options: Option<&'a Struct>,
        definition: Option<&'a pb::RulesetDefinition>,
    ) -> Result<Self, Error> {
        let options = options.filter(|options| !options.fields.is_empty());
        let (field, wrong) = match (ruleset, definition, options) {
            ("", Some(definition), None) => return Ok(Self::Definition(definition)),
            (id, None, None) if !id.is_empty() => return Ok(Self::BuiltIn(id)),
            (id, None, Some(options)) if !id.is_empty() => return Ok(Self::Options(id, options)),
            ("", None, _) => ("ruleset", "required: the id of a built-in ruleset, or a definition"),
            ("", Some(_), Some(_)) => {
                ("options", "must be empty where definition is given: change the definition itself")
            }
            (_, Some(_), _) | (_, None, _) => {
                ("definition", "must be left out where ruleset is given: send one of the two")
            }
        };
        Err(Error::invalid(field, wrong))
    }
}

impl Rulesets {
    /// The built-in rulesets, unsolved, and an empty cache of `cache_bytes` for others, which drops
    /// rules not used for `idle`. Making rules that are not built in may take `budget`.
    #[must_use]
    pub fn new(cache_bytes: u64, idle: Duration, budget: Budget, long_work: LongWork) -> Self {
        let context = Context { long_work, budget, cache: Cache::new(cache_bytes, idle) };
        // Score sheets come last: they take every definition that no other family recognizes.
        let families: Vec<Box<dyn Family>> = vec![
            Box::new(Races::new(context.clone())),
            Box::new(Showdowns::new(context.clone())),
            Box::new(ScoreSheets::new(context.clone())),
        ];
        let (mut ids, mut built_in, mut by_key) = (Vec::new(), HashMap::new(), HashMap::new());
        for (family, of) in families.iter().enumerate() {
            for (id, rules) in of.built_in() {
                ids.push(id.clone());
                let label = label(&id);
                by_key.insert(rules.key().to_owned(), Arc::clone(&rules));
                built_in.insert(id, BuiltIn { family, label, rules });
            }
        }
        ids.sort_by_key(|id| FIRST.iter().position(|first| first == id).unwrap_or(FIRST.len()));
        let large_analyses = Arc::new(Semaphore::new(analysis::MOST_LARGE));
        Self { families, ids, built_in, by_key, context, large_analyses }
    }

    /// Solves the built-in rulesets that are solved at start, with the tables for `objectives` or without.
    ///
    /// # Errors
    /// If the service stops.
    pub async fn solve_at_start(&self, objectives: bool) -> Result<(), Error> {
        for id in self.families.iter().flat_map(|family| family.solved_at_start()) {
            self.solve_built_in(&id, objectives).await?;
        }
        Ok(())
    }

    /// Solves the built-in ruleset of this id, with the tables for `objectives` or without.
    ///
    /// # Errors
    /// If there is none, or the service stops.
    pub async fn solve_built_in(&self, id: &str, objectives: bool) -> Result<(), Error> {
        let rules = &self.built_in(id)?.rules;
        Arc::clone(rules).solve().await?;
        if objectives {
            Arc::clone(rules).prepare_objectives().await?;
        }
        tracing::info!(ruleset = id, expected_score = rules.describe().expected_score, "solved");
        Ok(())
    }

    /// Number of rulesets in the cache.
    #[must_use]
    pub fn cached(&self) -> u64 {
        self.context.cache.count()
    }

    /// Bytes of the cache.
    #[must_use]
    pub fn cached_bytes(&self) -> u64 {
        self.context.cache.bytes()
    }

    /// How often rules that are not built in were found in the cache, and how often not.
    #[must_use]
    pub fn lookups(&self) -> (u64, u64) {
        self.context.cache.lookups()
    }

    /// The ids of all built-in rulesets, in the order in which they are listed.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The built-in ruleset of this id with these options, as GetRuleset returns it.
    ///
    /// # Errors
    /// An unknown ruleset or invalid options.
    pub(crate) async fn describe(
        &self,
        id: &str,
        options: Option<&Struct>,
        call: &Extensions,
    ) -> Result<pb::Ruleset, Error> {
        let rules = self.find(id, options, None, call).await?;
        let family = &self.families[self.built_in(id)?.family];
        Ok(family.describe(id, rules.describe()))
    }

    /// The rules that a request names, which become the ruleset of `call` in metrics.
    ///
    /// # Errors
    /// An unknown ruleset, invalid options, an unsound definition, or not exactly one of `ruleset`
    /// and `definition`.
    pub(crate) async fn find(
        &self,
        ruleset: &str,
        options: Option<&Struct>,
        definition: Option<&pb::RulesetDefinition>,
        call: &Extensions,
    ) -> Result<Arc<dyn Rules>, Error> {
        let named = Named::read(ruleset, options, definition)?;
        let spelling = match named {
            Named::BuiltIn(id) => {
                let built_in = self.built_in(id)?;
                RulesetLabel::set(call, built_in.label);
                return Ok(Arc::clone(&built_in.rules));
            }
            Named::Options(id, options) => {
                self.built_in(id)?;
                // Rejects deeply nested values, whose encoding takes quadratic time.
                wire::options::read(options)?;
                // No definition begins with a byte of 0, so the two kinds of spellings never collide.
                [&[0], id.as_bytes(), &[0], &options.encode_to_vec()].concat()
            }
            Named::Definition(definition) => definition.encode_to_vec(),
        };
        RulesetLabel::set(call, CUSTOM);
        if let Some(rules) = self.context.cache.spelt(&spelling).await {
            return Ok(rules);
        }
        let draft = self.read(named)?;
        match self.by_key.get(&draft.cost.key) {
            Some(rules) => Ok(Arc::clone(rules)),
            None => self.context.cache.get(spelling, draft, &self.context.long_work).await,
        }
    }

    /// Permits of analyses that follow many cards.
    pub(crate) fn large_analyses(&self) -> &Arc<Semaphore> {
        &self.large_analyses
    }

    /// The pool for long work.
    pub(crate) fn long_work(&self) -> &LongWork {
        &self.context.long_work
    }

    /// The cost of making the rules that a request names.
    ///
    /// # Errors
    /// As [`Rulesets::find`].
    pub(crate) fn validate(
        &self,
        ruleset: &str,
        options: Option<&Struct>,
        definition: Option<&pb::RulesetDefinition>,
    ) -> Result<pb::ValidateRulesetResponse, Error> {
        let Draft { cost, support, .. } = self.read(Named::read(ruleset, options, definition)?)?;
        Ok(pb::ValidateRulesetResponse { support: support(), ..cost })
    }

    fn read(&self, named: Named<'_>) -> Result<Draft, Error> {
        match named {
            Named::BuiltIn(id) => self.family_of(id)?.with_options(id, &Default::default()),
            Named::Options(id, options) => {
                self.family_of(id)?.with_options(id, &wire::options::read(options)?)
            }
            Named::Definition(definition) => {
                let mut read = self.families.iter().filter_map(|family| family.define(definition));
                read.next().unwrap_or(Err(Error::Internal("no family accepts the definition")))
            }
        }
    }

    fn family_of(&self, id: &str) -> Result<&dyn Family, Error> {
        Ok(&*self.families[self.built_in(id)?.family])
    }

    fn built_in(&self, id: &str) -> Result<&BuiltIn, Error> {
        self.built_in
            .get(id)
            .ok_or_else(|| Error::UnknownRuleset { id: shorten(id), known: self.ids.join(", ") })
    }
}

#[cfg(test)]
mod tests;
