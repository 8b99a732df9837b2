//! A connection that reads no more in its turn than [its share](crate::runtime::intake).

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::yield_now;

use crate::runtime::intake;

pin_project! {
    /// What a connection reads from and writes to.
    pub(super) struct Share<T> {
        #[pin]
        inner: T,
    }
}

impl<T> Share<T> {
    pub(super) fn new(inner: T) -> Self {
        Self { inner }
    }
}

impl<T: AsyncRead> AsyncRead for Share<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let left = intake::left();
        if left == 0 {
            // Not before all others have had their turn, the calls too: what is read and written at
            // a time is more then.
            return pin!(yield_now()).poll(cx).map(|()| Ok(()));
        }
        let before = buffer.filled().len();
        let inner = self.project().inner;
        let poll = if left < buffer.remaining() {
            let mut part = ReadBuf::new(buffer.initialize_unfilled_to(left));
            let poll = inner.poll_read(cx, &mut part);
            let read = part.filled().len();
            buffer.advance(read);
            poll
        } else {
            inner.poll_read(cx, buffer)
        };
        intake::read(buffer.filled().len() - before);
        poll
    }
}

impl<T: AsyncWrite> AsyncWrite for Share<T> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.project().inner.poll_write(cx, data)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.project().inner.poll_write_vectored(cx, data)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().inner.poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().inner.poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn a_turn_ends_with_its_share() {
        let sent = vec![7; 3 * (16 << 10) + 5000];
        let mut io = Share::new(&sent[..]);
        let mut read_a_turn = || {
            intake::begin_turn();
            let share = intake::left();
            let (mut all, mut chunk) = (0, [0; 5000]);
            let cx = &mut Context::from_waker(Waker::noop());
            loop {
                let mut buffer = ReadBuf::new(&mut chunk);
                match Pin::new(&mut io).poll_read(cx, &mut buffer) {
                    Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                        all += buffer.filled().len();
                    }
                    _ => return (all, share),
                }
            }
        };
        let turns: Vec<_> = (0..3).map(|_| read_a_turn()).collect();
        assert!(turns.iter().all(|(read, share)| read == share), "{turns:?}");
        intake::begin_turn();
        let mut rest = Vec::new();
        io.read_to_end(&mut rest).await.expect("read");
        let read: usize = turns.iter().map(|(read, _)| read).sum();
        assert_eq!(read + rest.len(), sent.len());
    }
}
