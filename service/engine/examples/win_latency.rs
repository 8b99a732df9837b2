//! Measures the time of ranking all moves by the chance to win, over every position of whole games of two
//! players, beside a ranking by points of the same positions; and prints the first move of each.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example win_latency -- --games 20 [--ruleset yahtzee] [--moves FILE]
//! ```
//!
//! Games are played for points from fixed seeds, so two builds rank the same positions: equal files mean
//! equal choices.

use std::fmt::Write as _;
use std::hint::black_box;

use dicepoker_engine::advice::Advisor;
use dicepoker_engine::moves::Move;
use dicepoker_engine::objective::{Forecast, Objective};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustix::time::{ClockId, clock_gettime};

/// Microseconds of processor time of one decision.
#[derive(Clone, Copy)]
struct Decision {
    /// Open rows of the player to move and of the other.
    open: [usize; 2],
    to_win: f64,
    for_points: f64,
}

fn main() {
    let (mut games, mut id, mut file) = (20u64, "yatzy".to_owned(), None);
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{name} needs a value"));
        match name.as_str() {
            "--games" => games = value.parse().expect("a number"),
            "--ruleset" => id = value,
            "--moves" => file = Some(value),
            _ => panic!("unknown: {name}"),
        }
    }
    let mut rulesets = Ruleset::built_in().into_iter();
    let ruleset = rulesets.find(|ruleset| ruleset.id == id).expect("built in");
    let sheet = Sheet::new(ruleset.definition).expect("sound");
    let solution = Solution::solve(&sheet, 2).expect("within the budget");
    let solved = SolvedSheet::new(&sheet, &solution);
    let forecast = Forecast::solve(&solved, 2);
    let mut advisor = Advisor::new();
    let (mut decisions, mut moves) = (Vec::new(), String::new());
    for game in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(game);
        let mut position = Position::start(&sheet, 2);
        while !position.card().is_complete(&sheet) {
            let (for_points, chosen) =
                least_time(|| advisor.rank(&sheet, &solution, black_box(&position))[0].chosen);
            let (to_win, ranked) = least_time(|| {
                solved.rank_by_chances(&forecast, Objective::Win, black_box(&position))
            });
            let open =
                |player: usize| sheet.categories().len() - position.cards()[player].filled().len();
            let seats = [position.to_move(), 1 - position.to_move()];
            decisions.push(Decision { open: seats.map(open), to_win, for_points });
            let first = &ranked.moves[0];
            let (win, draw) = (first.chances.win, first.chances.draw);
            writeln!(
                moves,
                "{game} {:?} {:?} {} {:?} {win:.6} {draw:.6} {:.3} {}",
                seats.map(open),
                position.dice(),
                position.rolls_left(),
                first.chosen,
                first.expected,
                ranked.exact,
            )
            .expect("memory");
            let faces = sheet.space().faces() as u8;
            let thrown = match chosen {
                Move::Keep(keep) => sheet.space().dice() - sheet.space().size(keep),
                _ => 0,
            };
            let thrown: Vec<u8> = (0..thrown).map(|_| rng.random_range(1..=faces)).collect();
            position = position.play(&sheet, chosen, &thrown).expect("legal").position;
        }
    }
    if let Some(file) = file {
        std::fs::write(file, moves).expect("written");
    }
    println!("{id}, {games} games of two; microseconds of processor time, least of three");
    for rows in 1..=sheet.categories().len() {
        print_row(&format!("{rows} rows open"), decisions.iter().filter(|d| d.open[0] == rows));
    }
    print_row("all", decisions.iter());
}

fn print_row<'a>(name: &str, of: impl Iterator<Item = &'a Decision>) {
    let of: Vec<Decision> = of.copied().collect();
    let mut times: Vec<f64> = of.iter().map(|decision| decision.to_win).collect();
    times.sort_by(f64::total_cmp);
    let mean = |times: &mut dyn Iterator<Item = f64>| times.sum::<f64>() / of.len() as f64;
    let to_win = mean(&mut times.iter().copied());
    let for_points = mean(&mut of.iter().map(|decision| decision.for_points));
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{name:>14}: {:6} decisions, to win mean {to_win:8.1}, 99 % {:8.1}, most {:8.1}; for points {for_points:6.1}; ratio {:6.1}",
        times.len(),
        at(0.99),
        at(1.0),
        to_win / for_points
    );
}

/// The least time of three runs, the least disturbed by other programs.
fn least_time<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let clock = || {
            let time = clock_gettime(ClockId::ThreadCPUTime);
            time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
        };
        let begun = clock();
        let found = work();
        (clock() - begun, found)
    };
    let (first, found) = timed();
    ((0..2).map(|_| timed().0).fold(first, f64::min), found)
}
