//! The ruleset of a call, for metrics, traces and the access log: [`super::observe`] gives each call an empty
//! [`RulesetLabel`], which the rulesets fill.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tonic::Extensions;

/// The label of rules that callers send or that have options: one each would be too many.
pub(crate) const CUSTOM: &str = "custom";

/// Limit on labels; more than there are built-in rulesets.
const MOST: usize = 64;

/// The ruleset of a call, in the extensions of its request; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RulesetLabel(Arc<OnceLock<&'static str>>);

impl RulesetLabel {
    /// Sets the label of a call that is observed; the first ruleset of a batch stays.
    pub(crate) fn set(call: &Extensions, label: &'static str) {
        if let Some(Self(cell)) = call.get() {
            let _ = cell.set(label);
        }
    }

    /// The label, if the call has named its rules.
    pub(super) fn get(&self) -> Option<&'static str> {
        self.0.get().copied()
    }
}

/// The id of a built-in ruleset as a label, which is never freed: there are few.
pub(crate) fn label(id: &str) -> &'static str {
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
