//! The gRPC contract of dicepoker, generated from `dicepoker/v1/*.proto` at build time.
//!
//! The comments in those files are the reference: they give every element's meaning, unit and
//! range, and appear here as documentation.

#![forbid(unsafe_code)]

mod definition;
#[cfg(feature = "json")]
mod json;
mod position;

#[cfg(feature = "json")]
pub use json::Json;
use tonic::Code;

/// Package `dicepoker.v1`: messages, [`v1::dice_poker_service_client`] and
/// [`v1::dice_poker_service_server`].
#[allow(missing_docs, missing_debug_implementations, unreachable_pub, clippy::all)]
#[allow(rustdoc::invalid_html_tags, rustdoc::bare_urls)]
pub mod v1 {
    tonic::include_proto!("dicepoker.v1");
}

/// The contract as an encoded `google.protobuf.FileDescriptorSet`, with all it imports: what
/// server reflection serves.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/dicepoker.binpb"));

/// A code as gRPC spells it, such as `INVALID_ARGUMENT`.
pub const fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
