//! The memory for what has come of messages that are not whole yet, which all calls share. Where there is
//! no more, whoever has been at it for longest has to go: a message that is on its way is here within
//! milliseconds, so however many dawdle, they keep no other from coming.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

use http::HeaderMap;

use crate::error::Error;

/// KiB that a call holds beside its message and its headers.
const CALL_KIB: usize = 2;

/// The memory; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Arriving(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    left: usize,
    next: u64,
    /// By age, the oldest first.
    parts: BTreeMap<u64, Held>,
}

#[derive(Debug)]
struct Held {
    kib: usize,
    waker: Waker,
}

impl Arriving {
    /// So many KiB.
    pub(crate) fn new(kib: usize) -> Self {
        Self(Arc::new(Mutex::new(State { left: kib, next: 0, parts: BTreeMap::new() })))
    }

    fn with<R>(&self, deed: impl FnOnce(&mut State) -> R) -> R {
        deed(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[cfg(test)]
    pub(super) fn left(&self) -> usize {
        self.with(|state| state.left)
    }
}

impl State {
    /// Begins a part that holds nothing, and tells its number.
    fn begin(&mut self, waker: &Waker) -> u64 {
        self.next += 1;
        self.parts.insert(self.next, Held { kib: 0, waker: waker.clone() });
        self.next
    }

    /// Lets the part with this number hold so many KiB. Wakers of those that have to go for it are added
    /// to `gone`.
    fn hold(
        &mut self,
        number: u64,
        kib: usize,
        waker: &Waker,
        gone: &mut Vec<Waker>,
    ) -> Result<(), Error> {
        let held = self.parts.get(&number).ok_or(Error::OVERLOADED)?.kib;
        let more = kib.saturating_sub(held);
        while self.left < more {
            let Some((oldest, held)) = self.parts.pop_first() else { break };
            self.left += held.kib;
            if oldest == number {
                return Err(Error::OVERLOADED);
            }
            gone.push(held.waker);
        }
        let held = self.parts.get_mut(&number).ok_or(Error::OVERLOADED)?;
        held.kib += more;
        held.waker.clone_from(waker);
        self.left = self.left.saturating_sub(more);
        Ok(())
    }
}

/// What one call holds of it: nothing at first.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// The memory, and the number there; `None` before it holds anything.
    held: Option<(Arriving, u64)>,
}

impl Part {
    /// Holds the call and so many bytes of its headers and message, until this is dropped or others need
    /// `memory` more: then `waker` is woken, and this fails when it is asked again.
    ///
    /// # Errors
    /// That this call has to go.
    pub(super) fn hold(
        &mut self,
        bytes: usize,
        memory: &Arriving,
        waker: &Waker,
    ) -> Result<(), Error> {
        let kib = CALL_KIB + bytes.div_ceil(1 << 10);
        let mut gone = Vec::new();
        let held = memory.with(|state| {
            let held = self.held.get_or_insert_with(|| (memory.clone(), state.begin(waker)));
            state.hold(held.1, kib, waker, &mut gone)
        });
        gone.into_iter().for_each(Waker::wake);
        held
    }

    /// Gives back what it holds.
    pub(super) fn let_go(&mut self) {
        if let Some((memory, number)) = self.held.take() {
            memory.with(|state| {
                let held = state.parts.remove(&number).map_or(0, |held| held.kib);
                state.left += held;
            });
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// Bytes that headers hold.
pub(super) fn bytes_of(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_given_back() {
        let memory = Arriving::new(20);
        let mut headers = HeaderMap::new();
        headers.insert("x", "y".repeat(3071).parse().expect("a value"));
        let bytes = bytes_of(&headers);
        let mut first = Part::default();
        let hold = |part: &mut Part, bytes| part.hold(bytes, &memory, Waker::noop());
        hold(&mut first, bytes).expect("there is room");
        assert_eq!(memory.left(), 20 - CALL_KIB - 3);
        hold(&mut first, bytes + 1025).expect("there is room");
        hold(&mut first, bytes).expect("it has that");
        assert_eq!(memory.left(), 20 - CALL_KIB - 5);
        first.let_go();
        assert_eq!(memory.left(), 20);
        hold(&mut first, 0).expect("there is room");
        drop(first);
        assert_eq!(memory.left(), 20);
    }

    #[test]
    fn the_oldest_goes_for_the_newest() {
        let memory = Arriving::new(3 * CALL_KIB);
        let mut parts: [Part; 4] = Default::default();
        let hold = |part: &mut Part, bytes| part.hold(bytes, &memory, Waker::noop());
        for part in &mut parts {
            hold(part, 0).expect("there is room, or will be");
        }
        assert!(hold(&mut parts[0], 0).is_err());
        assert!(hold(&mut parts[3], 2048).is_ok(), "the next goes for it");
        assert!(hold(&mut parts[1], 0).is_err());
        assert!(hold(&mut parts[2], 0).is_ok());
        assert!(hold(&mut parts[2], 4096).is_err(), "for nobody younger");
        assert!(hold(&mut parts[3], 0).is_ok());
        drop(parts);
        assert_eq!(memory.left(), 3 * CALL_KIB);
        assert!(hold(&mut Part::default(), 1 << 20).is_err(), "more than there is at all");
        assert_eq!(memory.left(), 3 * CALL_KIB);
    }
}
