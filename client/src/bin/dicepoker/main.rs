//! The `dicepoker` command line: every call of the service, games in the terminal, simulations.
//!
//! `cli` is the list of commands; `args` the arguments that several commands share. A command is a
//! module of `commands` and works on a `Client`: a connection or, with `--embedded`, the service in
//! this process. `moment` looks up the ruleset that typed dice belong to. `documents` is the JSON
//! that commands write for each other; `draw` and `output` print.

#![forbid(unsafe_code)]

mod args;
mod cli;
mod commands;
mod documents;
mod draw;
mod failure;
mod moment;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output::new(cli.global.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output.failure(&Failure::Io(error)),
    };
    match runtime.block_on(cli.run(output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.failure(&failure),
    }
}
