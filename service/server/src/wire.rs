//! Fields that all families read and write alike: `read` translates from messages, `write` to them.

pub(crate) mod clamp;
pub(crate) mod language;
pub(crate) mod opponent;
pub(crate) mod options;
pub(crate) mod pattern;
pub(crate) mod review;
pub(crate) mod scorecard;
