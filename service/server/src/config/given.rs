//! The settings as given: text and source of each, and the values that the texts spell.

use std::collections::HashMap;

use super::fault::Faults;
use super::value::Value;

/// What the program does with the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Purpose {
    #[default]
    Serve,
    Check,
    Print,
}

/// The text of a setting and its source, for messages and for the printed configuration.
#[derive(Clone, Debug)]
struct GivenText {
    text: String,
    source: String,
}

/// The given settings, each from the source that wins.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    texts: HashMap<&'static str, GivenText>,
    /// What the program does with them.
    pub(super) purpose: Purpose,
}

impl Given {
    /// The source of the setting; `None` for the default.
    pub(super) fn source(&self, field: &str) -> Option<&str> {
        self.texts.get(field).map(|given| given.source.as_str())
    }

    /// The value of a setting; its default if it is missing or invalid.
    pub(super) fn read<T: Value>(&self, field: &str, default: &str, faults: &mut Faults) -> T {
        if let Some(GivenText { text, source }) = self.texts.get(field) {
            match T::read(text) {
                Ok(value) => return value,
                Err(wanted) => faults.push(format!("{source} is {text:?}; it must be {wanted}")),
            }
        }
        T::read(default).unwrap_or_else(|_| unreachable!("the default of {field} is tested good"))
    }

    /// Sets a setting; the source that comes last wins.
    pub(super) fn take(&mut self, field: &'static str, text: String, source: String) {
        self.texts.insert(field, GivenText { text, source });
    }
}
