//! Between the messages of the contract and the words of the engine: nothing is decided here, only
//! translated. `read` goes inwards, `write` outwards.

pub(crate) mod definition;
pub(crate) mod explanation;
pub(crate) mod opponent;
pub(crate) mod options;
pub(crate) mod position;
pub(crate) mod race;
pub(crate) mod review;
pub(crate) mod ruleset;
