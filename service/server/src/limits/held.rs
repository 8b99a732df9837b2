//! What a call holds as long as its answer: its place, or its part in a count.

use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

pin_project! {
    /// A response body that holds something until it has been sent or nobody wants it any more.
    pub(crate) struct Held<R, P> {
        #[pin]
        body: R,
        held: Option<P>,
    }
}

impl<R, P> Held<R, P> {
    /// `body`, which holds `held`.
    pub(crate) fn new(body: R, held: Option<P>) -> Self {
        Self { body, held }
    }
}

impl<R: Default, P> Default for Held<R, P> {
    fn default() -> Self {
        Self::new(R::default(), None)
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
