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

    /// The part of a call with these headers, which holds nothing yet.
    pub(super) fn part(&self, headers: &HeaderMap) -> Part {
        let bytes: usize =
            headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        Part { memory: self.clone(), call: CALL_KIB + bytes.div_ceil(1 << 10), number: None }
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
    /// Lets the part with this number, one that is new if there is none yet, hold so many KiB. Wakers of
    /// those that have to go for it are added to `gone`.
    fn hold(
        &mut self,
        number: &mut Option<u64>,
        kib: usize,
        waker: &Waker,
        gone: &mut Vec<Waker>,
    ) -> Result<(), Error> {
        let number = *number.get_or_insert_with(|| {
            self.next += 1;
            self.parts.insert(self.next, Held { kib: 0, waker: waker.clone() });
            self.next
        });
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

/// What one call holds of it.
#[derive(Debug)]
pub(super) struct Part {
    memory: Arriving,
    call: usize,
    number: Option<u64>,
}

impl Part {
    /// Holds the call and so many bytes of its message, until this is dropped or others need the memory
    /// more: then `waker` is woken, and this fails when it is asked again.
    ///
    /// # Errors
    /// That this call has to go.
    pub(super) fn hold(&mut self, bytes: usize, waker: &Waker) -> Result<(), Error> {
        let kib = self.call + bytes.div_ceil(1 << 10);
        let mut gone = Vec::new();
        let held = self.memory.with(|state| state.hold(&mut self.number, kib, waker, &mut gone));
        gone.into_iter().for_each(Waker::wake);
        held
    }

    /// Gives back what it holds.
    pub(super) fn let_go(&mut self) {
        if let Some(number) = self.number.take() {
            self.memory.with(|state| {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn part(memory: &Arriving) -> Part {
        memory.part(&HeaderMap::new())
    }

    #[test]
    fn what_is_held_is_given_back() {
        let memory = Arriving::new(20);
        let mut headers = HeaderMap::new();
        headers.insert("x", "y".repeat(3000).parse().expect("a value"));
        let mut first = memory.part(&headers);
        assert_eq!(memory.left(), 20, "nothing, at first");
        first.hold(0, Waker::noop()).expect("there is room");
        assert_eq!(memory.left(), 20 - CALL_KIB - 3);
        first.hold(1025, Waker::noop()).expect("there is room");
        first.hold(1, Waker::noop()).expect("it has that");
        assert_eq!(memory.left(), 20 - CALL_KIB - 5);
        first.let_go();
        assert_eq!(memory.left(), 20);
        first.hold(0, Waker::noop()).expect("there is room");
        drop(first);
        assert_eq!(memory.left(), 20);
    }

    #[test]
    fn the_oldest_goes_for_the_newest() {
        let memory = Arriving::new(3 * CALL_KIB);
        let mut parts: Vec<_> = (0..4).map(|_| part(&memory)).collect();
        for part in &mut parts {
            part.hold(0, Waker::noop()).expect("there is room, or will be");
        }
        assert!(parts[0].hold(0, Waker::noop()).is_err());
        assert!(parts[3].hold(2048, Waker::noop()).is_ok(), "two go for it");
        assert!(parts[1].hold(0, Waker::noop()).is_err());
        assert!(parts[2].hold(0, Waker::noop()).is_ok());
        assert!(parts[2].hold(4096, Waker::noop()).is_err(), "for nobody younger");
        assert!(parts[3].hold(0, Waker::noop()).is_ok());
        parts.clear();
        assert_eq!(memory.left(), 3 * CALL_KIB);
        assert!(part(&memory).hold(1 << 20, Waker::noop()).is_err(), "more than there is at all");
        assert_eq!(memory.left(), 3 * CALL_KIB);
    }
}
