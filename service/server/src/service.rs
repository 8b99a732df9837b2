//! The service of the contract. A call finds its rules and hands over to the family of games they
//! belong to; nothing else happens here.

use std::sync::Arc;

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_server::DicePokerService;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::games::{Game, Games};
use crate::{race, score_sheet};

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
        let response = match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::score(game.sheet(), request)?,
            Game::Race(rules) => race::score(&rules, request)?,
        };
        Ok(Response::new(response))
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
        let request = request.into_inner();
        let response = match game!(self, request).await? {
            Game::ScoreSheet(game) => score_sheet::suggest(&game, request).await?,
            Game::Race(rules) => race::suggest(&rules, request)?,
        };
        Ok(Response::new(response))
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
}
