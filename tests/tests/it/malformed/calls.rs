//! A call of any kind, so that calls of all kinds fit into one list.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::Client;
use prost::Message;
use tonic::Status;

macro_rules! calls {
    ($($name:ident($request:ident) by $method:ident: $($root:literal)*;)+) => {
        /// A call of the contract.
        #[derive(Clone, Debug)]
        pub(crate) enum Call {
            $($name(pb::$request),)+
        }

        impl Call {
            /// Sends it; only an error is returned.
            pub(crate) async fn send(self, client: &mut Client) -> Result<(), Status> {
                match self {
                    $(Self::$name(request) => client.$method(request).await.map(drop),)+
                }
            }

            /// The path of its method.
            pub(crate) fn path(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => {
                        concat!("/dicepoker.v1.DicePokerService/", stringify!($name))
                    })+
                }
            }

            /// The fields of its request.
            pub(crate) fn roots(&self) -> &'static [&'static str] {
                match self {
                    $(Self::$name(_) => &[$($root),*],)+
                }
            }

            /// Its request, encoded.
            pub(crate) fn encode(&self) -> Vec<u8> {
                match self {
                    $(Self::$name(request) => request.encode_to_vec(),)+
                }
            }

            /// The call of the same kind with the request `body`, if it can be decoded.
            pub(crate) fn decode(&self, body: &[u8]) -> Option<Self> {
                match self {
                    $(Self::$name(_) => pb::$request::decode(body).map(Self::$name),)+
                }
                .ok()
            }
        }

        $(impl From<pb::$request> for Call {
            fn from(request: pb::$request) -> Self {
                Self::$name(request)
            }
        })+
    };
}

calls! {
    Score(ScoreRequest) by score:
        "ruleset" "options" "definition" "dice" "scorecard" "category" "position" "hands";
    LegalMoves(LegalMovesRequest) by legal_moves: "ruleset" "options" "definition" "position";
    Suggest(SuggestRequest) by suggest:
        "ruleset" "options" "definition" "position" "max_alternatives" "opponent" "objective"
        "target" "explain";
    Apply(ApplyRequest) by apply:
        "ruleset" "options" "definition" "position" "move" "dice" "seed";
    PlayTurn(PlayTurnRequest) by play_turn:
        "ruleset" "options" "definition" "position" "opponent" "seed" "objective" "target";
    Simulate(SimulateRequest) by simulate:
        "ruleset" "options" "definition" "position" "players" "games" "seed";
    Analyze(AnalyzeRequest) by analyze:
        "ruleset" "options" "definition" "games" "seed" "targets" "opponents" "players" "compare"
        "quick";
    Review(ReviewRequest) by review: "ruleset" "options" "definition" "position" "steps";
    ListRulesets(ListRulesetsRequest) by list_rulesets: "page_size" "page_token";
    GetRuleset(GetRulesetRequest) by get_ruleset: "ruleset" "options";
    ValidateRuleset(ValidateRulesetRequest) by validate_ruleset: "definition" "ruleset" "options";
    BatchScore(BatchScoreRequest) by batch_score: "requests";
    BatchSuggest(BatchSuggestRequest) by batch_suggest: "requests";
}
