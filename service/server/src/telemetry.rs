//! What the service tells of itself: log lines on standard error; metrics, on the page for
//! operators and over OTLP; traces and the log over OTLP. Each costs nothing where it is not asked
//! for.
//!
//! [`observe`] follows every call, [`calls`] are the instruments it plays, [`method`] and
//! [`ruleset`] the bounded sets of names it may use.

mod calls;
mod gauges;
mod method;
mod observe;
mod otlp;
mod page;
pub(crate) mod ruleset;
mod solving;

use std::io::IsTerminal;
use std::time::Duration;

use opentelemetry::global;
use opentelemetry::metrics::Meter;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

pub(crate) use self::gauges::{Sources, show};
pub(crate) use self::observe::{Observe, Observed};
pub(crate) use self::page::Page;
pub(crate) use self::solving::solved;
use crate::config::{Config, LogFormat};

/// The name under which all instruments are made.
const SCOPE: &str = "dicepoker";

/// Upper bounds, in seconds, of the buckets for work of milliseconds and more.
pub(crate) const LONG: [f64; 12] =
    [1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0];

/// How long the end of the process waits for a collector.
const LAST_EXPORT: Duration = Duration::from_secs(2);

/// What records and exports, until the end.
pub(crate) struct Telemetry {
    metrics: Option<SdkMeterProvider>,
    otlp: Option<otlp::Otlp>,
    page: Option<Page>,
}

impl Telemetry {
    /// Begins as `config` asks. Must be called where tokio runs: exporters do.
    ///
    /// # Errors
    /// If an exporter cannot be made.
    pub(crate) fn begin(config: &Config) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let otlp = match otlp::Collector::of(config)? {
            Some(collector) => Some(otlp::Otlp::new(collector, config.trace_sample)?),
            None => None,
        };
        begin_log(config, otlp.as_ref());
        let page = config.admin_address.map(|_| Page::default());
        let metrics = if page.is_some() || otlp.is_some() {
            let mut builder = SdkMeterProvider::builder().with_resource(otlp::resource());
            if let Some(page) = &page {
                builder = builder.with_reader(page.reader()?);
            }
            if let Some(otlp) = &otlp {
                builder = builder.with_periodic_exporter(otlp.metrics()?);
            }
            let provider = builder.build();
            global::set_meter_provider(provider.clone());
            Some(provider)
        } else {
            None
        };
        Ok(Self { metrics, otlp, page })
    }

    /// The page of metrics, if there is one.
    pub(crate) fn page(&self) -> Option<Page> {
        self.page.clone()
    }

    /// What follows calls.
    pub(crate) fn observe<S>(&self, config: &Config, inner: S) -> Observe<S> {
        let metrics = self.metrics.is_some().then(calls::Calls::new);
        Observe::new(inner, metrics, self.otlp.is_some(), config.access_log)
    }

    /// Sends what has not been sent; waits for the network twice [`LAST_EXPORT`] at most.
    pub(crate) fn end(self) {
        if let Some(metrics) = self.metrics {
            let _ = metrics.shutdown_with_timeout(LAST_EXPORT);
        }
        if let Some(otlp) = self.otlp {
            otlp.shutdown(LAST_EXPORT);
        }
    }
}

/// Where instruments are made: they do nothing if no metrics are asked for.
pub(crate) fn meter() -> Meter {
    global::meter(SCOPE)
}

/// Sends log lines to standard error in the form and detail that `config` asks for, and over OTLP.
fn begin_log(config: &Config, otlp: Option<&otlp::Otlp>) {
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let lines = match config.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    };
    // The exporters' own news is of no use; whoever wants it can ask for it.
    let filter = EnvFilter::builder().parse_lossy(format!("opentelemetry=warn,{}", config.log));
    tracing_subscriber::registry()
        .with(otlp.map(otlp::Otlp::traces))
        .with(otlp.map(|otlp| otlp.logs(&config.log)))
        .with(lines.with_filter(filter))
        .init();
}
