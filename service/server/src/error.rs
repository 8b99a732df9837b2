//! What can be wrong with a call, and how it is told: for each kind of error its gRPC code, its
//! stable reason, its message and its details, in this one place. A new error is a variant here.

use dicepoker_engine::position::Rejection;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The `domain` of every `google.rpc.ErrorInfo`.
pub const DOMAIN: &str = "dicepoker";

/// What was wrong with a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The ruleset is not built in.
    #[error("no built-in ruleset \"{id}\": there are {known}")]
    UnknownRuleset {
        /// What was asked for, shortened.
        id: String,
        /// The ids there are, joined by commas.
        known: String,
    },
    /// Fields of the request that cannot be.
    #[error("{0}")]
    Invalid(Violations),
    /// The game of the player to move is over, and how that shows.
    #[error("{0}: there is no move to make")]
    GameFinished(String),
    /// Something went wrong that is not the caller's fault.
    #[error("{0}")]
    Internal(&'static str),
}

impl Error {
    /// One field that cannot be.
    pub fn invalid(field: impl Into<String>, description: impl Into<String>) -> Self {
        let mut found = Violations::new();
        found.push(field, description);
        Self::Invalid(found)
    }

    /// `rejection` of what stands in the field `prefix` of the request.
    pub fn rejected(prefix: &str, rejection: Rejection) -> Self {
        match rejection {
            Rejection::Impossible(violations) => Self::invalid_under(prefix, violations),
            Rejection::Finished { player } => Self::complete(player),
        }
    }

    /// `violations` of what stands in the field `prefix` of the request.
    pub fn invalid_under(prefix: &str, violations: Violations) -> Self {
        let mut found = Violations::new();
        found.extend_under(prefix, violations);
        Self::Invalid(found)
    }

    /// The scorecard of this player has no open category.
    pub fn complete(player: usize) -> Self {
        Self::GameFinished(format!("the scorecard of player {player} is complete"))
    }

    fn code(&self) -> Code {
        match self {
            Self::UnknownRuleset { .. } => Code::NotFound,
            Self::Invalid(_) => Code::InvalidArgument,
            Self::GameFinished(_) => Code::FailedPrecondition,
            Self::Internal(_) => Code::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::UnknownRuleset { .. } => "RULESET_NOT_FOUND",
            Self::Invalid(_) => "INVALID_FIELDS",
            Self::GameFinished(_) => "GAME_FINISHED",
            Self::Internal(_) => "INTERNAL",
        }
    }

    fn details(&self) -> ErrorDetails {
        let mut details = ErrorDetails::with_error_info(self.reason(), DOMAIN, []);
        match self {
            Self::Invalid(violations) => {
                for violation in violations.as_slice() {
                    details.add_bad_request_violation(&violation.field, &violation.description);
                }
            }
            Self::GameFinished(_) => {
                details.add_precondition_failure_violation(
                    self.reason(),
                    "position",
                    self.to_string(),
                );
            }
            Self::UnknownRuleset { id, .. } => {
                details.set_resource_info("ruleset", id, "", self.to_string());
            }
            Self::Internal(_) => {}
        }
        details
    }
}

impl From<Error> for pb::ItemError {
    fn from(error: Error) -> Self {
        let violations = match &error {
            Error::Invalid(violations) => violations.as_slice(),
            _ => &[],
        };
        Self {
            code: error.code() as i32,
            reason: error.reason().to_owned(),
            message: error.to_string(),
            field_violations: violations
                .iter()
                .map(|violation| pb::item_error::FieldViolation {
                    field: violation.field.clone(),
                    description: violation.description.clone(),
                })
                .collect(),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        Self::with_error_details(error.code(), error.to_string(), error.details())
    }
}
