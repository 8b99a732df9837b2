//! Where the work of a connection's calls goes: into the worker's queue of calls, but for a call that a
//! limit has refused. Its answer is ready with the end of its message, so a refusal does not wait behind
//! the calls that were taken: it is given as soon as the connection has read what it may. Then all
//! refusals go out together; one by one, each would cost a write to the socket of its own, which is
//! more than all else that a refusal costs.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use hyper::rt::Executor;
use pin_project_lite::pin_project;
use tokio::time::timeout;

use crate::runtime::{calls, intake};

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How long an answer may take to be taken, beyond the time of its call.
const TO_BE_TAKEN: Duration = Duration::from_secs(2);

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
    /// The time of the call that is about to be executed, where it has a limit.
    static TIME: Cell<Option<Duration>> = const { Cell::new(None) };
    /// The refusals of the connection that is being polled.
    static REFUSALS: RefCell<Vec<Work>> = const { RefCell::new(Vec::new()) };
}

/// Says that the call that is about to be executed has been refused.
pub(crate) fn refused() {
    REFUSED.set(true);
}

/// Says how long the call that is about to be executed may take. Its answer ends in time by itself,
/// but nobody asks it while its caller takes no data: then the call is dropped, two seconds later,
/// and its stream reset.
pub(crate) fn limited(time: Duration) {
    TIME.set(Some(time));
}

/// Executes what hyper has to do on a connection of this worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnWorker;

impl<F> Executor<F> for OnWorker
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, work: F) {
        let time = TIME.take();
        if REFUSED.take() {
            REFUSALS.with_borrow_mut(|refusals| refusals.push(Box::pin(work)));
        } else if let Some(time) = time {
            calls::serve(async move {
                // No timer is set before the first time that there is something to wait for.
                let _ = timeout(time.saturating_add(TO_BE_TAKEN), work).await;
            });
        } else {
            calls::serve(work);
        }
    }
}

pin_project! {
    /// A connection whose work goes to [`OnWorker`].
    pub(super) struct Refusing<C> {
        #[pin]
        connection: C,
    }
}

impl<C> Refusing<C> {
    pub(super) fn new(connection: C) -> Self {
        Self { connection }
    }

    pub(super) fn connection(self: Pin<&mut Self>) -> Pin<&mut C> {
        self.project().connection
    }
}

impl<C: Future> Future for Refusing<C> {
    type Output = C::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        let mut connection = self.project().connection;
        intake::begin_turn();
        loop {
            let polled = connection.as_mut().poll(cx);
            // HTTP/1 executes nothing.
            REFUSED.set(false);
            TIME.set(None);
            let refusals = REFUSALS.take();
            if polled.is_ready() || refusals.is_empty() {
                return polled;
            }
            for mut work in refusals {
                // Whoever is not done at once is asked again by the queue, which it wakes.
                if work.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
                    calls::serve(work);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn refusals_are_given_together_and_those_that_are_not_done_become_tasks() {
        let (tell, told) = mpsc::channel();
        let work = |name: &'static str, pauses: usize| {
            let tell = tell.clone();
            async move {
                for _ in 0..pauses {
                    tokio::task::yield_now().await;
                }
                tell.send(name).expect("heard");
            }
        };
        let mut polls = 0;
        let connection = std::future::poll_fn(|_| {
            polls += 1;
            if polls == 1 {
                OnWorker.execute(work("call", 0));
                for (name, pauses) in [("refusal", 0), ("long refusal", 1), ("refusal", 0)] {
                    refused();
                    OnWorker.execute(work(name, pauses));
                }
                assert!(told.try_recv().is_err(), "there may be more to come");
            }
            Poll::<()>::Pending
        });
        let mut connection = std::pin::pin!(Refusing::new(connection));
        assert!(connection.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["refusal", "refusal"]);
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["call", "long refusal"]);
        assert_eq!(polls, 2, "the connection is polled once more, to send them");
    }
}
