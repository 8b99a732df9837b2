//! The rules that requests name, ready for play: built-in rulesets, built-in rulesets with options,
//! and rulesets sent as data. Each is made once and shared; those that are not built in are kept in
//! a cache of bounded memory, from which dropping one never disturbs a call that uses it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use dicepoker_engine::definition::Definition;
use dicepoker_engine::race::RaceRules;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Solution, Values};
use dicepoker_proto::v1 as pb;
use moka::future::Cache;
use prost::Message;
use tokio::sync::OnceCell;

use crate::error::Error;
use crate::wire;

/// How long an unused ruleset stays in the cache.
const IDLE: Duration = Duration::from_secs(3600);

/// Rules that a request names, ready for play.
#[derive(Clone, Debug)]
pub enum Game {
    /// A ruleset of the score-sheet kind.
    ScoreSheet(Arc<ScoreSheet>),
    /// The race, under the rules of one house.
    Race(RaceRules),
}

/// A score sheet ready for play.
#[derive(Debug)]
pub struct ScoreSheet {
    sheet: Arc<Sheet>,
    solution: OnceCell<Arc<Solution>>,
}

impl ScoreSheet {
    fn new(definition: Definition) -> Result<Self, Error> {
        let sheet = Sheet::new(definition)
            .map_err(|violations| Error::invalid_under("definition", violations))?;
        Ok(Self { sheet: Arc::new(sheet), solution: OnceCell::new() })
    }

    /// The score sheet.
    #[must_use]
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The value of every scorecard: solved on first use, once for all who wait.
    ///
    /// # Errors
    /// If the solver died.
    pub async fn solution(&self) -> Result<&Solution, Error> {
        let solve = || async {
            let sheet = Arc::clone(&self.sheet);
            tokio::task::spawn_blocking(move || Arc::new(Solution::solve(&sheet, threads())))
                .await
                .map_err(|_| Error::Internal("solving the ruleset failed"))
        };
        self.solution.get_or_try_init(solve).await.map(AsRef::as_ref)
    }

    /// Expected final score of an empty card, if the ruleset is solved already.
    #[must_use]
    pub fn expected_score(&self) -> Option<f64> {
        self.solution.get().map(|solution| solution.value(CardState::EMPTY))
    }

    /// Upper bound of the memory it takes once solved, in bytes.
    fn bytes(&self) -> u32 {
        let sets = self.sheet.categories().bits() as usize + 1;
        let states = sets * (usize::from(self.sheet.upper_cap()) + 1);
        u32::try_from(states * 16).unwrap_or(u32::MAX)
    }
}

/// Threads to solve with: all that this process may use, for a caller waits.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// All rules there are.
#[derive(Debug)]
pub struct Games {
    rulesets: Vec<Ruleset>,
    built_in: HashMap<String, Arc<ScoreSheet>>,
    others: Cache<Vec<u8>, Arc<ScoreSheet>>,
}

impl Games {
    /// The built-in rulesets, unsolved, and an empty cache of `cache_bytes` for others.
    #[must_use]
    pub fn new(cache_bytes: u64) -> Self {
        let rulesets = Ruleset::built_in();
        let built_in = rulesets
            .iter()
            .map(|ruleset| {
                let game = ScoreSheet::new(ruleset.definition.clone());
                (ruleset.id.clone(), Arc::new(game.expect("built-in rulesets are tested sound")))
            })
            .collect();
        let others = Cache::builder()
            .max_capacity(cache_bytes)
            .weigher(|_, game: &Arc<ScoreSheet>| game.bytes())
            .time_to_idle(IDLE)
            .build();
        Self { rulesets, built_in, others }
    }

    /// Solves all built-in rulesets.
    ///
    /// # Errors
    /// If the solver died.
    pub async fn solve_built_in(&self) -> Result<(), Error> {
        for ruleset in &self.rulesets {
            let game = &self.built_in[&ruleset.id];
            game.solution().await?;
            tracing::info!(
                ruleset = ruleset.id,
                expected_score = game.expected_score(),
                "ruleset solved"
            );
        }
        Ok(())
    }

