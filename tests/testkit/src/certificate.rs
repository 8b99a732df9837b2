//! A self-signed certificate for `localhost` and 127.0.0.1.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tonic::transport::{Identity, ServerTlsConfig};

/// A certificate of a server, its own authority.
#[derive(Clone, Debug)]
pub struct Certificate {
    pem: String,
    key: String,
}

impl Certificate {
    /// A new one.
    ///
    /// # Panics
    /// Never, as its names are sound.
    #[must_use]
    pub fn generate() -> Self {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(names).expect("sound names");
        Self { pem: cert.pem(), key: signing_key.serialize_pem() }
    }

    /// The certificate that a client must trust.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.pem
    }

    pub(crate) fn server_config(&self) -> ServerTlsConfig {
        ServerTlsConfig::new().identity(Identity::from_pem(&self.pem, &self.key))
    }
}
