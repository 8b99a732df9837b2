//! The bytes of a connection: the preface that distinguishes HTTP/2 from older versions, a timeout for clients
//! that read no data, and an end that loses no call and no response.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// The preface of an HTTP/2 connection.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A GOAWAY frame that names the highest stream: the client should open no more, all of its are served.
const NOTICE: [u8; 17] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0];

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

/// A connection whose first bytes are read again.
pub(super) struct Wire<T> {
    inner: T,
    first: Vec<u8>,
    stall: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    /// Bytes that are still read, once our side is closed.
    rest: Option<usize>,
    /// Whether the notice is to be sent, and how much of it has been.
    notice: Arc<AtomicBool>,
    noticed: usize,
    /// Whether the last frame has been written whole. False before the first frame, which must be SETTINGS.
    between_frames: bool,
}

impl<T> Wire<T> {
    /// `inner`, of which `first` has been read; writing fails if the client takes no data for `stall`.
    pub(super) fn new(inner: T, first: Vec<u8>, stall: Duration) -> Self {
        let (notice, noticed) = (Arc::default(), 0);
        let (timer, rest, between_frames) = (None, None, false);
        Self { inner, first, stall, timer, rest, notice, noticed, between_frames }
    }

    /// Set it to send the notice before the next frame.
    pub(super) fn notice(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.notice)
    }

    /// `poll`, or an error if it has been pending for `time`.
    fn within<R>(
        &mut self,
        poll: Poll<io::Result<R>>,
        time: Duration,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<R>> {
        if poll.is_ready() {
            self.timer = None;
            return poll;
        }
        ready!(self.timer.get_or_insert_with(|| Box::pin(sleep(time))).as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes no data")))
    }
}

impl<T: AsyncWrite + Unpin> Wire<T> {
    /// Sends what is left of the notice.
    fn poll_notice(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.noticed < NOTICE.len() {
            let poll = Pin::new(&mut self.inner).poll_write(cx, &NOTICE[self.noticed..]);
            self.noticed += ready!(self.within(poll, self.stall, cx))?;
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Wire<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.first.is_empty() {
            return Pin::new(&mut self.inner).poll_read(cx, buffer);
        }
        let now = self.first.len().min(buffer.remaining());
        buffer.put_slice(&self.first[..now]);
        self.first.drain(..now);
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.between_frames && self.notice.load(Relaxed) {
            ready!(self.poll_notice(cx))?;
        }
        self.between_frames = false;
        let (poll, stall) = (Pin::new(&mut self.inner).poll_write(cx, data), self.stall);
        self.within(poll, stall, cx)
    }

    /// hyper flushes when it has written all frames that it has.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.between_frames = true;
        if self.notice.load(Relaxed) {
            ready!(self.poll_notice(cx))?;
        }
        let (poll, stall) = (Pin::new(&mut self.inner).poll_flush(cx), self.stall);
        self.within(poll, stall, cx)
    }

    /// Closes our side, then reads until the client has closed its own: a socket that is dropped with
    /// unread bytes resets the connection, and the client loses responses that it has not read yet.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.rest.is_none() {
            let (poll, stall) = (Pin::new(&mut self.inner).poll_shutdown(cx), self.stall);
            ready!(self.within(poll, stall, cx))?;
        }
        let mut left = self.rest.unwrap_or(LINGER_BYTES);
        let mut bytes = [0; 1024];
        while left > 0 {
            self.rest = Some(left);
            let mut read = ReadBuf::new(&mut bytes);
            let poll = Pin::new(&mut self.inner).poll_read(cx, &mut read);
            if poll.is_pending() {
                // A client that does not close its side has had its time.
                return self.within(poll, LINGER, cx).map(|_| Ok(()));
            }
            let more = read.filled().len();
            left = if more == 0 { 0 } else { left.saturating_sub(more) };
        }
        self.rest = Some(0);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn only_the_bytes_that_distinguish_http_2_are_read() {
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
    async fn the_notice_follows_the_first_frame_and_precedes_later_ones() {
        let (io, mut client) = tokio::io::duplex(1 << 10);
        let mut wire = Wire::new(io, Vec::new(), Duration::ZERO);
        wire.notice().store(true, Relaxed);
        for frame in [b"first", b"later"] {
            wire.write_all(frame).await.expect("written");
            wire.flush().await.expect("flushed");
        }
        drop(wire);
        let mut all = Vec::new();
        client.read_to_end(&mut all).await.expect("read");
        assert_eq!(all, [&b"first"[..], &NOTICE, b"later"].concat());
    }

    #[tokio::test]
    async fn the_first_bytes_are_read_again() {
        let mut wire = Wire::new(&b"two"[..], b"one".to_vec(), Duration::ZERO);
        let mut all = String::new();
        wire.read_to_string(&mut all).await.expect("read");
        assert_eq!(all, "onetwo");
    }
}
