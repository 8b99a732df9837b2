//! The bytes of a connection: what tells HTTP/2 from older versions, how long a client may refuse to take
//! data, and an end that loses none of it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use pin_project_lite::pin_project;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// What an HTTP/2 connection begins with.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// How long the client has to close its side after we closed ours, and what it may send meanwhile.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 64 << 10;

/// The first bytes of a connection, as many as it takes to tell whether they are the preface.
pub(super) async fn first_bytes<T: AsyncRead + Unpin>(io: &mut T) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(PREFACE.len());
    while first.len() < PREFACE.len() && PREFACE.starts_with(&first) {
        let missing = (PREFACE.len() - first.len()) as u64;
        if (&mut *io).take(missing).read_buf(&mut first).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(first)
}

pin_project! {
    /// A connection whose first bytes are read again.
    pub(super) struct Wire<T> {
        #[pin]
        inner: T,
        first: Vec<u8>,
        stall: Duration,
        timer: Option<Pin<Box<Sleep>>>,
        // Bytes that are still read, once our side is closed.
        rest: Option<usize>,
    }
}

impl<T> Wire<T> {
    /// `inner`, of which `first` has been read; writing fails if the client takes no data for `stall`.
    pub(super) fn new(inner: T, first: Vec<u8>, stall: Duration) -> Self {
        Self { inner, first, stall, timer: None, rest: None }
    }
}

/// `poll`, or an error if it has been pending for `time`.
fn within<R>(
    poll: Poll<io::Result<R>>,
    time: Duration,
    timer: &mut Option<Pin<Box<Sleep>>>,
    cx: &mut Context<'_>,
) -> Poll<io::Result<R>> {
    if poll.is_ready() {
        *timer = None;
        return poll;
    }
    ready!(timer.get_or_insert_with(|| Box::pin(sleep(time))).as_mut().poll(cx));
    Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes no data")))
}

impl<T: AsyncRead> AsyncRead for Wire<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        if this.first.is_empty() {
            return this.inner.poll_read(cx, buffer);
        }
        let now = this.first.len().min(buffer.remaining());
        buffer.put_slice(&this.first[..now]);
        this.first.drain(..now);
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncWrite for Wire<T> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.project();
        within(this.inner.poll_write(cx, data), *this.stall, this.timer, cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.project();
        within(this.inner.poll_write_vectored(cx, data), *this.stall, this.timer, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.project();
        within(this.inner.poll_flush(cx), *this.stall, this.timer, cx)
    }

    /// Closes our side, then reads until the client has closed its own: a socket that is dropped with
    /// unread bytes resets the connection, and the client loses responses that it has not read yet.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut this = self.project();
        if this.rest.is_none() {
            ready!(within(this.inner.as_mut().poll_shutdown(cx), *this.stall, this.timer, cx))?;
        }
        let left = this.rest.get_or_insert(LINGER_BYTES);
        let mut bytes = [0; 1024];
        while *left > 0 {
            let mut read = ReadBuf::new(&mut bytes);
            let poll = this.inner.as_mut().poll_read(cx, &mut read);
            if poll.is_pending() {
                // A client that does not close its side has had its time.
                return within(poll, LINGER, this.timer, cx).map(|_| Ok(()));
            }
            let more = read.filled().len();
            *left = if more == 0 { 0 } else { left.saturating_sub(more) };
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn as_few_bytes_are_read_as_tell_http_2_from_others() {
        let read = |mut bytes: &'static [u8]| async move {
            (first_bytes(&mut bytes).await.ok(), bytes.len())
        };
        let preface: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nand more";
        assert_eq!(read(preface).await, (Some(PREFACE.to_vec()), 8));
        assert_eq!(
            read(b"GET / HTTP/1.1\r\n\r\n").await.0.expect("read").get(..3),
            Some(&b"GET"[..])
        );
        assert_eq!(read(b"PRI * HTT").await.0, None, "half a preface");
    }

    #[tokio::test]
    async fn the_first_bytes_are_read_again() {
        let mut wire = Wire::new(&b"two"[..], b"one".to_vec(), Duration::ZERO);
        let mut all = String::new();
        wire.read_to_string(&mut all).await.expect("read");
        assert_eq!(all, "onetwo");
    }
}
