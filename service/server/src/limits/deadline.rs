//! How long a call may take: as long as its caller will wait (`grpc-timeout`), and no longer than
//! this service allows. When time is up the call is dropped, which stops its long work, and
//! answered DEADLINE_EXCEEDED.
//!
//! Most calls answer the first time they are asked, so no timer is set before one does not.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::{HeaderMap, Request, Response};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep, sleep_until};
use tonic::Status;
use tower::Service;

use crate::error::Error;

/// A service whose calls end in time.
#[derive(Clone, Debug)]
pub(crate) struct Deadline<S> {
    inner: S,
    most: Option<Duration>,
}

impl<S> Deadline<S> {
    /// `inner`, whose calls may take `most`.
    pub(crate) fn new(inner: S, most: Option<Duration>) -> Self {
        Self { inner, most }
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
        let timer = Timer::new(limit);
        TimedCall { call: self.inner.call(request), timer: Some(timer) }
    }
}

/// The time that a call has, and a timer once it is needed.
#[derive(Debug)]
struct Timer {
    end: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    fn new(limit: Option<Duration>) -> Self {
        Self { end: limit.and_then(|limit| Instant::now().checked_add(limit)), timer: None }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Ready when time is up.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(end) = self.end else { return Poll::Pending };
        self.timer.get_or_insert_with(|| Box::pin(sleep_until(end))).as_mut().poll(cx)
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
        let Some(timer) = this.timer.as_mut() else { return Poll::Ready(Ok(too_late())) };
        // A call that waited for its turn until nobody waits for it is not begun.
        if timer.timer.is_none() && timer.is_over() {
            return Poll::Ready(Ok(too_late()));
        }
        if let Poll::Ready(response) = this.call.poll(cx)? {
            let timer = this.timer.take();
            return Poll::Ready(Ok(response.map(|body| Timed { body, timer, over: false })));
        }
        ready!(timer.poll(cx));
        Poll::Ready(Ok(too_late()))
    }
}

fn too_late<R: Default>() -> Response<Timed<R>> {
    Error::TooLate.answer()
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
        ready!(timer.poll(cx));
        *this.over = true;
        let mut trailers = HeaderMap::new();
        match Status::from(Error::TooLate).add_header(&mut trailers) {
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

/// How long the caller will wait; `None` if it does not say, or not in the words of gRPC.
fn timeout(headers: &HeaderMap) -> Option<Duration> {
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
