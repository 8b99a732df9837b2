//! Deadlines of calls: that of the caller (`grpc-timeout`), the time limit of the service, and its end. A call
//! that exceeds one is dropped, which stops its long work, and answered
//! DEADLINE_EXCEEDED, or UNAVAILABLE if the service stops.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{Either, pending};
use http::{HeaderMap, StatusCode};
use http_body::{Body as _, Frame, SizeHint};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tower::layer::layer_fn;
use tower::{Layer, service_fn};

use super::gate::discard;
use super::unread::{Reading, Unread};
use super::{Calls, Request};
use crate::error::Error;

/// How long a client has, after the deadline of a call, to read its response.
const UNREAD: Duration = Duration::from_secs(2);

/// What may end the calls of a connection early.
#[derive(Debug)]
pub(crate) struct Ends {
    /// Longest time of a call.
    pub(crate) longest: Option<Duration>,
    /// Cancelled when the service stops.
    pub(crate) stopping: CancellationToken,
    /// The responses of the connection that have not been read.
    pub(crate) unread: Unread,
}

/// Ends calls in time.
pub(crate) fn deadline<S: Calls>(ends: Ends) -> impl Layer<S, Service = impl Calls> {
    let ends = Arc::new(ends);
    layer_fn(move |mut inner: S| {
        let ends = Arc::clone(&ends);
        service_fn(move |request: Request| {
            let timeout = match timeout(request.headers()) {
                Ok(timeout) => timeout,
                Err(error) => {
                    return Either::Right(async move {
                        discard(request.into_body(), UNREAD).await;
                        let mut response = error.answer();
                        *response.status_mut() = StatusCode::BAD_REQUEST;
                        Ok(response)
                    });
                }
            };
            let limit = timeout.into_iter().chain(ends.longest).min();
            let end = limit.and_then(|limit| Instant::now().checked_add(limit));
            let (call, ends) = (inner.call(request), Arc::clone(&ends));
            Either::Left(async move {
                // A call that waited for its worker until its caller gave up does not begin.
                if end.is_some_and(|end| Instant::now() >= end) {
                    return Ok(Error::TooLate.answer());
                }
                tokio::select! {
                    biased;
                    response = call => response.map(|response| response.map(|body| ends.timed(body, end))),
                    error = over(end, &ends) => Ok(error.answer()),
                }
            })
        })
    })
}

/// Returns when the call must end, and why.
async fn over(end: Option<Instant>, ends: &Ends) -> Error {
    let late = async {
        match end {
            Some(end) => sleep_until(end).await,
            None => pending().await,
        }
    };
    tokio::select! {
        () = late => Error::TooLate,
        () = ends.stopping.cancelled() => Error::Stopping,
    }
}

impl Ends {
    /// `body`, which ends in time too.
    fn timed(self: &Arc<Self>, body: Body, end: Option<Instant>) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let reading = end.map(|end| self.unread.expect(end + UNREAD));
        Body::new(Timed { body, over: Over::Later(end, Arc::clone(self)), _reading: reading })
    }
}

/// When a body must end: no timer is set before there is something to wait for.
enum Over {
    Later(Option<Instant>, Arc<Ends>),
    Waiting(Pin<Box<dyn Future<Output = Error> + Send>>),
    Ended,
}

/// A response body that ends in time.
struct Timed {
    body: Body,
    over: Over,
    /// hyper does not poll a body whose client takes no data, so the connection watches for that.
    _reading: Option<Reading>,
}

impl http_body::Body for Timed {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if matches!(self.over, Over::Ended) {
            return Poll::Ready(None);
        }
        // The last message of a health watch is NOT_SERVING, so messages come before the end.
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        if let Over::Later(end, ends) = &self.over {
            let (end, ends) = (*end, Arc::clone(ends));
            self.over = Over::Waiting(Box::pin(async move { over(end, &ends).await }));
        }
        let Over::Waiting(over) = &mut self.over else { return Poll::Ready(None) };
        let error = ready!(over.as_mut().poll(cx));
        self.over = Over::Ended;
        let mut trailers = HeaderMap::new();
        match Status::from(error).add_header(&mut trailers) {
            Ok(()) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Err(_) => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.over, Over::Ended) || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The timeout of the caller; `None` without one.
pub(crate) fn timeout(headers: &HeaderMap) -> Result<Option<Duration>, Error> {
    const DIGITS: usize = 8;
    let Some(value) = headers.get("grpc-timeout") else { return Ok(None) };
    let malformed = || Error::TimeoutMalformed(String::from_utf8_lossy(value.as_bytes()).into());
    let (unit, digits) = value.as_bytes().split_last().ok_or_else(malformed)?;
    if digits.is_empty() || digits.len() > DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return Err(malformed());
    }
    let number = digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    Ok(Some(match unit {
        b'H' => Duration::from_secs(number * 3600),
        b'M' => Duration::from_secs(number * 60),
        b'S' => Duration::from_secs(number),
        b'm' => Duration::from_millis(number),
        b'u' => Duration::from_micros(number),
        b'n' => Duration::from_nanos(number),
        _ => return Err(malformed()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_those_of_grpc_and_others_are_errors() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-timeout", text.parse().expect("a header"));
            timeout(&headers)
        };
        let is =
            |text: &str, time| assert_eq!(read(text).expect("a timeout"), Some(time), "{text}");
        is("250m", Duration::from_millis(250));
        is("99999999H", Duration::from_secs(99_999_999 * 3600));
        is("0n", Duration::ZERO);
        for wrong in ["", "m", "1", "100000000S", "-1S", "1.5S", "1s"] {
            assert!(matches!(read(wrong), Err(Error::TimeoutMalformed(_))), "{wrong}");
        }
        assert_eq!(timeout(&HeaderMap::new()).expect("none"), None);
    }
}
