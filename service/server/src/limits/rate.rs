//! How many calls, or errors, a second one caller may make. A caller is its token where tokens are asked for,
//! else its network address.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use http::Request;

use super::Gate;
use crate::auth::TokenId;
use crate::error::Error;

/// Whose calls are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    /// The owner of a token.
    Token(TokenId),
    /// An address; of IPv6 the /64 network, since one machine has all of it.
    Address(IpAddr),
}

impl Caller {
    fn address(ip: IpAddr) -> Self {
        Self::Address(match ip.to_canonical() {
            IpAddr::V6(v6) => {
                let network = u128::from(v6) & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from(network))
            }
            v4 => v4,
        })
    }
}

/// The limit as it stands for the callers of one connection; all share the counts.
#[derive(Clone, Debug)]
pub(crate) struct Rate {
    limiter: Option<Arc<DefaultKeyedRateLimiter<Caller>>>,
    peer: Caller,
}

impl Rate {
    /// At most `per_second` calls a second, and `burst` at once; no limit if `per_second` is 0.
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        let limiter = NonZeroU32::new(per_second).map(|rate| {
            let burst = NonZeroU32::new(burst).unwrap_or(rate);
            Arc::new(RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)))
        });
        Self { limiter, peer: Caller::Address(IpAddr::V6(Ipv6Addr::UNSPECIFIED)) }
    }

    /// Sets whose connection it is.
    pub(crate) fn set_peer(&mut self, ip: IpAddr) {
        self.peer = Caller::address(ip);
    }

    /// Who makes this call.
    pub(super) fn caller<B>(&self, request: &Request<B>) -> Caller {
        request.extensions().get::<TokenId>().copied().map_or(self.peer, Caller::Token)
    }

    /// Counts one for this caller.
    ///
    /// # Errors
    /// How long to wait, if that is more than it may.
    pub(super) fn check(&self, caller: &Caller) -> Result<(), Duration> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        let wait = |until: NotUntil<_>| until.wait_time_from(DefaultClock::default().now());
        limiter.check_key(caller).map_err(wait)
    }

    /// Forgets callers that have not called for long: call it now and then.
    pub(crate) fn forget(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

impl Gate for Rate {
    fn admit<B>(&self, request: &mut Request<B>) -> Result<(), Error> {
        self.check(&self.caller(request)).map_err(|retry_after| Error::RateLimited { retry_after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_a_rate_of_its_own() {
        let mut rate = Rate::new(1, 2);
        let mut request = Request::new(());
        rate.set_peer("2001:db8::1".parse().expect("an address"));
        assert!(rate.admit(&mut request).is_ok());
        rate.set_peer("2001:db8::2".parse().expect("an address"));
        assert!(rate.admit(&mut request).is_ok(), "the same network: the second of the burst");
        assert!(matches!(rate.admit(&mut request), Err(Error::RateLimited { .. })));
        rate.set_peer("192.0.2.1".parse().expect("an address"));
        assert!(rate.admit(&mut request).is_ok());
        request.extensions_mut().insert(TokenId(1));
        assert!(rate.admit(&mut request).is_ok());
    }
}
