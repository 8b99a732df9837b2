//! A gate before a service: it lets a call through, with a pass that lasts as long as the call, or
//! refuses it at once.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tower::Service;

use super::refusal::Refusal;
use crate::error::Error;
use crate::serve::executor::refused;

/// Decides which calls may pass.
pub(crate) trait Gate {
    /// What a call holds until its response has been sent or nobody wants it any more.
    type Pass;

    /// A pass for this call.
    ///
    /// # Errors
    /// Why it may not pass.
    fn admit<B>(&self, request: &mut Request<B>) -> Result<Self::Pass, Error>;
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
    type Response = Response<Held<R, G::Pass>>;
    type Error = Infallible;
    type Future = Passing<S::Future, G::Pass, B>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        match self.gate.admit(&mut request) {
            Ok(pass) => Passing::Admitted { call: self.inner.call(request), pass: Some(pass) },
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
    pub(crate) enum Passing<F, P, B> {
        Admitted { #[pin] call: F, pass: Option<P> },
        Refused { #[pin] refusal: Refusal<B> },
    }
}

impl<F, P, B, R> Future for Passing<F, P, B>
where
    F: Future<Output = Result<Response<R>, Infallible>>,
    B: Body,
    R: Default,
{
    type Output = Result<Response<Held<R, P>>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project() {
            PassingProj::Admitted { call, pass } => {
                let response = ready!(call.poll(cx))?;
                let pass = pass.take();
                Poll::Ready(Ok(response.map(|body| Held { body, pass })))
            }
            PassingProj::Refused { refusal } => {
                let response = ready!(refusal.poll(cx)).answer::<R>();
                Poll::Ready(Ok(response.map(|body| Held { body, pass: None })))
            }
        }
    }
}

pin_project! {
    /// A response body that holds the pass of its call.
    pub(crate) struct Held<R, P> {
        #[pin]
        body: R,
        pass: Option<P>,
    }
}

impl<R: Default, P> Default for Held<R, P> {
    fn default() -> Self {
        Self { body: R::default(), pass: None }
    }
}

impl<R: Body, P> Body for Held<R, P> {
    type Data = R::Data;
    type Error = R::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<R::Data>, R::Error>>> {
        self.project().body.poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
