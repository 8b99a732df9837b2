//! Measures the processor time of a full ranked advice, over every position of games of the strongest
//! level.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example race_latency -- [--players 2] [--games 30] [--moves FILE]
//! ```
//!
//! `--moves` writes the moves of each game on a line. The dice are from a fixed seed, so two builds play the
//! same game as long as they choose the same moves: each line that differs is one move that differs.

use std::fmt::Write as _;
use std::hint::black_box;

use dicepoker_engine::race::{RacePosition, RaceRules, advise};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustix::time::{ClockId, clock_gettime};

/// Moves after which a game is left unfinished.
const MOST_MOVES: usize = 2000;

fn main() {
    let (mut players, mut games, mut file) = (2, 30, None);
    let mut rules = RaceRules::default();
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{name} needs a value"));
        match name.as_str() {
            "--players" => players = value.parse().expect("a number"),
            "--games" => games = value.parse().expect("a number"),
            "--moves" => file = Some(value),
            _ => {
                let id = name.trim_start_matches("--");
                rules.set(id, &value).unwrap_or_else(|text| panic!("{name}: {text}"));
            }
        }
    }
    let mut times: [Vec<f64>; 5] = Default::default();
    let mut moves = String::new();
    for game in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(game);
        let mut position = RacePosition::start(rules, players);
        for _ in 0..MOST_MOVES {
            let begun = clock();
            let ranked = black_box(advise(black_box(&position)));
            let kind = match (position.dice(), position.rolls_left()) {
                (None, 3) => 0,
                (None, _) => 1,
                (Some(_), left) => 4 - usize::from(left),
            };
            times[kind].push(clock() - begun);
            let chosen = ranked[0].chosen;
            let _ = write!(moves, "{chosen:?} ");
            let thrown: Vec<u8> =
                (0..chosen.dice_to_throw()).map(|_| rng.random_range(1..=6)).collect();
            let applied = position.apply(chosen, &thrown).expect("a legal move");
            if applied.end.is_some() {
                break;
            }
            position = applied.position;
        }
        moves.push('\n');
    }
    let all = times.concat();
    let names = ["start of a turn", "after a record", "two throws left", "one left", "none left"];
    for (name, mut times) in names.into_iter().zip(times).chain([("all", all)]) {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            times.get(((times.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(0.0)
        };
        println!(
            "{name:>16}: {:6} calls, mean {:6.1} µs, median {:6.1} µs, 99 % {:6.1} µs, most {:7.1} µs",
            times.len(),
            times.iter().sum::<f64>() / times.len().max(1) as f64,
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    if let Some(file) = file {
        std::fs::write(file, moves).expect("a file to write");
    }
}

/// Microseconds of processor time.
fn clock() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
