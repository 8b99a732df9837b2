//! The error of a call: status code, machine-readable details, and whether a retry may succeed.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_proto::v1 as pb;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// The trailer with the server's retry delay in milliseconds; negative forbids a retry.
const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// The error of a call.
///
/// ```
/// # let server = dicepoker_testkit::InProcess::start();
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

/// An invalid field of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldViolation {
    /// Its path as in JSON, such as `position.scorecards[0].entries[3].points`.
    pub field: String,
    /// What is wrong there, and what is valid.
    pub description: String,
}

/// Whether and when to retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// Not at all: the response would be the same, or the server forbids it.
    Never,
    /// After the client's own backoff.
    Backoff,
    /// After the server's retry delay.
    After(Duration),
}

impl Error {
    /// The gRPC status code. Failures to connect are `Unavailable`, a missed deadline is
    /// `DeadlineExceeded`, a response that the client cannot read is `Internal`, and an invalid
    /// configuration of the client is `InvalidArgument`.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The message, for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The stable reason, for programs: the `google.rpc.ErrorInfo` of the service, such as
    /// `RULESET_NOT_FOUND`, `INVALID_FIELDS` or `GAME_FINISHED`.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// Every invalid field of the request, and what is valid there.
    #[must_use]
    pub fn field_violations(&self) -> &[FieldViolation] {
        &self.0.violations
    }

    /// Whether the same call may succeed later: the service could not be reached or sent a
    /// retry delay. The client has already retried as often as its policy allows.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retry != Retry::Never
    }

    /// The service's delay before the next attempt, if it sent one.
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
        let message = format!("no response within the deadline of {after:?}");
        Self::local(Code::DeadlineExceeded, message, Retry::Never)
    }

    /// The error of a response that this client cannot read, because it lacks `what`.
    pub(crate) fn malformed(what: &str) -> Self {
        let message = format!("the service sent a response that this client cannot read: {what}");
        Self::local(Code::Internal, message, Retry::Never)
    }

    pub(crate) fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// The error of one request of a batch, equal to that of the single call.
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

    /// The error of a call that ended with `status`.
    pub(crate) fn from_status(status: Status) -> Self {
        // A status with a source was made by this client, from a connection that failed. The
        // service did not respond, and calls have no side effects: another replica may be called.
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
        let delay = details.retry_info().and_then(|info| info.retry_delay);
        Self(Box::new(Details {
            code: status.code(),
            message: status.message().to_owned(),
            reason: details.error_info().map(|info| info.reason.clone()),
            violations,
            retry: retry(&status, delay),
            source: None,
        }))
    }
}

/// Whether to retry after the server's `status`: for UNAVAILABLE, and for any code with a retry
/// delay, with which the server sheds load.
fn retry(status: &Status, delay: Option<Duration>) -> Retry {
    match status.metadata().get(PUSHBACK) {
        Some(pushback) => {
            let after = pushback.to_str().ok().and_then(|ms| ms.parse::<u64>().ok());
            after.map_or(Retry::Never, |ms| Retry::After(Duration::from_millis(ms)))
        }
        None => match (delay, status.code()) {
            (Some(delay), _) => Retry::After(delay),
            (None, Code::Unavailable) => Retry::Backoff,
            (None, _) => Retry::Never,
        },
    }
}

/// The innermost cause, which is more specific than "transport error".
pub(crate) fn innermost(error: &dyn StdError) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
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
    fn the_servers_retry_delay_is_used() {
        let ten = Duration::from_millis(10);
        assert_eq!(with_pushback(Code::ResourceExhausted, "10"), Retry::After(ten));
        assert_eq!(with_pushback(Code::Unavailable, "-1"), Retry::Never);
        assert_eq!(with_pushback(Code::Unavailable, "soon"), Retry::Never);
        let details = ErrorDetails::with_retry_info(Some(ten));
        let shed = Status::with_error_details(Code::ResourceExhausted, "busy", details);
        assert_eq!(Error::from_status(shed).retry_after(), Some(ten));
    }

    #[test]
    fn without_a_delay_only_unavailable_is_retried() {
        let retry = |code| Error::from_status(Status::new(code, "")).retry();
        assert_eq!(retry(Code::Unavailable), Retry::Backoff);
        for code in [Code::ResourceExhausted, Code::DeadlineExceeded, Code::InvalidArgument] {
            assert_eq!(retry(code), Retry::Never, "{code:?}");
        }
    }
}
