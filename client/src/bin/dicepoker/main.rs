//! The `dicepoker` command line.
fn main() {}
