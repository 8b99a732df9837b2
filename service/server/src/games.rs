//! The rules that requests name, ready for play: built-in rulesets, built-in rulesets with options,
//! and rulesets sent as data. Each is made once and shared; those that are not built in are kept in
//! a cache of bounded memory, from which dropping one never disturbs a call that uses it.

mod cache;
mod score_sheet;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use dicepoker_engine::check::{check, shorten};
use dicepoker_engine::definition::Definition;
use dicepoker_engine::race::RaceRules;
use dicepoker_engine::ruleset::{OptionValue, Ruleset, SolveWhen};
use dicepoker_engine::solve::{Budget, Estimate, Key, Solution, Solver};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;
use prost::Message;

use self::cache::Sheets;
use self::score_sheet::Abandoned;
pub use self::score_sheet::ScoreSheet;
use crate::error::Error;
use crate::runtime::LongWork;
use crate::{telemetry, wire};

/// Rules that a request names, ready for play.
#[derive(Clone, Debug)]
pub enum Game {
    /// A ruleset of the score-sheet kind.
    ScoreSheet(Arc<ScoreSheet>),
    /// The race, under the rules of one house.
    Race(RaceRules),
}

/// All rules there are.
#[derive(Debug)]
pub struct Games {
    rulesets: Vec<Ruleset>,
    built_in: HashMap<String, Arc<ScoreSheet>>,
    /// The built-in rulesets by what they say, for definitions that say the same.
    by_key: HashMap<Key, Arc<ScoreSheet>>,
    others: Sheets,
    budget: Budget,
    long_work: LongWork,
}

/// What solving a definition takes, and whether this service would.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Name of what the definition says.
    pub key: Key,
    /// What solving takes.
    pub estimate: Estimate,
    /// Whether that is within the budget.
    pub accepted: bool,
    /// Why values are not exact, or why there are none.
    pub limitation: Option<String>,
}

impl Games {
    /// The built-in rulesets, unsolved, and an empty cache for others of `cache_bytes`, from which
    /// what is not used for `idle` is dropped; each of them may take `budget`. All are solved on
    /// `long_work`.
    #[must_use]
    pub fn new(cache_bytes: u64, idle: Duration, budget: Budget, long_work: LongWork) -> Self {
        let rulesets = Ruleset::built_in();
        let built_in: HashMap<String, Arc<ScoreSheet>> = rulesets
            .iter()
            .map(|ruleset| {
                let definition = ruleset.definition.clone();
                let (label, pool) = (telemetry::ruleset::label(&ruleset.id), long_work.clone());
                let sheet =
                    ScoreSheet::new(definition, Budget::BUILT_IN, label, Abandoned::Finish, pool);
                (ruleset.id.clone(), Arc::new(sheet.expect("built-in rulesets are tested sound")))
            })
            .collect();
        let by_key = built_in
            .values()
            .map(|sheet| (Key::of(sheet.sheet().definition()), Arc::clone(sheet)))
            .collect();
        let others = Sheets::new(cache_bytes, idle);
        Self { rulesets, built_in, by_key, others, budget, long_work }
    }

    /// Solves the built-in rulesets that are solved at start.
    ///
    /// # Errors
    /// If the service stops.
    pub async fn solve_at_start(&self) -> Result<(), Error> {
        let at_start = |ruleset: &&Ruleset| ruleset.solve == SolveWhen::AtStart;
        for ruleset in self.rulesets.iter().filter(at_start) {
            self.solve_built_in(&ruleset.id).await?;
        }
        Ok(())
    }

    /// Solves the built-in ruleset of this id.
    ///
    /// # Errors
    /// If there is none, or the service stops.
    pub async fn solve_built_in(&self, id: &str) -> Result<(), Error> {
        let sheet = self.built_in.get(id).ok_or_else(|| self.unknown(id))?;
        sheet.solution().await?;
        tracing::info!(ruleset = id, expected_score = sheet.expected_score(), "ruleset solved");
        Ok(())
    }

