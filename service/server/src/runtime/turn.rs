//! Calls of milliseconds give way: between slices of their work the worker's other calls have a
//! turn. Whoever gives way waits for a turn like the others, so it is counted with them.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// The longest slice of work, for which others may wait.
const SLICE: Duration = Duration::from_micros(500);

thread_local! {
    static GAVE_WAY: Cell<bool> = const { Cell::new(false) };
}

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
            GAVE_WAY.set(true);
            tokio::task::yield_now().await;
            self.begun = Instant::now();
        }
    }
}

/// Whether the call that was just polled on this thread has given way.
pub(crate) fn gave_way() -> bool {
    GAVE_WAY.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_long_turns_give_way() {
        let mut turn = Turn { begun: Instant::now() + Duration::from_secs(60) };
        turn.give_way().await;
        assert!(!gave_way());
        turn.begun = Instant::now() - SLICE;
        turn.give_way().await;
        assert!(gave_way());
        assert!(!gave_way(), "heard once");
    }
}
