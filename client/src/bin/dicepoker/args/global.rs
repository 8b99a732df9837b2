//! The arguments of every command: the service's address, and the form of the output.

#[cfg(feature = "tls")]
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// The service's address, and the form of the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Address of the service: http://host:port, https://host:port, several separated by commas,
    /// or dns:///name:port for all addresses of a name.
    #[arg(
        long,
        global = true,
        env = "DICEPOKER_SERVER",
        default_value = "http://127.0.0.1:50051",
        value_name = "URL"
    )]
    pub(crate) server: String,

    /// Serve the call in this process instead of calling a server. The first advice for a large
    /// ruleset then waits until it is solved.
    #[arg(long, global = true)]
    pub(crate) embedded: bool,

    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Deadline of a call in seconds. 60 unless set, since a server makes some of its tables on
    /// first use; no limit with --embedded.
    #[arg(
        long,
        visible_alias = "deadline",
        global = true,
        value_name = "SECONDS",
        value_parser = seconds
    )]
    pub(crate) timeout: Option<Duration>,

    /// Token to send with every call.
    #[arg(long, global = true, env = "DICEPOKER_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,

    /// File with the certificate authorities to trust, instead of this machine's.
    #[cfg(feature = "tls")]
    #[arg(long, global = true, env = "DICEPOKER_CA", value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
}

/// A duration in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "must be a number of seconds".to_owned())?;
    if seconds <= 0.0 {
        return Err("must be more than 0".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
