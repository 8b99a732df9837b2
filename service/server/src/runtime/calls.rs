//! The calls that a worker serves, in a queue of their own beside the tasks that its connections are.
//!
//! Were every call a task like the connections, a connection would have its turn after all calls that
//! wait: what comes would lie unread that long, neither taken nor refused, and what is answered unsent.
//! So the worker does both in turns: it looks at all its connections, then serves calls for one
//! [`SLICE`], in the order they came.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Release};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use futures_util::future::{CatchUnwind, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};
use futures_util::task::AtomicWaker;

use super::intake;

/// How long calls are served before the connections have their turn: what comes is taken or refused
/// within that time, and the longer it is the more is read and written at once.
pub(super) const SLICE: Duration = Duration::from_millis(2);

/// What of one call ends in a panic ends that call alone, as it would be with a task.
type Guarded = CatchUnwind<AssertUnwindSafe<Pin<Box<dyn Future<Output = ()> + Send>>>>;

/// A call in the queue.
struct Work(Guarded);

impl Future for Work {
    type Output = <Guarded as Future>::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // Calls that give way come after one another without an end that could be looked at.
        if is_over(SLICE_END.get()) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.0.poll_unpin(cx)
    }
}

thread_local! {
    /// Calls that came to the worker of this thread since it last looked; `None` on other threads.
    static COME: RefCell<Option<Come>> = const { RefCell::new(None) };
    /// When the slice ends in which calls are being served.
    static SLICE_END: Cell<Option<Instant>> = const { Cell::new(None) };
}

struct Come {
    calls: VecDeque<Work>,
    bell: Arc<Bell>,
}

/// Wakes who serves the calls, but only while that one sleeps: woken when others have their turn, it
/// would have its own before theirs.
#[derive(Default)]
struct Bell {
    rung: AtomicBool,
    sleeper: AtomicWaker,
}

impl Bell {
    /// Whether it has rung since this was last asked.
    fn has_rung(&self) -> bool {
        self.rung.swap(false, AcqRel)
    }

