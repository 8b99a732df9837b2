//! The metrics as a page that Prometheus reads.

use opentelemetry_prometheus::PrometheusExporter;
use opentelemetry_sdk::error::OTelSdkError;
use prometheus::{Encoder, Registry, TextEncoder};

/// The page; clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page(Registry);

impl Page {
    /// The content type of its text.
    pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

    pub(super) fn reader(&self) -> Result<PrometheusExporter, OTelSdkError> {
        opentelemetry_prometheus::exporter().with_registry(self.0.clone()).build()
    }

    /// The page as it stands.
    ///
    /// # Errors
    /// If the metrics make no sound page.
    pub(crate) fn text(&self) -> Result<Vec<u8>, prometheus::Error> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.0.gather(), &mut text)?;
        Ok(text)
    }
}
