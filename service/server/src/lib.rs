//! The dicepoker gRPC service: wire messages in, engine calls, wire messages out.
//!
//! A request flows one way. [`service`] receives it and asks [`games`] for the rules it names;
//! [`wire`] turns its message into what the engine parses into a legal position; the engine
//! answers; [`wire`] turns the answer back. Whatever goes wrong on the way is an
//! [`error::Error`], which alone knows codes and messages.

#![forbid(unsafe_code)]

pub mod config;
pub mod error;
pub mod games;
pub mod runtime;
mod score_sheet;
mod serve;
pub mod service;
mod telemetry;
mod wire;

use std::process::ExitCode;

use tracing::error;

use crate::config::{Asked, Config};

/// The exit code of a faulty configuration: EX_USAGE of sysexits.h.
const FAULTY_CONFIGURATION: u8 = 64;

/// Does what the command line asks for: as a rule, serves until SIGTERM or SIGINT.
pub fn main() -> ExitCode {
    let config = match Config::load(std::env::args_os(), std::env::vars_os()) {
        Ok(Asked::Serve(config)) => config,
        Ok(Asked::Check(_)) => {
            println!("the configuration is good");
            return ExitCode::SUCCESS;
        }
        Ok(Asked::Print(text) | Asked::Help(text)) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(faults) => {
            eprintln!("dicepoker-server: {faults}");
            return ExitCode::from(FAULTY_CONFIGURATION);
        }
    };
    telemetry::init(&config);
    match run(&config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            error!(%reason, "stopped");
            ExitCode::FAILURE
        }
    }
}

fn run(config: &Config) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    if let Err(reason) = runtime::raise_open_files() {
        tracing::warn!(%reason, "cannot raise the number of open files");
    }
    let control = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    control.block_on(serve::run(config))
}
