//! Fields that several families read and write alike: `read` functions translate from messages, `write`
//! functions to them.

pub(crate) mod clamp;
pub(crate) mod language;
pub(crate) mod opponent;
pub(crate) mod options;
pub(crate) mod pattern;
pub(crate) mod review;
pub(crate) mod scorecard;

/// The number of alternatives that a request allows; 0 for all.
pub(crate) fn max_alternatives(number: u32) -> usize {
    if number == 0 { usize::MAX } else { number as usize }
}

/// The message for the number of an enum that has no such value.
pub(crate) fn no_value(number: i32) -> String {
    format!("{number} is no value of this field")
}
