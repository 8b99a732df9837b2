//! The rules that requests name, ready for play: built-in rulesets, built-in rulesets with options,
//! and rulesets sent as data. Each is made once and shared; those that are not built in are kept in
//! a cache of bounded memory, from which dropping one never disturbs a call that uses it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use dicepoker_engine::definition::Definition;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Reference, Values};
use dicepoker_proto::v1 as pb;
use moka::future::Cache;
use prost::Message;
use tokio::sync::OnceCell;

use crate::error::Error;
use crate::runtime::LongWork;
use crate::{telemetry, wire};

/// How long an unused ruleset stays in the cache.
const IDLE: Duration = Duration::from_secs(3600);

/// Rules ready for play.
#[derive(Debug)]
pub struct Game {
    sheet: Arc<Sheet>,
    solution: OnceCell<Arc<Reference>>,
    long_work: LongWork,
}

impl Game {
    fn new(definition: Definition, long_work: LongWork) -> Result<Self, Error> {
        let sheet = Sheet::new(definition)
            .map_err(|violations| Error::invalid_under("definition", violations))?;
        Ok(Self { sheet: Arc::new(sheet), solution: OnceCell::new(), long_work })
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
    pub async fn solution(&self) -> Result<&Reference, Error> {
        let solve = || async {
            let sheet = Arc::clone(&self.sheet);
            self.long_work.run(move |_| Arc::new(Reference::solve(&sheet))).await
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

/// All rules there are.
#[derive(Debug)]
pub struct Games {
    rulesets: Vec<Ruleset>,
    built_in: HashMap<String, Arc<Game>>,
    others: Cache<Vec<u8>, Arc<Game>>,
    long_work: LongWork,
}

impl Games {
    /// The built-in rulesets, unsolved, and an empty cache of `cache_bytes` for others; all are
    /// solved on `long_work`.
    #[must_use]
    pub fn new(cache_bytes: u64, long_work: LongWork) -> Self {
        let rulesets = Ruleset::built_in();
        let built_in = rulesets
            .iter()
            .map(|ruleset| {
                let game = Game::new(ruleset.definition.clone(), long_work.clone());
                (ruleset.id.clone(), Arc::new(game.expect("built-in rulesets are tested sound")))
            })
            .collect();
        let others = Cache::builder()
            .max_capacity(cache_bytes)
            .weigher(|_, game: &Arc<Game>| game.bytes())
            .time_to_idle(IDLE)
            .build();
        Self { rulesets, built_in, others, long_work }
    }

    /// Solves the built-in rulesets that are `wanted`.
    ///
    /// # Errors
    /// If the solver died.
    pub async fn solve_built_in(&self, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
        for ruleset in self.rulesets.iter().filter(|ruleset| wanted(&ruleset.id)) {
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

    /// Rulesets in the cache.
    #[must_use]
    pub fn cached(&self) -> u64 {
        self.others.entry_count()
    }

    /// The built-in rulesets, in the order in which they are listed.
    #[must_use]
    pub fn rulesets(&self) -> &[Ruleset] {
        &self.rulesets
    }

    /// The built-in ruleset of this id.
    ///
    /// # Errors
    /// If there is none.
    pub fn ruleset(&self, id: &str) -> Result<&Ruleset, Error> {
        self.rulesets.iter().find(|ruleset| ruleset.id == id).ok_or_else(|| {
            let known: Vec<&str> = self.rulesets.iter().map(|r| r.id.as_str()).collect();
            Error::UnknownRuleset { id: wire::shorten(id), known: known.join(", ") }
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
    ) -> Result<Arc<Game>, Error> {
        let options = options.filter(|options| !options.fields.is_empty());
        match (ruleset, definition) {
            ("", None) => Err(Error::invalid(
                "ruleset",
                "required: the id of a built-in ruleset, or a definition in its place",
            )),
            ("", Some(definition)) => {
                if options.is_some() {
                    return Err(Error::invalid(
                        "options",
                        "belong to a built-in ruleset: change the definition itself instead",
                    ));
                }
                telemetry::ruleset::is_custom();
                self.defined(definition).await
            }
            (_, Some(_)) => Err(Error::invalid(
                "definition",
                "must be left out where a built-in ruleset is named, or the other way round",
            )),
            (id, None) => match options {
                Some(options) => {
                    telemetry::ruleset::is_custom();
                    self.with_options(self.ruleset(id)?, options).await
                }
                None => match self.built_in.get(id) {
                    Some(game) => {
                        telemetry::ruleset::is(id);
                        Ok(Arc::clone(game))
                    }
                    None => self.ruleset(id).map(|_| unreachable!("built in")),
                },
            },
        }
    }

    async fn defined(&self, definition: &pb::RulesetDefinition) -> Result<Arc<Game>, Error> {
        let key = definition.encode_to_vec();
        if let Some(game) = self.others.get(&key).await {
            return Ok(game);
        }
        let game = Game::new(wire::definition::read(definition)?, self.long_work.clone())?;
        Ok(self.others.get_with(key, async { Arc::new(game) }).await)
    }

    async fn with_options(
        &self,
        ruleset: &Ruleset,
        options: &prost_types::Struct,
    ) -> Result<Arc<Game>, Error> {
        let mut key = ruleset.id.clone().into_bytes();
        options.encode(&mut key).expect("a vector takes all");
        if let Some(game) = self.others.get(&key).await {
            return Ok(game);
        }
        let definition = self.definition_with(ruleset, options)?;
        if definition == ruleset.definition {
            return Ok(Arc::clone(&self.built_in[&ruleset.id]));
        }
        let game = Game::new(definition, self.long_work.clone())?;
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
