//! The message of a call: it is read whole before the call begins, so half a message keeps no other call
//! from its place. Incomplete messages share a budget of memory; most messages arrive with their headers
//! and need none of it, or arrive shortly after, for which there is time beyond the budget too.
//!
//! The size is checked here because tonic reports OUT_OF_RANGE where other gRPC servers report
//! RESOURCE_EXHAUSTED.

use std::error::Error as _;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::future::{Either, FutureExt, TryFutureExt};
use http::HeaderMap;
use http_body::Body as _;
use http_body_util::{BodyExt, Full};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::layer::layer_fn;
use tower::{Layer, service_fn};

use super::gate::{REST, discard, refuse};
use super::{Calls, Request};
use crate::error::Error;

/// How long a message may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);

/// Bytes of an incomplete message beyond the budget: it has only as long as the rest of a refused one.
const SMALL: usize = 4 << 10;

/// How long the rest of a message is read that is too large.
const REST_OF_LARGE: Duration = Duration::from_secs(1);

/// A gRPC message begins with a byte of flags and four of length.
const PREFIX: usize = 5;

/// KiB that an incomplete call takes besides its message and headers.
const CALL_KIB: usize = 2;

/// The limits on messages; clones share the budget.
#[derive(Clone, Debug)]
pub(crate) struct Messages {
    /// Largest message in bytes.
    pub(crate) largest: usize,
    /// KiB for all incomplete messages.
    pub(crate) incomplete: Arc<Semaphore>,
}

/// Begins calls when their messages are complete.
pub(crate) fn whole_message<S>(limits: Messages) -> impl Layer<S, Service = impl Calls>
where
    S: Calls + Clone,
{
    layer_fn(move |inner: S| {
        let limits = limits.clone();
        service_fn(move |request: Request| {
            let (limits, mut inner) = (limits.clone(), inner.clone());
            // An async block keeps what it awaits twice: the layers around this one would double its size.
            Box::pin(async move {
                let (head, mut body) = request.into_parts();
                match limits.read(&head.headers, &mut body).await {
                    Ok(message) => {
                        drop(body);
                        let message = Body::new(Full::new(message));
                        inner.call(Request::from_parts(head, message)).await
                    }
                    Err(error) => {
                        let large = matches!(error, Error::TooLarge { .. });
                        discard(body, if large { REST_OF_LARGE } else { REST }).await;
                        Ok(error.answer())
                    }
                }
            })
        })
    })
}

/// Gives each call one of these places until its response has been sent, and refuses calls beyond them.
pub(crate) fn place<S>(places: Arc<Semaphore>) -> impl Layer<S, Service = impl Calls + Clone>
where
    S: Calls + Clone,
{
    layer_fn(move |mut inner: S| {
        let places = Arc::clone(&places);
        service_fn(move |request: Request| match Arc::clone(&places).try_acquire_owned() {
            Err(_) => Either::Right(refuse(request.into_body(), Error::OVERLOADED)),
            Ok(place) => Either::Left(inner.call(request).map_ok(|response| {
                response.map(|body| {
                    Body::new(body.map_frame(move |frame| {
                        let _held = &place;
                        frame
                    }))
                })
            })),
        })
    })
}

impl Messages {
    async fn read(&self, headers: &HeaderMap, body: &mut Body) -> Result<Bytes, Error> {
        let mut message = BytesMut::new();
        let mut held: Option<OwnedSemaphorePermit> = None;
        let mut late = None;
        loop {
            let frame = match body.frame().now_or_never() {
                Some(frame) => frame,
                None => {
                    let late = late.get_or_insert_with(|| Instant::now() + ARRIVAL);
                    let mut error = Error::TooLate;
                    if self.hold(&mut held, bytes_of(headers) + message.capacity()).is_err() {
                        if message.len() > SMALL {
                            return Err(Error::OVERLOADED);
                        }
                        *late = (*late).min(Instant::now() + REST);
                        error = Error::OVERLOADED;
                    }
                    timeout_at(*late, body.frame()).await.map_err(|_| error)?
                }
            };
            let chunk = match frame {
                None => return Ok(message.freeze()),
                Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
                Some(Err(status)) if caller_has_cancelled(&status) => pending().await,
                Some(Err(status)) => return Err(Error::Unreadable(status.message().to_owned())),
            };
            if message.is_empty() && body.is_end_stream() {
                self.check(&chunk)?;
                return Ok(chunk);
            }
            // Copied, since a chunk keeps the whole buffer that it was read into.
            message.extend_from_slice(&chunk);
            self.check(&message)?;
        }
    }

