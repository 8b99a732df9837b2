//! The memory of a server with the rulesets that are solved at its start, and with every table of every built-in
//! ruleset.

use std::io;
use std::path::Path;

use dicepoker_proto::v1 as proto;
use serde_json::json;

use crate::server::{self, mebibytes};

/// Measures `program`, and prints mebibytes.
pub async fn run(program: &Path) -> io::Result<()> {
    let other = |error: tonic::Status| io::Error::other(error.to_string());
    let at_start = server::start_with(program, &[]);
    let listed = at_start.client().await.list_rulesets(proto::ListRulesetsRequest::default()).await;
    let listed = listed.map_err(other)?.into_inner().rulesets;
    let ids: Vec<_> = listed.into_iter().map(|ruleset| ruleset.id).collect();
    let ready = mebibytes(at_start.memory());
    server::stop(&at_start);
    let every = format!("{},objectives", ids.join(","));
    let with_tables = server::start_with(program, &[("DICEPOKER_SOLVE_AT_START", &every)]);
    println!(
        "{:#}",
        json!({
            "rulesets": ids.len(),
            "mib_when_ready": ready,
            "mib_with_every_table": mebibytes(with_tables.memory()),
            // With what making the tables takes meanwhile.
            "mib_at_most": mebibytes(with_tables.peak_memory()),
            "seconds_of_cpu": with_tables.cpu().as_secs_f64(),
        })
    );
    server::stop(&with_tables);
    Ok(())
}
