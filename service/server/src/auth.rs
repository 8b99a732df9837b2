//! Authentication of calls by the tokens of a file: `authorization: Bearer TOKEN`.
//!
//! A line of the file holds a name and a token, or a name and `sha256:` with the digest of the token in
//! hexadecimal; empty lines and lines that begin with `#` are ignored. The server keeps only digests and
//! compares each in constant time, so that neither memory nor timing reveals a token. With several tokens one
//! can replace another without a gap.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwap;
use http::{HeaderMap, Request, header};
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::config::AuthExempt;
use crate::error::Error;

/// Least length of a token, so that it cannot be guessed.
const SHORTEST: usize = 16;

const HEALTH: &str = "/grpc.health.v1.Health/";
const REFLECTION: &str = "/grpc.reflection.";

/// The name of a call's token, hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TokenId(pub(crate) u64);

type Digest = [u8; 32];

struct Token {
    id: u64,
    digest: Digest,
}

/// The current tokens; clones share them.
#[derive(Clone)]
pub(crate) struct Tokens(Arc<ArcSwap<Vec<Token>>>);

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tokens", self.0.load().len())
    }
}

impl Tokens {
    /// The tokens of a file.
    ///
    /// # Errors
    /// A description of the fault that quotes nothing of the file.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        Ok(Self(Arc::new(ArcSwap::from_pointee(read(path)?))))
    }

    /// Replaces the current tokens by those of a file.
    ///
    /// # Errors
    /// As [`Tokens::load`]; the current ones stay.
    pub(crate) fn reload(&self, path: &Path) -> Result<(), String> {
        self.0.store(Arc::new(read(path)?));
        Ok(())
    }

    fn find(&self, token: &[u8]) -> Option<TokenId> {
        let sent = sha256(token);
        let (mut found, mut id) = (Choice::from(0), 0);
        for token in self.0.load().iter() {
            let same = token.digest.ct_eq(&sent);
            id.conditional_assign(&token.id, same);
            found |= same;
        }
        bool::from(found).then_some(TokenId(id))
    }
}

fn sha256(text: &[u8]) -> Digest {
    Sha256::digest(text).into()
}

fn read(path: &Path) -> Result<Vec<Token>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let tokens = parse(&text).map_err(|fault| format!("{}: {fault}", path.display()))?;
    if tokens.is_empty() { Err(format!("{}: no token", path.display())) } else { Ok(tokens) }
}

fn parse(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        let (name, token) = match (words.next(), words.next(), words.next()) {
            (None, ..) => continue,
            (Some(name), ..) if name.starts_with('#') => continue,
            (Some(name), Some(token), None) => (name, token),
            _ => return Err(format!("line {number}: must be a name and a token")),
        };
        let digest = match token.strip_prefix("sha256:") {
            Some(hex) => unhex(hex)
                .ok_or_else(|| format!("line {number}: sha256: needs 64 hexadecimal digits"))?,
            None if token.len() < SHORTEST => {
                return Err(format!("line {number}: a token needs {SHORTEST} characters at least"));
            }
            None => sha256(token.as_bytes()),
        };
        let [a, b, c, d, e, f, g, h, ..] = sha256(name.as_bytes());
        tokens.push(Token { id: u64::from_be_bytes([a, b, c, d, e, f, g, h]), digest });
    }
    Ok(tokens)
}

fn unhex(text: &str) -> Option<Digest> {
    let mut bytes = Digest::default();
    if text.len() != 2 * bytes.len() || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
    }
    Some(bytes)
}

/// Accepts calls that carry a valid token or need none.
#[derive(Clone, Debug)]
pub(crate) struct Auth {
    tokens: Tokens,
    exempt: AuthExempt,
}

impl Auth {
    pub(crate) fn new(tokens: Tokens, exempt: AuthExempt) -> Self {
        Self { tokens, exempt }
    }

    fn is_exempt(&self, path: &str) -> bool {
        match self.exempt {
            AuthExempt::Nothing => false,
            AuthExempt::Health => path.starts_with(HEALTH),
            AuthExempt::HealthAndReflection => {
                path.starts_with(HEALTH) || path.starts_with(REFLECTION)
            }
        }
    }

    /// Adds the [`TokenId`] of its token to the request.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] if the call needs a token and carries no valid one.
    pub(crate) fn admit<B>(&self, request: &mut Request<B>) -> Result<(), Error> {
        if self.is_exempt(request.uri().path()) {
            return Ok(());
        }
        let token = bearer(request.headers()).ok_or(Error::Unauthenticated)?;
        let id = self.tokens.find(token).ok_or(Error::Unauthenticated)?;
        request.extensions_mut().insert(id);
        Ok(())
    }
}

fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let value = headers.get(header::AUTHORIZATION)?.as_bytes();
    let (scheme, token) = value.split_at_checked("bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Tokens {
        Tokens(Arc::new(ArcSwap::from_pointee(parse(text).expect("sound"))))
    }

    fn admit(auth: &Auth, path: &str, header: Option<&str>) -> bool {
        let mut request = Request::get(path);
        if let Some(header) = header {
            request = request.header("authorization", header);
        }
        auth.admit(&mut request.body(()).expect("a request")).is_ok()
    }

    #[test]
    fn each_token_is_valid_in_clear_or_as_digest() {
        let digest = "ab4a16c29f80a7b0ee0ec79ef9cd7cb8ac9d7b2d7d5a6b2b3b4a1b6b2f0f6b1e";
        let all = tokens(&format!(
            "# us\nold  one-long-token-aaaa\n\nnew two-long-token-bbbb\nx sha256:{digest}"
        ));
        let auth = Auth::new(all, AuthExempt::Health);
        for good in ["Bearer one-long-token-aaaa", "bearer two-long-token-bbbb"] {
            assert!(admit(&auth, "/game/Score", Some(good)));
        }
        for bad in ["Bearer one-long-token-aaab", "Bearer ", "Basic one-long-token-aaaa", "B", ""] {
            assert!(!admit(&auth, "/game/Score", Some(bad)), "{bad}");
        }
        assert!(!admit(&auth, "/game/Score", None));
    }

    #[test]
    fn a_digest_accepts_its_token() {
        // The digest of "abc" is the first example of FIPS 180-2.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert!(tokens(&format!("me sha256:{abc}")).find(b"abc").is_some());
    }

    #[test]
    fn only_exempt_services_need_no_token() {
        let (health, reflection) = ("/grpc.health.v1.Health/Check", "/grpc.reflection.v1.X/Y");
        let all = tokens("a one-long-token-aaaa");
        for (exempt, health_passes, reflection_passes) in [
            (AuthExempt::Nothing, false, false),
            (AuthExempt::Health, true, false),
            (AuthExempt::HealthAndReflection, true, true),
        ] {
            let auth = Auth::new(all.clone(), exempt);
            assert_eq!(admit(&auth, health, None), health_passes, "{exempt:?}");
            assert_eq!(admit(&auth, reflection, None), reflection_passes, "{exempt:?}");
        }
    }

    #[test]
    fn faults_of_the_file_do_not_quote_tokens() {
        for (text, part) in
            [("a short", "line 1"), ("a", "name and a token"), ("\na sha256:12", "line 2")]
        {
            let fault = parse(text).err().expect("faulty");
            assert!(fault.contains(part), "{fault}");
            assert!(!fault.contains("short"), "{fault}");
        }
    }
}
