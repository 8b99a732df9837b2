//! How long calls wait for their turn on a busy worker. When more comes than a worker can do, all
//! calls would wait ever longer, until callers give up on answers that are still worked on; so a
//! call that would wait too long is refused as it comes, its message unread.
//!
//! A few calls may always wait. Beyond them a call may wait for `most` (5 ms by default), and longer
//! where the wait is that of a burst which ends [`BURST`] times `most` after the worker last had
//! nothing to do: short queues that come and go are what a queue is for, and only one that stays, or
//! that always comes again, is too much load. This is the idea of CoDel (Nichols and Jacobson, RFC 8289), decided at arrival as
//! "Fail at Scale" (Maurer, ACM Queue 13:8) has it for services, and with the wait that Little's law
//! tells ([`Load`]) in place of one that was: of many calls that come at once, those are taken for
//! which there is time.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::{Request, Response};
use http_body::Body;
use pin_project_lite::pin_project;
use tower::Service;

use super::refusal::Refusal;
use crate::error::Error;
use crate::runtime::{Load, Waiting, gave_way};
use crate::serve::executor::refused;

/// How many times `most` a burst may last.
const BURST: u32 = 10;

/// How many times, where calls have been refused within [`CALM`]. When there is too much all the time,
/// a moment with nothing to do means nothing, and filling the queue then would only have all wait.
const BURST_OF_MANY: u32 = 2;

/// From how long after a refusal on a burst may last as long as any.
const CALM: Duration = Duration::from_secs(1);

/// So few calls may always wait on a worker, however long each takes: it must not run dry, and who
/// makes but a few calls at a time is no overload.
const FEW: usize = 8;

/// A service whose calls do not wait long for their turn.
#[derive(Clone, Debug)]
pub(crate) struct Queue<S> {
    inner: S,
    most: Option<Duration>,
    load: Load,
}

impl<S> Queue<S> {
    /// `inner`, whose calls wait for `most`, or for ever.
    pub(crate) fn new(inner: S, most: Option<Duration>) -> Self {
        Self { inner, most, load: Load::default() }
    }

    /// Sets on which worker the calls are served.
    pub(crate) fn set_load(&mut self, load: Load) {
        self.load = load;
    }

    pub(crate) fn inner(&self) -> &S {
        &self.inner
    }

    fn admits(&self) -> bool {
        let Some(most) = self.most else { return true };
        let wait = self.load.wait();
        if wait <= most || self.load.waiting() < FEW {
            return true;
        }
        let longest = if self.load.calm_for(CALM) { BURST } else { BURST_OF_MANY } * most;
        longest.checked_sub(wait).is_some_and(|left| !self.load.busy_for(left))
    }
}

impl<S, B, R> Service<Request<B>> for Queue<S>
where
    S: Service<Request<B>, Response = Response<R>, Error = Infallible>,
    B: Body,
    R: Default,
{
    type Response = Response<R>;
    type Error = Infallible;
    type Future = Queued<S::Future, B>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        if self.admits() {
            let (load, waiting) = (self.load.clone(), Some(self.load.queue()));
            Queued::Taken { call: self.inner.call(request), load, waiting }
        } else {
            refused();
            self.load.refuse();
            Queued::Refused { refusal: Refusal::new(request.into_body(), Error::OVERLOADED) }
        }
    }
}

pin_project! {
    /// A call that waits for its turn, then runs.
    #[project = QueuedProj]
    pub(crate) enum Queued<F, B> {
        Taken { #[pin] call: F, load: Load, waiting: Option<Waiting> },
        Refused { #[pin] refusal: Refusal<B> },
    }
}

impl<F, B, R> Future for Queued<F, B>
where
    F: Future<Output = Result<Response<R>, Infallible>>,
    B: Body,
    R: Default,
{
    type Output = Result<Response<R>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project() {
            QueuedProj::Taken { call, load, waiting } => {
                waiting.take();
                let answer = call.poll(cx);
                if gave_way() {
                    *waiting = Some(load.queue());
                }
                answer
            }
            QueuedProj::Refused { refusal } => Poll::Ready(Ok(ready!(refusal.poll(cx)).answer())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load of `waiting` calls with 2 ms from turn to turn.
    fn load(waiting: usize) -> (Load, Vec<Waiting>) {
        let load = Load::default();
        let mut calls: Vec<_> = (0..waiting + 2).map(|_| load.queue()).collect();
        calls.pop();
        std::thread::sleep(Duration::from_millis(2));
        calls.pop();
        (load, calls)
    }

    fn queue(most: u64, load: &Load) -> Queue<()> {
        let mut queue = Queue::new((), Some(Duration::from_millis(most)));
        queue.set_load(load.clone());
        queue
    }

    #[test]
    fn calls_wait_their_time_or_what_a_burst_may_last_and_no_longer() {
        let (short, _calls) = load(0);
        assert!(queue(1, &short).admits(), "nobody waits");
        let (few, _calls) = load(FEW - 1);
        assert!(queue(0, &few).admits(), "a few may always wait");
        // Twenty calls of 2 ms and more each.
        let (long, _calls) = load(20);
        assert!(!queue(1, &long).admits(), "40 ms of wait, where a burst may last 10 ms");
        assert!(queue(60_000, &long).admits());
        let mut unlimited = queue(1, &long);
        unlimited.most = None;
        assert!(unlimited.admits());
        unlimited.most = Some(long.wait() / 5);
        assert!(unlimited.admits(), "five times as long as any may wait is a burst");
        long.refuse();
        assert!(!unlimited.admits(), "but not where there are many");
    }
}
