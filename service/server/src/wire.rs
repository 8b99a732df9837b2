//! What families read from and write to messages alike. Nothing is decided here, only translated:
//! `read` goes inwards, `write` outwards.

pub(crate) mod opponent;
pub(crate) mod options;
pub(crate) mod review;
pub(crate) mod scorecard;
