//! The traits of a family of games. A new family is a folder that implements [`Family`] and [`Rules`],
//! and a line in [`Rulesets::new`](crate::rulesets::Rulesets::new) and
//! [`built_in_ids`](crate::rulesets::ids::built_in_ids); nothing else in the service names a family.

mod cache;
mod context;
pub(crate) mod support;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use dicepoker_engine::ruleset::OptionValue;
use dicepoker_proto::v1 as pb;
use tonic::async_trait;

pub(crate) use self::cache::Cache;
pub(crate) use self::context::Context;
use crate::analysis::Analyzing;
use crate::error::Error;
use crate::progress::{Bounds, Progress};

/// A family of games: reads rulesets and makes [`Rules`] of them.
pub(crate) trait Family: Debug + Send + Sync {
    /// The built-in rulesets by id, in the order in which ListRulesets returns them. Cheap:
    /// [`Rules::solve`], or the first call that needs it, does the long work.
    fn built_in(&self) -> Vec<(String, Arc<dyn Rules>)>;

    /// The ids of the built-in rulesets to solve before the service is ready.
    fn solved_at_start(&self) -> Vec<String> {
        Vec::new()
    }

    /// The built-in ruleset `id` of this family with `options`, which may be none.
    ///
    /// # Errors
    /// Every unknown or invalid option, under `options`.
    fn with_options(
        &self,
        id: &str,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<Draft, Error>;

    /// Reads a definition, or returns `None` if it is one of another family: each recognizes its own
    /// by the message in it.
    ///
    /// # Errors
    /// Every violation in it, under `definition`.
    fn define(&self, definition: &pb::RulesetDefinition) -> Option<Result<Draft, Error>>;

    /// The result of [`Rules::describe`], completed by names, options and levels of the built-in
    /// ruleset `id`.
    fn describe(&self, id: &str, rules: pb::Ruleset) -> pb::Ruleset;
}

/// Sound rules before their tables are made; their cost decides whether they may be made.
pub(crate) struct Draft {
    /// The response of ValidateRuleset. Rules with the same key are made once and shared.
    pub(crate) cost: pb::ValidateRulesetResponse,
    /// The rest of that response: how well the rules are served.
    pub(crate) support: Box<dyn FnOnce() -> Vec<pb::Support> + Send>,
    /// Makes them, on the pool for long work.
    pub(crate) make: Box<dyn FnOnce() -> Result<Arc<dyn Rules>, Error> + Send>,
}

/// The rules of a game, ready for every call that names them. Each method parses its request and reports
/// all violations at once, with paths.
///
/// `score`, `legal_moves` and `apply` are not async and never wait for a solution. The other calls
/// may wait, and run what takes more than about a millisecond as long work.
#[async_trait]
pub(crate) trait Rules: Debug + Send + Sync {
    /// The key of these rules, as in [`Draft::cost`].
    fn key(&self) -> &str;

    /// The memory that they take now, in KiB.
    fn kibibytes(&self) -> u32;

    /// The ruleset as GetRuleset shows it, without what [`Family::describe`] adds.
    fn describe(&self) -> pb::Ruleset;

    /// Solves them, if their kind is solved, once for all callers.
    async fn solve(self: Arc<Self>) -> Result<(), Error> {
        Ok(())
    }

    /// Makes the tables for objectives and explanations, if there are any, once for all callers.
    async fn prepare_objectives(self: Arc<Self>) -> Result<(), Error> {
        Ok(())
    }

    fn score(&self, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error>;

    fn legal_moves(&self, request: pb::LegalMovesRequest) -> Result<pb::LegalMovesResponse, Error>;

    fn apply(&self, request: pb::ApplyRequest) -> Result<pb::ApplyResponse, Error>;

    async fn suggest(
        self: Arc<Self>,
        request: pb::SuggestRequest,
    ) -> Result<pb::SuggestResponse, Error>;

    async fn play_turn(
        self: Arc<Self>,
        request: pb::PlayTurnRequest,
    ) -> Result<pb::PlayTurnResponse, Error>;

    /// Plays games by [`progress::games`](crate::progress::games).
    async fn simulate(
        self: Arc<Self>,
        request: pb::SimulateRequest,
        bounds: Bounds,
    ) -> Result<Progress<pb::SimulateResponse>, Error>;

    /// Begins the analysis of these rules; `ruleset` is the id by which the request names them, or empty.
    /// They may be those of `compare`, so implementations read no other names of rules in `request`.
    async fn analyze(
        self: Arc<Self>,
        request: &pb::AnalyzeRequest,
        ruleset: &str,
        bounds: Bounds,
    ) -> Result<Box<dyn Analyzing>, Error>;

    async fn review(
        self: Arc<Self>,
        request: pb::ReviewRequest,
    ) -> Result<pb::ReviewResponse, Error>;
}
