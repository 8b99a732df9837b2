//! The service of the contract: a call finds its rules and passes its request to them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_server::DicePokerService;
use tonic::{Extensions, Request, Response, Status};

use crate::analysis;
use crate::error::{Error, both};
use crate::family::Rules;
use crate::limits::deadline::timeout;
use crate::progress::{Bounds, Progress};
use crate::rulesets::Rulesets;
use crate::runtime::Turn;

/// The most rulesets of a page.
const PAGE: usize = 50;

/// The most requests of a batch.
const BATCH: usize = 256;

/// The service: all rules, and no state of calls.
#[derive(Clone, Debug)]
pub struct Service {
    rulesets: Arc<Rulesets>,
    /// Limit on the games of one Simulate or Analyze.
    most_games: u32,
    /// Limit on the time of one call.
    max_call: Option<Duration>,
}

/// The default limit on the games of one call.
pub const MOST_GAMES: u32 = 100_000;

impl Service {
    /// The service for these rules.
    #[must_use]
    pub fn new(rulesets: Arc<Rulesets>) -> Self {
        Self { rulesets, most_games: MOST_GAMES, max_call: None }
    }

    /// The same service, with these limits for one Simulate or Analyze.
    #[must_use]
    pub fn simulating_at_most(self, games: u32, time: Option<Duration>) -> Self {
        Self { most_games: games, max_call: time, ..self }
    }
}

impl Service {
    /// The limits of a call that streams its progress.
    fn bounds<T>(&self, request: &Request<T>) -> Result<Bounds, Status> {
        let timeout = timeout(request.metadata().as_ref())?;
        let time = [timeout, self.max_call].into_iter().flatten().min();
        let end = time.and_then(|time| Instant::now().checked_add(time));
        Ok(Bounds { games: self.most_games, end })
    }
}

/// The rules that the request of `call` names.
macro_rules! rules {
    ($self:ident, $request:ident, $call:expr) => {
        $self.rulesets.find(
            &$request.ruleset,
            $request.options.as_ref(),
            $request.definition.as_ref(),
            $call,
        )
    };
}

impl Service {
    async fn score_one(
        &self,
        request: pb::ScoreRequest,
        call: &Extensions,
    ) -> Result<pb::ScoreResponse, Error> {
        rules!(self, request, call).await?.score(request)
    }

    async fn suggest_one(
        &self,
        request: pb::SuggestRequest,
        call: &Extensions,
    ) -> Result<pb::SuggestResponse, Error> {
        rules!(self, request, call).await?.suggest(request).await
    }
}

#[tonic::async_trait]
impl DicePokerService for Service {
    async fn score(
        &self,
        request: Request<pb::ScoreRequest>,
    ) -> Result<Response<pb::ScoreResponse>, Status> {
        let (_, call, request) = request.into_parts();
        Ok(Response::new(self.score_one(request, &call).await?))
    }