    /// Sleeps until it rings.
    async fn sleep(&self) {
        poll_fn(|cx| {
            self.sleeper.register(cx.waker());
            if self.has_rung() {
                self.sleeper.take();
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rung.store(true, Release);
        self.sleeper.wake();
    }
}

/// Puts a call into the queue of this thread's worker, or makes it a task where several threads are
/// the worker.
pub(crate) fn serve(call: impl Future<Output = ()> + Send + 'static) {
    let call = COME.with_borrow_mut(|come| {
        let Some(come) = come else { return Some(call) };
        let call: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(call);
        come.calls.push_back(Work(AssertUnwindSafe(call).catch_unwind()));
        come.bell.wake_by_ref();
        None
    });
    if let Some(call) = call {
        tokio::spawn(call);
    }
}

/// Serves the calls that [`serve`] puts into the queue of this thread, and does not end.
pub(super) async fn run() {
    let bell = Arc::new(Bell::default());
    COME.set(Some(Come { calls: VecDeque::new(), bell: Arc::clone(&bell) }));
    let waker = Waker::from(Arc::clone(&bell));
    let mut calls = FuturesUnordered::new();
    loop {
        intake::before_slice();
        let more = serve_for(SLICE, &mut calls, &mut Context::from_waker(&waker));
        intake::after_slice(more);
        if more || bell.has_rung() {
            tokio::task::yield_now().await;
        } else {
            bell.sleep().await;
        }
    }
}

fn is_over(slice_end: Option<Instant>) -> bool {
    slice_end.is_some_and(|end| Instant::now() >= end)
}

/// Serves calls until the slice is over, and tells whether there may be more to do, or until there is
/// nothing to do.
fn serve_for(slice: Duration, calls: &mut FuturesUnordered<Work>, cx: &mut Context<'_>) -> bool {
    SLICE_END.set(Some(Instant::now() + slice));
    while !is_over(SLICE_END.get()) {
        COME.with_borrow_mut(|come| {
            if let Some(come) = come {
                calls.extend(come.calls.drain(..));
            }
        });
        match calls.poll_next_unpin(cx) {
            Poll::Ready(Some(served)) => note(&served),
            Poll::Ready(None) | Poll::Pending => return is_over(SLICE_END.get()),
        }
    }
    true
}

/// The panic itself has been told where it happened.
fn note(served: &Result<(), Box<dyn Any + Send>>) {
    if served.is_err() {
        tracing::error!("a call ended in a panic");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Calls that tell of their end, and work or fail before.
    fn call(name: usize, tell: &mpsc::Sender<usize>, work: impl Fn() + Send + 'static) {
        let tell = tell.clone();
        serve(async move {
            work();
            tell.send(name).expect("heard");
        });
    }

    #[tokio::test]
    async fn calls_are_served_in_turn_and_a_panic_is_that_of_one() {
        tokio::spawn(run());
        tokio::task::yield_now().await;
        let (tell, told) = mpsc::channel();
        for name in 0..5 {
            call(name, &tell, move || assert_ne!(name, 2, "the panic that this test wants"));
        }
        assert!(told.try_recv().is_err(), "not before their turn");
        while told.try_recv() != Ok(4) {
            tokio::task::yield_now().await;
        }
        call(5, &tell, || ());
        while told.try_recv() != Ok(5) {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn others_have_their_turn_after_a_slice() {
        tokio::spawn(run());
        tokio::task::yield_now().await;
        let (tell, told) = mpsc::channel();
        for name in 0..4 {
            call(name, &tell, || std::thread::sleep(SLICE));
        }
        let mut served_in_turn = Vec::new();
        while served_in_turn.iter().sum::<usize>() < 4 {
            tokio::task::yield_now().await;
            served_in_turn.push(told.try_iter().count());
        }
        assert!(served_in_turn.iter().all(|served| *served <= 1), "{served_in_turn:?}");
    }

    #[tokio::test]
    async fn others_have_their_turn_though_calls_give_way() {
        tokio::spawn(run());
        tokio::task::yield_now().await;
        let (tell, told) = mpsc::channel();
        for _ in 0..20 {
            let tell = tell.clone();
            serve(async move {
                for _ in 0..5 {
                    std::thread::sleep(SLICE / 2);
                    tell.send(()).expect("heard");
                    tokio::task::yield_now().await;
                }
            });
        }
        let mut turns = Vec::new();
        while turns.iter().sum::<usize>() < 100 {
            tokio::task::yield_now().await;
            turns.push(told.try_iter().count());
        }
        assert!(turns.iter().all(|turns| *turns <= 3), "{turns:?}");
    }

    #[test]
    fn a_slice_that_is_over_before_it_begins_leaves_its_calls_to_the_next() {
        COME.set(Some(Come { calls: VecDeque::new(), bell: Arc::default() }));
        let (tell, told) = mpsc::channel();
        call(0, &tell, || ());
        let (mut calls, cx) = (FuturesUnordered::new(), &mut Context::from_waker(Waker::noop()));
        assert!(serve_for(Duration::ZERO, &mut calls, cx), "the system may take the thread away");
        assert!(!serve_for(Duration::from_secs(60), &mut calls, cx));
        assert_eq!(told.try_recv(), Ok(0));
    }

    #[tokio::test]
    async fn a_call_that_waits_keeps_no_other_from_its_turn() {
        tokio::spawn(run());
        tokio::task::yield_now().await;
        let (tell, told) = mpsc::channel();
        let (go, gone) = tokio::sync::oneshot::channel::<()>();
        let waits = tell.clone();
        serve(async move {
            let _ = gone.await;
            waits.send(0).expect("heard");
        });
        call(1, &tell, || ());
        while told.try_recv() != Ok(1) {
            tokio::task::yield_now().await;
        }
        go.send(()).expect("waited for");
        while told.try_recv() != Ok(0) {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn without_a_queue_a_call_is_a_task() {
        let (tell, told) = mpsc::channel();
        call(0, &tell, || ());
        tokio::task::yield_now().await;
        assert_eq!(told.try_recv(), Ok(0));
    }
}
