//! Observable gauges: counts that parts of the service keep, read when metrics are collected.

use opentelemetry::KeyValue;

use super::meter;

type Count = Box<dyn Fn() -> u64 + Send + Sync>;

/// The sources of the counts.
pub(crate) struct Sources {
    /// Calls in service.
    pub(crate) calls: Count,
    /// Calls that wait for a worker.
    pub(crate) calls_waiting: Count,
    /// Open connections.
    pub(crate) connections: Count,
    /// Pieces of long work that run.
    pub(crate) long_work_running: Count,
    /// Pieces of long work that wait.
    pub(crate) long_work_waiting: Count,
    /// Pieces of long work rejected so far.
    pub(crate) long_work_refused: Count,
    /// Rulesets in the cache.
    pub(crate) rulesets_cached: Count,
    /// Bytes of the cache.
    pub(crate) rulesets_bytes: Count,
    /// Hits and misses of the cache.
    pub(crate) rulesets_lookups: Box<dyn Fn() -> (u64, u64) + Send + Sync>,
}

/// Registers the gauges and the build information.
pub(crate) fn show(sources: Sources) {
    gauge("dicepoker.calls.active", "Calls in progress.", sources.calls);
    gauge("dicepoker.calls.waiting", "Calls that wait for a worker.", sources.calls_waiting);
    gauge("dicepoker.connections.open", "Connections.", sources.connections);
    gauge(
        "dicepoker.long_work.running",
        "Pieces of long work that run.",
        sources.long_work_running,
    );
    gauge(
        "dicepoker.long_work.waiting",
        "Pieces of long work that wait for a thread.",
        sources.long_work_waiting,
    );
    gauge(
        "dicepoker.rulesets.cached",
        "Rulesets in the cache: with options, or sent as data.",
        sources.rulesets_cached,
    );
    let bytes = sources.rulesets_bytes;
    meter()
        .u64_observable_gauge("dicepoker.rulesets.cached.size")
        .with_unit("By")
        .with_description("Memory of the rulesets in the cache.")
        .with_callback(move |gauge| gauge.observe(bytes(), &[]))
        .build();
    let lookups = sources.rulesets_lookups;
    meter()
        .u64_observable_counter("dicepoker.rulesets.lookups")
        .with_description("Calls with rules that are not built in, by whether the cache had them.")
        .with_callback(move |counter| {
            let (hits, misses) = lookups();
            counter.observe(hits, &[KeyValue::new("result", "hit")]);
            counter.observe(misses, &[KeyValue::new("result", "miss")]);
        })
        .build();
    let refused = sources.long_work_refused;
    meter()
        .u64_observable_counter("dicepoker.long_work.refused")
        .with_description("Pieces of long work rejected because the queue was full.")
        .with_callback(move |counter| counter.observe(refused(), &[]))
        .build();
    meter()
        .u64_observable_gauge("dicepoker.build.info")
        .with_description("Always 1; its labels identify the build.")
        .with_callback(|gauge| {
            let labels = [
                KeyValue::new("version", env!("CARGO_PKG_VERSION")),
                KeyValue::new("profile", if cfg!(debug_assertions) { "debug" } else { "release" }),
                KeyValue::new("target", std::env::consts::ARCH),
            ];
            gauge.observe(1, &labels);
        })
        .build();
}

fn gauge(name: &'static str, description: &'static str, count: Count) {
    meter()
        .u64_observable_gauge(name)
        .with_description(description)
        .with_callback(move |gauge| gauge.observe(count(), &[]))
        .build();
}
