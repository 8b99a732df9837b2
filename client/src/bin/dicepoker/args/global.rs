//! What every command takes: where the service is, and in which form to answer.

#[cfg(feature = "tls")]
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use dicepoker_client::{Client, ClientBuilder, Retries, Target};

use crate::failure::Failure;

/// Where the service is, and in which form to answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Where the service is: http://host:port, https://host:port, several with commas between
    /// them, or dns:///name:port for all addresses of a name.
    #[arg(
        long,
        global = true,
        env = "DICEPOKER_SERVER",
        default_value = "http://127.0.0.1:50051",
        value_name = "URL"
    )]
    pub(crate) server: String,

    /// Answer in this process instead of asking a server. The first advice for a large ruleset
    /// then waits until it is solved.
    #[arg(long, global = true)]
    pub(crate) embedded: bool,

    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Longest time to wait for an answer, in seconds. 60 unless set: a server that has just started
    /// makes some of its tables when they are first asked for. No limit when embedded.
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

/// How long to try to reach a server.
const REACH: Duration = Duration::from_secs(10);

/// How long to wait for an answer: as long as a service works on a call, unless it is set otherwise.
const ANSWER: Duration = Duration::from_secs(60);

/// How long to wait for this process, which does nothing else: as long as it takes.
const EMBEDDED: Duration = Duration::from_secs(24 * 3600);

impl Global {
    /// The client that these arguments ask for.
    pub(crate) async fn client(&self) -> Result<Client, Failure> {
        self.connect(Retries::default()).await
    }

    /// A client without retries, once the service serves.
    pub(crate) async fn plain_client(&self) -> Result<Client, Failure> {
        self.connect(Retries::none()).await
    }

    /// Whether calls stay on this machine.
    pub(crate) fn is_local(&self) -> Result<bool, Failure> {
        Ok(self.embedded || self.server.parse::<Target>()?.is_loopback())
    }

    async fn connect(&self, retries: Retries) -> Result<Client, Failure> {
        let builder = self.builder()?.retries(retries);
        if self.embedded {
            return Ok(builder.embedded()?.with_deadline(self.timeout.unwrap_or(EMBEDDED)));
        }
        let reach = self.timeout.map_or(REACH, |timeout| timeout.min(REACH));
        let client = builder.deadline(reach).connect(&self.server).await?;
        Ok(client.with_deadline(self.timeout.unwrap_or(ANSWER)))
    }

    fn builder(&self) -> Result<ClientBuilder, Failure> {
        let mut builder = Client::builder();
        if let Some(token) = &self.token {
            builder = builder.bearer_token(token);
        }
        #[cfg(feature = "tls")]
        if let Some(ca) = &self.ca {
            let pem = std::fs::read(ca).map_err(|error| Failure::file(ca, error))?;
            builder = builder.tls(dicepoker_client::Tls::trusting(pem));
        }
        Ok(builder)
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "must be a number of seconds".to_owned())?;
    if seconds <= 0.0 {
        return Err("must be more than 0".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
