//! Turns of long calls: between slices of their work the worker serves its other calls and its connections.

use std::time::{Duration, Instant};

/// The longest slice of work for which others may wait.
const SLICE: Duration = Duration::from_micros(500);

/// The turn of a call on a worker.
#[derive(Debug)]
pub(crate) struct Turn {
    begun: Instant,
}

impl Turn {
    pub(crate) fn begin() -> Self {
        Self { begun: Instant::now() }
    }

    /// Lets others have their turns if this one has lasted long enough.
    pub(crate) async fn give_way(&mut self) {
        if self.begun.elapsed() >= SLICE {
            tokio::task::yield_now().await;
            self.begun = Instant::now();
        }
    }
}
