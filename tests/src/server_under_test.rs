//! The service as a process that tests can start.

use std::process::ExitCode;

fn main() -> ExitCode {
    dicepoker_server::main()
}
