//! The service as its users meet it: a process of its own, and calls over a socket.
//!
//! Each module proves one part of what the service promises. Figures are the rule texts', an
//! independent solver's or published ones; none is the service's own output.

mod agreement;
mod analyze;
mod decisions;
mod definitions;
mod games;
mod golden;
mod malformed;
mod memory;
mod objectives;
mod opponents;
mod play;
mod process;
mod race;
mod random;
mod rules;
mod sheets;
mod showdown;
mod totals;

use std::sync::Arc;

use dicepoker_tests::Server;

/// The service as a program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_server-under-test");

/// The process that all modules share, but for those that end or burden it.
fn server() -> Arc<Server> {
    Server::shared(PROGRAM)
}