    /// Checks the size of a message by its prefix, and what has arrived of it.
    fn check(&self, arrived: &[u8]) -> Result<(), Error> {
        let claimed = match arrived {
            [_, a, b, c, d, ..] => u32::from_be_bytes([*a, *b, *c, *d]) as usize,
            _ => 0,
        };
        let size = claimed.max(arrived.len().saturating_sub(PREFIX));
        if size > self.largest {
            return Err(Error::TooLarge { size, most: self.largest });
        }
        Ok(())
    }

    /// Extends what an incomplete call holds of the budget to so many bytes.
    fn hold(&self, held: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Result<(), Error> {
        let kib = CALL_KIB + bytes.div_ceil(1 << 10);
        let more = kib.saturating_sub(held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits));
        let more = u32::try_from(more).map_err(|_| Error::OVERLOADED)?;
        let more = Arc::clone(&self.incomplete).try_acquire_many_owned(more);
        let more = more.map_err(|_| Error::OVERLOADED)?;
        match held {
            Some(held) => held.merge(more),
            None => *held = Some(more),
        }
        Ok(())
    }
}

/// Bytes that headers take in memory.
fn bytes_of(headers: &HeaderMap) -> usize {
    const ENTRY: usize = 160;
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ENTRY).sum()
}

/// Whether a body ended because its caller cancelled: hyper drops a call that waits then. A response would
/// count as a failed call, not as a cancelled one.
fn caller_has_cancelled(status: &Status) -> bool {
    status.code() == Code::Cancelled
        || status.source().is_some_and(|error| error.is::<hyper::Error>())
}

#[cfg(test)]
mod tests {
    use http_body::Frame;
    use http_body_util::StreamBody;
    use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
    use tokio_stream::StreamExt;
    use tokio_stream::wrappers::UnboundedReceiverStream;

    use super::*;

    /// Messages of at most ten bytes, with so many KiB for incomplete ones.
    fn messages(kib: usize) -> Messages {
        Messages { largest: 10, incomplete: Arc::new(Semaphore::new(kib)) }
    }

    /// A body, and what sends it.
    fn body() -> (UnboundedSender<&'static [u8]>, Body) {
        let (send, chunks) = unbounded_channel::<&[u8]>();
        let chunks = UnboundedReceiverStream::new(chunks);
        let frames = chunks.map(|chunk| Ok::<_, Status>(Frame::data(Bytes::from_static(chunk))));
        (send, Body::new(StreamBody::new(frames)))
    }

    #[tokio::test]
    async fn an_incomplete_message_holds_memory_until_its_body_ends() {
        let messages = messages(8);
        let (send, mut body) = body();
        let headers = HeaderMap::new();
        let mut read = Box::pin(messages.read(&headers, &mut body));
        assert!(futures_util::poll!(&mut read).is_pending());
        assert_eq!(messages.incomplete.available_permits(), 6);
        for chunk in [&[0, 0, 0][..], &[0, 2, 7], &[8]] {
            send.send(chunk).expect("read");
            assert!(futures_util::poll!(&mut read).is_pending());
        }
        assert_eq!(messages.incomplete.available_permits(), 5);
        drop(send);
        assert_eq!(read.await.expect("it has ended")[..], [0, 0, 0, 0, 2, 7, 8]);
        assert_eq!(messages.incomplete.available_permits(), 8);
    }

    #[tokio::test]
    async fn incomplete_messages_beyond_the_budget_are_refused_and_complete_ones_are_not() {
        let messages = messages(4);
        let headers = HeaderMap::new();
        let (_sends, mut bodies): (Vec<_>, Vec<_>) = (0..3).map(|_| body()).unzip();
        let mut reads: Vec<_> =
            bodies.iter_mut().map(|body| Box::pin(messages.read(&headers, body))).collect();
        assert!(futures_util::poll!(&mut reads[0]).is_pending());
        assert!(futures_util::poll!(&mut reads[1]).is_pending());
        assert!(matches!((&mut reads[2]).await, Err(Error::Overloaded { .. })));
        let (send, mut body) = body();
        send.send(&[0, 0, 0, 0, 1, 7]).expect("read");
        drop(send);
        assert_eq!(messages.read(&headers, &mut body).await.expect("complete").len(), 6);
    }

    #[tokio::test]
    async fn too_many_bytes_are_refused_as_they_arrive_in_one_message_or_in_many() {
        let (messages, headers) = (messages(8), HeaderMap::new());
        let (send, mut one) = body();
        send.send(&[0, 0, 0, 0, 11]).expect("read");
        assert!(matches!(messages.read(&headers, &mut one).await, Err(Error::TooLarge { .. })));
        let (send, mut many) = body();
        send.send(&[0, 0, 0, 0, 5, 1, 2, 3, 4, 5]).expect("read");
        send.send(&[0, 0, 0, 0, 1, 1]).expect("read");
        let read = messages.read(&headers, &mut many).await;
        assert!(
            matches!(read, Err(Error::TooLarge { .. })),
            "16 bytes: one message has 15 at most"
        );
    }
}
