//! The settings of encrypted connections.

use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// The settings of an encrypted connection: by default the certificate authorities of this machine,
/// and the host of the address as the server's name.
#[derive(Clone, Debug)]
#[must_use]
pub struct Tls(ClientTlsConfig);

impl Default for Tls {
    fn default() -> Self {
        Self(ClientTlsConfig::new().with_native_roots())
    }
}

impl Tls {
    /// Trusts the certificates that this machine trusts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts only the authorities in `pem`.
    pub fn trusting(pem: impl AsRef<[u8]>) -> Self {
        Self(ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem)))
    }

    /// Presents this certificate to the server (mutual TLS).
    pub fn identity(self, certificate_pem: impl AsRef<[u8]>, key_pem: impl AsRef<[u8]>) -> Self {
        Self(self.0.identity(Identity::from_pem(certificate_pem, key_pem)))
    }

    /// Expects this name in the server's certificate, whatever the address.
    pub fn server_name(self, name: impl Into<String>) -> Self {
        Self(self.0.domain_name(name))
    }

    pub(crate) fn into_config(self) -> ClientTlsConfig {
        self.0
    }
}
