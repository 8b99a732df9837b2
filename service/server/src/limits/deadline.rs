//! How long a call may take: as long as its caller will wait (`grpc-timeout`), no longer than this
//! service allows, and no longer than it lives. When time is up the call is dropped, which stops its
//! long work, and answered DEADLINE_EXCEEDED, or UNAVAILABLE where it is the service that ends.
//!
//! Most calls answer the first time they are asked, so no timer is set before one does not.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::{HeaderMap, Request, Response};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep, sleep_until};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tower::Service;

use crate::error::Error;
use crate::serve::executor::limited;

/// A service whose calls end in time.
#[derive(Clone, Debug)]
pub(crate) struct Deadline<S> {
    inner: S,
    most: Option<Duration>,
    cut: Arc<CancellationToken>,
}

impl<S> Deadline<S> {
    /// `inner`, whose calls may take `most`, and not go on when `cut`.
    pub(crate) fn new(inner: S, most: Option<Duration>, cut: CancellationToken) -> Self {
        Self { inner, most, cut: Arc::new(cut) }
    }

    pub(crate) fn inner(&self) -> &S {
        &self.inner
    }
}

impl<S, B, R> Service<Request<B>> for Deadline<S>
where
    S: Service<Request<B>, Response = Response<R>, Error = Infallible>,
    R: Default,
{
    type Response = Response<Timed<R>>;
    type Error = Infallible;
    type Future = TimedCall<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let limit = match (timeout(request.headers()), self.most) {
            (Some(callers), Some(ours)) => Some(callers.min(ours)),
            (callers, ours) => callers.or(ours),
        };
        if let Some(limit) = limit {
            limited(limit);
        }
        let timer = Timer::new(limit, Arc::clone(&self.cut));
        TimedCall { call: self.inner.call(request), timer: Some(timer) }
    }
}

/// The time that a call has, and what tells of its end once that is needed.
#[derive(Debug)]
struct Timer {
    end: Option<Instant>,
    cut: Arc<CancellationToken>,
    ends: Option<Pin<Box<Ends>>>,
}

pin_project! {
    #[derive(Debug)]
    struct Ends {
        #[pin]
        end: Option<Sleep>,
        #[pin]
        cut: WaitForCancellationFutureOwned,
    }
}

impl Timer {
    fn new(limit: Option<Duration>, cut: Arc<CancellationToken>) -> Self {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { end, cut, ends: None }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Whether it waits for the end already.
    fn is_set(&self) -> bool {
        self.ends.is_some()
    }

    /// Ready when time is up, with why.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Error> {
        let ends = self.ends.get_or_insert_with(|| {
            let cut = CancellationToken::clone(&self.cut).cancelled_owned();
            Box::pin(Ends { end: self.end.map(sleep_until), cut })
        });
        let ends = ends.as_mut().project();
        if ends.end.as_pin_mut().is_some_and(|end| end.poll(cx).is_ready()) {
            return Poll::Ready(Error::TooLate);
        }
        ends.cut.poll(cx).map(|()| Error::Stopping)
    }
}

pin_project! {
    /// A call that ends in time.
    pub(crate) struct TimedCall<F> {
        #[pin]
        call: F,
        timer: Option<Timer>,
    }
}

impl<F, R> Future for TimedCall<F>
where
    F: Future<Output = Result<Response<R>, Infallible>>,
    R: Default,
{
    type Output = Result<Response<Timed<R>>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let Some(timer) = this.timer.as_mut() else {
            return Poll::Ready(Ok(Error::Internal("polled after the end").answer()));
        };
        // A call that waited for its turn until nobody waits for it is not begun.
        if !timer.is_set() && timer.is_over() {
            return Poll::Ready(Ok(Error::TooLate.answer()));
        }
        if let Poll::Ready(response) = this.call.poll(cx)? {
            let timer = this.timer.take();
            return Poll::Ready(Ok(response.map(|body| Timed { body, timer, over: false })));
        }
        let why = ready!(timer.poll(cx));
        Poll::Ready(Ok(why.answer()))
    }
}

pin_project! {
    /// A response body that ends in time.
    pub(crate) struct Timed<R> {
        #[pin]
        body: R,
        timer: Option<Timer>,
        over: bool,
    }
}

impl<R: Default> Default for Timed<R> {
    fn default() -> Self {
        Self { body: R::default(), timer: None, over: false }
    }
}

impl<R: Body> Body for Timed<R> {
    type Data = R::Data;
    type Error = R::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<R::Data>, R::Error>>> {
        let this = self.project();
        if *this.over {
            return Poll::Ready(None);
        }
        if let Poll::Ready(frame) = this.body.poll_frame(cx) {
            return Poll::Ready(frame);
        }
        let Some(timer) = this.timer.as_mut() else { return Poll::Pending };
        let why = ready!(timer.poll(cx));
        *this.over = true;
        let mut trailers = HeaderMap::new();
        match Status::from(why).add_header(&mut trailers) {
            Ok(()) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Err(_) => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.over || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The timeout of the caller; `None` if it sends none, or a malformed one.
pub(crate) fn timeout(headers: &HeaderMap) -> Option<Duration> {
    const MOST_DIGITS: usize = 8;
    let value = headers.get("grpc-timeout")?.as_bytes();
    let (unit, digits) = value.split_last()?;
    if digits.is_empty() || digits.len() > MOST_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    Some(match unit {
        b'H' => Duration::from_secs(number * 3600),
        b'M' => Duration::from_secs(number * 60),
        b'S' => Duration::from_secs(number),
        b'm' => Duration::from_millis(number),
        b'u' => Duration::from_micros(number),
        b'n' => Duration::from_nanos(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-timeout", text.parse().expect("a header"));
            timeout(&headers)
        };
        assert_eq!(read("250m"), Some(Duration::from_millis(250)));
        assert_eq!(read("99999999H"), Some(Duration::from_secs(99_999_999 * 3600)));
        assert_eq!(read("0n"), Some(Duration::ZERO));
        for wrong in ["", "m", "1", "100000000S", "-1S", "1.5S", "1s"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(timeout(&HeaderMap::new()), None);
    }
}
