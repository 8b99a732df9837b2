//! The provenance of weights, written beside them.

use std::process::Command;

use dicepoker_engine::race::training::Net;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{recipe, train::Point};

/// The provenance of the weights.
#[derive(Serialize)]
pub(crate) struct Provenance {
    command: &'static str,
    /// The commit of the sources, and whether they had been changed since.
    commit: String,
    seed: u64,
    /// The weights made.
    pub(crate) files: Vec<File>,
    /// The steps taken.
    pub(crate) steps: Vec<Step>,
}

/// A file of weights.
#[derive(Serialize)]
pub(crate) struct File {
    file: String,
    sha256: String,
    weights: usize,
}

/// A step of the recipe and its result.
#[derive(Serialize)]
pub(crate) struct Step {
    name: String,
    games: usize,
    /// On the machine that made these weights, under other load.
    seconds: u64,
    curve: Vec<CurvePoint>,
}

#[derive(Serialize)]
struct CurvePoint {
    games: usize,
    /// Per cent won against turn-greedy, and its standard error.
    won: f64,
    error: f64,
}

impl Provenance {
    /// Of weights to be made by the sources as they are.
    pub(crate) fn new(seed: u64) -> Self {
        let git = |args: &[&str]| {
            let output = Command::new("git").args(args).output().ok()?;
            output
                .status
                .success()
                .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let commit = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
        let changed = git(&["status", "--porcelain", "--", "*.rs"]).is_some_and(|s| !s.is_empty());
        Self {
            command: "cargo run --release -p dicepoker-engine --features training --example train_race",
            commit: if changed { commit + ", changed" } else { commit },
            seed,
            files: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        let body = toml::to_string(self).expect("a provenance has the shape of a document");
        format!(
            "# Where the weights beside this file come from; made by the program `train_race`.\n{body}"
        )
    }
}

impl File {
    /// A file of these bytes.
    pub(crate) fn new(file: &str, bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        Self {
            file: file.to_owned(),
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            weights: Net::zero().numbers_mut().count(),
        }
    }
}

impl Step {
    /// A step that took so many seconds and had this curve.
    pub(crate) fn new(step: &recipe::Step, seconds: u64, curve: &[Point]) -> Self {
        let percent = |share: f64| (share * 10_000.0).round() / 100.0;
        let point = |point: &Point| CurvePoint {
            games: point.games,
            won: percent(point.share),
            error: percent(point.deviation),
        };
        let curve = curve.iter().map(point).collect();
        Self { name: step.name.clone(), games: step.games, seconds, curve }
    }
}
