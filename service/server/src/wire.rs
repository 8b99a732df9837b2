//! Fields that several families read and write alike: `read` functions translate from messages, `write`
//! functions to them.

pub(crate) mod clamp;
pub(crate) mod language;
pub(crate) mod opponent;
pub(crate) mod options;
pub(crate) mod pattern;
pub(crate) mod review;
pub(crate) mod scorecard;

/// The message for the number of an enum that has no such value.
pub(crate) fn no_value(number: i32) -> String {
    format!("{number} is no value of this field")
}
