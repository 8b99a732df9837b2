//! Two kinds of calls in turns, so that a slow machine slows both.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::drive::{self, Connections};
use crate::scenario;
use crate::server;

/// Turns of each.
const TURNS: u32 = 5;

/// Callers in closed loops.
const CALLERS: usize = 32;

/// Makes the calls of `one` and of `other` in turns of `length`, and prints how many of each were
/// made per second of time and of the server's processor time.
pub async fn run(
    program: &Path,
    core: usize,
    one: &str,
    other: &str,
    length: Duration,
) -> io::Result<()> {
    let server = server::start_on(core, program, &[("DICEPOKER_WORKERS", "1")]);
    let error = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
    let connections = Connections::open(&server.url(), 8).await.map_err(|e| error(&e))?;
    let scenarios = scenario::all(&connections).await.map_err(|e| error(&e))?;
    let mut calls = [0.0; 2];
    let mut micros = [0.0; 2];
    for _ in 0..TURNS {
        for (i, name) in [one, other].into_iter().enumerate() {
            let found = scenarios.iter().find(|scenario| scenario.name == name);
            let found = found.ok_or_else(|| io::Error::other(format!("no scenario {name}")))?;
            let before = server.cpu();
            let outcome = drive::closed_loop(&connections, &found.calls, CALLERS, length).await;
            micros[i] += (server.cpu() - before).as_secs_f64() * 1e6;
            calls[i] += outcome.good.len() as f64;
            if outcome.failed() > 0 {
                return Err(io::Error::other(format!("{name}: {:?}", outcome.codes)));
            }
        }
    }
    server::stop(&server);
    let cpu = [micros[0] / calls[0], micros[1] / calls[1]];
    println!(
        "{:#}",
        json!({
            "scenarios": [one, other],
            "calls": calls,
            "cpu_micros_a_call": cpu,
            "calls_of_first_against_second": calls[0] / calls[1],
            "calls_of_cpu_of_first_against_second": cpu[1] / cpu[0],
        })
    );
    Ok(())
}
