//! A tower service as hyper calls it, the moment a call has come. hyper-util's own adapter calls it
//! when the call has its turn; then no limit would ever see that calls wait. It also clones the
//! service for every call, which here would count up and down a dozen times.
//!
//! What is counted here is which calls are under way: a connection that has none may end.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};

use http::{Request, Response};
use hyper::service::Service;
use pin_project_lite::pin_project;

use crate::limits::Held;

/// A tower service that is always ready, of one connection.
#[derive(Debug)]
pub(super) struct Direct<S> {
    inner: RefCell<S>,
    /// Every call has a clone until its answer has been given to HTTP, or it is dropped.
    calls: Arc<()>,
}

impl<S> Direct<S> {
    pub(super) fn new(inner: S) -> Self {
        Self { inner: RefCell::new(inner), calls: Arc::default() }
    }

    /// The count of calls.
    pub(super) fn calls(&self) -> Calls {
        Calls(Arc::downgrade(&self.calls))
    }
}

/// The count of calls of one connection.
#[derive(Debug)]
pub(super) struct Calls(Weak<()>);

impl Calls {
    /// Whether there is none under way.
    pub(super) fn none(&self) -> bool {
        // The connection itself has the one that all others are clones of.
        self.0.strong_count() <= 1
    }
}

impl<S, B, R> Service<Request<B>> for Direct<S>
where
    S: tower::Service<Request<B>, Response = Response<R>>,
{
    type Response = Response<Held<R, Arc<()>>>;
    type Error = S::Error;
    type Future = Counted<S::Future>;

    fn call(&self, request: Request<B>) -> Self::Future {
        let call = self.inner.borrow_mut().call(request);
        Counted { call, counted: Some(Arc::clone(&self.calls)) }
    }
}

pin_project! {
    /// A call that is counted.
    pub(super) struct Counted<F> {
        #[pin]
        call: F,
        counted: Option<Arc<()>>,
    }
}

impl<F, R, E> Future for Counted<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = Result<Response<Held<R, Arc<()>>>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let response = ready!(this.call.poll(cx))?;
        let counted = this.counted.take();
        Poll::Ready(Ok(response.map(|body| Held::new(body, counted))))
    }
}
