//! Duration of solving, by ruleset.

use std::sync::LazyLock;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::Histogram;

use super::{LONG, meter};

/// Created with the first solution, when it is known whether metrics are enabled.
static SOLVING: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    meter()
        .f64_histogram("dicepoker.solve.duration")
        .with_unit("s")
        .with_description("Time that solving a ruleset took, by ruleset.")
        .with_boundaries(LONG.to_vec())
        .build()
});

/// Records that this ruleset was solved.
pub(crate) fn solved(ruleset: &'static str, took: Duration) {
    SOLVING.record(took.as_secs_f64(), &[KeyValue::new("dicepoker.ruleset", ruleset)]);
}
