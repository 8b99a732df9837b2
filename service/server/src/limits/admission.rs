//! Admission of calls to a worker. When more calls arrive than it can serve, all would wait longer and longer,
//! until their callers give up on responses that are still computed. So a call that would wait too long is
//! refused when its headers arrive, by the wait that [`Load`] predicts (Little's law). Longer waits are
//! allowed in a burst: only a queue that stays is too much load (CoDel, RFC 8289).
//!
//! Refusing is not free: it costs about a third of a Score call. So a worker sends at most one error per
//! [`Load::ERROR_INTERVAL`]; errors beyond that wait, and hold their HTTP/2 streams while they do. A
//! connection has few streams, so the excess stays in the clients, where it costs nothing here.

use std::time::Duration;

use futures_util::future::Either;
use tonic::Status;
use tower::layer::layer_fn;
use tower::{Layer, service_fn};

use super::gate::refuse;
use super::{Calls, Request, Response};
use crate::error::Error;
use crate::runtime::Load;

/// Calls that may always wait, whatever they cost: as many as one client has under way are no overload.
const ALWAYS: usize = 32;

/// The longest burst, as a multiple of the longest wait.
const BURST: u32 = 10;

/// Refuses calls that would wait longer than `longest` for the worker of this load; `None`: no limit.
pub(crate) fn admission<S: Calls>(
    load: Load,
    longest: Option<Duration>,
) -> impl Layer<S, Service = impl Calls> {
    layer_fn(move |mut inner: S| {
        let load = load.clone();
        service_fn(move |request: Request| {
            if longest.is_some_and(|longest| !admits(&load, longest)) {
                return Either::Right(refuse(request.into_body(), Error::OVERLOADED));
            }
            let (waiting, call) = (load.queue(), inner.call(request));
            Either::Left(async move {
                drop(waiting);
                call.await
            })
        })
    })
}

fn admits(load: &Load, longest: Duration) -> bool {
    let wait = load.predicted_wait();
    wait <= longest
        || load.waiting() < ALWAYS
        || load.calm() && load.busy_for() + wait <= BURST * longest
}

/// Delays the errors of a worker to one per [`Load::ERROR_INTERVAL`], for all callers, so that
/// callers that fail in a loop take little from the others.
pub(crate) fn pace_errors<S: Calls>(load: Load) -> impl Layer<S, Service = impl Calls> {
    layer_fn(move |mut inner: S| {
        let load = load.clone();
        service_fn(move |request: Request| {
            let (load, call) = (load.clone(), inner.call(request));
            async move {
                let response = call.await?;
                if is_error(&response) {
                    load.error_turn().await;
                }
                Ok(response)
            }
        })
    })
}

/// Whether the response is an error without a body; only those arrive in numbers.
fn is_error(response: &Response) -> bool {
    response.headers().contains_key(Status::GRPC_STATUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load of `waiting` calls with 2 ms from start to start.
    fn load(waiting: usize) -> (Load, Vec<impl Drop>) {
        let load = Load::idle();
        let mut calls: Vec<_> = (0..waiting + 2).map(|_| load.queue()).collect();
        calls.pop();
        std::thread::sleep(Duration::from_millis(2));
        calls.pop();
        (load, calls)
    }

    #[tokio::test]
    async fn calls_wait_at_most_the_limit_or_the_length_of_a_burst() {
        let ms = Duration::from_millis;
        let (idle, _calls) = load(0);
        assert!(admits(&idle, ms(1)), "no call waits");
        let (few, _calls) = load(ALWAYS - 1);
        assert!(admits(&few, ms(0)), "a few may always wait");
        let (long, _calls) = load(40);
        assert!(!admits(&long, ms(1)), "a wait of 80 ms and more, where a burst lasts 10 ms");
        assert!(admits(&long, ms(60_000)));
        let shorter = long.predicted_wait() - Duration::from_nanos(1);
        assert!(admits(&long, shorter), "a burst may last ten times as long");
        long.error_turn().await;
        assert!(!admits(&long, shorter), "after an error it may not");
    }
}
