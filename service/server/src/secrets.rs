//! The files with certificates, keys and tokens. They are read before a port is bound, and again when they
//! change or on SIGHUP. An invalid file changes nothing: the values in force stay.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::{info, warn};

use crate::auth::Tokens;
use crate::config::{Config, Faults};
use crate::tls::{Tls, certificates};

/// The values in force; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Secrets {
    /// `None`: no TLS.
    pub(crate) tls: Option<Tls>,
    /// `None`: no authentication.
    pub(crate) tokens: Option<Tokens>,
}

impl Secrets {
    /// Reads all files that `config` names.
    ///
    /// # Errors
    /// The faults of all files, without their content.
    pub(crate) fn load(config: &Config) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let tls = Tls::load(config).unwrap_or_else(|fault| {
            faults.push(fault);
            None
        });
        if let Some(Err(fault)) = config.otlp_ca.as_deref().map(certificates) {
            faults.push(fault);
        }
        let tokens = config
            .auth_tokens_file
            .as_deref()
            .and_then(|path| Tokens::load(path).map_err(|fault| faults.push(fault)).ok());
        faults.none()?;
        Ok(Self { tls, tokens })
    }

    /// Reloads changed files, until the service stops. From this call on SIGHUP no longer ends the process.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn follow(self, config: Config) -> io::Result<impl Future<Output = ()>> {
        Ok(self.reload_changes(config, signal(SignalKind::hangup())?))
    }

    async fn reload_changes(self, config: Config, mut hangup: Signal) {
        let paths: Vec<PathBuf> =
            [&config.tls_cert, &config.tls_key, &config.tls_client_ca, &config.auth_tokens_file]
                .into_iter()
                .flatten()
                .cloned()
                .collect();
        if paths.is_empty() {
            // Nothing to reload, but SIGHUP must not end the process.
            while hangup.recv().await.is_some() {}
            return;
        }
        let pause = Some(config.reload_seconds).filter(|pause| !pause.is_zero());
        let mut seen = contents(&paths);
        loop {
            let hung_up = tokio::select! {
                _ = hangup.recv() => true,
                () = tokio::time::sleep(pause.unwrap_or(Duration::MAX)) => false,
            };
            let now = contents(&paths);
            if hung_up || now != seen {
                self.reload(&config);
            }
            seen = now;
        }
    }

    fn reload(&self, config: &Config) {
        let report = |what: &str, reloaded: Result<(), String>| match reloaded {
            Ok(()) => info!(what, "reloaded"),
            Err(reason) => warn!(what, reason, "reload failed; the previous value stays in force"),
        };
        if let Some(tls) = &self.tls {
            report("certificates", tls.reload(config));
        }
        if let (Some(tokens), Some(path)) = (&self.tokens, &config.auth_tokens_file) {
            report("tokens", tokens.reload(path));
        }
    }
}

/// Contents of the files, to find changes. They are small, and modification times do not suffice: Kubernetes
/// replaces a mounted Secret by moving a link.
fn contents(paths: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
    paths.iter().map(|path| std::fs::read(path).ok()).collect()
}
