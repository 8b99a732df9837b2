//! The errors of the service: for each its gRPC code, stable reason, message and details, all in this
//! file. A new error is a variant of [`Error`].

use std::sync::LazyLock;
use std::time::Duration;

use dicepoker_engine::position::Rejection;
use dicepoker_engine::showdown::TooLarge;
use dicepoker_engine::solve::OverBudget;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;
use http::HeaderMap;
use tonic::metadata::MetadataValue;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tracing::Level;

/// The `domain` of every `google.rpc.ErrorInfo`.
pub const DOMAIN: &str = "dicepoker";

/// Limit on the bytes of field violations in one response. Details travel in a header in base64, and
/// some clients accept at most 8 KiB of headers.
const MAX_VIOLATIONS_BYTES: usize = 4096;

/// Limit on the bytes of a message, which travels in a header too.
const MAX_MESSAGE_BYTES: usize = 512;

/// Retry delay of a call that was shed.
const A_MOMENT: Duration = Duration::from_millis(100);

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
    /// Load that is likely to have passed in a moment.
    pub(crate) const OVERLOADED: Self = Self::Overloaded { retry_after: A_MOMENT };

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

    /// The message, shortened to [`MAX_MESSAGE_BYTES`].
    fn message(&self) -> String {
        let mut message = self.to_string();
        if message.len() > MAX_MESSAGE_BYTES {
            let end = (0..=MAX_MESSAGE_BYTES).rev().find(|&end| message.is_char_boundary(end));
            message.truncate(end.unwrap_or_default());
            message.push_str(" ...");
        }
        message
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

    fn details(&self) -> ErrorDetails {
        let mut details = ErrorDetails::with_error_info(self.reason(), DOMAIN, []);
        match self {
            Self::Invalid(violations) => {
                for (field, description) in described(violations) {
                    details.add_bad_request_violation(field, description);
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
            Self::RulesetTooLarge(_) | Self::ShowdownTooLarge(_) => {
                details.add_bad_request_violation("definition", self.to_string());
            }
            Self::TooLate
            | Self::TimeoutMalformed(_)
            | Self::TooLarge { .. }
            | Self::Unreadable(_)
            | Self::EncodingUnsupported
            | Self::UnknownMethod
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

/// The header with the milliseconds after which a client may retry; -1 forbids it.
pub(crate) const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// The header with the encodings that the service decodes.
const ACCEPTED: &str = "grpc-accept-encoding";

/// Response extension for the metrics: why a limit rejected, cut or delayed the call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason(pub(crate) &'static str);

impl Error {
    /// The response to a call that a limit rejected or cut short.
    pub(crate) fn answer<B: Default>(self) -> http::Response<B> {
        let reason = Reason(self.reason());
        let mut response = match self {
            Self::Overloaded { retry_after: A_MOMENT } => overloaded(),
            _ => Status::from(self).into_http(),
        };
        response.extensions_mut().insert(reason);
        response
    }
}

/// The response to a call that was shed, built once: it is needed most when time is shortest.
fn overloaded<B: Default>() -> http::Response<B> {
    static HEADERS: LazyLock<HeaderMap> =
        LazyLock::new(|| Status::from(Error::OVERLOADED).into_http::<()>().into_parts().0.headers);
    let mut response = http::Response::new(B::default());
    *response.headers_mut() = HEADERS.clone();
    response
}

/// Replaces tonic's own errors by ours: undecodable, truncated, missing and compressed messages, and
/// unknown methods. tonic reports them without details, and all but the last two as INTERNAL, as if the
/// service were at fault. Our errors always have details, so a status with details passes unchanged.
pub(crate) fn in_our_words<B: Default>(response: http::Response<B>) -> http::Response<B> {
    let error = match response.extensions().get::<Status>() {
        Some(status) if !status.details().is_empty() => return response,
        Some(status) if status.code() == Code::Internal => {
            Error::Unreadable(status.message().to_owned())
        }
        Some(status) if status.metadata().contains_key(ACCEPTED) => Error::EncodingUnsupported,
        _ if says_unimplemented(response.headers()) => Error::UnknownMethod,
        _ => return response,
    };
    Status::from(error).into_http()
}

/// Whether this is tonic's response to an unknown method.
fn says_unimplemented(headers: &HeaderMap) -> bool {
    let code = headers.get(Status::GRPC_STATUS);
    code.is_some_and(|code| Code::from_bytes(code.as_bytes()) == Code::Unimplemented)
}

impl From<Error> for pb::ItemError {
    fn from(error: Error) -> Self {
        let violations = match &error {
            Error::Invalid(violations) => described(violations),
            _ => Vec::new(),
        };
        Self {
            code: error.code() as i32,
            reason: error.reason().to_owned(),
            message: error.message(),
            field_violations: violations
                .into_iter()
                .map(|(field, description)| pb::item_error::FieldViolation { field, description })
                .collect(),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error.level() {
            Level::ERROR => tracing::error!(reason = error.reason(), %error, "call failed"),
            _ => tracing::debug!(reason = error.reason(), %error, "call refused"),
        }
        let mut status = Self::with_error_details(error.code(), error.message(), error.details());
        if matches!(error, Error::EncodingUnsupported) {
            status.metadata_mut().insert(ACCEPTED, MetadataValue::from_static("identity"));
        }
        let pushback = match error.retry_after() {
            Some(delay) => Some(i64::try_from(delay.as_millis() + 1).unwrap_or(i64::MAX)),
            // Retry policies often list this code for rate limits; the same call can never succeed here.
            None if error.code() == Code::ResourceExhausted => Some(-1),
            None => None,
        };
        if let Some(pushback) = pushback {
            status.metadata_mut().insert(PUSHBACK, pushback.into());
        }
        status
    }
}

/// Both of two parts of a request.
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

/// Violations as fields and descriptions: all, or as many as [`MAX_VIOLATIONS_BYTES`] holds and the
/// number of the others.
fn described(violations: &Violations) -> Vec<(String, String)> {
    let all = violations.as_slice();
    let mut bytes = 0;
    let mut described: Vec<(String, String)> = all
        .iter()
        .take_while(|violation| {
            // The lengths and tags of a message take some bytes each.
            bytes += violation.field.len() + violation.description.len() + 8;
            bytes <= MAX_VIOLATIONS_BYTES
        })
        .map(|violation| (violation.field.clone(), violation.description.clone()))
        .collect();
    if let Some(next) = all.get(described.len()) {
        let more = format!("invalid too, as are {} more fields", all.len() - described.len() - 1);
        described.push((next.field.clone(), more));
    }
    described
}

#[cfg(test)]
mod tests {
    use dicepoker_engine::solve::{Budget, Estimate};

    use super::*;

    #[test]
    fn details_of_any_size_fit_into_headers() {
        let mut violations = Violations::new();
        for i in 0..10_000 {
            violations.push(format!("dice[{i}]"), "é".repeat(i % 200));
        }
        let status = Status::from(Error::Invalid(violations));
        assert!(status.message().len() < 600);
        assert!(status.details().len() < 6144, "{}", status.details().len());
        let shown = status.get_error_details().bad_request().expect("violations").clone();
        let last = shown.field_violations.last().expect("a last one");
        assert!(last.description.ends_with("more fields"), "{last:?}");
    }

    #[test]
    fn only_temporary_errors_may_be_retried() {
        let definition = &dicepoker_engine::ruleset::Ruleset::built_in()[0].definition;
        let over = Estimate::of(definition).within(&Budget { bytes: 1, work: 1 });
        let over = over.expect_err("beyond a byte");
        let pushback = |error: Error| {
            let status = Status::from(error);
            status.metadata().get(PUSHBACK).map(|value| value.to_str().expect("ASCII").to_owned())
        };
        assert_eq!(pushback(Error::TooLarge { size: 2, most: 1 }).as_deref(), Some("-1"));
        assert_eq!(pushback(Error::RulesetTooLarge(over)).as_deref(), Some("-1"));
        let limited = Error::RateLimited { retry_after: Duration::from_millis(7) };
        assert_eq!(pushback(limited).as_deref(), Some("8"));
        assert_eq!(pushback(Error::OVERLOADED).as_deref(), Some("101"));
        assert_eq!(pushback(Error::invalid("dice", "required")), None);
    }
}
