//! Makes the tables of levels in `data/levels`: for each built-in ruleset the settings of every
//! level, so chosen that mean scores rise in even steps from a novice's to the optimum, and what
//! games with them came to. Takes the ids of rulesets, or makes all tables:
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example calibrate [-- yatzy ...]
//! ```

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use dicepoker_engine::opponent::{
    Calibration, Game, LEVELS, LevelRecord, NOVICE_SHARE, Profile, ProfileRecord, SeatTally,
    Simulation, Temper, standard_temper,
};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;

/// Games by which a level is measured.
const GAMES: u64 = 10_000;
/// Games by which each trial of a temperature is judged; the same dice for all trials.
const TRIAL_GAMES: u64 = 500;
/// Halvings of the range of temperatures.
const TRIALS: u32 = 9;
/// Seed of the games that are reported.
const SEED: u64 = 1;
/// Seed of the trials, another one so that no level is fitted to the games it is measured by.
const TRIAL_SEED: u64 = 2;

fn main() -> std::io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/levels");
    std::fs::create_dir_all(&folder)?;
    for ruleset in Ruleset::built_in() {
        if !wanted.is_empty() && !wanted.contains(&ruleset.id) {
            continue;
        }
        let sheet = Sheet::new(ruleset.definition).expect("built-in rules are sound");
        let values = Solution::solve(&sheet, 2).expect("within the budget");
        let table = calibrate(&ruleset.id, Game::new(&sheet, &values));
        let text = toml::to_string(&table).expect("a table has the shape of a document");
        std::fs::write(folder.join(format!("{}.toml", ruleset.id)), text)?;
        println!("{}", report(&table));
    }
    // The page tells of all tables, those made now and those made before.
    let mut page = PAGE.to_owned();
    for ruleset in Ruleset::built_in() {
        let text = std::fs::read_to_string(folder.join(format!("{}.toml", ruleset.id)))?;
        page += &report(&toml::from_str(&text).expect("a table"));
    }
    std::fs::write(folder.join("LEVELS.md"), page)
}

/// The head of the page of all tables.
const PAGE: &str = "# What players score\n\nMade by the program `calibrate`; how and why is told in \
                    `OPPONENTS.md`. Points lost are\nthose of a move where there is a choice.\n";

fn play(game: Game<'_>, temper: &Temper, games: u64, seed: u64) -> SeatTally {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Position::start(game.sheet(), 1);
    let simulation = Simulation::new(game, start, seed).on_threads(threads);
    let tally = simulation.run(&[temper], 0..games, |_| ControlFlow::Continue(()));
    tally.expect("nothing stops it").seats.remove(0)
}

fn calibrate(id: &str, game: Game<'_>) -> Calibration {
    let optimum = game.optimum();
    let tempers: Vec<Temper> = (1..=LEVELS).map(|level| fit(game, level, optimum)).collect();
    let tallies: Vec<SeatTally> = tempers.iter().map(|t| play(game, t, GAMES, SEED)).collect();
    let levels = (0..tempers.len())
        .map(|i| LevelRecord {
            level: i as u8 + 1,
            mean: rounded(tallies[i].mean().value),
            deviation: rounded(tallies[i].deviation()),
            lost_per_decision: rounded(tallies[i].lost_per_decision()),
            beats_next: rounded(tallies[i].beats(tallies.get(i + 1).unwrap_or(&tallies[i]))),
            temper: tempers[i],
        })
        .collect();
    let profiles = Profile::ALL
        .map(|profile| {
            let tally = play(game, &profile.temper(game.points_a_turn()), GAMES, SEED);
            ProfileRecord {
                profile,
                mean: rounded(tally.mean().value),
                deviation: rounded(tally.deviation()),
                lost_per_decision: rounded(tally.lost_per_decision()),
            }
        })
        .to_vec();
    let optimum = rounded(optimum);
    Calibration { ruleset: id.to_owned(), games: GAMES, seed: SEED, optimum, levels, profiles }
}

/// The settings of a level, its temperature such that it scores its place on the ladder.
fn fit(game: Game<'_>, level: u8, optimum: f64) -> Temper {
    let mut temper = standard_temper(level, game.points_a_turn());
    if level == LEVELS {
        return temper;
    }
    // The mean score is the optimum less what the moves give up, which dice blur far less than
    // the score itself.
    let step = f64::from(level - 1) / f64::from(LEVELS - 1);
    let wanted = optimum * (1.0 - NOVICE_SHARE) * (1.0 - step);
    let (mut low, mut high) = (0.0, 0.5 * game.points_a_turn());
    for _ in 0..TRIALS {
        temper.temperature = f64::midpoint(low, high);
        let trial = play(game, &temper, TRIAL_GAMES, TRIAL_SEED);
        let lost = trial.lost_per_decision() * trial.decisions() as f64 / TRIAL_GAMES as f64;
        if lost < wanted {
            low = temper.temperature;
        } else {
            high = temper.temperature;
        }
    }
    let places = |points: f64| (points * 1000.0).round() / 1000.0;
    Temper {
        temperature: places(f64::midpoint(low, high)),
        caution: places(temper.caution),
        fondness: places(temper.fondness),
        cap: places(temper.cap),
        ..temper
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn report(table: &Calibration) -> String {
    let mut text = format!(
        "\n## {} (optimum {:.2}, {} games a row)\n\n",
        table.ruleset, table.optimum, table.games
    );
    text += "| player | mean | deviation | lost a move | beats the next |\n|---|---|---|---|---|\n";
    for l in &table.levels {
        let beats = format!("{:.1} %", 100.0 * l.beats_next);
        let beats = if l.level < LEVELS { beats.as_str() } else { "" };
        let _ = writeln!(
            text,
            "| level {} | {:.1} | {:.1} | {:.2} | {beats} |",
            l.level, l.mean, l.deviation, l.lost_per_decision
        );
    }
    for p in &table.profiles {
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.1} | {:.2} | |",
            p.profile.id(),
            p.mean,
            p.deviation,
            p.lost_per_decision
        );
    }
    text
}
