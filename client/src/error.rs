//! What can go wrong with a call, as one type: the status code, what the service said of it in
//! machine-readable details, and whether the same call may succeed a little later.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_proto::v1 as pb;
use serde::Serialize;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::convert::Malformed;

/// The trailer by which a server says when to try again, or, if negative, not to.
const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// What went wrong with a call.
///
/// ```
/// # let server = dicepoker_client_testkit::Server::start();
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use dicepoker_client::{Client, Code};
///
/// let client = Client::connect(server.url()).await?;
/// let error = client.score("dice-poker-13", [1, 3, 2, 4, 7]).await.unwrap_err();
/// assert_eq!(error.code(), Code::InvalidArgument);
/// assert_eq!(error.reason(), Some("INVALID_FIELDS"));
/// assert_eq!(error.field_violations()[0].field, "dice[4]");
/// assert_eq!(error.field_violations()[0].description, "7: must be a face, 1 to 6");
/// assert!(!error.is_retryable());
/// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Error(Box<Details>);

#[derive(Clone)]
struct Details {
    code: Code,
    message: String,
    reason: Option<String>,
    violations: Vec<FieldViolation>,
    retry: Retry,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// A field of the request that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldViolation {
    /// Its path as in JSON, such as `position.scorecards[0].entries[3].points`.
    pub field: String,
    /// What is wrong there and what would be valid.
    pub description: String,
}

/// Whether and when to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// Not at all: the answer would be the same, or the server asked not to.
    Never,
    /// After the client's own backoff.
    Backoff,
    /// After the time the server asked for.
    After(Duration),
}

impl Error {
    /// The gRPC status code. Failures to connect are `Unavailable`, a missed deadline is
    /// `DeadlineExceeded`, an answer that makes no sense is `Internal`, and a client that was
    /// configured wrongly is `InvalidArgument`.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// What went wrong, for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Why, as a stable word for programs: the `google.rpc.ErrorInfo` of the service, such as
    /// `RULESET_NOT_FOUND`, `INVALID_FIELDS` or `GAME_FINISHED`.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// Every field of the request that cannot be, and what would be valid there.
    #[must_use]
    pub fn field_violations(&self) -> &[FieldViolation] {
        &self.0.violations
    }

    /// Whether the same call may succeed a little later: the service could not be reached or asked
    /// to be tried again. The client has then already tried as often as its policy allows.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retry != Retry::Never
    }

    /// How long the service asked to be left alone before the next try, if it said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self.0.retry {
            Retry::After(delay) => Some(delay),
            Retry::Never | Retry::Backoff => None,
        }
    }

    pub(crate) fn retry(&self) -> Retry {
        self.0.retry
    }

    fn local(code: Code, message: impl Into<String>, retry: Retry) -> Self {
        Self(Box::new(Details {
            code,
            message: message.into(),
            reason: None,
            violations: Vec::new(),
            retry,
            source: None,
        }))
    }

    pub(crate) fn config(message: impl Into<String>) -> Self {
        Self::local(Code::InvalidArgument, message, Retry::Never)
    }

    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self::local(Code::Unavailable, message, Retry::Backoff)
    }

    pub(crate) fn deadline(after: Duration) -> Self {
        let message = format!("no answer within the deadline of {after:?}");
        Self::local(Code::DeadlineExceeded, message, Retry::Never)
    }

    pub(crate) fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// Why one question of a batch got no answer: as though it had been asked by itself.
    pub(crate) fn from_item(refused: pb::ItemError) -> Self {
        let violation = |found: pb::item_error::FieldViolation| FieldViolation {
            field: found.field,
            description: found.description,
        };
        let code = Code::from_i32(refused.code);
        Self(Box::new(Details {
            code,
            message: refused.message,
            reason: Some(refused.reason).filter(|reason| !reason.is_empty()),
            violations: refused.field_violations.into_iter().map(violation).collect(),
            retry: if code == Code::Unavailable { Retry::Backoff } else { Retry::Never },
            source: None,
        }))
    }

    /// Why a call got `status` instead of an answer.
    pub(crate) fn from_status(status: Status) -> Self {
        // A status with a source was made on this side, from a connection that could not be had
        // or broke: the service said nothing, and since every call is a pure question, asking
        // another replica is safe.
        if StdError::source(&status).is_some() {
            let message = innermost(&status);
            return Self::unavailable(format!("the service cannot be reached: {message}"))
                .with_source(status);
        }
        let details = status.get_error_details();
        let violations = details.bad_request().map_or_else(Vec::new, |bad| {
            let violation = |found: &tonic_types::FieldViolation| FieldViolation {
                field: found.field.clone(),
                description: found.description.clone(),
            };
            bad.field_violations.iter().map(violation).collect()
        });
        let asked = details.retry_info().and_then(|info| info.retry_delay);
        Self(Box::new(Details {
            code: status.code(),
            message: status.message().to_owned(),
            reason: details.error_info().map(|info| info.reason.clone()),
            violations,
            retry: retry(&status, asked),
            source: None,
        }))
    }
}

/// Whether the server's `status` invites another try. Of codes only UNAVAILABLE does; others do
/// where the server says when to come back, which is how it sheds load.
fn retry(status: &Status, asked: Option<Duration>) -> Retry {
    match status.metadata().get(PUSHBACK) {
        Some(pushback) => {
            let after = pushback.to_str().ok().and_then(|ms| ms.parse::<u64>().ok());
            after.map_or(Retry::Never, |ms| Retry::After(Duration::from_millis(ms)))
        }
        None => match (asked, status.code()) {
            (Some(delay), _) => Retry::After(delay),
            (None, Code::Unavailable) => Retry::Backoff,
            (None, _) => Retry::Never,
        },
    }
}

/// The cause at the bottom, which says more than "transport error".
pub(crate) fn innermost(error: &dyn StdError) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

impl From<Malformed> for Error {
    fn from(Malformed(what): Malformed) -> Self {
        let message = format!("the service answered something this client cannot read: {what}");
        Self::local(Code::Internal, message, Retry::Never)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("code", &self.0.code)
            .field("message", &self.0.message)
            .field("reason", &self.0.reason)
            .field("field_violations", &self.0.violations)
            .field("retry", &self.0.retry)
            .finish_non_exhaustive()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_ref().map(|source| source.as_ref() as &(dyn StdError + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic_types::ErrorDetails;

    fn with_pushback(code: Code, pushback: &'static str) -> Retry {
        let mut status = Status::new(code, "busy");
        status.metadata_mut().insert(PUSHBACK, pushback.parse().expect("ascii"));
        Error::from_status(status).retry()
    }

    #[test]
    fn the_server_says_when_to_come_back() {
        let ten = Duration::from_millis(10);
        assert_eq!(with_pushback(Code::ResourceExhausted, "10"), Retry::After(ten));
        assert_eq!(with_pushback(Code::Unavailable, "-1"), Retry::Never);
        assert_eq!(with_pushback(Code::Unavailable, "soon"), Retry::Never);
        let details = ErrorDetails::with_retry_info(Some(ten));
        let shed = Status::with_error_details(Code::ResourceExhausted, "busy", details);
        assert_eq!(Error::from_status(shed).retry_after(), Some(ten));
    }

    #[test]
    fn without_a_word_from_the_server_only_unavailable_is_tried_again() {
        let retry = |code| Error::from_status(Status::new(code, "")).retry();
        assert_eq!(retry(Code::Unavailable), Retry::Backoff);
        for code in [Code::ResourceExhausted, Code::DeadlineExceeded, Code::InvalidArgument] {
            assert_eq!(retry(code), Retry::Never, "{code:?}");
        }
    }
}
