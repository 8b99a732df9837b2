//! How many calls are served at a time, and that each begins when its message has come whole. While a
//! message is waited for, its call gives its place to another, so whoever sends half a message keeps
//! nobody from being served; what has come of it is held in a memory that all such calls share. Most
//! messages come with their call and need none of it.
//!
//! How large a message may be is checked here too, as its prefix comes in: tonic would answer
//! OUT_OF_RANGE where every other gRPC stack answers RESOURCE_EXHAUSTED.

use std::convert::Infallible;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Request, Response};
use http_body::Body;
use http_body_util::Full;
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};
use tower::Service;

use super::arriving::{Arriving, Part, bytes_of};
use super::concurrency::{Concurrency, Place};
use super::held::Held;
use super::message::{PATIENCE, PREFIX, Prefixes, caller_has_gone};
use super::refusal::Rest;
use crate::error::Error;
use crate::serve::executor;

/// What a call is told that is polled after its end, which nobody does.
const OVER: Error = Error::Internal("polled after the end");

/// A service whose calls come to it with their messages whole, and not more at a time than it can
/// serve.
#[derive(Clone, Debug)]
pub(crate) struct Whole<S> {
    inner: S,
    limits: Arc<Limits>,
}

#[derive(Debug)]
struct Limits {
    /// Bytes of a message.
    most: usize,
    arriving: Arriving,
    serving: Concurrency,
}

impl<S> Whole<S> {
    /// `inner`, for messages of `most` bytes, which may hold `arriving` until they are whole, and as many
    /// calls as `serving` lets through.
    pub(crate) fn new(inner: S, most: usize, arriving: Arriving, serving: Concurrency) -> Self {
        Self { inner, limits: Arc::new(Limits { most, arriving, serving }) }
    }

    /// The calls that are being served.
    pub(crate) fn serving(&self) -> &Concurrency {
        &self.limits.serving
    }
}

impl<S, B, R> Service<Request<B>> for Whole<S>
where
    S: Service<Request<Full<Bytes>>, Response = Response<R>, Error = Infallible> + Clone,
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    R: Default,
{
    type Response = Response<Held<R>>;
    type Error = Infallible;
    type Future = WholeCall<S, B, S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (head, body) = request.into_parts();
        let (place, refused) = match self.limits.serving.place() {
            Ok(place) => (Some(place), None),
            Err(error) => {
                executor::refused();
                (None, Some((error, Rest::default())))
            }
        };
        WholeCall {
            body,
            message: Message::new(self.limits.most),
            begin: Some((self.inner.clone(), Request::from_parts(head, ()))),
            limits: Arc::clone(&self.limits),
            call: None,
            place,
            refused,
        }
    }
}

pin_project! {
    /// A call whose message comes, then the call itself.
    pub(crate) struct WholeCall<S, B, F> {
        #[pin]
        body: B,
        message: Message,
        begin: Option<(S, Request<()>)>,
        limits: Arc<Limits>,
        #[pin]
        call: Option<F>,
        place: Option<Place>,
        refused: Option<(Error, Rest)>,
    }
}

impl<S, B, R> Future for WholeCall<S, B, S::Future>
where
    S: Service<Request<Full<Bytes>>, Response = Response<R>, Error = Infallible>,
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    R: Default,
{
    type Output = Result<Response<Held<R>>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        if this.call.is_none() && this.refused.is_none() {
            let limits = this.limits;
            let headers = this.begin.as_ref().map(|(_, request)| request.headers());
            let message = this.message.poll(this.body.as_mut(), headers, &limits.arriving, cx);
            let Poll::Ready(message) = message else {
                *this.place = None;
                return Poll::Pending;
            };
            let admitted = message.and_then(|message| {
                if this.place.is_none() {
                    *this.place = Some(limits.serving.place()?);
                }
                Ok(message)
            });
            match (admitted, this.begin.take()) {
                (Ok(message), Some((mut inner, request))) => {
                    this.message.let_go();
                    this.call.set(Some(inner.call(request.map(|()| Full::new(message)))));
                }
                (Ok(_), None) => *this.refused = Some((OVER, Rest::default())),
                (Err(error), _) => {
                    *this.place = None;
                    this.message.let_go();
                    let large = matches!(error, Error::TooLarge { .. });
                    let waits =
                        large && this.message.part.hold(0, &limits.arriving, cx.waker()).is_ok();
                    let rest = if waits { Rest::of_large() } else { Rest::default() };
                    *this.refused = Some((error, rest));
                }
            }
        }
        if let Some(call) = this.call.as_pin_mut() {
            let response = ready!(call.poll(cx))?;
            return Poll::Ready(Ok(response.map(|body| Held::new(body, this.place.take()))));
        }
        if let Some((_, rest)) = this.refused {
            ready!(rest.poll(this.body, cx));
        }
        let error = this.refused.take().map_or(OVER, |(error, _)| error);
        Poll::Ready(Ok(error.answer()))
    }
}

/// What has come of the message of a call.
#[derive(Debug)]
struct Message {
    prefixes: Prefixes,
    data: BytesMut,
    part: Part,
    patience: Option<Pin<Box<Sleep>>>,
}

