//! How the servers under load are started.

#[cfg(feature = "rehearsal")]
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use dicepoker_testkit::{Server, Signal, command};
use tokio::task::block_in_place;

/// Starts `program` on a free port of 127.0.0.1 and waits until it is ready.
pub fn start(program: &Path) -> Server {
    start_with(program, &[])
}

/// As [`start`], with `settings`.
pub fn start_with(program: &Path, settings: &[(&str, &str)]) -> Server {
    ready(command(program), settings)
}

/// As [`start`], with `settings`, and confined to one core of the machine. Solving has the priority
/// of calls, and as long as it needs.
pub fn start_on(core: usize, program: &Path, settings: &[(&str, &str)]) -> Server {
    let mut taskset = command("taskset");
    taskset.args(["--cpu-list", &core.to_string()]).arg(program);
    taskset.envs([("DICEPOKER_LONG_WORK_NICE", "0"), ("DICEPOKER_MAX_CALL_SECONDS", "300")]);
    ready(taskset, settings)
}

/// As [`start`], at `address` and with `settings`.
#[cfg(feature = "rehearsal")]
pub fn start_at(program: &Path, address: SocketAddr, settings: &[(&str, &str)]) -> Server {
    let mut command = command(program);
    command.env("DICEPOKER_ADDRESS", address.to_string());
    ready(command, settings)
}

fn ready(mut command: Command, settings: &[(&str, &str)]) -> Server {
    command.envs(settings.iter().copied());
    block_in_place(|| {
        let server = Server::spawn(command);
        server.logged(&["\"ready\""]);
        server
    })
}

/// Memory as reports show it.
pub fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Ends it as operators do (SIGTERM).
///
/// # Panics
/// If it does not end well.
pub fn stop(server: &Server) {
    server.signal(Signal::TERM);
    let (status, _) = block_in_place(|| server.ended());
    assert!(status.success(), "the server ended with {status}");
}
