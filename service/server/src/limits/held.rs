//! The answer of a call, which holds the call's place until it has been sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::concurrency::Place;

pin_project! {
    /// A response body that holds the place of its call until nobody wants it any more.
    pub(crate) struct Held<R> {
        #[pin]
        body: R,
        place: Option<Place>,
    }
}

impl<R> Held<R> {
    /// `body`, which holds `place`.
    pub(super) fn new(body: R, place: Option<Place>) -> Self {
        Self { body, place }
    }
}

impl<R: Default> Default for Held<R> {
    fn default() -> Self {
        Self::new(R::default(), None)
    }
}

impl<R: Body> Body for Held<R> {
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
