//! A tower service as hyper calls it, the moment a call has come. hyper-util's own adapter calls it
//! when the call has its turn; then no limit would ever see that calls wait. It also clones the
//! service for every call, which here would count up and down a dozen times.

use std::cell::RefCell;

use http::Request;
use hyper::service::Service;

/// A tower service that is always ready, of one connection.
#[derive(Debug)]
pub(super) struct Direct<S>(RefCell<S>);

impl<S> Direct<S> {
    pub(super) fn new(service: S) -> Self {
        Self(RefCell::new(service))
    }
}

impl<S, B> Service<Request<B>> for Direct<S>
where
    S: tower::Service<Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, request: Request<B>) -> S::Future {
        self.0.borrow_mut().call(request)
    }
}
