//! What an operator can set, as flags or environment variables; a flag wins over its variable.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Points, legal moves and perfect advice for dice poker, over gRPC.
#[derive(Clone, Debug, Parser)]
#[command(name = "dicepoker-server", version, about)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one, which the log names.
    #[arg(long, env = "DICEPOKER_ADDRESS", default_value = "127.0.0.1:50051")]
    pub address: SocketAddr,

    /// What to log: a level (error, warn, info, debug, trace) or a filter such as
    /// `info,dicepoker_server=debug`.
    #[arg(long, env = "DICEPOKER_LOG", default_value = "info")]
    pub log: String,

    /// Form of the log lines.
    #[arg(long, env = "DICEPOKER_LOG_FORMAT", default_value = "text")]
    pub log_format: LogFormat,

    /// Longest time to let running calls finish after SIGTERM, in seconds.
    #[arg(long, env = "DICEPOKER_DRAIN_SECONDS", default_value = "10", value_parser = seconds)]
    pub drain_seconds: Duration,

    /// Memory for solved tables of rulesets that are not built in, in MiB.
    #[arg(long, env = "DICEPOKER_CACHE_MIB", default_value = "256")]
    pub cache_mib: u64,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "must be a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
