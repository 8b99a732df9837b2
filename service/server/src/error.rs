//! What can be wrong with a call, and how it is told: for each kind of error its gRPC code, its
//! stable reason, its message and its details, in this one place. A new error is a variant here.

use std::time::Duration;

use dicepoker_engine::position::Rejection;
use dicepoker_engine::violation::Violations;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tracing::Level;

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
    /// The caller makes more calls than it may.
    #[error("too many calls: try again in {} ms", .retry_after.as_millis())]
    RateLimited {
        /// When to try again.
        retry_after: Duration,
    },
    /// The call took longer than its caller would wait or this service allows.
    #[error("the call took too long")]
    TooLate,
    /// The request message is too large.
    #[error("a message of {size} bytes: at most {most} are read")]
    TooLarge {
        /// How large it is.
        size: usize,
        /// How large it may be.
        most: usize,
    },
    /// The call brought no token that is known here.
    #[error("required: one of the tokens of this service, as authorization: Bearer TOKEN")]
    Unauthenticated,
    /// The service stops: another may take over.
    #[error("the service is stopping")]
    Stopping,
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
            Self::Overloaded { .. } | Self::Stopping => Code::Unavailable,
            Self::RateLimited { .. } | Self::TooLarge { .. } => Code::ResourceExhausted,
            Self::TooLate => Code::DeadlineExceeded,
            Self::Unauthenticated => Code::Unauthenticated,
            Self::Internal(_) => Code::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::UnknownRuleset { .. } => "RULESET_NOT_FOUND",
            Self::Invalid(_) => "INVALID_FIELDS",
            Self::GameFinished { .. } => "GAME_FINISHED",
            Self::Overloaded { .. } => "OVERLOADED",
            Self::RateLimited { .. } => "RATE_LIMITED",
            Self::TooLate => "TOO_LATE",
            Self::TooLarge { .. } => "MESSAGE_TOO_LARGE",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Stopping => "STOPPING",
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
            Self::TooLate
            | Self::TooLarge { .. }
            | Self::Unauthenticated
            | Self::Stopping
            | Self::Overloaded { .. }
            | Self::RateLimited { .. }
            | Self::Internal(_) => {}
        }
        if let Some(retry_after) = self.retry_after() {
            details.set_retry_info(Some(retry_after));
        }
        details
    }

    /// When to try again, where trying again may help.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Overloaded { retry_after } | Self::RateLimited { retry_after } => {
                Some(*retry_after)
            }
            _ => None,
        }
    }

    /// How loud the log tells of it: what callers do wrong is theirs to know, what goes wrong here
    /// is the operator's.
    #[must_use]
    pub fn level(&self) -> Level {
        match self {
            Self::Internal(_) => Level::ERROR,
            _ => Level::DEBUG,
        }
    }
}

/// The header that tells a retrying client when to come back, in milliseconds.
const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// Why a limit refused a call or cut it short, for the metrics: an extension of its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason(pub(crate) &'static str);

impl Error {
    /// The answer to a call that a limit refused or cut short.
    pub(crate) fn answer<B: Default>(self) -> http::Response<B> {
        let reason = Reason(self.reason());
        let mut response = Status::from(self).into_http();
        response.extensions_mut().insert(reason);
        response
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error.level() {
            Level::ERROR => tracing::error!(reason = error.reason(), %error, "call failed"),
            _ => tracing::debug!(reason = error.reason(), %error, "call refused"),
        }
        let mut status = Self::with_error_details(error.code(), error.to_string(), error.details());
        if let Some(retry_after) = error.retry_after() {
            let millis = u64::try_from(retry_after.as_millis()).unwrap_or(u64::MAX);
            status.metadata_mut().insert(PUSHBACK, (millis + 1).into());
        }
        status
    }
}
