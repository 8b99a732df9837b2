//! Measures the time of a full ranked advice, over every position of some games of the strongest
//! level.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example race_latency -- --players 2 --games 30
//! ```

use std::time::Instant;

use dicepoker_engine::race::{RacePosition, RaceRules, advise};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    let (mut players, mut games, mut rules) = (2, 30, RaceRules::default());
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{name} needs a value"));
        match name.as_str() {
            "--players" => players = value.parse().expect("a number"),
            "--games" => games = value.parse().expect("a number"),
            _ => {
                let id = name.trim_start_matches("--");
                rules.set(id, &value).unwrap_or_else(|text| panic!("{name}: {text}"));
            }
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); 5];
    for _ in 0..games {
        let mut position = RacePosition::start(rules, players);
        for _ in 0..2000 {
            // The least of three calls is the one least disturbed by other processes.
            let mut micros = f64::INFINITY;
            let mut ranked = Vec::new();
            for _ in 0..3 {
                let began = Instant::now();
                ranked = advise(&position);
                micros = micros.min(began.elapsed().as_secs_f64() * 1e6);
            }
            let kind = match (position.dice(), position.rolls_left()) {
                (None, 3) => 0,
                (None, _) => 1,
                (Some(_), left) => 4 - usize::from(left),
            };
            times[kind].push(micros);
            let Some(best) = ranked.first() else { break };
            let thrown: Vec<u8> =
                (0..best.chosen.dice_to_throw()).map(|_| rng.random_range(1..=6)).collect();
            let applied = position.apply(best.chosen, &thrown);
            let applied = applied.expect("a legal move");
            if applied.end.is_some() {
                break;
            }
            position = applied.position;
        }
    }
    let all: Vec<f64> = times.iter().flatten().copied().collect();
    let names = ["start of a turn", "after a record", "two throws left", "one left", "none left"];
    for (name, mut times) in names.into_iter().zip(times).chain([("all", all)]) {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            times.get(((times.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(0.0)
        };
        println!(
            "{name:>16}: {:6} calls, median {:6.1} µs, 99 % {:6.1} µs, most {:7.1} µs",
            times.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}
