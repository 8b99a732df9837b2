//! Dice poker: rules, scoring, exact solving and advice.
//!
//! Pure computation: no async, no I/O, no clock, no global state.

#![forbid(unsafe_code)]

pub mod dice;
pub mod race;
