//! What can be wrong with a call, and how it is told: for each kind of error its gRPC code, its
//! stable reason, its message and its details, in this one place. A new error is a variant here.

use std::sync::LazyLock;
use std::time::Duration;

use dicepoker_engine::position::Rejection;
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

/// The most bytes of violations that a refusal tells. Details travel in a header, encoded to four
/// thirds of their size, and some clients accept no more than 8 KiB of headers in all.
const MAX_VIOLATIONS_BYTES: usize = 4096;

/// The most bytes of a message, which travels in a header too.
const MAX_MESSAGE_BYTES: usize = 512;

/// When to try again where there are more calls than can be served.
const A_MOMENT: Duration = Duration::from_millis(100);

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
    /// The request message is none, and why.
    #[error("the request message cannot be read: {0}")]
    Unreadable(String),
    /// The request message is compressed, which none may be.
    #[error("grpc-encoding: must be left out or identity, compressed messages are not read")]
    EncodingUnsupported,
    /// There is no such method.
    #[error("no such method: reflection lists those there are")]
    UnknownMethod,
    /// The call brought no token that is known here.
    #[error("required: one of the tokens of this service, as authorization: Bearer TOKEN")]
    Unauthenticated,
    /// Solving the ruleset would take more than this service allows one.
    #[error(transparent)]
    RulesetTooLarge(#[from] OverBudget),
    /// The service stops: another may take over.
    #[error("the service is stopping")]
    Stopping,
    /// Something went wrong that is not the caller's fault.
    #[error("{0}")]
    Internal(&'static str),
}

impl Error {
    /// There are more calls than the service can serve; in a moment there may be fewer.
    pub(crate) const OVERLOADED: Self = Self::Overloaded { retry_after: A_MOMENT };

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

    /// The same about what stands in the field `prefix` of the request.
    #[must_use]
    pub fn under(self, prefix: &str) -> Self {
        match self {
            Self::Invalid(violations) => Self::invalid_under(prefix, violations),
            other => other,
        }
    }

    /// Notes what it says of fields in `found`.
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

    /// What people are told, shortened to what a header holds.
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
            Self::Invalid(_) | Self::Unreadable(_) => Code::InvalidArgument,
            Self::GameFinished(_) => Code::FailedPrecondition,
            Self::Overloaded { .. } | Self::Stopping => Code::Unavailable,
            Self::RateLimited { .. } | Self::TooLarge { .. } | Self::RulesetTooLarge(_) => {
                Code::ResourceExhausted
            }
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
            Self::TooLarge { .. } => "MESSAGE_TOO_LARGE",
            Self::Unreadable(_) => "MESSAGE_UNREADABLE",
            Self::EncodingUnsupported => "ENCODING_UNSUPPORTED",
            Self::UnknownMethod => "METHOD_NOT_FOUND",
            Self::RulesetTooLarge(_) => "RULESET_TOO_LARGE",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Stopping => "STOPPING",
            Self::Internal(_) => "INTERNAL",
        }
    }

    fn details(&self) -> ErrorDetails {
        let mut details = ErrorDetails::with_error_info(self.reason(), DOMAIN, []);
        match self {
            Self::Invalid(violations) => {
                for (field, description) in told(violations) {
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
            Self::TooLate
            | Self::TooLarge { .. }
            | Self::Unreadable(_)
            | Self::EncodingUnsupported
            | Self::UnknownMethod
            | Self::RulesetTooLarge(_)
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
pub(crate) const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// The header that tells by which encodings messages are read.
const ACCEPTED: &str = "grpc-accept-encoding";

/// Why a limit refused a call, cut it short or answered it later, for the metrics: an extension of its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason(pub(crate) &'static str);

impl Error {
    /// The answer to a call that a limit refused or cut short.
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

/// The answer to a call beyond what can be served, made once: there is least time to make it when it
/// is needed most.
fn overloaded<B: Default>() -> http::Response<B> {
    static HEADERS: LazyLock<HeaderMap> =
        LazyLock::new(|| Status::from(Error::OVERLOADED).into_http::<()>().into_parts().0.headers);
    let mut response = http::Response::new(B::default());
    *response.headers_mut() = HEADERS.clone();
    response
}

/// `response`, in our words where its request could not be read: bytes that are no message, a frame
/// that ends too soon or has a wrong flag, no message at all, a compressed one; or was for a method that
/// there is not. tonic answers without details then, and INTERNAL for all but the last two, as if the
/// fault were here. What we answer is told from it by its details: ours always has some.
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

/// Whether this is an answer that tonic has for methods it does not know.
fn says_unimplemented(headers: &HeaderMap) -> bool {
    let code = headers.get(Status::GRPC_STATUS);
    code.is_some_and(|code| Code::from_bytes(code.as_bytes()) == Code::Unimplemented)
}

impl From<Error> for pb::ItemError {
    fn from(error: Error) -> Self {
        let violations = match &error {
            Error::Invalid(violations) => told(violations),
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
        if let Some(retry_after) = error.retry_after() {
            let millis = u64::try_from(retry_after.as_millis()).unwrap_or(u64::MAX);
            status.metadata_mut().insert(PUSHBACK, (millis + 1).into());
        }
        status
    }
}

/// Both of two parts of a request, or all that is wrong with either.
///
/// # Errors
/// The violations of both; where one of them is wrong in another way, that.
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

/// The violations that a refusal tells, as fields and descriptions: all of them, or as many as fit
/// and how many more there are.
fn told(violations: &Violations) -> Vec<(String, String)> {
    let all = violations.as_slice();
    let mut bytes = 0;
    let mut told: Vec<(String, String)> = all
        .iter()
        .take_while(|violation| {
            // The lengths and tags of a message take some bytes each.
            bytes += violation.field.len() + violation.description.len() + 8;
            bytes <= MAX_VIOLATIONS_BYTES
        })
        .map(|violation| (violation.field.clone(), violation.description.clone()))
        .collect();
    if let Some(next) = all.get(told.len()) {
        let more = format!("wrong too, as are {} fields more", all.len() - told.len() - 1);
        told.push((next.field.clone(), more));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_any_size_fits_into_headers() {
        let mut violations = Violations::new();
        for i in 0..10_000 {
            violations.push(format!("dice[{i}]"), "é".repeat(i % 200));
        }
        let status = Status::from(Error::Invalid(violations));
        assert!(status.message().len() < 600);
        assert!(status.details().len() < 6144, "{}", status.details().len());
        let told = status.get_error_details().bad_request().expect("violations").clone();
        let last = told.field_violations.last().expect("a last one");
        assert!(last.description.ends_with("fields more"), "{last:?}");
    }
}
