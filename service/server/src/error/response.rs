//! How errors are sent: as a gRPC status with details, as a whole response, or in an item of a batch.

use std::sync::LazyLock;

use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;
use http::HeaderMap;
use tonic::metadata::MetadataValue;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tracing::Level;

use super::{DOMAIN, Error, SHED_RETRY_DELAY};

/// Limit on the bytes of field violations in one response. Details travel in a header in base64, and
/// some clients accept at most 8 KiB of headers.
const MAX_VIOLATIONS_BYTES: usize = 4096;

/// Limit on the bytes of a message, which travels in a header too.
const MAX_MESSAGE_BYTES: usize = 512;

impl Error {
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
}

/// The header with the milliseconds after which a client may retry; -1 forbids it.
const PUSHBACK: &str = "grpc-retry-pushback-ms";

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
            Self::Overloaded { retry_after: SHED_RETRY_DELAY } => overloaded(),
            _ => Status::from(self).into_http(),
        };
        response.extensions_mut().insert(reason);
        response
    }
}

/// The response to a call that was shed, built once: an overloaded service sends it often.
fn overloaded<B: Default>() -> http::Response<B> {
    static HEADERS: LazyLock<HeaderMap> =
        LazyLock::new(|| Status::from(Error::OVERLOADED).into_http::<()>().into_parts().0.headers);
    let mut response = http::Response::new(B::default());
    *response.headers_mut() = HEADERS.clone();
    response
}

/// Replaces tonic's own errors by those of the service: undecodable, truncated, missing and compressed
/// messages, and unknown methods. tonic reports them without details, and all but the last two as INTERNAL, as
/// if the service were at fault. The service's errors always have details, so a status with details passes
/// unchanged.
pub(crate) fn with_service_errors<B: Default>(response: http::Response<B>) -> http::Response<B> {
    let error = match response.extensions().get::<Status>() {
        Some(status) if !status.details().is_empty() => return response,
        Some(status) if status.code() == Code::Internal => {
            Error::Unreadable(status.message().to_owned())
        }
        Some(status) if status.metadata().contains_key(ACCEPTED) => Error::EncodingUnsupported,
        _ if is_unimplemented(response.headers()) => Error::UnknownMethod,
        _ => return response,
    };
    Status::from(error).into_http()
}

/// Whether this is tonic's response to an unknown method.
fn is_unimplemented(headers: &HeaderMap) -> bool {
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
/// Violations as fields and descriptions: all, or as many as fit [`MAX_VIOLATIONS_BYTES`] and the number of
/// the others.
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
    use std::time::Duration;

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
