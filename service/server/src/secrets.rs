//! The files that hold what must not stand in settings: certificates, keys and tokens. They are
//! read before a port is bound, and again whenever they change or SIGHUP comes. A file that cannot
//! be used changes nothing: what is in force stays in force.

use std::path::PathBuf;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tracing::{info, warn};

use crate::auth::Tokens;
use crate::config::{Config, Faults};
use crate::tls::{Tls, certificates};

/// What the files hold, in force; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Secrets {
    /// `None`: no TLS.
    pub(crate) tls: Option<Tls>,
    /// `None`: everybody may call.
    pub(crate) tokens: Option<Tokens>,
}

impl Secrets {
    /// Reads all files that `config` names.
    ///
    /// # Errors
    /// What is wrong with each, without quoting it.
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

    /// Looks for changes for ever.
    pub(crate) async fn follow(self, config: Config) {
        let paths: Vec<PathBuf> =
            [&config.tls_cert, &config.tls_key, &config.tls_client_ca, &config.auth_tokens_file]
                .into_iter()
                .flatten()
                .cloned()
                .collect();
        let Ok(mut hangup) = signal(SignalKind::hangup()) else { return };
        if paths.is_empty() {
            // Nothing to read again, but a hangup must not end the service either.
            while hangup.recv().await.is_some() {}
            return;
        }
        let pause = Some(config.reload_seconds).filter(|pause| !pause.is_zero());
        let mut seen = contents(&paths);
        loop {
            let told = tokio::select! {
                _ = hangup.recv() => true,
                () = tokio::time::sleep(pause.unwrap_or(Duration::MAX)) => false,
            };
            let now = contents(&paths);
            if told || now != seen {
                self.reload(&config);
            }
            seen = now;
        }
    }

    fn reload(&self, config: &Config) {
        let told = |what: &str, reloaded: Result<(), String>| match reloaded {
            Ok(()) => info!(what, "reloaded"),
            Err(reason) => warn!(what, reason, "not reloaded: what was in force stays"),
        };
        if let Some(tls) = &self.tls {
            told("certificates", tls.reload(config));
        }
        if let (Some(tokens), Some(path)) = (&self.tokens, &config.auth_tokens_file) {
            told("tokens", tokens.reload(path));
        }
    }
}

/// What the files hold: small, and the only thing that tells a change for sure, since a mounted
/// secret is replaced by moving a link.
fn contents(paths: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
    paths.iter().map(|path| std::fs::read(path).ok()).collect()
}
