//! Any request of the contract, so that tables can hold them side by side.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::Client;
use tonic::Status;

/// A request of any kind.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Score(pb::ScoreRequest),
    LegalMoves(pb::LegalMovesRequest),
    Suggest(pb::SuggestRequest),
    Apply(pb::ApplyRequest),
    ListRulesets(pb::ListRulesetsRequest),
    GetRuleset(pb::GetRulesetRequest),
    BatchScore(pb::BatchScoreRequest),
    BatchSuggest(pb::BatchSuggestRequest),
}

impl Call {
    /// Sends it; what is answered matters only if it is a refusal.
    pub(crate) async fn send(self, client: &mut Client) -> Result<(), Status> {
        match self {
            Self::Score(request) => client.score(request).await.map(drop),
            Self::LegalMoves(request) => client.legal_moves(request).await.map(drop),
            Self::Suggest(request) => client.suggest(request).await.map(drop),
            Self::Apply(request) => client.apply(request).await.map(drop),
            Self::ListRulesets(request) => client.list_rulesets(request).await.map(drop),
            Self::GetRuleset(request) => client.get_ruleset(request).await.map(drop),
            Self::BatchScore(request) => client.batch_score(request).await.map(drop),
            Self::BatchSuggest(request) => client.batch_suggest(request).await.map(drop),
        }
    }
}

impl From<pb::ScoreRequest> for Call {
    fn from(request: pb::ScoreRequest) -> Self {
        Self::Score(request)
    }
}

impl From<pb::ApplyRequest> for Call {
    fn from(request: pb::ApplyRequest) -> Self {
        Self::Apply(request)
    }
}

impl From<pb::ListRulesetsRequest> for Call {
    fn from(request: pb::ListRulesetsRequest) -> Self {
        Self::ListRulesets(request)
    }
}

impl From<pb::GetRulesetRequest> for Call {
    fn from(request: pb::GetRulesetRequest) -> Self {
        Self::GetRuleset(request)
    }
}

impl From<pb::BatchScoreRequest> for Call {
    fn from(request: pb::BatchScoreRequest) -> Self {
        Self::BatchScore(request)
    }
}

impl From<pb::BatchSuggestRequest> for Call {
    fn from(request: pb::BatchSuggestRequest) -> Self {
        Self::BatchSuggest(request)
    }
}
