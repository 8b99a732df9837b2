//! What can be wrong with a call, and how it is told: for each kind of error its gRPC code, its
//! stable reason, its message and its details, in this one place. A new error is a variant here.

use std::time::Duration;

use dicepoker_engine::position::Rejection;
use dicepoker_engine::violation::Violations;
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
    /// The game of the player to move is over.
    #[error("the scorecard of player {player} is complete: there is no move to make")]
    GameFinished {
        /// The player, an index of the position's scorecards.
        player: usize,
    },
    /// The service has as much to do as it can.
    #[error("overloaded: try again in {} ms", .retry_after.as_millis())]
    Overloaded {
        /// When to try again.
        retry_after: Duration,
    },
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
            Rejection::Finished { player } => Self::GameFinished { player },
        }
    }

    /// `violations` of what stands in the field `prefix` of the request.
    pub fn invalid_under(prefix: &str, violations: Violations) -> Self {
        let mut found = Violations::new();
        found.extend_under(prefix, violations);
        Self::Invalid(found)
    }

    fn code(&self) -> Code {
        match self {
            Self::UnknownRuleset { .. } => Code::NotFound,
            Self::Invalid(_) => Code::InvalidArgument,
            Self::GameFinished { .. } => Code::FailedPrecondition,
            Self::Overloaded { .. } => Code::Unavailable,
            Self::Internal(_) => Code::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::UnknownRuleset { .. } => "RULESET_NOT_FOUND",
            Self::Invalid(_) => "INVALID_FIELDS",
            Self::GameFinished { .. } => "GAME_FINISHED",
            Self::Overloaded { .. } => "OVERLOADED",
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
            Self::GameFinished { .. } => {
                details.add_precondition_failure_violation(
                    self.reason(),
                    "position",
                    self.to_string(),
                );
            }
            Self::UnknownRuleset { id, .. } => {
                details.set_resource_info("ruleset", id, "", self.to_string());
            }
            Self::Overloaded { retry_after } => {
                details.set_retry_info(Some(*retry_after));
            }
            Self::Internal(_) => {}
        }
        details
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        Self::with_error_details(error.code(), error.to_string(), error.details())
    }
}
