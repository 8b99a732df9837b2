//! The commands: each takes its arguments and a client, asks, and prints.

pub(crate) mod apply;
pub(crate) mod bench;
pub(crate) mod moves;
pub(crate) mod play;
pub(crate) mod played;
pub(crate) mod review;
pub(crate) mod rulesets;
pub(crate) mod score;
pub(crate) mod simulate;
pub(crate) mod suggest;
pub(crate) mod turn;
pub(crate) mod validate;
