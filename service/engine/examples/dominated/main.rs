//! Counts the moves that another one beats whatever the dice show, in games of every level at the
//! built-in score sheets. There should be none.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example dominated [-- --games 2000 [yatzy ...]]
//! ```

mod faults;

use std::time::Instant;

use dicepoker_engine::opponent::{LEVELS, Opponent};
use dicepoker_engine::parallel::share;
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Simulation;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut games = 2_000u64;
    if arguments.first().is_some_and(|first| first == "--games") {
        games = arguments.get(1).and_then(|n| n.parse().ok()).expect("a number of games");
        arguments.drain(..2);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for ruleset in Ruleset::built_in() {
        if !arguments.is_empty() && !arguments.contains(&ruleset.id) {
            continue;
        }
        let sheet = Sheet::new(ruleset.definition).expect("sound");
        let Ok(solution) = Solution::solve(&sheet, threads) else {
            println!("{}: not solved within the budget", ruleset.id);
            continue;
        };
        let begun = Instant::now();
        let solved = SolvedSheet::new(&sheet, &solution);
        let counts: Vec<(u32, usize)> =
            (1..=LEVELS).map(|level| play(solved, &ruleset.id, level, games, threads)).collect();
        let faults: Vec<u32> = counts.iter().map(|count| count.0).collect();
        let moves: usize = counts.iter().map(|count| count.1).sum();
        println!(
            "{}: {games} games a level, {moves} moves, {faults:?} of levels 1 to {LEVELS}; {:.0?}",
            ruleset.id,
            begun.elapsed()
        );
    }
}

/// The faults and the moves in games of a level.
fn play(
    solved: SolvedSheet<'_>,
    ruleset: &str,
    level: u8,
    games: u64,
    threads: usize,
) -> (u32, usize) {
    let skill = Opponent::Level(level).skill(Some(ruleset), solved.points_a_turn());
    let cap = if level < 6 { f64::INFINITY } else { 0.5 };
    let start = Position::start(solved.sheet(), 1);
    let simulation = Simulation::new(solved, start.clone(), 31);
    let counts = share(threads, 0..games, |next| {
        let (mut faults, mut moves) = (0, 0);
        while let Some(number) = next() {
            let mut before = start.clone();
            for (_, turn) in simulation.record(&[&skill], number) {
                faults += faults::count(solved.sheet(), &before, &turn, cap);
                moves += turn.steps.len();
                before = turn.end;
            }
        }
        (faults, moves)
    });
    counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
}
