//! How much a connection may read when its turn comes: the others of its worker, and the calls that
//! were taken, have theirs soon, however much one peer sends.
//!
//! While calls wait, all connections together have as much time as the calls: [`TIME`] between two
//! slices. A refusal is not free: reading a call and writing that it is refused takes a third of what
//! serving a small one takes. Where several times more of those come than can be served, refusing all of
//! the rest at once would leave no time to serve any. So what is too much even to be refused waits in the
//! sockets, and HTTP/2 holds its senders back.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long connections may take between two slices of calls.
const TIME: Duration = super::calls::SLICE;

/// Most bytes of a turn: a hundred small calls.
const MOST: usize = 16 << 10;

/// Fewest bytes of a turn: one small call.
const LEAST: usize = 128;

thread_local! {
    /// Bytes of a turn on this worker.
    static SHARE: Cell<usize> = const { Cell::new(MOST) };
    /// What the connection that is being polled may still read.
    static LEFT: Cell<usize> = const { Cell::new(0) };
    /// When the last slice ended, if calls waited then.
    static SLICE_ENDED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Begins the turn of a connection on this thread.
pub(crate) fn begin_turn() {
    LEFT.set(SHARE.get());
}

/// What the connection whose turn it is may still read.
pub(crate) fn left() -> usize {
    LEFT.get()
}

/// Tells that the connection whose turn it is has read so many bytes.
pub(crate) fn read(bytes: usize) {
    LEFT.set(LEFT.get().saturating_sub(bytes));
}

/// Tells that a slice of calls begins. What connections read in the time since the last one tells
/// what they may read until the next.
pub(super) fn before_slice() {
    if let Some(ended) = SLICE_ENDED.take() {
        let times = TIME.as_secs_f64() / ended.elapsed().as_secs_f64();
        SHARE.set(((SHARE.get() as f64 * times) as usize).clamp(LEAST, MOST));
    } else {
        SHARE.set(MOST);
    }
}

/// Tells that a slice of calls has ended, and whether others wait.
pub(super) fn after_slice(others_wait: bool) {
    SLICE_ENDED.set(others_wait.then(Instant::now));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a connection may read after connections have taken so long while calls waited.
    fn share_after(time: Duration) -> usize {
        after_slice(true);
        std::thread::sleep(time);
        before_slice();
        begin_turn();
        left()
    }

    #[test]
    fn connections_that_take_long_read_less() {
        let after_twice = share_after(2 * TIME);
        assert!((LEAST..=MOST / 2).contains(&after_twice), "{after_twice}");
        assert!(share_after(2 * TIME) <= after_twice / 2);
        assert_eq!(share_after(100 * TIME), LEAST, "something, always");
        let more = share_after(TIME / 8);
        assert!((LEAST..=LEAST * 8).contains(&more), "{more}");
        after_slice(false);
        before_slice();
        begin_turn();
        assert_eq!(left(), MOST, "where no calls wait, nobody is kept from anything");
    }

    #[test]
    fn what_is_read_is_taken_from_what_is_left() {
        begin_turn();
        let all = left();
        read(100);
        assert_eq!(left(), all - 100);
        read(all);
        assert_eq!(left(), 0);
        begin_turn();
        assert_eq!(left(), all, "every turn anew");
    }
}
