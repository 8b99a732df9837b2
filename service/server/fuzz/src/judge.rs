//! Valid responses: one of the codes that the contract documents, with its reason, and for an
//! invalid request the path of every invalid field.

use prost_reflect::{Kind, MessageDescriptor, MethodDescriptor};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::Answer;

/// Panics if `answer` is not a valid response of `method`.
pub(crate) fn judge(method: &MethodDescriptor, answer: &Answer) {
    let Some(status) = &answer.status else { return };
    let name = method.name();
    let reason = match status.code() {
        Code::Ok => {
            let one = method.is_server_streaming() || answer.messages.len() == 1;
            assert!(one, "{name}: {} messages", answer.messages.len());
            return;
        }
        // Bytes that cannot be decoded; tonic's message.
        Code::Internal if status.message().starts_with("failed to decode") => return,
        Code::InvalidArgument => "INVALID_FIELDS",
        Code::NotFound => "RULESET_NOT_FOUND",
        Code::FailedPrecondition => "GAME_FINISHED",
        Code::ResourceExhausted => "RULESET_TOO_LARGE",
        code => panic!("{name}: {code:?}: {}", status.message()),
    };
    let details = status.get_error_details();
    let found = details.error_info().map(|info| info.reason.as_str());
    assert_eq!(found, Some(reason), "{name}: {status:?}");
    assert!(!status.message().is_empty(), "{name}: {reason} without a message");
    if status.code() == Code::InvalidArgument {
        check_violations(method, status);
    }
}

fn check_violations(method: &MethodDescriptor, status: &Status) {
    let details = status.get_error_details();
    let violations = details.bad_request().map_or(&[][..], |bad| &bad.field_violations);
    assert!(!violations.is_empty(), "{}: no invalid field: {status:?}", method.name());
    for violation in violations {
        let (name, field) = (method.name(), &violation.field);
        assert!(leads_somewhere(method.input(), field), "{name}: there is no field {field:?}");
        assert!(!violation.description.is_empty(), "{name}: no description of {field}");
    }
}

/// Whether a path such as `position.scorecards[0].entries[2]` is that of a field. The names inside
/// a Struct are not checked.
fn leads_somewhere(mut message: MessageDescriptor, path: &str) -> bool {
    let mut segments = path.split('.').peekable();
    while let Some(segment) = segments.next() {
        let name = segment.split('[').next().unwrap_or_default();
        let Some(field) = message.get_field_by_name(name) else { return false };
        match field.kind() {
            Kind::Message(inner) if inner.full_name().starts_with("google.protobuf.") => {
                return true;
            }
            Kind::Message(inner) => message = inner,
            _ => return segments.peek().is_none(),
        }
    }
    true
}
