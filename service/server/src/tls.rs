//! TLS and mutual TLS. A replaced certificate applies to new connections; open ones keep theirs, so no call is
//! lost.

use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

use crate::config::Config;

/// The certificates in force; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Tls(Arc<ArcSwap<ServerConfig>>);

impl Tls {
    /// The certificates that `config` names; `None` if it names none.
    ///
    /// # Errors
    /// The file that is invalid, and why.
    pub(crate) fn load(config: &Config) -> Result<Option<Self>, String> {
        let server = server_config(config)?;
        Ok(server.map(|server| Self(Arc::new(ArcSwap::from_pointee(server)))))
    }

    /// Replaces the certificates in force by those that `config` names.
    ///
    /// # Errors
    /// As [`Tls::load`]; those in force stay.
    pub(crate) fn reload(&self, config: &Config) -> Result<(), String> {
        if let Some(server) = server_config(config)? {
            self.0.store(Arc::new(server));
        }
        Ok(())
    }

    /// Acceptor for new connections.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.0.load_full())
    }
}

fn server_config(config: &Config) -> Result<Option<ServerConfig>, String> {
    let (Some(cert), Some(key)) = (&config.tls_cert, &config.tls_key) else { return Ok(None) };
    let chain = certificates(cert)?;
    let secret =
        PrivateKeyDer::from_pem_file(key).map_err(|e| format!("{}: {e}", key.display()))?;
    let provider = Arc::new(default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|reason| reason.to_string())?;
    let builder = match &config.tls_client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for authority in certificates(path)? {
                roots.add(authority).map_err(|e| format!("{}: {e}", path.display()))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                .build()
                .map_err(|e| format!("{}: {e}", path.display()))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut server = builder
        .with_single_cert(chain, secret)
        .map_err(|e| format!("{} and {}: {e}", cert.display(), key.display()))?;
    server.alpn_protocols = vec![b"h2".to_vec()];
    if config.grpc_web {
        server.alpn_protocols.push(b"http/1.1".to_vec());
    }
    Ok(Some(server))
}

/// All certificates of a PEM file.
///
/// # Errors
/// If the file cannot be read or has no certificate.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let fault = |reason: rustls::pki_types::pem::Error| format!("{}: {reason}", path.display());
    let all: Vec<_> = CertificateDer::pem_file_iter(path)
        .map_err(fault)?
        .collect::<Result<_, _>>()
        .map_err(fault)?;
    if all.is_empty() { Err(format!("{}: no certificate", path.display())) } else { Ok(all) }
}
