//! Rate limit of each caller. A caller is its token where tokens are required, else its
//! network address.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::Request;
use crate::auth::TokenId;
use crate::error::Error;

/// Calls that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Caller {
    /// Those with one token.
    Token(TokenId),
    /// Those from one address; of IPv6 the /64 network, since one machine has all of it.
    Address(IpAddr),
}

impl Caller {
    fn of(request: &Request, peer: IpAddr) -> Self {
        request.extensions().get().copied().map_or_else(|| Self::address(peer), Self::Token)
    }

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

/// The limit; clones share the counts.
#[derive(Clone, Debug)]
pub(crate) struct Rate(Arc<DefaultKeyedRateLimiter<Caller>>);

impl Rate {
    /// At most `per_second` calls a second, and `burst` at once; `None` if `per_second` is 0.
    pub(crate) fn new(per_second: u32, burst: u32) -> Option<Self> {
        let rate = NonZeroU32::new(per_second)?;
        let burst = NonZeroU32::new(burst).unwrap_or(rate);
        Some(Self(Arc::new(RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)))))
    }

    /// Counts a call from `peer`.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if its caller has made more calls than it may.
    pub(crate) fn check(&self, request: &Request, peer: IpAddr) -> Result<(), Error> {
        self.0.check_key(&Caller::of(request, peer)).map_err(|until| Error::RateLimited {
            retry_after: until.wait_time_from(DefaultClock::default().now()),
        })
    }

    /// Drops the counts of idle callers; call it periodically.
    pub(crate) fn forget(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use tonic::body::Body;

    use super::*;

    #[test]
    fn each_caller_has_its_own_rate() {
        let rate = Rate::new(1, 2).expect("a limit");
        let mut request = Request::new(Body::empty());
        let check =
            |request: &Request, peer: &str| rate.check(request, peer.parse().expect("an address"));
        assert!(check(&request, "2001:db8::1").is_ok());
        assert!(
            check(&request, "2001:db8::2").is_ok(),
            "the same network: the second of the burst"
        );
        assert!(matches!(check(&request, "2001:db8::1"), Err(Error::RateLimited { .. })));
        assert!(check(&request, "192.0.2.1").is_ok());
        request.extensions_mut().insert(TokenId(1));
        assert!(check(&request, "2001:db8::1").is_ok());
    }
}
