//! How much a connection may read when its turn comes: the others of its worker, and the calls that
//! were taken, have theirs soon, however much one peer sends.
//!
//! All connections together may read [`INTAKE`] between two slices of calls. A refusal is not free:
//! reading a call and writing that it is refused takes a third of what serving a small one takes. Where
//! several times more of those come than can be served, refusing all of the rest at once would leave no
//! time to serve any. So what is too much even to be refused waits in the sockets, and HTTP/2 holds
//! its senders back.

use std::cell::Cell;

/// Bytes that are read between two slices of calls: eight hundred small calls, of which four hundred
/// can be served in a slice.
const INTAKE: usize = 64 << 10;

/// Most bytes of a turn: a hundred small calls.
const MOST: usize = 16 << 10;

/// Fewest bytes of a turn: one small call.
const LEAST: usize = 128;

thread_local! {
    /// Bytes of a turn on this worker.
    static SHARE: Cell<usize> = const { Cell::new(MOST) };
    /// Turns since the last slice.
    static TURNS: Cell<usize> = const { Cell::new(0) };
    /// What the connection that is being polled may still read.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// Begins the turn of a connection on this thread.
pub(crate) fn begin_turn() {
    TURNS.set(TURNS.get() + 1);
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

/// Tells that a slice of calls has been served. Connections that were busy before it will be again.
pub(super) fn after_slice() {
    let turns = TURNS.take().max(1);
    SHARE.set((INTAKE / turns).clamp(LEAST, MOST));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each of so many connections may read after a slice before which all had their turns.
    fn share_of(connections: usize) -> usize {
        after_slice();
        (0..connections).for_each(|_| begin_turn());
        after_slice();
        begin_turn();
        left()
    }

    #[test]
    fn connections_share_what_is_read_between_slices() {
        assert_eq!(share_of(1), MOST);
        assert_eq!(share_of(INTAKE / MOST * 4), MOST / 4);
        assert_eq!(share_of(INTAKE), LEAST);
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
