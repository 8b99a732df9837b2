//! Instruments of calls, named after OpenTelemetry's conventions for RPC, and those of this service.

use std::time::Duration;

use dicepoker_proto::code_name;
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram};
use tonic::Code;

use super::meter;

/// Upper bounds of the buckets in seconds. Calls take tens of microseconds; the default buckets start at five
/// milliseconds.
pub(super) const BUCKETS: [f64; 19] = [
    5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5,
    1.0, 2.0, 10.0,
];

/// The instruments.
#[derive(Clone, Debug)]
pub(super) struct Calls {
    duration: Histogram<f64>,
    by_ruleset: Histogram<f64>,
    refused: Counter<u64>,
}

impl Calls {
    pub(super) fn new() -> Self {
        let meter = meter();
        Self {
            duration: meter
                .f64_histogram("rpc.server.call.duration")
                .with_unit("s")
                .with_description(
                    "Duration of calls, from their headers to the end of the response.",
                )
                .with_boundaries(BUCKETS.to_vec())
                .build(),
            by_ruleset: meter
                .f64_histogram("dicepoker.call.duration")
                .with_unit("s")
                .with_description("Duration of calls, by their ruleset.")
                .with_boundaries(BUCKETS.to_vec())
                .build(),
            refused: meter
                .u64_counter("dicepoker.calls.refused")
                .with_description("Calls that a limit rejected, cut short or delayed, by reason.")
                .build(),
        }
    }

    pub(super) fn ended(&self, method: &'static str, code: Code, took: Duration) {
        let status = code_name(code);
        let usual = [
            KeyValue::new("rpc.system.name", "grpc"),
            KeyValue::new("rpc.method", method),
            KeyValue::new("rpc.status_code", status),
            KeyValue::new("error.type", status),
        ];
        let attributes = if is_server_error(code) { &usual[..] } else { &usual[..3] };
        self.duration.record(took.as_secs_f64(), attributes);
    }

    pub(super) fn about(&self, method: &'static str, ruleset: &'static str, took: Duration) {
        let attributes =
            [KeyValue::new("rpc.method", method), KeyValue::new("dicepoker.ruleset", ruleset)];
        self.by_ruleset.record(took.as_secs_f64(), &attributes);
    }

    pub(super) fn refused(&self, reason: &'static str) {
        self.refused.add(1, &[KeyValue::new("reason", reason)]);
    }
}

/// Whether a code is a failure of the service, by OpenTelemetry's conventions for gRPC.
pub(super) fn is_server_error(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}
