//! The dicepoker gRPC service: wire messages in, engine calls, wire messages out.
//!
//! A request passes these modules in order: [`service`] receives it and finds the rules that it
//! names in [`rulesets`]; their family (`score_sheet`, `race`, `showdown`) parses its message into
//! a legal position, calls the engine, and writes the response. Every error on the way is an
//! [`error::Error`]; only that module has codes and messages.

#![forbid(unsafe_code)]

mod analysis;
mod auth;
pub mod config;
pub mod error;
mod family;
mod limits;
mod log_filter;
mod other_services;
mod progress;
mod race;
mod reflection;
pub mod rulesets;
pub mod runtime;
mod score_sheet;
mod secrets;
mod serve;
pub mod service;
mod showdown;
mod telemetry;
mod tls;
mod wire;

use std::process::ExitCode;

use crate::config::{Action, Config, Faults};
use crate::secrets::Secrets;
use crate::telemetry::Telemetry;

/// The exit code of a faulty configuration: EX_USAGE of sysexits.h.
const FAULTY_CONFIGURATION: u8 = 64;

/// Runs the command line: by default, serves until SIGTERM or SIGINT.
pub fn main() -> ExitCode {
    let (config, secrets) = match prepare() {
        Ok(Prepared::Serve(config, secrets)) => (config, secrets),
        Ok(Prepared::Text(text)) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(faults) => {
            eprintln!("dicepoker-server: {faults}");
            return ExitCode::from(FAULTY_CONFIGURATION);
        }
    };
    match run(&config, secrets) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("dicepoker-server: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The result of reading the configuration.
enum Prepared {
    Serve(Box<Config>, Secrets),
    Text(String),
}

/// Reads the configuration and every file it names.
fn prepare() -> Result<Prepared, Faults> {
    Ok(match Config::load(std::env::args_os(), std::env::vars_os())? {
        Action::Serve(config) => {
            let secrets = Secrets::load(&config)?;
            Prepared::Serve(config, secrets)
        }
        Action::Check(config) => {
            Secrets::load(&config)?;
            Prepared::Text("the configuration is valid\n".to_owned())
        }
        Action::Print(text) | Action::Help(text) => Prepared::Text(text),
    })
}

fn run(config: &Config, secrets: Secrets) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let control = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    control.block_on(async {
        let telemetry = Telemetry::begin(config)?;
        if let Err(reason) = runtime::raise_open_files() {
            tracing::warn!(%reason, "cannot raise the number of open files");
        }
        let served = serve::run(config, secrets, &telemetry).await;
        // Exporters wait for this thread, so it must not wait for them.
        tokio::task::spawn_blocking(|| telemetry.end()).await?;
        served
    })
}
