//! The service of the contract. A call finds its rules and hands over to the family of games they
//! belong to; nothing else happens here.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_server::DicePokerService;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::games::{Game, Games};
use crate::limits::deadline::timeout;
use crate::runtime::Turn;
use crate::simulation::{Bounds, Progress};
use crate::{race, score_sheet};

/// The most rulesets a page holds.
const PAGE: usize = 50;

/// The most requests of a batch.
const BATCH: usize = 256;

/// The service: all rules there are, and nothing that one call could leave to the next.
#[derive(Clone, Debug)]
pub struct Service {
    games: Arc<Games>,
    /// Limit on the games of one Simulate.
    most_games: u32,
    /// Limit on the time of one call.
    max_call: Option<Duration>,
}

/// The most games that one call may have simulated if nothing else is said.
pub const MOST_GAMES: u32 = 100_000;

impl Service {
    /// The service for these rules.
    #[must_use]
    pub fn new(games: Arc<Games>) -> Self {
        Self { games, most_games: MOST_GAMES, max_call: None }
    }

    /// The same service, with these limits for one Simulate.
    #[must_use]
    pub fn simulating_at_most(self, games: u32, time: Option<Duration>) -> Self {
        Self { most_games: games, max_call: time, ..self }
    }
}

/// The rules that `request` names.
macro_rules! game {
    ($self:ident, $request:ident) => {
        $self.games.find(&$request.ruleset, $request.options.as_ref(), $request.definition.as_ref())
    };
}

impl Service {
    async fn score_one(&self, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error> {
        match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::score(game.sheet(), request),
            Game::Race(rules) => race::score(&rules, request),
        }
    }

    async fn suggest_one(&self, request: pb::SuggestRequest) -> Result<pb::SuggestResponse, Error> {
        match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::suggest(&self.games, &game, request).await,
            Game::Race(rules) => race::suggest(&rules, request),
        }
    }
}

#[tonic::async_trait]
impl DicePokerService for Service {
    async fn score(
        &self,
        request: Request<pb::ScoreRequest>,
    ) -> Result<Response<pb::ScoreResponse>, Status> {
        Ok(Response::new(self.score_one(request.into_inner()).await?))
    }

    async fn batch_score(
        &self,
        request: Request<pb::BatchScoreRequest>,
    ) -> Result<Response<pb::BatchScoreResponse>, Status> {
        use pb::batch_score_response::{Item, item::Outcome};
        let requests = within_batch(request.into_inner().requests)?;
        let mut turn = Turn::begin();
        let mut results = Vec::with_capacity(requests.len());
        for request in requests {
            let outcome = match self.score_one(request).await {
                Ok(response) => Outcome::Response(response),
                Err(error) => Outcome::Error(error.into()),
            };
            results.push(Item { outcome: Some(outcome) });
            turn.give_way().await;
        }
        Ok(Response::new(pb::BatchScoreResponse { results }))
    }

