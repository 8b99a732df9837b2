//! The service of the contract. A call finds its rules and hands over to the family of games they
//! belong to; nothing else happens here.

use std::sync::Arc;

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_server::DicePokerService;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::games::Games;
use crate::{score_sheet, wire};

/// The most rulesets a page holds.
const PAGE: usize = 50;

/// The service: all rules there are, and nothing that one call could leave to the next.
#[derive(Clone, Debug)]
pub struct Service {
    games: Arc<Games>,
}

impl Service {
    /// The service for these rules.
    #[must_use]
    pub fn new(games: Arc<Games>) -> Self {
        Self { games }
    }
}

/// The rules that `request` names.
macro_rules! game {
    ($self:ident, $request:ident) => {
        $self.games.find(&$request.ruleset, $request.options.as_ref(), $request.definition.as_ref())
    };
}

#[tonic::async_trait]
impl DicePokerService for Service {
    async fn score(
        &self,
        request: Request<pb::ScoreRequest>,
    ) -> Result<Response<pb::ScoreResponse>, Status> {
        let request = request.into_inner();
        let game = game!(self, request).await?;
        Ok(Response::new(score_sheet::score(game.sheet(), request)?))
    }

    async fn legal_moves(
        &self,
        request: Request<pb::LegalMovesRequest>,
    ) -> Result<Response<pb::LegalMovesResponse>, Status> {
        let request = request.into_inner();
        let game = game!(self, request).await?;
        Ok(Response::new(score_sheet::legal_moves(game.sheet(), request)?))
    }

    async fn suggest(
        &self,
        request: Request<pb::SuggestRequest>,
    ) -> Result<Response<pb::SuggestResponse>, Status> {
        let request = request.into_inner();
        let game = game!(self, request).await?;
        Ok(Response::new(score_sheet::suggest(&game, request).await?))
    }

    async fn apply(
        &self,
        request: Request<pb::ApplyRequest>,
    ) -> Result<Response<pb::ApplyResponse>, Status> {
        let request = request.into_inner();
        let game = game!(self, request).await?;
        Ok(Response::new(score_sheet::apply(game.sheet(), request)?))
    }

    async fn list_rulesets(
        &self,
        request: Request<pb::ListRulesetsRequest>,
    ) -> Result<Response<pb::ListRulesetsResponse>, Status> {
        let request = request.into_inner();
        let all = self.games.rulesets();
        let from = match request.page_token.as_str() {
            "" => 0,
            token => all.iter().position(|ruleset| ruleset.id == token).ok_or_else(|| {
                Error::invalid("page_token", "must be the next_page_token of another page")
            })?,
        };
        let size = match request.page_size {
            0 => PAGE,
            size => (size as usize).min(PAGE),
        };
        let to = (from + size).min(all.len());
        let mut rulesets = Vec::with_capacity(to - from);
        for ruleset in &all[from..to] {
            let game = self.games.find(&ruleset.id, None, None).await?;
            let definition = &ruleset.definition;
            rulesets.push(wire::ruleset::write(ruleset, definition, game.expected_score()));
        }
        let next_page_token = all.get(to).map(|ruleset| ruleset.id.clone()).unwrap_or_default();
        Ok(Response::new(pb::ListRulesetsResponse { rulesets, next_page_token }))
    }

    async fn get_ruleset(
        &self,
        request: Request<pb::GetRulesetRequest>,
    ) -> Result<Response<pb::GetRulesetResponse>, Status> {
        let request = request.into_inner();
        let game = self.games.find(&request.ruleset, request.options.as_ref(), None).await?;
        let ruleset = self.games.ruleset(&request.ruleset)?;
        let definition = game.sheet().definition();
        let ruleset = wire::ruleset::write(ruleset, definition, game.expected_score());
        Ok(Response::new(pb::GetRulesetResponse { ruleset: Some(ruleset) }))
    }
}
