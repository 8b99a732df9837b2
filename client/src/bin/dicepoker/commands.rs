//! The commands: each takes a client and its arguments, calls the service, and prints the response.

pub(crate) mod analyze;
pub(crate) mod apply;
pub(crate) mod explore;
pub(crate) mod moves;
pub(crate) mod play;
pub(crate) mod review;
pub(crate) mod rulesets;
pub(crate) mod score;
pub(crate) mod simulate;
pub(crate) mod suggest;
pub(crate) mod turn;
pub(crate) mod validate;
