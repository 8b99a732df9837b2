//! Makes the tables of levels in `data/levels`, with the page `LEVELS.md`: for each built-in game the
//! settings of every level, chosen so that levels rise in even steps, and the results of games with them.
//! Takes the ids of score sheets, `poquer-tradicional` and `showdown`; without ids it makes all tables:
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example calibrate [-- [--games N] [--threads N] [ID...]]
//! ```
//!
//! `N` is the number of games a level, 4,000 by default; in the race half as many against each opponent.

mod measure;
mod race;
mod rates;
mod report;
mod score_sheet;
mod showdown;

use std::path::{Path, PathBuf};

use dicepoker_engine::opponent::Calibration;
use dicepoker_engine::race::opponent::RaceCalibration;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::showdown::ShowdownTables;

use crate::measure::Effort;

fn main() -> std::io::Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut effort = Effort { games: 4_000, threads };
    let mut wanted = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).expect("a number");
        match argument.as_str() {
            "--games" => effort.games = number(),
            "--threads" => effort.threads = number() as usize,
            _ => wanted.push(argument),
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/levels");
    let file = |id: &str| -> PathBuf { folder.join(format!("{id}.toml")) };
    let is_wanted = |id: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == id);
    let sheets = || Ruleset::built_in().into_iter().filter(|r| Calibration::is_kept(&r.id));
    for ruleset in sheets().filter(|ruleset| is_wanted(&ruleset.id)) {
        let table = score_sheet::calibrate(ruleset, effort);
        println!("{}", report::sheet(&table));
        std::fs::write(file(&table.ruleset), document(&table))?;
    }
    if is_wanted(race::ID) {
        let table = race::calibrate(effort);
        println!("{}", report::race(&table));
        std::fs::write(file(race::ID), document(&table))?;
    }
    if is_wanted(showdown::ID) {
        let tables = showdown::calibrate(effort);
        println!("{}", report::showdowns(&tables));
        std::fs::write(file(showdown::ID), document(&tables))?;
    }
    // The page has all tables, also those made by earlier runs.
    let read = |id: &str| std::fs::read_to_string(file(id));
    let mut page = report::HEAD.to_owned();
    for ruleset in sheets() {
        page += &report::sheet(&toml::from_str(&read(&ruleset.id)?).expect("a table"));
    }
    let race: RaceCalibration = toml::from_str(&read(race::ID)?).expect("a table");
    let showdowns: ShowdownTables = toml::from_str(&read(showdown::ID)?).expect("a table");
    page += &(report::race(&race) + &report::showdowns(&showdowns));
    std::fs::write(folder.join("LEVELS.md"), page)
}

fn document(table: &impl serde::Serialize) -> String {
    toml::to_string(table).expect("a table has the shape of a document")
}