    async fn batch_score(
        &self,
        request: Request<pb::BatchScoreRequest>,
    ) -> Result<Response<pb::BatchScoreResponse>, Status> {
        use pb::batch_score_response::{Item, item::Outcome};
        let (_, call, batch) = request.into_parts();
        let requests = within_batch(batch.requests)?;
        let mut turn = Turn::begin();
        let mut results = Vec::with_capacity(requests.len());
        for request in requests {
            let outcome = match self.score_one(request, &call).await {
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
        let (_, call, request) = request.into_parts();
        Ok(Response::new(rules!(self, request, &call).await?.legal_moves(request)?))
    }

    async fn suggest(
        &self,
        request: Request<pb::SuggestRequest>,
    ) -> Result<Response<pb::SuggestResponse>, Status> {
        let (_, call, request) = request.into_parts();
        Ok(Response::new(self.suggest_one(request, &call).await?))
    }

    async fn batch_suggest(
        &self,
        request: Request<pb::BatchSuggestRequest>,
    ) -> Result<Response<pb::BatchSuggestResponse>, Status> {
        use pb::batch_suggest_response::{Item, item::Outcome};
        let (_, call, batch) = request.into_parts();
        let requests = within_batch(batch.requests)?;
        let mut turn = Turn::begin();
        let mut results = Vec::with_capacity(requests.len());
        for request in requests {
            let outcome = match self.suggest_one(request, &call).await {
                Ok(response) => Outcome::Response(response),
                Err(error) => Outcome::Error(error.into()),
            };
            results.push(Item { outcome: Some(outcome) });
            // Hundreds of responses are milliseconds of work.
            turn.give_way().await;
        }
        Ok(Response::new(pb::BatchSuggestResponse { results }))
    }

    async fn apply(
        &self,
        request: Request<pb::ApplyRequest>,
    ) -> Result<Response<pb::ApplyResponse>, Status> {
        let (_, call, request) = request.into_parts();
        Ok(Response::new(rules!(self, request, &call).await?.apply(request)?))
    }

    async fn play_turn(
        &self,
        request: Request<pb::PlayTurnRequest>,
    ) -> Result<Response<pb::PlayTurnResponse>, Status> {
        let (_, call, request) = request.into_parts();
        Ok(Response::new(rules!(self, request, &call).await?.play_turn(request).await?))
    }

    type SimulateStream = Progress<pb::SimulateResponse>;

    async fn simulate(
        &self,
        request: Request<pb::SimulateRequest>,
    ) -> Result<Response<Self::SimulateStream>, Status> {
        let bounds = self.bounds(&request)?;
        let (_, call, request) = request.into_parts();
        let rules = rules!(self, request, &call).await?;
        Ok(Response::new(rules.simulate(request, bounds).await?))
    }

    type AnalyzeStream = Progress<pb::AnalyzeResponse>;

    async fn analyze(
        &self,
        request: Request<pb::AnalyzeRequest>,
    ) -> Result<Response<Self::AnalyzeStream>, Status> {
        let bounds = self.bounds(&request)?;
        let (_, call, request) = request.into_parts();
        let rules = rules!(self, request, &call);
        let compared = async {
            let Some(other) = &request.compare else { return Ok(None) };
            let found = rules!(self, other, &call).await.map_err(|error| error.under("compare"))?;
            Ok(Some((found, other.ruleset.as_str())))
        };
        let (rules, compared) = tokio::join!(rules, compared);
        let (rules, compared) = both(rules, compared)?;
        let family = |rules: &Arc<dyn Rules>| rules.describe().family;
        if let Some((other, _)) = &compared
            && family(other) != family(&rules)
        {
            let wrong = "must be of the same family as the ruleset";
            return Err(Error::invalid("compare", wrong).into());
        }
        let mut analyses = vec![rules.analyze(&request, &request.ruleset, bounds).await?];
        if let Some((other, id)) = compared {
            analyses.push(other.analyze(&request, id, bounds).await?);
        }
        Ok(Response::new(analysis::stream(
            self.rulesets.long_work(),
            self.rulesets.large_analyses(),
            analyses,
        )?))
    }

    async fn review(
        &self,
        request: Request<pb::ReviewRequest>,
    ) -> Result<Response<pb::ReviewResponse>, Status> {
        let (_, call, request) = request.into_parts();
        Ok(Response::new(rules!(self, request, &call).await?.review(request).await?))
    }

    async fn list_rulesets(
        &self,
        request: Request<pb::ListRulesetsRequest>,
    ) -> Result<Response<pb::ListRulesetsResponse>, Status> {
        let request = request.into_inner();
        let all = self.rulesets.ids();
        let from = match request.page_token.as_str() {
            "" => 0,
            token => all.iter().position(|id| id == token).ok_or_else(|| {
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
            // A page is about no ruleset, so none labels the call.
            rulesets.push(self.rulesets.describe(id, None, &Extensions::new()).await?);
        }
        let next_page_token = all.get(to).cloned().unwrap_or_default();
        Ok(Response::new(pb::ListRulesetsResponse { rulesets, next_page_token }))
    }

    async fn get_ruleset(
        &self,
        request: Request<pb::GetRulesetRequest>,
    ) -> Result<Response<pb::GetRulesetResponse>, Status> {
        let (_, call, request) = request.into_parts();
        let options = request.options.as_ref();
        let ruleset = self.rulesets.describe(&request.ruleset, options, &call).await?;
        Ok(Response::new(pb::GetRulesetResponse { ruleset: Some(ruleset) }))
    }

    async fn validate_ruleset(
        &self,
        request: Request<pb::ValidateRulesetRequest>,
    ) -> Result<Response<pb::ValidateRulesetResponse>, Status> {
        let request = request.into_inner();
        let (options, definition) = (request.options.as_ref(), request.definition.as_ref());
        let cost = self.rulesets.validate(&request.ruleset, options, definition)?;
        Ok(Response::new(cost))
    }
}

/// `requests`, if their number is within the limit of a batch.
fn within_batch<T>(requests: Vec<T>) -> Result<Vec<T>, Error> {
    if (1..=BATCH).contains(&requests.len()) {
        Ok(requests)
    } else {
        let wrong = format!("{} requests: must be 1 to {BATCH}", requests.len());
        Err(Error::invalid("requests", wrong))
    }
}
