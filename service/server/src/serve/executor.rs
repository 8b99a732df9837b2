//! Where the work of a connection's calls goes: each becomes a task of the worker, but for a call
//! that a limit has refused. Its answer is ready, so it is given on the spot: a refusal costs no
//! task, and does not wait behind the calls that were taken.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

use hyper::rt::Executor;

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Says that the call that is about to be executed has been refused.
pub(crate) fn refused() {
    REFUSED.set(true);
}

/// Executes what hyper has to do on a connection of this worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnWorker;

impl<F> Executor<F> for OnWorker
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, work: F) {
        if !REFUSED.take() {
            tokio::spawn(work);
            return;
        }
        let mut work = Box::pin(work);
        // Whoever is not done at once is asked again as a task, which wakes it.
        if Pin::new(&mut work).poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            tokio::spawn(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_refusal_is_done_on_the_spot_and_what_is_not_done_becomes_a_task() {
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
        OnWorker.execute(work("call", 0));
        refused();
        OnWorker.execute(work("refusal", 0));
        refused();
        OnWorker.execute(work("long refusal", 1));
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["refusal"]);
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["call", "long refusal"]);
    }
}