impl Message {
    fn new(most: usize) -> Self {
        let prefixes = Prefixes::new(most);
        Self { prefixes, data: BytesMut::new(), part: Part::default(), patience: None }
    }

    /// Ready with all of `body`, which is one message where it is sound. Until then it holds of `arriving`
    /// what has come, with the headers of the call.
    fn poll<B>(
        &mut self,
        mut body: Pin<&mut B>,
        headers: Option<&HeaderMap>,
        arriving: &Arriving,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Bytes, Error>>
    where
        B: Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        loop {
            let chunk = match body.as_mut().poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
                Poll::Ready(Some(Err(error))) => {
                    let error = error.into();
                    if caller_has_gone(&*error) {
                        return Poll::Pending;
                    }
                    return Poll::Ready(Err(Error::Unreadable(error.to_string())));
                }
                Poll::Ready(None) => return Poll::Ready(Ok(mem::take(&mut self.data).freeze())),
                Poll::Pending => {
                    let bytes = headers.map_or(0, bytes_of) + self.data.capacity();
                    self.part.hold(bytes, arriving, cx.waker())?;
                    let patience = self.patience.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
                    ready!(patience.as_mut().poll(cx));
                    return Poll::Ready(Err(Error::TooLate));
                }
            };
            self.prefixes.follow(&chunk)?;
            if self.data.is_empty() && body.is_end_stream() {
                return Poll::Ready(Ok(chunk));
            }
            // Copied, since a chunk keeps all that was read with it.
            self.data.extend_from_slice(&chunk);
            // More messages than the one there may be.
            self.prefixes.check(self.data.len().saturating_sub(PREFIX))?;
        }
    }

    /// Gives back what it holds.
    fn let_go(&mut self) {
        (self.data, self.patience) = (BytesMut::new(), None);
        self.part.let_go();
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use http_body::Frame;
    use http_body_util::StreamBody;
    use tokio::sync::mpsc;
    use tokio_stream::StreamExt;
    use tokio_stream::wrappers::UnboundedReceiverStream;

    use super::*;

    type Chunks = mpsc::UnboundedSender<&'static [u8]>;

    /// A message of at most ten bytes, what it comes from, and how to have it read on.
    fn message(
        arriving: &Arriving,
    ) -> (Chunks, impl FnMut() -> Poll<Result<Bytes, Error>> + use<>) {
        let (send, chunks) = mpsc::unbounded_channel::<&[u8]>();
        let chunks = UnboundedReceiverStream::new(chunks);
        let frames = chunks.map(|chunk| Ok::<_, Error>(Frame::data(Bytes::from_static(chunk))));
        let mut body = StreamBody::new(frames);
        let (mut message, arriving) = (Message::new(10), arriving.clone());
        let read = move || {
            let cx = &mut Context::from_waker(Waker::noop());
            message.poll(Pin::new(&mut body), None, &arriving, cx)
        };
        (send, read)
    }

    #[tokio::test]
    async fn a_message_is_whole_when_its_body_has_ended() {
        let arriving = Arriving::new(8);
        let (send, mut read) = message(&arriving);
        assert!(read().is_pending());
        assert_eq!(arriving.left(), 6);
        for chunk in [&[0, 0, 0][..], &[0, 2, 7], &[8]] {
            send.send(chunk).expect("read");
            assert!(read().is_pending());
        }
        assert_eq!(arriving.left(), 5);
        drop(send);
        let Poll::Ready(Ok(whole)) = read() else { panic!("it has ended") };
        assert_eq!(whole[..], [0, 0, 0, 0, 2, 7, 8]);
        drop(read);
        assert_eq!(arriving.left(), 8);
    }

    #[tokio::test]
    async fn who_is_waited_for_goes_when_others_need_the_memory_and_whole_messages_need_none() {
        let arriving = Arriving::new(4);
        let all: Vec<_> = (0..3).map(|_| message(&arriving)).collect();
        let (mut sends, mut reads): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        assert!(reads.iter_mut().all(|read| read().is_pending()));
        assert!(matches!(reads[0](), Poll::Ready(Err(Error::Overloaded { .. }))));
        let (send, mut read) = message(&arriving);
        send.send(&[0, 0, 0, 0, 1, 7]).expect("read");
        drop(send);
        assert!(matches!(read(), Poll::Ready(Ok(whole)) if whole.len() == 6));
        sends.clear();
        assert!(matches!(reads[1](), Poll::Ready(Ok(whole)) if whole.is_empty()));
    }

    #[tokio::test]
    async fn too_much_is_refused_as_it_comes_in_one_message_or_in_many() {
        let arriving = Arriving::new(8);
        let large = |answer| matches!(answer, Poll::Ready(Err(Error::TooLarge { .. })));
        let (send, mut read) = message(&arriving);
        send.send(&[0, 0, 0, 0, 11]).expect("read");
        assert!(large(read()));
        let (send, mut read) = message(&arriving);
        send.send(&[0, 0, 0, 0, 5, 1, 2, 3, 4, 5]).expect("read");
        assert!(read().is_pending());
        send.send(&[0, 0, 0, 0, 1, 1]).expect("read");
        assert!(large(read()), "sixteen bytes, where one message has fifteen at most");
    }
}
