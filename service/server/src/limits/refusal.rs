//! A call that is refused. Its message is thrown away unread, but up to its end where that comes at
//! once, as it does for ordinary clients: an answer before the end makes HTTP/2 reset the stream, and
//! what of the message comes after that counts as the client's error, for many of which its connection
//! would be closed.

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Buf;
use http_body::Body;
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};

use crate::error::Error;

/// How long the rest of a message is waited for: of those there may be as many as come.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long the rest of a message is waited for that is too large.
const PATIENCE_WITH_LARGE: Duration = Duration::from_secs(1);

/// Bytes that are thrown away at most: what other gRPC services read by default.
const MOST: usize = 4 << 20;

/// The rest of a message that nobody reads.
#[derive(Debug)]
pub(super) struct Rest {
    thrown_away: usize,
    longest: Duration,
    // Most messages are here when their call is.
    patience: Option<Pin<Box<Sleep>>>,
}

impl Default for Rest {
    fn default() -> Self {
        Self { thrown_away: 0, longest: PATIENCE, patience: None }
    }
}

impl Rest {
    /// That of a message that is too large, which takes its time.
    pub(super) fn of_large() -> Self {
        Self { longest: PATIENCE_WITH_LARGE, ..Self::default() }
    }

    /// Ready when all of the message has been thrown away, or it is too large or too long in coming.
    pub(super) fn poll<B: Body>(
        &mut self,
        mut body: Pin<&mut B>,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        while self.thrown_away < MOST {
            match body.as_mut().poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    self.thrown_away += frame.data_ref().map_or(0, Buf::remaining);
                }
                Poll::Ready(Some(Err(_)) | None) => break,
                Poll::Pending => {
                    let patience =
                        self.patience.get_or_insert_with(|| Box::pin(sleep(self.longest)));
                    return patience.as_mut().poll(cx);
                }
            }
        }
        Poll::Ready(())
    }
}

pin_project! {
    /// Comes to the error when the message has come to its end.
    pub(super) struct Refusal<B> {
        #[pin]
        message: B,
        rest: Rest,
        error: Error,
    }
}

impl<B> Refusal<B> {
    pub(super) fn new(message: B, error: Error) -> Self {
        Self { message, rest: Rest::default(), error }
    }
}

impl<B: Body> Future for Refusal<B> {
    type Output = Error;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Error> {
        let this = self.project();
        ready!(this.rest.poll(this.message, cx));
        Poll::Ready(mem::replace(this.error, Error::Internal("polled after the end")))
    }
}
