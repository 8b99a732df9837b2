//! Calls of milliseconds give way: between slices of their work the worker's other calls and its
//! connections have a turn.

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
