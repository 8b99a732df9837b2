//! A tower service as hyper calls it, the moment a call has come. hyper-util's own adapter calls it
//! when the call has its turn; then no limit would ever see that calls wait.

use http::Request;
use hyper::service::Service;

/// A tower service that is always ready.
#[derive(Clone, Debug)]
pub(super) struct Direct<S>(pub(super) S);

impl<S, B> Service<Request<B>> for Direct<S>
where
    S: tower::Service<Request<B>> + Clone,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, request: Request<B>) -> S::Future {
        self.0.clone().call(request)
    }
}
