//! Which ruleset a call is about: the games say it while they serve the call, [`super::observe`]
//! hears it. Both happen within one poll on one thread, so no call hears of another's.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// The label of rules that callers send, or that have options: there are too many for one each.
pub(crate) const CUSTOM: &str = "custom";

/// More built-in rulesets than there will be.
const MOST: usize = 64;

thread_local! {
    static NOW: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Says that the call is about a built-in ruleset.
pub(crate) fn is(id: &str) {
    NOW.set(Some(label(id)));
}

/// Says that the call is about other rules.
pub(crate) fn is_custom() {
    NOW.set(Some(CUSTOM));
}

/// What was said since this was last asked on this thread.
pub(super) fn heard() -> Option<&'static str> {
    NOW.take()
}

/// The id of a built-in ruleset as a label: a name that is kept for ever, of which there are few.
pub(crate) fn label(id: &str) -> &'static str {
    thread_local! {
        static KNOWN: std::cell::RefCell<Vec<&'static str>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(name) = known.iter().find(|name| **name == id) {
            return *name;
        }
        let name = shared(id);
        known.push(name);
        name
    })
}

fn shared(id: &str) -> &'static str {
    static ALL: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = all.iter().find(|name| **name == id) {
        return name;
    }
    if all.len() >= MOST {
        return CUSTOM;
    }
    let name: &'static str = id.to_owned().leak();
    all.push(name);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_heard_once() {
        is("yatzy");
        assert_eq!(heard(), Some("yatzy"));
        assert_eq!(heard(), None);
        is_custom();
        assert_eq!(heard(), Some("custom"));
    }
}
