//! A response that ends when the service drains: a health watch would otherwise stay open for
//! ever and keep its connection from closing.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::HeaderMap;
use http_body::{Body, Frame};
use pin_project_lite::pin_project;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;

use crate::error::Error;

pin_project! {
    /// The body of a stream that ends with UNAVAILABLE when the service drains.
    pub(super) struct UntilDrained<B> {
        #[pin]
        inner: B,
        #[pin]
        drained: WaitForCancellationFutureOwned,
        ended: bool,
    }
}

impl<B> UntilDrained<B> {
    pub(super) fn new(inner: B, drain: CancellationToken) -> Self {
        Self { inner, drained: drain.cancelled_owned(), ended: false }
    }
}

impl<B: Body> Body for UntilDrained<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.project();
        if *this.ended {
            return Poll::Ready(None);
        }
        // What there is to tell is told first: the last word of a watch is NOT_SERVING.
        if let Poll::Ready(frame) = this.inner.poll_frame(cx) {
            return Poll::Ready(frame);
        }
        std::task::ready!(this.drained.poll(cx));
        *this.ended = true;
        let mut trailers = HeaderMap::new();
        match Status::from(Error::Stopping).add_header(&mut trailers) {
            Ok(()) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Err(_) => Poll::Ready(None),
        }
    }

    // A refusal is its headers alone, and clients want to be told so by these.
    fn is_end_stream(&self) -> bool {
        self.ended || self.inner.is_end_stream()
    }
}
