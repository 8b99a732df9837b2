//! Export of traces, metrics and the log to an OpenTelemetry collector over OTLP/gRPC, with TLS for https.

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry::{KeyValue, global};
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_otlp::{
    ExporterBuildError, LogExporter, MetricExporter, SpanExporter, WithExportConfig,
    WithTonicConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tonic::transport::{Certificate, ClientTlsConfig};
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::registry::LookupSpan;

use super::SCOPE;
use super::observe::SPANS;
use crate::config::Config;
use crate::log_filter;

/// Timeout of an export.
const PATIENCE: Duration = Duration::from_secs(2);

/// The collector.
#[derive(Clone, Debug)]
pub(super) struct Collector {
    endpoint: String,
    /// `None`: no TLS.
    tls: Option<ClientTlsConfig>,
}

impl Collector {
    /// The collector that `config` names, if it names one.
    ///
    /// # Errors
    /// If the file of authorities cannot be read.
    pub(super) fn of(config: &Config) -> Result<Option<Self>, String> {
        let Some(endpoint) = config.otlp_endpoint.clone() else { return Ok(None) };
        let tls = match &config.otlp_ca {
            _ if !endpoint.starts_with("https:") => None,
            None => Some(ClientTlsConfig::new().with_native_roots()),
            Some(path) => {
                let pem = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
                Some(ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem)))
            }
        };
        Ok(Some(Self { endpoint, tls }))
    }

    /// The channel for any kind of exporter.
    fn reach<B: WithExportConfig + WithTonicConfig>(&self, builder: B) -> B {
        let builder = builder.with_endpoint(&self.endpoint).with_timeout(PATIENCE);
        match &self.tls {
            Some(tls) => builder.with_tls_config(tls.clone()),
            None => builder,
        }
    }
}

/// The exporters.
pub(super) struct Otlp {
    collector: Collector,
    traces: SdkTracerProvider,
    logs: SdkLoggerProvider,
}

impl Otlp {
    /// Exporters to `collector` that sample this share of the traces begun here.
    pub(super) fn new(collector: Collector, sample: f64) -> Result<Self, ExporterBuildError> {
        let spans = collector.reach(SpanExporter::builder().with_tonic()).build()?;
        let traces = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(sample))))
            .with_batch_exporter(spans)
            .build();
        let lines = collector.reach(LogExporter::builder().with_tonic()).build()?;
        let logs = SdkLoggerProvider::builder()
            .with_resource(resource())
            .with_batch_exporter(lines)
            .build();
        global::set_text_map_propagator(TraceContextPropagator::new());
        Ok(Self { collector, traces, logs })
    }

    pub(super) fn metrics(&self) -> Result<MetricExporter, ExporterBuildError> {
        self.collector.reach(MetricExporter::builder().with_tonic()).build()
    }

    /// Layer that turns the spans of calls into traces.
    pub(super) fn traces<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.traces.tracer(SCOPE))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_filter(tracing_subscriber::filter::filter_fn(|meta| meta.target() == SPANS))
    }

    /// Layer that exports log lines that pass `filter`, except those of the exporters: a line about an export
    /// would cause the next one.
    pub(super) fn logs<S>(&self, filter: &str) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let quiet = ["h2", "hyper", "opentelemetry", "tonic", "tower"];
        let quiet = quiet.map(|target| (target, LevelFilter::OFF));
        let filter = log_filter::parse(filter).unwrap_or_default().with_targets(quiet);
        OpenTelemetryTracingBridge::new(&self.logs).with_filter(filter)
    }

    /// Exports what is left, traces and log lines in parallel, within `bound`.
    pub(super) fn shutdown(self, bound: Duration) {
        std::thread::scope(|scope| {
            scope.spawn(|| self.traces.shutdown_with_timeout(bound));
            let _ = self.logs.shutdown_with_timeout(bound);
        });
    }
}

/// Resource attributes: service, version, process.
pub(super) fn resource() -> Resource {
    Resource::builder()
        .with_service_name("dicepoker")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("service.instance.id", instance()))
        .build()
}

/// A unique id of this process.
fn instance() -> String {
    use std::sync::OnceLock;
    static INSTANCE: OnceLock<u128> = OnceLock::new();
    format!("{:032x}", INSTANCE.get_or_init(rand::random))
}
