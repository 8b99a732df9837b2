//! The `dicepoker-server` program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    dicepoker_server::main()
}
