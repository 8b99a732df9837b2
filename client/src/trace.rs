//! The trace of a call, sent as the W3C `traceparent` and `tracestate`, so that the service's spans are
//! children of the caller's.

use std::fmt;
use std::str::FromStr;

use tonic::metadata::MetadataMap;

/// A span in a distributed trace, as in the `traceparent` and `tracestate` of W3C Trace Context.
///
/// ```
/// use dicepoker_client::TraceContext;
///
/// // From the headers of the request being served.
/// let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// let trace: TraceContext = header.parse()?;
/// assert_eq!(trace.with_state("vendor=1").to_string(), header);
/// # Ok::<(), dicepoker_client::ParseTraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    trace: u128,
    parent: u64,
    flags: u8,
    state: Option<String>,
}

impl TraceContext {
    /// The context of the span `parent` of `trace`; `None` if either is 0, which names nothing.
    #[must_use]
    pub fn new(trace: u128, parent: u64, sampled: bool) -> Option<Self> {
        let flags = u8::from(sampled);
        (trace != 0 && parent != 0).then_some(Self { trace, parent, flags, state: None })
    }

    /// Sets the vendors' part, the `tracestate`.
    #[must_use]
    pub fn with_state(mut self, state: impl Into<String>) -> Self {
        self.state = Some(state.into());
        self
    }

    /// Writes it into the metadata of a call.
    pub(crate) fn write(&self, metadata: &mut MetadataMap) {
        metadata.insert("traceparent", self.to_string().parse().expect("hexadecimal digits"));
        // The standard allows dropping a state that is no valid header.
        if let Some(state) = self.state.as_ref().and_then(|state| state.parse().ok()) {
            metadata.insert("tracestate", state);
        }
    }
}

/// The `traceparent` header.
impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace, self.parent, self.flags)
    }
}

/// An invalid `traceparent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTraceError;

impl fmt::Display for ParseTraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not a traceparent: it must look like 00-<32 hex digits>-<16 hex digits>-<2 hex digits>",
        )
    }
}

impl std::error::Error for ParseTraceError {}

impl FromStr for TraceContext {
    type Err = ParseTraceError;

    fn from_str(header: &str) -> Result<Self, ParseTraceError> {
        let hex = |part: Option<&str>, digits: usize| {
            let part = part.filter(|part| part.len() == digits).ok_or(ParseTraceError)?;
            let lower = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
            if !part.bytes().all(lower) {
                return Err(ParseTraceError);
            }
            u128::from_str_radix(part, 16).map_err(|_| ParseTraceError)
        };
        let mut parts = header.trim().split('-');
        let version = hex(parts.next(), 2)?;
        let trace = hex(parts.next(), 32)?;
        let parent = hex(parts.next(), 16)? as u64;
        let flags = hex(parts.next(), 2)? as u8;
        // Later versions may add parts at the end; version ff is no version.
        let known = version != 0xff && (version != 0 || parts.next().is_none());
        if !known || trace == 0 || parent == 0 {
            return Err(ParseTraceError);
        }
        Ok(Self { trace, parent, flags, state: None })
    }
}

/// The context of OpenTelemetry's current span.
#[cfg(feature = "opentelemetry")]
pub(crate) fn current() -> Option<TraceContext> {
    use opentelemetry::trace::TraceContextExt;

    let context = opentelemetry::Context::current();
    let span = context.span().span_context().clone();
    if !span.is_valid() {
        return None;
    }
    let state = Some(span.trace_state().header()).filter(|state| !state.is_empty());
    Some(TraceContext {
        trace: u128::from_be_bytes(span.trace_id().to_bytes()),
        parent: u64::from_be_bytes(span.span_id().to_bytes()),
        flags: span.trace_flags().to_u8(),
        state,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_valid_traceparent_is_parsed() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(good.parse::<TraceContext>().expect("good").to_string(), good);
        for wrong in [
            "",
            "00-0-0-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        ] {
            assert!(wrong.parse::<TraceContext>().is_err(), "{wrong}");
        }
        let later = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-more";
        assert!(later.parse::<TraceContext>().is_ok());
    }
}
