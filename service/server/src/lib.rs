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
mod race;
mod score_sheet;
mod serve;
pub mod service;
mod telemetry;
mod wire;

use std::process::ExitCode;

use clap::Parser;
use tracing::error;

use crate::config::Config;

/// Runs the service until it is told to stop: SIGTERM or SIGINT.
pub fn main() -> ExitCode {
    let config = Config::parse();
    telemetry::init(&config);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(reason) => {
            error!(%reason, "cannot start the runtime");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(serve::run(&config)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            error!(%reason, "stopped");
            ExitCode::FAILURE
        }
    }
}
