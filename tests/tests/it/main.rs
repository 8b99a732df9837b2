//! The service as a process, called over a socket.
//!
//! Expected figures come from the rules, an independent solver or publications; none is the
//! service's own output.

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
mod showdown_random;
mod totals;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use dicepoker_tests::Server;

/// The service as a program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_server-under-test");

/// The process that the running tests share, but for those that end it or load it.
static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());

/// The shared process: started for the first test that uses it, killed when the last one ends.
fn server() -> Arc<Server> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let server = Arc::new(Server::start(PROGRAM, &[]));
        *shared = Arc::downgrade(&server);
        server
    })
}
