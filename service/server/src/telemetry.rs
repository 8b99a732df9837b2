//! What the service tells of itself: structured log lines on standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Sends log lines to standard error in the form and detail that `config` asks for.
pub(crate) fn init(config: &Config) {
    let filter = EnvFilter::builder().parse_lossy(&config.log);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    match config.log_format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
}
