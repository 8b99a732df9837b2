//! A call that is refused. Its message is thrown away unread, but up to its end where that comes at
//! once, as it does for ordinary clients: an answer before the end makes HTTP/2 reset the stream, and
//! what of the message comes after that counts as the client's error, for many of which its connection
//! would be closed.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Buf;
use http_body::Body;
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};

use crate::error::Error;

/// How long the rest of a message is waited for.
const PATIENCE: Duration = Duration::from_millis(100);

/// Bytes that are thrown away at most.
const MOST: usize = 64 << 10;

pin_project! {
    /// Comes to the error when the message has ended, or is too long in coming.
    pub(super) struct Refusal<B> {
        #[pin]
        message: B,
        read: usize,
        error: Error,
        // Most messages are here when their call is.
        patience: Option<Pin<Box<Sleep>>>,
    }
}

impl<B> Refusal<B> {
    pub(super) fn new(message: B, error: Error) -> Self {
        Self { message, read: 0, error, patience: None }
    }
}

impl<B: Body> Future for Refusal<B> {
    type Output = Error;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Error> {
        let mut this = self.project();
        while *this.read < MOST {
            match this.message.as_mut().poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    *this.read += frame.data_ref().map_or(0, Buf::remaining);
                }
                Poll::Ready(Some(Err(_)) | None) => break,
                Poll::Pending => {
                    let patience = this.patience.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
                    ready!(patience.as_mut().poll(cx));
                    break;
                }
            }
        }
        Poll::Ready(std::mem::replace(this.error, Error::Internal("polled after the end")))
    }
}
