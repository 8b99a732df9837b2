//! The family of the race. [`Races`] reads options, [`Race`] is the race under the rules of one
//! house. Each call has a file of its own; this one has the parts that several calls share.

mod analyze;
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

use dicepoker_engine::race::{ApplyError, RaceMove, RacePosition, RaceRejection, RaceRules};
use dicepoker_proto::v1 as pb;
use tonic::async_trait;

pub(crate) use self::family::Races;
use self::position::{finished, illegal, read_position};
use crate::analysis::Analyzing;
use crate::error::Error;
use crate::family::Rules;
use crate::progress::{Bounds, Progress};
use crate::runtime::LongWork;

/// The race under the rules of one house.
#[derive(Debug)]
struct Race {
    key: String,
    rules: RaceRules,
    long_work: LongWork,
}

#[async_trait]
impl Rules for Race {
    fn key(&self) -> &str {
        &self.key
    }

    fn kibibytes(&self) -> u32 {
        1
    }

    fn describe(&self) -> pb::Ruleset {
        description::of_rules(&self.rules)
    }

    fn score(&self, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error> {
        score::score(&self.rules, request)
    }

    fn legal_moves(&self, request: pb::LegalMovesRequest) -> Result<pb::LegalMovesResponse, Error> {
        moves::legal_moves(&self.rules, request)
    }

    fn apply(&self, request: pb::ApplyRequest) -> Result<pb::ApplyResponse, Error> {
        moves::apply(&self.rules, request)
    }

    async fn suggest(
        self: Arc<Self>,
        request: pb::SuggestRequest,
    ) -> Result<pb::SuggestResponse, Error> {
        suggest::suggest(&self.rules, request)
    }

    async fn play_turn(
        self: Arc<Self>,
        request: pb::PlayTurnRequest,
    ) -> Result<pb::PlayTurnResponse, Error> {
        turn::play_turn(&self.rules, request)
    }

    async fn simulate(
        self: Arc<Self>,
        request: pb::SimulateRequest,
        bounds: Bounds,
    ) -> Result<Progress<pb::SimulateResponse>, Error> {
        simulate::simulate(&self.long_work, &self.rules, request, bounds)
    }

    async fn analyze(
        self: Arc<Self>,
        request: &pb::AnalyzeRequest,
        _ruleset: &str,
        bounds: Bounds,
    ) -> Result<Box<dyn Analyzing>, Error> {
        analyze::analyze(&self.rules, request, bounds)
    }

    async fn review(
        self: Arc<Self>,
        request: pb::ReviewRequest,
    ) -> Result<pb::ReviewResponse, Error> {
        review::review(&self.long_work, &self.rules, request).await
    }
}

/// The error of a rejected move; the faces that it throws are in the field `thrown`.
fn refused(chosen: RaceMove, thrown: &'static str) -> impl Fn(ApplyError) -> Error {
    move |error| match error {
        ApplyError::Illegal(reason) => illegal(chosen, reason),
        ApplyError::Thrown(found) => Error::invalid_under(thrown, found),
    }
}

fn required_position(
    rules: &RaceRules,
    position: Option<pb::Position>,
) -> Result<RacePosition, Error> {
    let position = position.ok_or_else(|| Error::invalid("position", "required"))?;
    RacePosition::parse(*rules, &read_position(position)).map_err(|rejection| match rejection {
        RaceRejection::Impossible(found) => Error::invalid_under("position", found),
        RaceRejection::Finished => finished(),
    })
}
