//! How large a request message may be, and how long in coming. tonic checks the size too, but answers
//! OUT_OF_RANGE where every other gRPC stack answers RESOURCE_EXHAUSTED, so it is checked here as its
//! prefix comes in. While a message is waited for its call holds memory, so that is not for long.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};
use tonic::{Code, Status};

use super::arriving::{Arriving, Part, bytes_of};
use crate::error::Error;

/// How long the first message of a call may be in coming.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// A gRPC message begins with a byte of flags and four of length.
pub(super) const PREFIX: usize = 5;

pin_project! {
    /// A request body that fails at a message of more than `most` bytes, or when it is too long in
    /// coming: all of it, or its first message where more may follow.
    #[derive(Debug)]
    pub(crate) struct LimitedMessage<B> {
        #[pin]
        body: B,
        prefixes: Prefixes,
        streams: bool,
        headers: usize,
        arriving: Arriving,
        part: Part,
        patience: Option<Pin<Box<Sleep>>>,
    }
}

impl<B> LimitedMessage<B> {
    /// The body of a call with these headers, which `streams` messages, or has one.
    pub(crate) fn new(
        body: B,
        headers: &HeaderMap,
        most: usize,
        streams: bool,
        arriving: &Arriving,
    ) -> Self {
        Self {
            body,
            prefixes: Prefixes::new(most),
            streams,
            headers: bytes_of(headers),
            arriving: arriving.clone(),
            part: Part::default(),
            patience: None,
        }
    }
}

/// Follows the prefixes of messages through the chunks they come in.
#[derive(Debug)]
pub(super) struct Prefixes {
    most: usize,
    prefix: [u8; PREFIX],
    read: usize,
    to_come: usize,
    /// Whether a message has come whole.
    whole: bool,
}

impl Prefixes {
    pub(super) fn new(most: usize) -> Self {
        Self { most, prefix: [0; PREFIX], read: 0, to_come: 0, whole: false }
    }

    /// Follows one more chunk.
    ///
    /// # Errors
    /// That a message begins which is too large.
    pub(super) fn follow(&mut self, mut chunk: &[u8]) -> Result<(), Error> {
        while !chunk.is_empty() {
            if self.to_come > 0 {
                let skipped = self.to_come.min(chunk.len());
                self.to_come -= skipped;
                self.whole |= self.to_come == 0;
                chunk = &chunk[skipped..];
                continue;
            }
            let taken = (PREFIX - self.read).min(chunk.len());
            self.prefix[self.read..][..taken].copy_from_slice(&chunk[..taken]);
            self.read += taken;
            chunk = &chunk[taken..];
            if self.read == PREFIX {
                let [_, length @ ..] = self.prefix;
                let size = u32::from_be_bytes(length) as usize;
                self.check(size)?;
                self.read = 0;
                self.to_come = size;
                self.whole |= size == 0;
            }
        }
        Ok(())
    }

    /// Whether a message may have so many bytes.
    pub(super) fn check(&self, size: usize) -> Result<(), Error> {
        if size <= self.most { Ok(()) } else { Err(Error::TooLarge { size, most: self.most }) }
    }
}

/// Whether a body ended in this error because its caller has gone; gRPC-Web makes a status of what it
/// hears from hyper. hyper drops a call that waits then. Answered, one that was cancelled would count as
/// one that failed.
pub(super) fn caller_has_gone(error: &(dyn std::error::Error + 'static)) -> bool {
    let cancelled = |status: &Status| status.code() == Code::Cancelled;
    error.is::<hyper::Error>() || error.downcast_ref().is_some_and(cancelled)
}

impl<B> Body for LimitedMessage<B>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.project();
        let polled = this.body.poll_frame(cx);
        if polled.is_pending() && !(*this.streams && this.prefixes.whole) {
            if let Err(error) = this.part.hold(*this.headers, this.arriving, cx.waker()) {
                return Poll::Ready(Some(Err(Status::from(error).into())));
            }
            let patience = this.patience.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
            ready!(patience.as_mut().poll(cx));
            return Poll::Ready(Some(Err(Status::from(Error::TooLate).into())));
        }
        this.part.let_go();
        let Some(frame) = ready!(polled) else { return Poll::Ready(None) };
        let frame = match frame.map_err(Into::into) {
            Ok(frame) => frame,
            Err(error) if caller_has_gone(&*error) => return Poll::Pending,
            Err(error) => return Poll::Ready(Some(Err(error))),
        };
        if let Some(chunk) = frame.data_ref()
            && let Err(error) = this.prefixes.follow(chunk)
        {
            // tonic answers with the status it finds in an error of the body.
            return Poll::Ready(Some(Err(Status::from(error).into())));
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(most: usize, chunks: &[&[u8]]) -> Result<(), Error> {
        let mut prefixes = Prefixes::new(most);
        chunks.iter().try_for_each(|chunk| prefixes.follow(chunk))
    }

    #[test]
    fn messages_are_measured_however_they_are_cut() {
        let two = [0, 0, 0, 0, 2, 7, 7, 0, 0, 0, 0, 3, 8, 8, 8];
        for cut in 0..two.len() {
            let (head, tail) = two.split_at(cut);
            assert!(follow(3, &[head, tail]).is_ok(), "{cut}");
            assert!(matches!(follow(2, &[head, tail]), Err(Error::TooLarge { size: 3, most: 2 })));
        }
    }

    #[test]
    fn it_is_known_when_the_first_message_is_whole() {
        let whole = |chunk: &[u8]| {
            let mut prefixes = Prefixes::new(3);
            prefixes.follow(chunk).expect("short");
            prefixes.whole
        };
        assert!(whole(&[0, 0, 0, 0, 0]) && whole(&[0, 0, 0, 0, 1, 7]));
        assert!(whole(&[0, 0, 0, 0, 1, 7, 0, 0]), "the second may be begun");
        assert!(!whole(&[]) && !whole(&[0, 0, 0, 0]) && !whole(&[0, 0, 0, 0, 2, 7]));
    }

    #[test]
    fn a_lie_about_the_length_is_caught_at_the_prefix() {
        assert!(follow(1 << 20, &[&[0, 255, 255], &[255, 255]]).is_err());
    }
}
