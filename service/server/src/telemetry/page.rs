//! Metrics in the text format of Prometheus.

use opentelemetry_prometheus::PrometheusExporter;
use opentelemetry_sdk::error::OTelSdkError;
use prometheus::{Encoder, Registry, TextEncoder};

/// The page; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page(Registry);

impl Page {
    /// Content type.
    pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

    pub(super) fn reader(&self) -> Result<PrometheusExporter, OTelSdkError> {
        opentelemetry_prometheus::exporter().with_registry(self.0.clone()).build()
    }

    /// The current text.
    ///
    /// # Errors
    /// If the metrics cannot be encoded.
    pub(crate) fn text(&self) -> Result<Vec<u8>, prometheus::Error> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.0.gather(), &mut text)?;
        Ok(text)
    }
}
