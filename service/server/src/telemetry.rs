//! Telemetry: the log on standard error; metrics on the admin page and over OTLP; traces and the log over
//! OTLP. Disabled parts cost nothing.
//!
//! [`observe`] records every call with the instruments of [`calls`]; [`method`] and [`ruleset`] bound the
//! values of its attributes.

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
use tracing_subscriber::Layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub(crate) use self::gauges::{Sources, show};
pub(crate) use self::observe::Observer;
pub(crate) use self::page::Page;
pub(crate) use self::solving::solved;
use crate::config::{Config, LogFormat};
use crate::log_filter;

/// Name of the meter of all instruments.
const SCOPE: &str = "dicepoker";

/// Upper bounds, in seconds, of the buckets for work of milliseconds and more.
pub(crate) const LONG: [f64; 12] =
    [1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0];

/// Limit on the last export at the end of the process.
const LAST_EXPORT: Duration = Duration::from_secs(2);

/// Recorders and exporters.
pub(crate) struct Telemetry {
    metrics: Option<SdkMeterProvider>,
    otlp: Option<otlp::Otlp>,
    page: Option<Page>,
}

impl Telemetry {
    /// Starts what `config` enables. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// If an exporter cannot be created.
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

    /// The page of metrics, if enabled.
    pub(crate) fn page(&self) -> Option<Page> {
        self.page.clone()
    }

    /// The observer of calls, if anything records them.
    pub(crate) fn observer(&self, config: &Config) -> Option<Observer> {
        let metrics = self.metrics.is_some().then(calls::Calls::new);
        let traces = self.otlp.is_some();
        let asked = metrics.is_some() || traces || config.access_log > 0.0;
        asked.then(|| Observer::new(metrics, traces, config.access_log))
    }

    /// Exports what is left; takes at most twice [`LAST_EXPORT`].
    pub(crate) fn end(self) {
        if let Some(metrics) = self.metrics {
            let _ = metrics.shutdown_with_timeout(LAST_EXPORT);
        }
        if let Some(otlp) = self.otlp {
            otlp.shutdown(LAST_EXPORT);
        }
    }
}

/// The meter of all instruments, which do nothing if metrics are disabled.
pub(crate) fn meter() -> Meter {
    global::meter(SCOPE)
}

/// Logs to standard error in the configured format and level, and over OTLP.
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
    // The exporters' own log lines are off by default; the setting `log` enables them.
    let filter =
        log_filter::parse(&format!("opentelemetry=warn,{}", config.log)).unwrap_or_default();
    tracing_subscriber::registry()
        .with(otlp.map(otlp::Otlp::traces))
        .with(otlp.map(|otlp| otlp.logs(&config.log)))
        .with(lines.with_filter(filter))
        .init();
}
