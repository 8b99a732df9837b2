//! The ruleset of a call, for metrics: the rulesets set it while they serve the call, and [`super::observe`]
//! takes it after the same poll on the same thread, so it is that of no other call.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// The label of rules that callers send or that have options: one each would be too many.
pub(crate) const CUSTOM: &str = "custom";

/// Limit on labels; more than there are built-in rulesets.
const MOST: usize = 64;

thread_local! {
    static NOW: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Sets a built-in ruleset.
pub(crate) fn is(id: &str) {
    NOW.set(Some(label(id)));
}

/// Sets other rules.
pub(crate) fn is_custom() {
    NOW.set(Some(CUSTOM));
}

/// Takes what was set on this thread.
pub(super) fn take() -> Option<&'static str> {
    NOW.take()
}

/// The id of a built-in ruleset as a label, which is never freed: there are few.
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
    fn what_is_set_is_taken_once() {
        is("yatzy");
        assert_eq!(take(), Some("yatzy"));
        assert_eq!(take(), None);
        is_custom();
        assert_eq!(take(), Some("custom"));
    }
}
