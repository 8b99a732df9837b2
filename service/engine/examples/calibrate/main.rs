//! Makes the tables of levels in `data/levels`: for each built-in ruleset that has one the
//! settings of every level, so chosen that mean scores rise in even steps, and what games with them
//! came to. Takes the ids of rulesets, or makes all tables:
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example calibrate [-- yatzy ...]
//! ```

mod rates;
mod report;

use std::path::{Path, PathBuf};

use dicepoker_engine::opponent::{
    Calibration, Errors, LEVELS, LevelRecord, NOVICE_SHARE, Profile, ProfileRecord, Skill,
    standard_skill,
};
use dicepoker_engine::parallel::share;
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{GameStatistics, Simulation};

use crate::rates::{Made, Rates};

/// Games by which a level is measured.
const GAMES: u64 = 4_000;
/// Games by which each trial of a temperature is judged; the same dice for all trials.
const TRIAL_GAMES: u64 = 150;
/// Halvings of the range of temperatures, which ends here.
const TRIALS: u32 = 8;
const HOTTEST: f64 = 4.0;
/// Seed of the games that are reported.
const SEED: u64 = 1;
/// Seed of the trials, another one so that no level is fitted to the games it is measured by.
const TRIAL_SEED: u64 = 2;

fn main() -> std::io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/levels");
    let file = |id: &str| -> PathBuf { folder.join(format!("{id}.toml")) };
    let is_wanted = |id: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == id);
    let has_levels = |ruleset: &Ruleset| Calibration::built_in(&ruleset.id).is_some();
    let rulesets = || Ruleset::built_in().into_iter().filter(has_levels);
    for ruleset in rulesets() {
        if is_wanted(&ruleset.id) {
            let sheet = Sheet::new(ruleset.definition).expect("built-in rules are sound");
            let values = Solution::solve(&sheet, 2).expect("within the budget");
            let table = calibrate(&ruleset.id, SolvedSheet::new(&sheet, &values));
            let text = toml::to_string(&table).expect("a table has the shape of a document");
            std::fs::write(file(&ruleset.id), text)?;
            println!("{}", report::sheet(&table));
        }
    }
    // The page has all tables, those made now and those made before.
    let read = |id: &str| std::fs::read_to_string(file(id));
    let mut page = report::HEAD.to_owned();
    for ruleset in rulesets() {
        page += &report::sheet(&toml::from_str(&read(&ruleset.id)?).expect("a table"));
    }
    std::fs::write(folder.join("LEVELS.md"), page)
}

/// The temperature at which `result` of a trial, which falls with it, comes to `wanted`.
fn fit(wanted: f64, result: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, HOTTEST);
    for _ in 0..TRIALS {
        let middle = f64::midpoint(low, high);
        if result(middle) > wanted { low = middle } else { high = middle }
    }
    rounded(f64::midpoint(low, high))
}

/// Games of these numbers on all threads, each counted by `play`.
fn play(
    games: u64,
    play: impl Fn(u64, &mut GameStatistics, &mut Rates) + Sync,
) -> (GameStatistics, Rates) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts = share(threads, 0..games, |next| {
        let mut part = (GameStatistics::new(1), Rates::default());
        while let Some(number) = next() {
            play(number, &mut part.0, &mut part.1);
        }
        part
    });
    let mut sum = (GameStatistics::new(1), Rates::default());
    for (statistics, rates) in parts {
        sum.0.add(&statistics);
        sum.1.add(&rates);
    }
    sum
}

/// Games of a player alone.
fn play_sheet(
    solved: SolvedSheet<'_>,
    skill: &Skill,
    games: u64,
    seed: u64,
) -> (GameStatistics, Rates) {
    let simulation = Simulation::new(solved, Position::start(solved.sheet(), 1), seed);
    play(games, |number, statistics, rates| {
        let turns = simulation.record(&[skill], number);
        let made: Vec<Vec<Made>> = turns
            .iter()
            .map(|(_, turn)| {
                let on_table = turn.steps.iter().filter(|step| step.dice.is_some());
                on_table.map(|step| Made { regret: step.regret, stake: step.stake }).collect()
            })
            .collect();
        statistics.count_moves(0, made.iter().flatten().map(|made| made.regret));
        rates.count(&made, 1e-3);
        let end = &turns.last().expect("a game has turns").1.end;
        statistics.count(&[end.cards()[0].totals(solved.sheet()).grand_total()], &[0]);
    })
}

fn calibrate(id: &str, solved: SolvedSheet<'_>) -> Calibration {
    let optimum = solved.optimum();
    let skills: Vec<Skill> = (1..=LEVELS).map(|level| fit_sheet(solved, level)).collect();
    let played: Vec<_> =
        skills.iter().map(|skill| play_sheet(solved, skill, GAMES, SEED)).collect();
    let levels = (0..skills.len())
        .map(|i| {
            let (player, next) = (&played[i].0.players[0], played.get(i + 1).unwrap_or(&played[i]));
            LevelRecord {
                level: i as u8 + 1,
                mean: rounded(player.mean().value),
                deviation: rounded(player.deviation()),
                regret_per_decision: rounded(player.regret_per_decision()),
                beats_next: rounded(player.beats(&next.0.players[0])),
                errors: played[i].1.rates(),
                skill: skills[i],
            }
        })
        .collect();
    let profiles = Profile::ALL
        .map(|profile| {
            let skill = profile.skill(solved.points_a_turn());
            let (statistics, _) = play_sheet(solved, &skill, GAMES, SEED);
            let player = &statistics.players[0];
            ProfileRecord {
                profile,
                mean: rounded(player.mean().value),
                deviation: rounded(player.deviation()),
                regret_per_decision: rounded(player.regret_per_decision()),
            }
        })
        .to_vec();
    let optimum = rounded(optimum);
    Calibration { ruleset: id.to_owned(), games: GAMES, seed: SEED, optimum, levels, profiles }
}

/// The settings of a level, its temperature such that it scores its place on the ladder.
fn fit_sheet(solved: SolvedSheet<'_>, level: u8) -> Skill {
    let skill = standard_skill(level, solved.points_a_turn());
    if level == LEVELS {
        return skill;
    }
    let hot = |temperature| {
        let errors = Errors { temperature, ..skill.errors };
        Skill { fondness: rounded(skill.fondness), errors, ..skill }
    };
    // The mean score is the optimum less the regrets, which vary far less than the score itself.
    let mean = |temperature| {
        let (trial, _) = play_sheet(solved, &hot(temperature), TRIAL_GAMES, TRIAL_SEED);
        let player = &trial.players[0];
        let decisions = player.decisions() as f64 / TRIAL_GAMES as f64;
        solved.optimum() - player.regret_per_decision() * decisions
    };
    let step = f64::from(level - 1) / f64::from(LEVELS - 1);
    hot(fit(solved.optimum() * (NOVICE_SHARE + (1.0 - NOVICE_SHARE) * step), mean))
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