    /// Rulesets in the cache.
    #[must_use]
    pub fn cached(&self) -> u64 {
        self.others.count()
    }

    /// Bytes of the cache.
    #[must_use]
    pub fn cached_bytes(&self) -> u64 {
        self.others.bytes()
    }

    /// How often rules that are not built in were found ready, and how often they were not.
    #[must_use]
    pub fn lookups(&self) -> (u64, u64) {
        self.others.lookups()
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
            ("", Some(definition), None) => {
                telemetry::ruleset::is_custom();
                self.defined(definition).await.map(Game::ScoreSheet)
            }
            (_, Some(_), _) => Err(Error::invalid(
                "definition",
                "must be left out where a built-in ruleset is named, or the other way round",
            )),
            (wire::race::ID, None, options) => {
                telemetry::ruleset::is(wire::race::ID);
                let rules = options.map_or(Ok(RaceRules::default()), wire::race::read_rules)?;
                Ok(Game::Race(rules))
            }
            (id, None, Some(options)) => {
                telemetry::ruleset::is_custom();
                self.with_options(self.ruleset(id)?, options).await.map(Game::ScoreSheet)
            }
            (id, None, None) => {
                let game = self.built_in.get(id).ok_or_else(|| self.unknown(id))?;
                telemetry::ruleset::is(id);
                Ok(Game::ScoreSheet(Arc::clone(game)))
            }
        }
    }

    /// The pool that long work for these games is done on.
    pub(crate) fn long_work(&self) -> &LongWork {
        &self.long_work
    }

    /// Does long work on `game`, until it is done or its caller has gone.
    ///
    /// # Errors
    /// If there is no room for more long work.
    pub(crate) async fn work_on<T: Send + 'static>(
        &self,
        game: &Arc<ScoreSheet>,
        work: impl FnOnce(&ScoreSheet) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let game = Arc::clone(game);
        self.long_work.run(move |_| work(&game)).await
    }

    /// The value of every scorecard of `game`: solved on first use, once for all who wait.
    ///
    /// # Errors
    /// If there is no room for more long work, or the service stops.
    pub(crate) async fn solution<'a>(
        &self,
        game: &'a Arc<ScoreSheet>,
    ) -> Result<&'a Solution, Error> {
        if let Some(solution) = game.solved() {
            return Ok(solution);
        }
        let solution = game.solution().await?;
        // It takes more memory now; built-in rulesets are no part of the cache.
        self.others.weigh(game).await;
        Ok(solution)
    }

    /// Makes sure that `game` has what aims and explanations need, `with_reach` for a target.
    ///
    /// # Errors
    /// If there is no room for more long work, or the service stops.
    pub(crate) async fn prepare_spread(
        &self,
        game: &Arc<ScoreSheet>,
        with_target_chances: bool,
    ) -> Result<(), Error> {
        if game.spread(with_target_chances).is_some() {
            return Ok(());
        }
        self.solution(game).await?;
        game.make_spread(with_target_chances, self.others.scales()).await
    }

    fn ruleset(&self, id: &str) -> Result<&Ruleset, Error> {
        self.rulesets.iter().find(|ruleset| ruleset.id == id).ok_or_else(|| self.unknown(id))
    }

    fn unknown(&self, id: &str) -> Error {
        let known: Vec<&str> = self.ids().collect();
        Error::UnknownRuleset { id: shorten(id), known: known.join(", ") }
    }

    /// What solving the rules that a request names takes, without solving them.
    ///
    /// # Errors
    /// As [`Games::find`], but for the budget.
    pub fn judge(
        &self,
        ruleset: &str,
        options: Option<&prost_types::Struct>,
        definition: Option<&pb::RulesetDefinition>,
    ) -> Result<Judged, Error> {
        let definition = match (ruleset, definition) {
            (wire::race::ID, None) => {
                return Err(Error::invalid(
                    "ruleset",
                    "the race is not solved: name a score sheet",
                ));
            }
            ("", Some(definition)) => read(definition)?,
            ("", None) => {
                return Err(Error::invalid("definition", "required: or a built-in ruleset"));
            }
            (_, Some(_)) => {
                return Err(Error::invalid("definition", "must be left out beside a ruleset"));
            }
            (id, None) => match options {
                Some(options) => with_options(self.ruleset(id)?, &wire::options::read(options)?)?,
                None => self.ruleset(id)?.definition.clone(),
            },
        };
        let (key, estimate) = (Key::of(&definition), Estimate::of(&definition));
        let accepted = self.by_key.contains_key(&key) || estimate.within(&self.budget).is_ok();
        let over = estimate.within(&self.budget).err().filter(|_| !accepted);
        let learned = Solver::can_learn(&definition);
        let limitation = over.map(|over| match learned {
            true => format!("values are learned, not exact: {over}"),
            false => format!("no values, and no advice: {over}"),
        });
        Ok(Judged { key, estimate, accepted, limitation })
    }

    async fn defined(&self, definition: &pb::RulesetDefinition) -> Result<Arc<ScoreSheet>, Error> {
        let spelling = definition.encode_to_vec();
        match self.others.spelt(&spelling).await {
            Some(sheet) => Ok(sheet),
            None => self.make(spelling, read(definition)?).await,
        }
    }

    async fn with_options(
        &self,
        ruleset: &Ruleset,
        options: &prost_types::Struct,
    ) -> Result<Arc<ScoreSheet>, Error> {
        // What is nested deeply is no option, and to encode it takes time by the square of its depth.
        let read = wire::options::read(options)?;
        // No definition begins with a byte of 0: spellings of the two kinds are never the same.
        let mut spelling = [&[0], ruleset.id.as_bytes(), &[0]].concat();
        options.encode(&mut spelling).expect("a vector takes all");
        match self.others.spelt(&spelling).await {
            Some(sheet) => Ok(sheet),
            None => self.make(spelling, with_options(ruleset, &read)?).await,
        }
    }

    async fn make(
        &self,
        spelling: Vec<u8>,
        definition: Definition,
    ) -> Result<Arc<ScoreSheet>, Error> {
        let key = Key::of(&definition);
        if let Some(sheet) = self.by_key.get(&key) {
            return Ok(Arc::clone(sheet));
        }
        let (budget, long_work) = (self.budget, self.long_work.clone());
        let label = telemetry::ruleset::CUSTOM;
        let make = move |definition| {
            ScoreSheet::new(definition, budget, label, Abandoned::Cancel, long_work)
        };
        let sheet = self.others.get(key, definition, &self.long_work, make).await?;
        self.others.learn(spelling, key).await;
        Ok(sheet)
    }
}

