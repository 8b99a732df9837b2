//! The calls that a worker serves, in a queue of their own beside the tasks that its connections are.
//!
//! Were every call a task like the connections, a connection would have its turn after all calls that
//! wait: what comes would lie unread that long, neither taken nor refused, and what is answered unsent.
//! So the worker does both in turns: it looks at all its connections, then serves calls for one
//! [`SLICE`], in the order they came.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures_util::future::{CatchUnwind, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};

/// How long calls are served before the connections have their turn: what comes is taken or refused
/// within that time, and the longer it is the more is read and written at once.
const SLICE: Duration = Duration::from_millis(2);

/// What of one call ends in a panic ends that call alone, as it would be with a task.
type Work = CatchUnwind<AssertUnwindSafe<Pin<Box<dyn Future<Output = ()> + Send>>>>;

thread_local! {
    /// Calls that came to the worker of this thread since it last looked; `None` on other threads.
    static COME: RefCell<Option<Come>> = const { RefCell::new(None) };
}

#[derive(Default)]
struct Come {
    calls: VecDeque<Work>,
    /// Wakes whoever serves them.
    waker: Option<Waker>,
}

/// Puts a call into the queue of this thread's worker, or makes it a task where several threads are
/// the worker.
pub(crate) fn serve(call: impl Future<Output = ()> + Send + 'static) {
    let call = COME.with_borrow_mut(|come| {
        let Some(come) = come else { return Some(call) };
        let call: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(call);
        come.calls.push_back(AssertUnwindSafe(call).catch_unwind());
        if let Some(waker) = come.waker.take() {
            waker.wake();
        }
        None
    });
    if let Some(call) = call {
        tokio::spawn(call);
    }
}

/// Serves the calls that [`serve`] puts into the queue of this thread, and does not end.
pub(super) async fn run() {
    COME.set(Some(Come::default()));
    let mut calls = FuturesUnordered::new();
    loop {
        poll_fn(|cx| serve_for_a_slice(&mut calls, cx)).await;
        tokio::task::yield_now().await;
    }
}

/// Ready when a slice is over, pending when there is nothing to do.
fn serve_for_a_slice(calls: &mut FuturesUnordered<Work>, cx: &mut Context<'_>) -> Poll<()> {
    let begin = Instant::now();
    loop {
        COME.with_borrow_mut(|come| {
            if let Some(come) = come {
                calls.extend(come.calls.drain(..));
                come.waker.get_or_insert_with(|| cx.waker().clone());
            }
        });
        match calls.poll_next_unpin(cx) {
            Poll::Ready(Some(served)) => {
                note(served);
                if begin.elapsed() >= SLICE {
                    return Poll::Ready(());
                }
            }
            Poll::Ready(None) | Poll::Pending => return Poll::Pending,
        }
    }
}

/// The panic itself has been told where it happened.
fn note(served: Result<(), Box<dyn Any + Send>>) {
    if served.is_err() {
        tracing::error!("a call ended in a panic");
    }
}
