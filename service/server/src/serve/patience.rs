//! How long a connection may keep us waiting: for its first bytes, and for room to write.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use pin_project_lite::pin_project;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// The length of the HTTP/2 preface, the least any peer of ours begins with.
const PREFACE: usize = 24;

pin_project! {
    /// A connection that fails when its peer takes too long.
    pub(super) struct Patience<T> {
        #[pin]
        inner: T,
        missing: usize,
        first_bytes: Pin<Box<Sleep>>,
        stall: Duration,
        stalled: Option<Pin<Box<Sleep>>>,
    }
}

impl<T> Patience<T> {
    /// `inner`, whose first bytes must come within `first` and which must take data within
    /// `stall`.
    pub(super) fn new(inner: T, first: Duration, stall: Duration) -> Self {
        Self { inner, missing: PREFACE, first_bytes: Box::pin(sleep(first)), stall, stalled: None }
    }
}

fn timed_out(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, what)
}

/// `poll` of something written, or an error if it has been pending for `stall`.
fn within<R>(
    poll: Poll<io::Result<R>>,
    stall: Duration,
    stalled: &mut Option<Pin<Box<Sleep>>>,
    cx: &mut Context<'_>,
) -> Poll<io::Result<R>> {
    if poll.is_ready() {
        *stalled = None;
        return poll;
    }
    let timer = stalled.get_or_insert_with(|| Box::pin(sleep(stall)));
    ready!(timer.as_mut().poll(cx));
    Poll::Ready(Err(timed_out("the peer takes no data")))
}

impl<T: AsyncRead> AsyncRead for Patience<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        if *this.missing == 0 {
            return this.inner.poll_read(cx, buffer);
        }
        let before = buffer.filled().len();
        if let Poll::Ready(read) = this.inner.poll_read(cx, buffer) {
            *this.missing = this.missing.saturating_sub(buffer.filled().len() - before);
            return Poll::Ready(read);
        }
        ready!(this.first_bytes.as_mut().poll(cx));
        Poll::Ready(Err(timed_out("the peer says nothing")))
    }
}

impl<T: AsyncWrite> AsyncWrite for Patience<T> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.project();
        within(this.inner.poll_write(cx, data), *this.stall, this.stalled, cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.project();
        within(this.inner.poll_write_vectored(cx, data), *this.stall, this.stalled, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.project();
        within(this.inner.poll_flush(cx), *this.stall, this.stalled, cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.project();
        within(this.inner.poll_shutdown(cx), *this.stall, this.stalled, cx)
    }
}