    /// The ids of all built-in rulesets, in the order in which they are listed.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        // The race stands after the two other rulesets of the house.
        let (before, after) = self.rulesets.split_at(2);
        let before = before.iter().map(|ruleset| ruleset.id.as_str());
        let after = after.iter().map(|ruleset| ruleset.id.as_str());
        before.chain([wire::race::ID]).chain(after)
    }

    /// The built-in ruleset of this id, with these options, as it is shown to clients.
    ///
    /// # Errors
    /// If there is none, or the options are wrong.
    pub async fn show(
        &self,
        id: &str,
        options: Option<&prost_types::Struct>,
    ) -> Result<pb::Ruleset, Error> {
        Ok(match self.find(id, options, None).await? {
            Game::Race(rules) => wire::race::write_ruleset(&rules),
            Game::ScoreSheet(game) => {
                let ruleset = self.ruleset(id)?;
                let definition = game.sheet().definition();
                wire::ruleset::write(ruleset, definition, game.expected_score())
            }
        })
    }

    /// The rules that a request names.
    ///
    /// # Errors
    /// An unknown ruleset, wrong options, an unsound definition, or not exactly one of `ruleset`
    /// and `definition`.
    pub async fn find(
        &self,
        ruleset: &str,
        options: Option<&prost_types::Struct>,
        definition: Option<&pb::RulesetDefinition>,
    ) -> Result<Game, Error> {
        let options = options.filter(|options| !options.fields.is_empty());
        match (ruleset, definition, options) {
            ("", None, _) => Err(Error::invalid(
                "ruleset",
                "required: the id of a built-in ruleset, or a definition in its place",
            )),
            ("", Some(_), Some(_)) => Err(Error::invalid(
                "options",
                "belong to a built-in ruleset: change the definition itself instead",
            )),
            ("", Some(definition), None) => self.defined(definition).await.map(Game::ScoreSheet),
            (_, Some(_), _) => Err(Error::invalid(
                "definition",
                "must be left out where a built-in ruleset is named, or the other way round",
            )),
            (wire::race::ID, None, None) => Ok(Game::Race(RaceRules::default())),
            (wire::race::ID, None, Some(options)) => {
                wire::race::read_rules(options).map(Game::Race)
            }
            (id, None, Some(options)) => {
                self.with_options(self.ruleset(id)?, options).await.map(Game::ScoreSheet)
            }
            (id, None, None) => {
                let game = self.built_in.get(id).ok_or_else(|| self.unknown(id))?;
                Ok(Game::ScoreSheet(Arc::clone(game)))
            }
        }
    }

    fn ruleset(&self, id: &str) -> Result<&Ruleset, Error> {
        self.rulesets.iter().find(|ruleset| ruleset.id == id).ok_or_else(|| self.unknown(id))
    }

    fn unknown(&self, id: &str) -> Error {
        let known: Vec<&str> = self.ids().collect();
        Error::UnknownRuleset { id: wire::shorten(id), known: known.join(", ") }
    }

    async fn defined(&self, definition: &pb::RulesetDefinition) -> Result<Arc<ScoreSheet>, Error> {
        let key = definition.encode_to_vec();
        if let Some(game) = self.others.get(&key).await {
            return Ok(game);
        }
        let game = ScoreSheet::new(wire::definition::read(definition)?)?;
        Ok(self.others.get_with(key, async { Arc::new(game) }).await)
    }

    async fn with_options(
        &self,
        ruleset: &Ruleset,
        options: &prost_types::Struct,
    ) -> Result<Arc<ScoreSheet>, Error> {
        let mut key = ruleset.id.clone().into_bytes();
        options.encode(&mut key).expect("a vector takes all");
        if let Some(game) = self.others.get(&key).await {
            return Ok(game);
        }
        let definition = self.definition_with(ruleset, options)?;
        if definition == ruleset.definition {
            return Ok(Arc::clone(&self.built_in[&ruleset.id]));
        }
        let game = ScoreSheet::new(definition)?;
        Ok(self.others.get_with(key, async { Arc::new(game) }).await)
    }

    fn definition_with(
        &self,
        ruleset: &Ruleset,
        options: &prost_types::Struct,
    ) -> Result<Definition, Error> {
        let options: BTreeMap<_, _> = wire::options::read(options)?;
        ruleset
            .with_options(&options)
            .map_err(|violations| Error::invalid_under("options", violations))
    }
}
