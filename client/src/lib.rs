//! Typed client of the dicepoker service.

#![forbid(unsafe_code)]
