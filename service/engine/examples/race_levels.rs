//! Makes the levels of the race: finds the temperature of each such that it wins its place on an
//! even ladder against the turn-greedy player, measures how often each level beats the next one
//! and that player, and writes the table that is compiled in. Games are of two players, half of
//! them with the seats changed.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example race_levels [-- GAMES [THREADS]]
//! ```
//!
//! `GAMES` a figure; with `-- measure GAMES` the settings stay as they are.

use std::ops::ControlFlow;
use std::path::Path;

use dicepoker_engine::opponent::LEVELS;
use dicepoker_engine::race::opponent::{
    RaceCalibration, RaceLevelRecord, RaceObjective, RaceSkill, simulate_race,
};
use dicepoker_engine::race::{RacePosition, RaceRules};

/// Share of the games that the lowest level wins against turn-greedy.
const LOWEST: f64 = 0.05;
/// The last level that looks at points and not at the probability to win.
const LAST_OF_POINTS: u8 = 4;
/// Games by which a temperature is judged, the same dice for all.
const TRIAL_GAMES: u64 = 300;
/// Halvings of the range of temperatures.
const TRIALS: u32 = 6;
/// Seed of the games that are reported.
const SEED: u64 = 1;
/// Seed of the trials, another one so that no level is fitted to the games it is measured by.
const TRIAL_SEED: u64 = 2;

/// Plays games on so many threads.
struct Table {
    threads: usize,
}

impl Table {
    /// The share of `games` that `one` wins against `other`, and its mean points.
    fn share(&self, one: RaceSkill, other: RaceSkill, games: u64, seed: u64) -> (f64, f64) {
        let start = RacePosition::start(RaceRules::default(), 2);
        let seats = [[one, other], [other, one]];
        let mut share = (0.0, 0.0);
        for (seat, (players, part)) in seats.iter().zip([0, 1]).enumerate() {
            let seed = 10 * seed + part;
            let go_on = |_: &_| ControlFlow::Continue(());
            let tally = simulate_race(&start, players, 0..games / 2, seed, self.threads, go_on);
            let tally = &tally.expect("nothing stops it").players[seat];
            share.0 += tally.win_share().value / 2.0;
            share.1 += tally.mean().value / 2.0;
        }
        share
    }

    /// The settings of `level`, its temperature such that it wins `wanted` against turn-greedy.
    fn fit(&self, level: u8, wanted: f64) -> RaceSkill {
        let of = |temperature: f64| match level <= LAST_OF_POINTS {
            true => RaceSkill {
                objective: RaceObjective::Points,
                temperature: rounded(temperature, 100.0),
                cap: rounded(5.0 * temperature, 10.0),
            },
            false => RaceSkill {
                objective: RaceObjective::Win,
                temperature: rounded(temperature, 100_000.0),
                cap: rounded(8.0 * temperature, 1000.0),
            },
        };
        let (mut low, mut high) = if level <= LAST_OF_POINTS { (1.0, 12.0) } else { (0.0, 0.02) };
        for _ in 0..TRIALS {
            let middle = f64::midpoint(low, high);
            let (share, _) = self.share(of(middle), RaceSkill::GREEDY, TRIAL_GAMES, TRIAL_SEED);
            if share > wanted { low = middle } else { high = middle }
        }
        of(f64::midpoint(low, high))
    }
}

fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

fn main() -> std::io::Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let measure = args.first().is_some_and(|word| word == "measure");
    if measure {
        args.remove(0);
    }
    let number = |at: usize| args.get(at).and_then(|word| word.parse::<u64>().ok());
    let games = number(0).unwrap_or(4000);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let table = Table { threads: number(1).map_or(cores, |threads| threads as usize) };
    let (best, _) = table.share(RaceSkill::STRONGEST, RaceSkill::GREEDY, games, TRIAL_SEED);
    let logit = |share: f64| (share / (1.0 - share)).ln();
    let skills: Vec<RaceSkill> = (1..=LEVELS)
        .map(|level| {
            if measure {
                return RaceSkill::level(level);
            }
            let step = f64::from(level - 1) / f64::from(LEVELS - 1);
            let wanted = logit(LOWEST) * (1.0 - step) + logit(best) * step;
            match level {
                LEVELS => RaceSkill::STRONGEST,
                _ => table.fit(level, 1.0 / (1.0 + (-wanted).exp())),
            }
        })
        .collect();
    println!("| level | beats the next | beats the greedy | points |\n|---|---|---|---|");
    let levels = (1..=LEVELS).zip(&skills).map(|(level, &skill)| {
        let next = skills.get(usize::from(level));
        let next = next.map_or(0.5, |&next| table.share(skill, next, games, SEED).0);
        let (greedy, mean) = table.share(skill, RaceSkill::GREEDY, games, SEED);
        println!("| {level} | {:.1} % | {:.1} % | {mean:.0} |", 100.0 * next, 100.0 * greedy);
        RaceLevelRecord {
            level,
            beats_next: rounded(next, 10_000.0),
            beats_greedy: rounded(greedy, 10_000.0),
            mean: rounded(mean, 10.0),
            skill,
        }
    });
    let levels = levels.collect();
    let ruleset = "poquer-tradicional".to_owned();
    let text = toml::to_string(&RaceCalibration { ruleset, games, seed: SEED, levels });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/levels/poquer-tradicional.toml");
    std::fs::write(path, text.expect("a table has the shape of a document"))
}
