//! The family of showdowns. [`Showdowns`] reads rulesets, [`Table`] is a showdown under some rules. Each call
//! has a file of its own; this one has the parts that several calls share.

mod analyze;
mod definition;
mod description;
mod family;
mod moves;
mod opponent;
mod position;
mod review;
mod score;
mod simulate;
mod suggest;
mod turn;

use std::sync::Arc;

use dicepoker_engine::showdown::{
    FaceNames, Limit, Showdown, ShowdownPosition, ShowdownRejection, ShowdownValues,
};
use dicepoker_proto::v1 as pb;
use tokio::sync::OnceCell;
use tonic::async_trait;

pub(crate) use self::family::Showdowns;
use crate::analysis::Analyzing;
use crate::error::Error;
use crate::family::{Context, Rules};
use crate::progress::{Bounds, Progress};

/// A showdown under some rules, and its values for each number of players from their first use on.
#[derive(Debug)]
struct Table {
    key: String,
    game: Showdown,
    /// The names of the faces in explanations.
    names: FaceNames,
    values: [OnceCell<ShowdownValues>; dicepoker_engine::showdown::MAX_PLAYERS + 1],
    context: Context,
}

impl Table {
    fn new(key: String, game: Showdown, names: FaceNames, context: Context) -> Self {
        Self { key, game, names, values: Default::default(), context }
    }

    /// The values for so many players: solved on first use, once for all callers that wait.
    ///
    /// # Errors
    /// If solving exceeds its limit, there is no room for more long work, or the service stops.
    async fn values(self: &Arc<Self>, players: usize) -> Result<&ShowdownValues, Error> {
        let cell = &self.values[players];
        if let Some(values) = cell.get() {
            return Ok(values);
        }
        let solve = || async {
            let table = Arc::clone(self);
            let solve = move |_: &_| ShowdownValues::solve(&table.game, players, Limit::default());
            self.context.long_work.run(solve).await?.map_err(Error::from)
        };
        let values = cell.get_or_try_init(solve).await?;
        self.context.cache.weigh(self.clone()).await;
        Ok(values)
    }

    /// [`Table::values`], for which the caller must have waited.
    fn solved(&self, players: usize) -> Result<&ShowdownValues, Error> {
        self.values[players].get().ok_or(Error::Internal("used before it was solved"))
    }

    fn position(&self, position: pb::Position) -> Result<ShowdownPosition, Error> {
        let raw = position::read(position)?;
        ShowdownPosition::parse(&self.game, &raw).map_err(|rejection| match rejection {
            ShowdownRejection::Impossible(found) => position::impossible(found),
            ShowdownRejection::Finished => Error::GameFinished(rejection.to_string()),
        })
    }

    fn required_position(&self, position: Option<pb::Position>) -> Result<ShowdownPosition, Error> {
        self.position(position.ok_or_else(|| Error::invalid("position", "required"))?)
    }
}

#[async_trait]
impl Rules for Table {
    fn key(&self) -> &str {
        &self.key
    }

    fn kibibytes(&self) -> u32 {
        let solved = self.values.iter().filter_map(OnceCell::get).map(ShowdownValues::bytes);
        let bytes = self.game.bytes() + solved.sum::<usize>();
        u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX)
    }

    fn describe(&self) -> pb::Ruleset {
        description::of_rules(&self.game, self.names)
    }

    async fn solve(self: Arc<Self>) -> Result<(), Error> {
        self.values(*self.game.players().start()).await.map(drop)
    }

    fn score(&self, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error> {
        score::score(self, request)
    }

    fn legal_moves(&self, request: pb::LegalMovesRequest) -> Result<pb::LegalMovesResponse, Error> {
        moves::legal_moves(self, request)
    }

    fn apply(&self, request: pb::ApplyRequest) -> Result<pb::ApplyResponse, Error> {
        moves::apply(self, request)
    }

    async fn suggest(
        self: Arc<Self>,
        request: pb::SuggestRequest,
    ) -> Result<pb::SuggestResponse, Error> {
        suggest::suggest(&self, request).await
    }

    async fn play_turn(
        self: Arc<Self>,
        request: pb::PlayTurnRequest,
    ) -> Result<pb::PlayTurnResponse, Error> {
        turn::play_turn(&self, request).await
    }

    async fn simulate(
        self: Arc<Self>,
        request: pb::SimulateRequest,
        bounds: Bounds,
    ) -> Result<Progress<pb::SimulateResponse>, Error> {
        simulate::simulate(&self, request, bounds).await
    }

    async fn analyze(
        self: Arc<Self>,
        request: &pb::AnalyzeRequest,
        _ruleset: &str,
        bounds: Bounds,
    ) -> Result<Box<dyn Analyzing>, Error> {
        analyze::analyze(&self, request, bounds).await
    }

    async fn review(
        self: Arc<Self>,
        request: pb::ReviewRequest,
    ) -> Result<pb::ReviewResponse, Error> {
        review::review(&self, request).await
    }
}
