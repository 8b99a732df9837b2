//! Load on a dicepoker server of this machine: `report` measures everything, `run` one scenario.

#![forbid(unsafe_code)]

mod beside;
mod compare;
mod drive;
mod frames;
mod ghz;
mod memory;
mod overload;
mod peer;
mod plot;
#[cfg(feature = "rehearsal")]
mod rehearsal;
mod report;
mod scenario;
mod server;
mod study;
mod tables;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

use crate::drive::Connections;

/// Open-loop load on a dicepoker server, measured without coordinated omission.
#[derive(Debug, Parser)]
enum Arguments {
    /// Measure everything and write a report with plots.
    Report {
        /// The server's program; it is started on a free port of 127.0.0.1.
        #[arg(long)]
        server: PathBuf,
        /// Where the report goes.
        #[arg(long, default_value = "target/load-report")]
        out: PathBuf,
        /// Length of each of some ninety measurements, in seconds; 60 at most.
        #[arg(long, default_value = "4", value_parser = seconds)]
        seconds: Duration,
        /// Connections.
        #[arg(long, default_value_t = 16)]
        connections: usize,
        /// Callers in closed loops.
        #[arg(long, default_value_t = 32)]
        callers: usize,
        /// Definitions never seen before to be solved.
        #[arg(long, default_value_t = 5)]
        unseen: u32,
    },
    /// Put the tables of a report into README.md and deploy/CAPACITY.md.
    Publish {
        /// Where the report is.
        #[arg(long, default_value = "target/load-report")]
        out: PathBuf,
        /// Where the project is.
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
    /// Write the scenarios as configurations of ghz.
    Ghz {
        /// A running server, on which games are played for their positions.
        #[arg(long, default_value = "http://127.0.0.1:50051")]
        url: String,
        /// Where they go.
        #[arg(long, default_value = "target/load-report/ghz")]
        out: PathBuf,
        /// Length of each of their measurements, in seconds; 60 at most.
        #[arg(long, default_value = "4", value_parser = seconds)]
        seconds: Duration,
    },
    /// Offer one scenario at a rate, and print what came of it as JSON.
    Run {
        /// The server's program.
        #[arg(long)]
        server: PathBuf,
        /// Scenario, such as `mixed`; one that is none prints their names.
        #[arg(long)]
        scenario: String,
        /// Calls a second.
        #[arg(long)]
        rate: f64,
        /// Length in seconds, 60 at most.
        #[arg(long, default_value = "10", value_parser = seconds)]
        seconds: Duration,
        /// Connections.
        #[arg(long, default_value_t = 16)]
        connections: usize,
    },
    /// Make two kinds of calls in turns, as many as a server on a core of its own can do.
    Compare {
        /// The server's program.
        #[arg(long)]
        server: PathBuf,
        /// The one.
        #[arg(long, default_value = "suggest/dice-poker-15")]
        one: String,
        /// The other.
        #[arg(long, default_value = "score")]
        other: String,
        /// Length of each turn in seconds, 60 at most.
        #[arg(long, default_value = "2", value_parser = seconds)]
        seconds: Duration,
        /// The server's core; run this program on another one.
        #[arg(long, default_value_t = 0)]
        core: usize,
    },
    /// Measure Score beside simulations, idle connections and noise.
    Beside {
        /// The server's program.
        #[arg(long)]
        server: PathBuf,
        /// Length of each measurement in seconds, 60 at most.
        #[arg(long, default_value = "5", value_parser = seconds)]
        seconds: Duration,
        /// The server's core; run this program on another one.
        #[arg(long, default_value_t = 0)]
        core: usize,
    },
    /// Be the clients that make the noise of `beside`.
    #[command(hide = true)]
    Noise { address: SocketAddr },
    /// Measure the memory of a server at its start and with every table of the built-in rulesets.
    Memory {
        /// The server's program.
        #[arg(long)]
        server: PathBuf,
    },
    /// Offer several times what the server can do on a core of its own.
    Overload {
        /// The server's program.
        #[arg(long)]
        server: PathBuf,
        /// Scenario; the server must be busier with it than this program.
        #[arg(long, default_value = "suggest/poquer-tradicional/first")]
        scenario: String,
        /// How many times as much, 10 at most.
        #[arg(long, default_value_t = 3.0, value_parser = times)]
        times: f64,
        /// How often peak and overload are measured, one after the other; 20 at most.
        #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=20))]
        pairs: u32,
        /// Length of each measurement in seconds, 60 at most. The burst at the beginning of an overload, which waits
        /// longer, must be less than a hundredth of it.
        #[arg(long, default_value = "5", value_parser = seconds)]
        seconds: Duration,
        /// Connections.
        #[arg(long, default_value_t = 16)]
        connections: usize,
        /// The server's core; run this program on another one.
        #[arg(long, default_value_t = 0)]
        core: usize,
        /// Settings of the server, such as `DICEPOKER_MAX_CALLS=64`.
        #[arg(long = "setting", value_parser = setting)]
        settings: Vec<(String, String)>,
    },
    /// Replace, then kill, replicas behind the project's balancing client, under load.
    #[cfg(feature = "rehearsal")]
    Rehearse {
        /// The server's program.
        #[arg(long)]
        server: PathBuf,
        /// How many times; 20 at most.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=20))]
        times: u32,
        /// Calls a second; half of what the replicas can do if left out.
        #[arg(long)]
        rate: Option<f64>,
    },
}

/// `NAME=VALUE`.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must be NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Loads are bounded.
fn times(text: &str) -> Result<f64, String> {
    let times: f64 = text.parse().map_err(|_| "must be a number".to_owned())?;
    if (1.0..=10.0).contains(&times) { Ok(times) } else { Err("must be from 1 to 10".to_owned()) }
}

/// Loads are bounded.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "must be a number of seconds".to_owned())?;
    if !(0.1..=60.0).contains(&seconds) {
        return Err("must be from 0.1 to 60".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[tokio::main]
async fn main() -> io::Result<()> {
    match Arguments::parse() {
        Arguments::Report { server, out, seconds, connections, callers, unseen } => {
            let size = report::Size { length: seconds, connections, callers, unseen };
            report::write(&server, &out, size).await?;
            println!("{}", out.join("report.md").display());
            Ok(())
        }
        Arguments::Publish { out, root } => tables::publish(&out, &root),
        Arguments::Ghz { url, out, seconds } => {
            let other = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
            let connections = Connections::open(&url, 1).await.map_err(|e| other(&e))?;
            let scenarios = scenario::all(&connections).await.map_err(|e| other(&e))?;
            ghz::write(&scenarios, &out, seconds)
        }
        Arguments::Run { server, scenario, rate, seconds, connections } => {
            let server = server::start(&server);
            let other = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
            let connections =
                Connections::open(&server.url(), connections).await.map_err(|e| other(&e))?;
            let scenarios = scenario::all(&connections).await.map_err(|e| other(&e))?;
            let Some(found) = scenarios.iter().find(|one| one.name == scenario) else {
                let names: Vec<_> = scenarios.iter().map(|one| one.name.as_str()).collect();
                return Err(io::Error::other(format!("scenarios: {}", names.join(", "))));
            };
            found.warm(&connections).await.map_err(|e| other(&e))?;
            let outcome = connections.offer(&found.calls, rate, seconds).await;
            report::print_line(&scenario, &outcome);
            println!("{:#}", report::summary(&scenario, rate, &outcome));
            server::stop(&server);
            Ok(())
        }
        Arguments::Beside { server, seconds, core } => beside::run(&server, core, seconds).await,
        Arguments::Noise { address } => {
            beside::make_noise(address).await;
            Ok(())
        }
        Arguments::Memory { server } => memory::run(&server).await,
        Arguments::Compare { server, one, other, seconds, core } => {
            compare::run(&server, core, &one, &other, seconds).await
        }
        Arguments::Overload {
            server,
            scenario,
            times,
            pairs,
            seconds,
            connections,
            core,
            settings,
        } => {
            let settings: Vec<_> =
                settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let plan = overload::Plan {
                scenario: &scenario,
                length: seconds,
                times,
                pairs,
                connections,
                core,
                settings: &settings,
            };
            overload::run(&server, &plan).await
        }
        #[cfg(feature = "rehearsal")]
        Arguments::Rehearse { server, times, rate } => rehearsal::run(&server, times, rate).await,
    }
}
