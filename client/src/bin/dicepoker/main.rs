//! The `dicepoker` command line: every call of the service, a game against it in the terminal,
//! simulations and a bench.
//!
//! `args` is what may be typed; each command is a module of `commands` and works on a `Client`,
//! which is a connection or, with `--embedded`, the service in this process; `draw` and `output`
//! are what comes out.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod draw;
mod failure;
mod output;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Cli, Command};
use crate::failure::Failure;
use crate::output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output::new(cli.global.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output.failure(&Failure::Io(error)),
    };
    match runtime.block_on(run(cli, output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.failure(&failure),
    }
}

async fn run(cli: Cli, output: Output) -> Result<(), Failure> {
    let global = cli.global;
    match cli.command {
        Command::Score(args) => commands::score::run(&global.client().await?, args, output).await,
        Command::Moves(args) => commands::moves::run(&global.client().await?, args, output).await,
        Command::Suggest(args) => {
            commands::suggest::run(&global.client().await?, args, output).await
        }
        Command::Apply(args) => commands::apply::run(&global.client().await?, args, output).await,
        Command::Rulesets(args) => {
            commands::rulesets::run(&global.client().await?, args, output).await
        }
        Command::Play(args) => commands::play::run(&global.client().await?, args, output).await,
        Command::Simulate(args) => {
            let patient = global.timeout.is_none();
            commands::simulate::run(&global.client().await?, args, patient, output).await
        }
        Command::Review(args) => commands::review::run(&global.client().await?, args, output).await,
        Command::Turn(args) => commands::turn::run(&global.client().await?, args, output).await,
        Command::Validate(args) => {
            commands::validate::run(&global.client().await?, args, output).await
        }
        Command::Bench(args) => commands::bench::run(&global, args, output).await,
        Command::Completions { shell } => {
            clap_complete::generate(
                shell,
                &mut Cli::command(),
                "dicepoker",
                &mut std::io::stdout().lock(),
            );
            Ok(())
        }
    }
}
