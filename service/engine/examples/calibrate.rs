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
    Calibration, LEVELS, LevelRecord, NOVICE_SHARE, Profile, ProfileRecord, Skill, standard_skill,
};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{PlayerStatistics, Simulation};

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
        let table = calibrate(&ruleset.id, SolvedSheet::new(&sheet, &values));
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

fn play(game: SolvedSheet<'_>, skill: &Skill, games: u64, seed: u64) -> PlayerStatistics {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Position::start(game.sheet(), 1);
    let simulation = Simulation::new(game, start, seed).on_threads(threads);
    let tally = simulation.run(&[skill], 0..games, |_| ControlFlow::Continue(()));
    tally.expect("nothing stops it").players.remove(0)
}

fn calibrate(id: &str, game: SolvedSheet<'_>) -> Calibration {
    let optimum = game.optimum();
    let skills: Vec<Skill> = (1..=LEVELS).map(|level| fit(game, level, optimum)).collect();
    let tallies: Vec<PlayerStatistics> =
        skills.iter().map(|t| play(game, t, GAMES, SEED)).collect();
    let levels = (0..skills.len())
        .map(|i| LevelRecord {
            level: i as u8 + 1,
            mean: rounded(tallies[i].mean().value),
            deviation: rounded(tallies[i].deviation()),
            regret_per_decision: rounded(tallies[i].regret_per_decision()),
            beats_next: rounded(tallies[i].beats(tallies.get(i + 1).unwrap_or(&tallies[i]))),
            skill: skills[i],
        })
        .collect();
    let profiles = Profile::ALL
        .map(|profile| {
            let tally = play(game, &profile.skill(game.points_a_turn()), GAMES, SEED);
            ProfileRecord {
                profile,
                mean: rounded(tally.mean().value),
                deviation: rounded(tally.deviation()),
                regret_per_decision: rounded(tally.regret_per_decision()),
            }
        })
        .to_vec();
    let optimum = rounded(optimum);
    Calibration { ruleset: id.to_owned(), games: GAMES, seed: SEED, optimum, levels, profiles }
}

/// The settings of a level, its temperature such that it scores its place on the ladder.
fn fit(game: SolvedSheet<'_>, level: u8, optimum: f64) -> Skill {
    let mut skill = standard_skill(level, game.points_a_turn());
    if level == LEVELS {
        return skill;
    }
    // The mean score is the optimum less what the moves give up, which dice blur far less than
    // the score itself.
    let step = f64::from(level - 1) / f64::from(LEVELS - 1);
    let wanted = optimum * (1.0 - NOVICE_SHARE) * (1.0 - step);
    let (mut low, mut high) = (0.0, 0.5 * game.points_a_turn());
    for _ in 0..TRIALS {
        skill.temperature = f64::midpoint(low, high);
        let trial = play(game, &skill, TRIAL_GAMES, TRIAL_SEED);
        let lost = trial.regret_per_decision() * trial.decisions() as f64 / TRIAL_GAMES as f64;
        if lost < wanted {
            low = skill.temperature;
        } else {
            high = skill.temperature;
        }
    }
    let places = |points: f64| (points * 1000.0).round() / 1000.0;
    Skill {
        temperature: places(f64::midpoint(low, high)),
        caution: places(skill.caution),
        fondness: places(skill.fondness),
        cap: places(skill.cap),
        ..skill
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
            l.level, l.mean, l.deviation, l.regret_per_decision
        );
    }
    for p in &table.profiles {
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.1} | {:.2} | |",
            p.profile.id(),
            p.mean,
            p.deviation,
            p.regret_per_decision
        );
    }
    text
}
