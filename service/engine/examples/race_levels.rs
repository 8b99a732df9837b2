//! Measures how often each level of the race beats the next one and the turn-greedy player: games
//! of two players, half of them with the seats changed. Takes the number of games a row:
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example race_levels [-- GAMES]
//! ```

use std::ops::ControlFlow;

use dicepoker_engine::opponent::{LEVELS, RaceTemper, simulate_race};
use dicepoker_engine::race::{RacePosition, RaceRules};

fn main() {
    let games = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(1000u64);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = RacePosition::start(RaceRules::default(), 2);
    let beats = |one: RaceTemper, other: RaceTemper| {
        let players = [one, other];
        let changed = [players[1], players[0]];
        let run = |players: &[RaceTemper], seed| {
            simulate_race(&start, players, games / 2, seed, threads, |_| ControlFlow::Continue(()))
                .expect("nothing stops it")
        };
        let (first, second) = (run(&players, 1), run(&changed, 2));
        f64::midpoint(first.seats[0].win_share().value, second.seats[1].win_share().value)
    };
    println!("| level | beats the next | beats the greedy |\n|---|---|---|");
    for level in 1..=LEVELS {
        let player = RaceTemper::level(level);
        let next = 100.0 * beats(player, RaceTemper::level(level + 1));
        println!("| {level} | {next:.1} % | {:.1} % |", 100.0 * beats(player, RaceTemper::GREEDY));
    }
}