/// Reads a definition that was sent along.
fn read(definition: &pb::RulesetDefinition) -> Result<Definition, Error> {
    let mut found = Violations::new();
    let definition = wire::definition::read(definition, &mut found);
    found.extend_under("", check(&definition));
    found.or(definition).map_err(|found| Error::invalid_under("definition", found))
}

fn with_options(
    ruleset: &Ruleset,
    options: &BTreeMap<String, OptionValue>,
) -> Result<Definition, Error> {
    ruleset.with_options(options).map_err(|violations| Error::invalid_under("options", violations))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicepoker_engine::sheet::CardState;
    use dicepoker_engine::solve::Values;
    use futures_util::FutureExt as _;

    fn games(cache_bytes: u64) -> Games {
        let long_work = LongWork::new(1, 64).expect("threads");
        Games::new(cache_bytes, Duration::from_secs(60), Budget::BUILT_IN, long_work)
    }

    /// Yacht with another bonus.
    fn definition(games: &Games, points: i32) -> pb::RulesetDefinition {
        let yacht = games.ruleset("yacht").expect("built in");
        let mut definition = wire::definition::write(&yacht.definition);
        definition.upper_bonuses[0].points = points;
        definition
    }

    async fn find(games: &Games, definition: &pb::RulesetDefinition) -> Arc<ScoreSheet> {
        match games.find("", None, Some(definition)).await.expect("sound") {
            Game::ScoreSheet(sheet) => sheet,
            Game::Race(_) => unreachable!("definitions are of score sheets"),
        }
    }

    #[tokio::test]
    async fn those_who_bring_the_same_rules_at_once_share_one_solution() {
        let games = games(256 << 20);
        let mut renamed = definition(&games, 36);
        renamed.categories[0].title = "Aces".to_owned();
        let definition = definition(&games, 36);
        let (one, other) = tokio::join!(find(&games, &definition), find(&games, &renamed));
        assert!(Arc::ptr_eq(&one, &other));
        let (first, second) = tokio::join!(games.solution(&one), games.solution(&other));
        assert!(std::ptr::eq(first.expect("solved"), second.expect("solved")));
    }

    #[tokio::test]
    async fn a_ruleset_dropped_from_the_cache_serves_those_who_hold_it() {
        // No room for even one.
        let games = games(1 << 10);
        let held = find(&games, &definition(&games, 36)).await;
        let before = games.solution(&held).await.expect("solved").value(CardState::EMPTY);
        for points in 37..45 {
            find(&games, &definition(&games, points)).await;
        }
        games.others.settle().await;
        assert_eq!(games.cached(), 0);
        let after = games.solution(&held).await.expect("still there").value(CardState::EMPTY);
        assert_eq!(before, after);
        // And it can be had again.
        let again = find(&games, &definition(&games, 36)).await;
        assert!(!Arc::ptr_eq(&held, &again));
    }

    /// Bytes of the cache when all is done that waits to be done.
    async fn settled_bytes(games: &Games) -> u64 {
        games.others.settle().await;
        games.cached_bytes()
    }

    #[tokio::test]
    async fn a_ruleset_weighs_what_was_made_of_it() {
        let games = games(256 << 20);
        let sheet = find(&games, &definition(&games, 36)).await;
        let read = settled_bytes(&games).await;
        assert_eq!(read, u64::from(sheet.kibibytes()) << 10);
        // Whoever waits for it goes before it is solved.
        assert!(games.solution(&sheet).now_or_never().is_none());
        assert_eq!(settled_bytes(&games).await, read, "nothing was made of it");
        let table = games.solution(&sheet).await.expect("solved").bytes() as u64;
        let solved = settled_bytes(&games).await;
        assert!((table..table + (2 << 10)).contains(&(solved - read)), "{read}, then {solved}");
        // And it is weighed when its tables of objectives stand, though nobody waits for them.
        assert!(games.prepare_spread(&sheet, true).now_or_never().is_none());
        while sheet.spread(true).is_none() || games.long_work.running() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(settled_bytes(&games).await, u64::from(sheet.kibibytes()) << 10);
        assert!(settled_bytes(&games).await > solved);
        assert_eq!(games.cached(), 1);
    }

    #[tokio::test]
    async fn rulesets_that_are_not_solved_leave_room_for_one_that_is() {
        let (budget, most) =
            (Estimate::of(&games(0).ruleset("yacht").expect("built in").definition), 3);
        // By what solving them takes, three would fit.
        let games = games(most * budget.bytes());
        let solved = find(&games, &definition(&games, 1)).await;
        games.solution(&solved).await.expect("solved");
        for points in 2..20 {
            let unsolved = find(&games, &definition(&games, points)).await;
            let abandoned = points % 2 == 0;
            assert!(!abandoned || games.solution(&unsolved).now_or_never().is_none());
            games.others.settle().await;
        }
        assert_eq!(games.cached(), 19);
        assert!(Arc::ptr_eq(&solved, &find(&games, &definition(&games, 1)).await));
    }

    #[tokio::test]
    async fn what_a_built_in_ruleset_says_is_that_ruleset() {
        let games = games(256 << 20);
        let yacht = Arc::clone(&games.built_in["yacht"]);
        assert!(Arc::ptr_eq(&yacht, &find(&games, &definition(&games, 35)).await));
    }
}
