//! The errors of the service, with the gRPC code, stable reason and message of each. A new error is a
//! variant of [`Error`]; [`response`] sends it.

mod response;

use std::time::Duration;

use dicepoker_engine::position::Rejection;
use dicepoker_engine::showdown::TooLarge;
use dicepoker_engine::solve::OverBudget;
use dicepoker_engine::violation::Violations;
use tonic::Code;
use tracing::Level;

pub(crate) use self::response::{Reason, with_service_errors};

/// The `domain` of every `google.rpc.ErrorInfo`.
pub const DOMAIN: &str = "dicepoker";

/// Retry delay of a call that was shed.
const SHED_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The ruleset is not built in.
    #[error("ruleset is {id:?}; valid ids are {known}")]
    UnknownRuleset {
        /// The requested id, shortened.
        id: String,
        /// The valid ids, joined by commas.
        known: String,
    },
    /// Invalid fields of the request.
    #[error("{0}")]
    Invalid(Violations),
    /// The game of the player to move is over; the text says why.
    #[error("position is finished: {0}; no move is legal")]
    GameFinished(String),
    /// The service is at its capacity.
    #[error("the service is overloaded; retry in {} ms", .retry_after.as_millis())]
    Overloaded {
        /// Delay before the next attempt.
        retry_after: Duration,
    },
    /// The caller exceeds its rate limit.
    #[error("rate limit exceeded; retry in {} ms", .retry_after.as_millis())]
    RateLimited {
        /// Delay before the next attempt.
        retry_after: Duration,
    },
    /// The deadline of the caller or the time limit of this service has passed.
    #[error("the deadline of the call, or the time limit of the service, has passed")]
    TooLate,
    /// The timeout of the caller is malformed.
    #[error("grpc-timeout is {0:?}; it is one to eight digits and one of H, M, S, m, u, n")]
    TimeoutMalformed(String),
    /// The request message is too large.
    #[error("the request message has {size} bytes; the limit is {most}")]
    TooLarge {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        most: usize,
    },
    /// The request message cannot be decoded; the text says why.
    #[error("the request message cannot be decoded: {0}")]
    Unreadable(String),
    /// The request message is compressed.
    #[error("grpc-encoding is not supported; leave it out or send identity")]
    EncodingUnsupported,
    /// The method is not part of the service.
    #[error("unknown method; server reflection lists the methods of this service")]
    UnknownMethod,
    /// The call carries no valid token.
    #[error(
        "authorization is missing or invalid; send \"Bearer TOKEN\" with a token of this service"
    )]
    Unauthenticated,
    /// Solving the ruleset would exceed the limits of this service.
    #[error(transparent)]
    RulesetTooLarge(#[from] OverBudget),
    /// Solving the showdown would take more than this service allows one.
    #[error(transparent)]
    ShowdownTooLarge(#[from] TooLarge),
    /// The service is shutting down.
    #[error("this replica is shutting down; retry on another")]
    Stopping,
    /// A fault of the service.
    #[error("{0}")]
    Internal(&'static str),
}

impl Error {
    /// Overload that is likely to have passed after a short delay.
    pub(crate) const OVERLOADED: Self = Self::Overloaded { retry_after: SHED_RETRY_DELAY };

    /// A single invalid field.
    pub fn invalid(field: impl Into<String>, description: impl Into<String>) -> Self {
        let mut found = Violations::new();
        found.push(field, description);
        Self::Invalid(found)
    }

    /// `rejection` of the field `prefix` of the request.
    pub fn rejected(prefix: &str, rejection: Rejection) -> Self {
        match rejection {
            Rejection::Impossible(violations) => Self::invalid_under(prefix, violations),
            Rejection::Finished { player } => Self::complete(player),
        }
    }

    /// `violations` found in the field `prefix` of the request.
    pub fn invalid_under(prefix: &str, violations: Violations) -> Self {
        let mut found = Violations::new();
        found.extend_under(prefix, violations);
        Self::Invalid(found)
    }

    /// The same error, its field paths prefixed with `prefix`.
    #[must_use]
    pub fn under(self, prefix: &str) -> Self {
        match self {
            Self::Invalid(violations) => Self::invalid_under(prefix, violations),
            other => other,
        }
    }

    /// Adds its violations to `found`.
    pub(crate) fn add_to(self, found: &mut Violations) {
        match self {
            Self::Invalid(violations) => found.extend_under("", violations),
            other => found.push("", other.to_string()),
        }
    }

    /// The scorecard of this player has no open category.
    pub fn complete(player: usize) -> Self {
        Self::GameFinished(format!("the scorecard of player {player} is complete"))
    }

    fn code(&self) -> Code {
        match self {
            Self::UnknownRuleset { .. } => Code::NotFound,
            Self::Invalid(_) | Self::Unreadable(_) | Self::TimeoutMalformed(_) => {
                Code::InvalidArgument
            }
            Self::GameFinished(_) => Code::FailedPrecondition,
            Self::Overloaded { .. } | Self::Stopping => Code::Unavailable,
            Self::RateLimited { .. }
            | Self::TooLarge { .. }
            | Self::RulesetTooLarge(_)
            | Self::ShowdownTooLarge(_) => Code::ResourceExhausted,
            Self::TooLate => Code::DeadlineExceeded,
            Self::EncodingUnsupported | Self::UnknownMethod => Code::Unimplemented,
            Self::Unauthenticated => Code::Unauthenticated,
            Self::Internal(_) => Code::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::UnknownRuleset { .. } => "RULESET_NOT_FOUND",
            Self::Invalid(_) => "INVALID_FIELDS",
            Self::GameFinished(_) => "GAME_FINISHED",
            Self::Overloaded { .. } => "OVERLOADED",
            Self::RateLimited { .. } => "RATE_LIMITED",
            Self::TooLate => "TOO_LATE",
            Self::TimeoutMalformed(_) => "TIMEOUT_MALFORMED",
            Self::TooLarge { .. } => "MESSAGE_TOO_LARGE",
            Self::Unreadable(_) => "MESSAGE_UNREADABLE",
            Self::EncodingUnsupported => "ENCODING_UNSUPPORTED",
            Self::UnknownMethod => "METHOD_NOT_FOUND",
            Self::RulesetTooLarge(_) | Self::ShowdownTooLarge(_) => "RULESET_TOO_LARGE",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Stopping => "STOPPING",
            Self::Internal(_) => "INTERNAL",
        }
    }

    /// Delay before the next attempt, if another attempt may succeed.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Overloaded { retry_after } | Self::RateLimited { retry_after } => {
                Some(*retry_after)
            }
            _ => None,
        }
    }

    /// Level of its log line: faults of the service are errors, faults of callers are details.
    #[must_use]
    pub fn level(&self) -> Level {
        match self {
            Self::Internal(_) => Level::ERROR,
            _ => Level::DEBUG,
        }
    }
}

/// Both parts of a request.
///
/// # Errors
/// The violations of both; an error of another kind if one of them has one.
pub fn both<A, B>(one: Result<A, Error>, other: Result<B, Error>) -> Result<(A, B), Error> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(Error::Invalid(mut found)), Err(Error::Invalid(more))) => {
            found.extend_under("", more);
            Err(Error::Invalid(found))
        }
        (_, Err(error @ Error::Invalid(_))) | (Err(error), _) | (_, Err(error)) => Err(error),
    }
}
