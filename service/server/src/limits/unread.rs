//! Responses that a client does not read. They hold memory and the places of calls, so a connection with one
//! must end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use slab::Slab;
use tokio::time::{Instant, sleep};

/// Interval at which unread responses are checked.
const CHECK: Duration = Duration::from_secs(5);

/// The responses of a connection that have not been read to their ends, each with the time until which it must
/// be; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unread(Arc<Mutex<Slab<Instant>>>);

impl Unread {
    /// Adds a response that must be read by `end`, until the returned value is dropped.
    pub(super) fn expect(&self, end: Instant) -> Reading {
        Reading { unread: self.clone(), key: self.ends().insert(end) }
    }

    /// Returns when a response has not been read in time.
    pub(crate) async fn overdue(&self) {
        while !self.is_overdue(Instant::now()) {
            sleep(CHECK).await;
        }
    }

    fn is_overdue(&self, now: Instant) -> bool {
        self.ends().iter().any(|(_, end)| *end <= now)
    }

    fn ends(&self) -> MutexGuard<'_, Slab<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A response that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    unread: Unread,
    key: usize,
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.unread.ends().remove(self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_overdue_until_it_has_been_read() {
        let unread = Unread::default();
        let end = Instant::now();
        let before = end - Duration::from_nanos(1);
        assert!(!unread.is_overdue(end));
        let reading = unread.expect(end);
        assert!(!unread.is_overdue(before));
        assert!(unread.is_overdue(end));
        drop(reading);
        assert!(!unread.is_overdue(end));
    }
}
