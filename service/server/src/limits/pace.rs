//! How fast a caller may err. Whoever sends what is refused as fast as it can, be it by a fault or on
//! purpose, has answers that come ever sooner the cheaper they are, and so takes time from all others.
//! Beyond a number of errors a second that no working client makes, such answers pause: a caller that
//! waits for them makes fewer calls, and others notice nothing.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::{Request, Response};
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};
use tonic::{Code, Status};
use tower::Service;

use super::rate::{Caller, Rate};
use crate::error::{PUSHBACK, Reason};

/// How long the answer to one error too many pauses.
const PAUSE: Duration = Duration::from_millis(20);

/// A service whose callers cannot err all the time.
#[derive(Clone, Debug)]
pub(crate) struct Paced<S> {
    inner: S,
    errors: Rate,
}

impl<S> Paced<S> {
    /// `inner`, whose answers pause beyond this rate of `errors`.
    pub(crate) fn new(inner: S, errors: Rate) -> Self {
        Self { inner, errors }
    }

    pub(crate) fn inner(&self) -> &S {
        &self.inner
    }

    pub(crate) fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    pub(crate) fn errors(&self) -> &Rate {
        &self.errors
    }

    pub(crate) fn errors_mut(&mut self) -> &mut Rate {
        &mut self.errors
    }
}

impl<S, B, R> Service<Request<B>> for Paced<S>
where
    S: Service<Request<B>, Response = Response<R>, Error = Infallible>,
    R: Default,
{
    type Response = Response<R>;
    type Error = Infallible;
    type Future = PacedCall<S::Future, R>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let caller = self.errors.caller(&request);
        let (errors, call) = (self.errors.clone(), self.inner.call(request));
        PacedCall::Running { call, errors, caller }
    }
}

pin_project! {
    /// A call whose answer may pause.
    #[project = PacedCallProj]
    pub(crate) enum PacedCall<F, R> {
        Running { #[pin] call: F, errors: Rate, caller: Caller },
        Pausing { pause: Pin<Box<Sleep>>, answer: Option<Response<R>> },
    }
}

impl<F, R> Future for PacedCall<F, R>
where
    F: Future<Output = Result<Response<R>, Infallible>>,
    R: Default,
{
    type Output = Result<Response<R>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let PacedCallProj::Running { call, errors, caller } = self.as_mut().project() {
            let answer = ready!(call.poll(cx))?;
            if !is_callers_error(&answer) || errors.check(caller).is_ok() {
                return Poll::Ready(Ok(answer));
            }
            // An error is told by the head alone; the body holds the place of its call.
            let mut answer = answer.map(|_| R::default());
            answer.extensions_mut().insert(Reason("TOO_MANY_ERRORS"));
            self.set(Self::Pausing { pause: Box::pin(sleep(PAUSE)), answer: Some(answer) });
        }
        if let PacedCallProj::Pausing { pause, answer } = self.project() {
            ready!(pause.as_mut().poll(cx));
            if let Some(answer) = answer.take() {
                return Poll::Ready(Ok(answer));
            }
        }
        Poll::Pending
    }
}

/// Whether the request itself made the call fail. A response with a retry delay does not count.
fn is_callers_error<R>(answer: &Response<R>) -> bool {
    let Some(status) = answer.extensions().get::<Status>() else { return false };
    let by_caller = matches!(
        status.code(),
        Code::InvalidArgument
            | Code::NotFound
            | Code::FailedPrecondition
            | Code::ResourceExhausted
            | Code::Unimplemented
    );
    let retry =
        answer.headers().get(PUSHBACK).is_some_and(|delay| !delay.as_bytes().starts_with(b"-"));
    by_caller && !retry
}

#[cfg(test)]
mod tests {
    use std::future::{Ready, ready};
    use std::time::Instant;

    use super::*;

    /// Answers with this error.
    #[derive(Clone)]
    struct Answers(Status);

    impl Service<Request<()>> for Answers {
        type Response = Response<&'static str>;
        type Error = Infallible;
        type Future = Ready<Result<Self::Response, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: Request<()>) -> Self::Future {
            ready(Ok(self.0.clone().into_http::<&str>().map(|_| "held")))
        }
    }

    async fn time_of_calls(status: Status, calls: usize) -> (Duration, Vec<&'static str>) {
        let mut service = Paced::new(Answers(status), Rate::new(1, 2));
        let begin = Instant::now();
        let mut bodies = Vec::new();
        for _ in 0..calls {
            bodies.push(service.call(Request::new(())).await.expect("an answer").into_body());
        }
        (begin.elapsed(), bodies)
    }

    #[tokio::test]
    async fn errors_beyond_the_rate_pause_and_hold_nothing_meanwhile() {
        let (took, bodies) = time_of_calls(Status::invalid_argument("dice"), 4).await;
        assert!(took >= 2 * PAUSE, "{took:?}");
        assert_eq!(bodies, ["held", "held", "", ""]);
    }

    #[tokio::test]
    async fn what_is_not_the_callers_error_does_not_pause() {
        let mut busy = Status::resource_exhausted("too many calls");
        busy.metadata_mut().insert(PUSHBACK, 100.into());
        for status in [Status::ok(""), Status::unavailable("overloaded"), busy] {
            let (_, bodies) = time_of_calls(status.clone(), 4).await;
            assert_eq!(bodies, ["held"; 4], "{status:?}");
        }
    }
}