    async fn legal_moves(
        &self,
        request: Request<pb::LegalMovesRequest>,
    ) -> Result<Response<pb::LegalMovesResponse>, Status> {
        let request = request.into_inner();
        let response = match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::legal_moves(game.sheet(), request)?,
            Game::Race(rules) => race::legal_moves(&rules, request)?,
        };
        Ok(Response::new(response))
    }

    async fn suggest(
        &self,
        request: Request<pb::SuggestRequest>,
    ) -> Result<Response<pb::SuggestResponse>, Status> {
        Ok(Response::new(self.suggest_one(request.into_inner()).await?))
    }

    async fn batch_suggest(
        &self,
        request: Request<pb::BatchSuggestRequest>,
    ) -> Result<Response<pb::BatchSuggestResponse>, Status> {
        use pb::batch_suggest_response::{Item, item::Outcome};
        let requests = within_batch(request.into_inner().requests)?;
        let mut turn = Turn::begin();
        let mut results = Vec::with_capacity(requests.len());
        for request in requests {
            let outcome = match self.suggest_one(request).await {
                Ok(response) => Outcome::Response(response),
                Err(error) => Outcome::Error(error.into()),
            };
            results.push(Item { outcome: Some(outcome) });
            // Hundreds of answers are milliseconds of work.
            turn.give_way().await;
        }
        Ok(Response::new(pb::BatchSuggestResponse { results }))
    }

    async fn apply(
        &self,
        request: Request<pb::ApplyRequest>,
    ) -> Result<Response<pb::ApplyResponse>, Status> {
        let request = request.into_inner();
        let response = match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::apply(game.sheet(), request)?,
            Game::Race(rules) => race::apply(&rules, request)?,
        };
        Ok(Response::new(response))
    }

    async fn play_turn(
        &self,
        request: Request<pb::PlayTurnRequest>,
    ) -> Result<Response<pb::PlayTurnResponse>, Status> {
        let request = request.into_inner();
        let response = match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::play_turn(&self.games, &game, request).await?,
            Game::Race(rules) => race::play_turn(&rules, request)?,
        };
        Ok(Response::new(response))
    }

    type SimulateStream = Progress;

    async fn simulate(
        &self,
        request: Request<pb::SimulateRequest>,
    ) -> Result<Response<Progress>, Status> {
        let timeout = timeout(request.metadata().as_ref())?;
        let time = [timeout, self.max_call].into_iter().flatten().min();
        let end = time.and_then(|time| Instant::now().checked_add(time));
        let bounds = Bounds { games: self.most_games, end };
        let request = request.into_inner();
        let progress = match game!(self, request).await? {
            Game::ScoreSheet(game) => {
                score_sheet::simulate(&self.games, &game, request, bounds).await?
            }
            Game::Race(rules) => race::simulate(self.games.long_work(), &rules, request, bounds)?,
        };
        Ok(Response::new(progress))
    }

    async fn review(
        &self,
        request: Request<pb::ReviewRequest>,
    ) -> Result<Response<pb::ReviewResponse>, Status> {
        let request = request.into_inner();
        let response = match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::review(&self.games, &game, request).await?,
            Game::Race(rules) => race::review(self.games.long_work(), &rules, request).await?,
        };
        Ok(Response::new(response))
    }

    async fn list_rulesets(
        &self,
        request: Request<pb::ListRulesetsRequest>,
    ) -> Result<Response<pb::ListRulesetsResponse>, Status> {
        let request = request.into_inner();
        let all: Vec<&str> = self.games.ids().collect();
        let from = match request.page_token.as_str() {
            "" => 0,
            token => all.iter().position(|&id| id == token).ok_or_else(|| {
                Error::invalid("page_token", "must be the next_page_token of another page")
            })?,
        };
        let size = match request.page_size {
            0 => PAGE,
            size => (size as usize).min(PAGE),
        };
        let to = (from + size).min(all.len());
        let mut rulesets = Vec::with_capacity(to - from);
        for id in &all[from..to] {
            rulesets.push(self.games.show(id, None).await?);
        }
        let next_page_token = all.get(to).map(|&id| id.to_owned()).unwrap_or_default();
        Ok(Response::new(pb::ListRulesetsResponse { rulesets, next_page_token }))
    }

    async fn get_ruleset(
        &self,
        request: Request<pb::GetRulesetRequest>,
    ) -> Result<Response<pb::GetRulesetResponse>, Status> {
        let request = request.into_inner();
        let ruleset = self.games.show(&request.ruleset, request.options.as_ref()).await?;
        Ok(Response::new(pb::GetRulesetResponse { ruleset: Some(ruleset) }))
    }

    async fn validate_ruleset(
        &self,
        request: Request<pb::ValidateRulesetRequest>,
    ) -> Result<Response<pb::ValidateRulesetResponse>, Status> {
        let request = request.into_inner();
        let (options, definition) = (request.options.as_ref(), request.definition.as_ref());
        let judged = self.games.judge(&request.ruleset, options, definition)?;
        let estimate = judged.estimate;
        Ok(Response::new(pb::ValidateRulesetResponse {
            key: judged.key.to_string(),
            states: estimate.states,
            table_bytes: estimate.table_bytes,
            working_bytes: estimate.working_bytes,
            estimated_seconds: estimate.seconds(1),
            accepted: judged.accepted,
            limitation: judged.limitation.unwrap_or_default(),
        }))
    }
}

/// `requests` if they are as many as a batch may have.
fn within_batch<T>(requests: Vec<T>) -> Result<Vec<T>, Error> {
    if (1..=BATCH).contains(&requests.len()) {
        Ok(requests)
    } else {
        let told = format!("{} requests: must be 1 to {BATCH}", requests.len());
        Err(Error::invalid("requests", told))
    }
}
