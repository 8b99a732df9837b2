//! The rulesets that requests name: built in, built in with options, or sent as data. Each is made
//! once and shared; those that are not built in are in a cache of bounded memory. A call keeps its
//! rules when the cache drops them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::showdown::ShowdownRuleset;
use dicepoker_engine::solve::Budget;
use dicepoker_engine::violation::shorten;
use dicepoker_proto::v1 as pb;
use prost::Message;
use prost_types::Struct;
use tokio::sync::Semaphore;
use tonic::Extensions;

use crate::error::Error;
use crate::family::{Cache, Context, Draft, Family, Rules};
use crate::race::{self, Races};
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

/// The ids of the built-in rulesets of all families, without making any rules.
pub(crate) fn built_in_ids() -> Vec<String> {
    let sheets = Ruleset::built_in().into_iter().map(|ruleset| ruleset.id);
    let showdowns = ShowdownRuleset::built_in().into_iter().map(|ruleset| ruleset.id);
    sheets.chain([race::ID.to_owned()]).chain(showdowns).collect()
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
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    fn rulesets(cache_bytes: u64) -> Rulesets {
        let long_work = LongWork::new(1, 64).expect("threads");
        Rulesets::new(cache_bytes, Duration::from_secs(60), Budget::BUILT_IN, long_work)
    }

    #[tokio::test]
    async fn the_ids_known_without_rules_are_those_of_the_built_in_rules() {
        let mut known = built_in_ids();
        let mut ids = rulesets(0).ids().to_vec();
        known.sort_unstable();
        ids.sort_unstable();
        assert_eq!(known, ids);
    }

    /// Yacht with another bonus.
    fn definition(rulesets: &Rulesets, points: i32) -> pb::RulesetDefinition {
        let yacht = &rulesets.built_in("yacht").expect("built in").rules;
        let mut definition = yacht.describe().definition.expect("a definition");
        definition.upper_bonuses[0].points = points;
        definition
    }

    async fn find(rulesets: &Rulesets, definition: &pb::RulesetDefinition) -> Arc<dyn Rules> {
        rulesets.find("", None, Some(definition), &Extensions::new()).await.expect("sound")
    }

    async fn solve(rules: &Arc<dyn Rules>) -> f64 {
        Arc::clone(rules).solve().await.expect("solved");
        rules.describe().expected_score.expect("solved")
    }

    fn same(one: &Arc<dyn Rules>, other: &Arc<dyn Rules>) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(one), Arc::as_ptr(other))
    }

    #[tokio::test]
    async fn definitions_with_equal_content_share_their_rules() {
        let rulesets = rulesets(256 << 20);
        let mut renamed = definition(&rulesets, 36);
        renamed.categories[0].title = "Aces".to_owned();
        let definition = definition(&rulesets, 36);
        let (one, other) = tokio::join!(find(&rulesets, &definition), find(&rulesets, &renamed));
        assert!(same(&one, &other));
        let (first, second) = tokio::join!(solve(&one), solve(&other));
        assert_eq!(first.to_bits(), second.to_bits());
    }

    #[tokio::test]
    async fn rules_dropped_from_the_cache_serve_the_calls_that_use_them() {
        // Too small for even one.
        let rulesets = rulesets(1 << 10);
        let held = find(&rulesets, &definition(&rulesets, 36)).await;
        let before = solve(&held).await;
        for points in 37..45 {
            find(&rulesets, &definition(&rulesets, points)).await;
        }
        rulesets.context.cache.settle().await;
        assert_eq!(rulesets.cached(), 0);
        assert_eq!(before.to_bits(), solve(&held).await.to_bits());
        // Another call makes them again.
        assert!(!same(&held, &find(&rulesets, &definition(&rulesets, 36)).await));
    }

    /// Bytes of the cache after its pending evictions.
    async fn settled_bytes(rulesets: &Rulesets) -> u64 {
        rulesets.context.cache.settle().await;
        rulesets.cached_bytes()
    }

    #[tokio::test]
    async fn rules_weigh_all_their_tables() {
        let rulesets = rulesets(256 << 20);
        let definition = definition(&rulesets, 36);
        let table_bytes =
            rulesets.validate("", None, Some(&definition)).expect("sound").table_bytes;
        let rules = find(&rulesets, &definition).await;
        let read = settled_bytes(&rulesets).await;
        assert_eq!(read, u64::from(rules.kibibytes()) << 10);
        // The waiting caller cancels before they are solved.
        assert!(solve(&rules).now_or_never().is_none());
        assert_eq!(settled_bytes(&rulesets).await, read, "nothing was solved");
        solve(&rules).await;
        let solved = settled_bytes(&rulesets).await;
        assert!(solved - read >= table_bytes / 2, "{read}, then {solved}");
        // Tables of objectives are weighed when they are made, though no caller waits for them.
        let to_reach = pb::SuggestRequest {
            position: Some(pb::Position { rolls_left: 3, ..Default::default() }),
            objective: pb::Objective::ReachTarget.into(),
            target: 200,
            ..Default::default()
        };
        for _ in 0..3 {
            let first = Arc::clone(&rules).suggest(to_reach.clone());
            let first = first.now_or_never().expect("waits for no table").expect("advice");
            assert!(!first.exact && first.alternatives[0].target_probability.is_some());
        }
        while u64::from(rules.kibibytes()) << 10 == solved
            || rulesets.context.long_work.running() > 0
        {
            tokio::task::yield_now().await;
        }
        assert_eq!(settled_bytes(&rulesets).await, u64::from(rules.kibibytes()) << 10);
        assert!(settled_bytes(&rulesets).await > solved);
        assert_eq!(rulesets.cached(), 1);
    }

    #[tokio::test]
    async fn unsolved_rules_leave_room_for_a_solved_one() {
        let unlimited = rulesets(0);
        let cost = unlimited.validate("yacht", None, None).expect("built in");
        // By their cost of solving, three would fit.
        let rulesets = rulesets(3 * (cost.table_bytes + cost.working_bytes));
        let solved = find(&rulesets, &definition(&rulesets, 1)).await;
        solve(&solved).await;
        for points in 2..20 {
            let unsolved = find(&rulesets, &definition(&rulesets, points)).await;
            let abandoned = points % 2 == 0;
            assert!(!abandoned || solve(&unsolved).now_or_never().is_none());
            rulesets.context.cache.settle().await;
        }
        assert_eq!(rulesets.cached(), 19);
        assert!(same(&solved, &find(&rulesets, &definition(&rulesets, 1)).await));
    }

    #[tokio::test]
    async fn a_definition_equal_to_a_built_in_ruleset_is_that_ruleset() {
        let rulesets = rulesets(256 << 20);
        let yacht = rulesets.find("yacht", None, None, &Extensions::new()).await;
        let yacht = yacht.expect("built in");
        assert!(same(&yacht, &find(&rulesets, &definition(&rulesets, 35)).await));
    }

    #[test]
    fn first_rulesets_are_listed_first_and_every_id_once() {
        let rulesets = rulesets(0);
        assert_eq!(rulesets.ids()[..3], FIRST);
        assert_eq!(rulesets.ids().len(), rulesets.built_in.len());
    }
}
