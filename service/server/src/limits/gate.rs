//! A gate before a service: it lets a call through or refuses it at once.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::{Request, Response};
use http_body::Body;
use pin_project_lite::pin_project;
use tower::Service;

use super::refusal::Refusal;
use crate::error::Error;
use crate::serve::executor::refused;

/// Decides which calls may pass.
pub(crate) trait Gate {
    /// Lets this call pass.
    ///
    /// # Errors
    /// Why it may not.
    fn admit<B>(&self, request: &mut Request<B>) -> Result<(), Error>;
}

/// A service behind a gate.
#[derive(Clone, Debug)]
pub(crate) struct Gated<G, S> {
    gate: G,
    inner: S,
}

impl<G, S> Gated<G, S> {
    pub(crate) fn new(gate: G, inner: S) -> Self {
        Self { gate, inner }
    }

    pub(crate) fn gate(&self) -> &G {
        &self.gate
    }

    pub(crate) fn inner(&self) -> &S {
        &self.inner
    }

    pub(crate) fn gate_mut(&mut self) -> &mut G {
        &mut self.gate
    }

    pub(crate) fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }
}

impl<G, S, B, R> Service<Request<B>> for Gated<G, S>
where
    G: Gate,
    S: Service<Request<B>, Response = Response<R>, Error = Infallible>,
    B: Body,
    R: Default,
{
    type Response = Response<R>;
    type Error = Infallible;
    type Future = Passing<S::Future, B>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        match self.gate.admit(&mut request) {
            Ok(()) => Passing::Admitted { call: self.inner.call(request) },
            Err(error) => {
                refused();
                Passing::Refused { refusal: Refusal::new(request.into_body(), error) }
            }
        }
    }
}

pin_project! {
    /// A call at a gate.
    #[project = PassingProj]
    pub(crate) enum Passing<F, B> {
        Admitted { #[pin] call: F },
        Refused { #[pin] refusal: Refusal<B> },
    }
}

impl<F, B, R> Future for Passing<F, B>
where
    F: Future<Output = Result<Response<R>, Infallible>>,
    B: Body,
    R: Default,
{
    type Output = Result<Response<R>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project() {
            PassingProj::Admitted { call } => call.poll(cx),
            PassingProj::Refused { refusal } => Poll::Ready(Ok(ready!(refusal.poll(cx)).answer())),
        }
    }
}
