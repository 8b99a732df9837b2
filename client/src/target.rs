//! The address of the service: one, a list, or a name that resolves to all replicas.

use std::fmt;
use std::str::FromStr;

use http::Uri;

use crate::Error;

/// The address of the service:
///
/// | form | meaning |
/// |---|---|
/// | `http://host:port`, `host:port` | one address, in plain text |
/// | `https://host:port` | one address, encrypted |
/// | `http://a:1,http://b:2` | several replicas, balanced |
/// | `dns:///name:port` | every address of the name, for example of a Kubernetes headless service, balanced |
/// | `dnss:///name:port` | the same, encrypted |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target(pub(crate) Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    One(Uri),
    List(Vec<Uri>),
    Dns { name: String, port: u16, encrypted: bool },
}

impl Target {
    /// Several replicas, balanced.
    ///
    /// # Errors
    /// If the list is empty or an address is invalid.
    pub fn list<A: AsRef<str>>(addresses: impl IntoIterator<Item = A>) -> Result<Self, Error> {
        let uris: Vec<Uri> =
            addresses.into_iter().map(|one| address(one.as_ref())).collect::<Result<_, _>>()?;
        if uris.is_empty() {
            return Err(Error::config("the list of addresses is empty"));
        }
        Ok(Self(Kind::List(uris)))
    }

    /// Every address that `name` resolves to, balanced and looked up periodically.
    #[must_use]
    pub fn dns(name: impl Into<String>, port: u16) -> Self {
        Self(Kind::Dns { name: name.into(), port, encrypted: false })
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        let https = |uri: &Uri| uri.scheme() == Some(&http::uri::Scheme::HTTPS);
        match &self.0 {
            Kind::One(uri) => https(uri),
            Kind::List(uris) => uris.iter().all(https),
            Kind::Dns { encrypted, .. } => *encrypted,
        }
    }

    /// Whether every address is a loopback address.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.0 {
            Kind::One(uri) => is_loopback(uri.host().unwrap_or_default()),
            Kind::List(uris) => uris.iter().all(|uri| is_loopback(uri.host().unwrap_or_default())),
            Kind::Dns { name, .. } => is_loopback(name),
        }
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn address(text: &str) -> Result<Uri, Error> {
    let wrong = |why: &str| {
        Error::config(format!(
            "\"{text}\" is not the address of a server ({why}): write it like http://localhost:50051"
        ))
    };
    let text = text.trim();
    let full = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let uri: Uri =
        full.parse().map_err(|error: http::uri::InvalidUri| wrong(&error.to_string()))?;
    match uri.scheme_str() {
        Some("http" | "https") => {}
        other => return Err(wrong(&format!("no scheme {}", other.unwrap_or_default()))),
    }
    if uri.host().is_none_or(str::is_empty) {
        return Err(wrong("no host"));
    }
    Ok(uri)
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        for (scheme, encrypted) in [("dns:", false), ("dnss:", true)] {
            if let Some(rest) = text.strip_prefix(scheme) {
                let wrong = || {
                    Error::config(format!(
                        "\"{text}\" has no host and port: write it like dns:///dicepoker:50051"
                    ))
                };
                let (name, port) =
                    rest.trim_start_matches('/').rsplit_once(':').ok_or_else(wrong)?;
                let port = port.parse().map_err(|_| wrong())?;
                return Ok(Self(Kind::Dns { name: name.to_owned(), port, encrypted }));
            }
        }
        if text.contains(',') {
            return Self::list(text.split(',').filter(|part| !part.trim().is_empty()));
        }
        address(text).map(|uri| Self(Kind::One(uri)))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::One(uri) => write!(f, "{}", uri.to_string().trim_end_matches('/')),
            Kind::List(uris) => {
                let uris: Vec<String> = uris.iter().map(Uri::to_string).collect();
                f.write_str(&uris.join(","))
            }
            Kind::Dns { name, port, encrypted } => {
                write!(f, "dns{}:///{name}:{port}", if *encrypted { "s" } else { "" })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_in_every_form() {
        let read = |text: &str| text.parse::<Target>().expect(text);
        assert_eq!(read("localhost:50051"), read("http://localhost:50051"));
        assert!(read("https://play.example").is_encrypted());
        assert_eq!(read("dns:///dicepoker:50051"), Target::dns("dicepoker", 50051));
        assert_eq!(read("a:1, b:2").to_string(), "http://a:1/,http://b:2/");
        assert!(read("http://[::1]:50051").is_loopback());
        assert!(read("127.0.0.1:1,127.0.0.2:1").is_loopback());
        assert!(!read("http://10.0.0.1:1").is_loopback());
        for wrong in ["", "ftp://x", "dns:///x", "http://"] {
            assert!(wrong.parse::<Target>().is_err(), "{wrong}");
        }
    }
}
