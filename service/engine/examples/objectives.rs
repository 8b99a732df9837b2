//! Measures play for an objective: how often a target is reached, and the chance that the table
//! gives before the first throw; and how often a player who plays to win beats one who plays for
//! points. Takes numbers of games, and a ruleset and targets other than those of `yatzy`:
//! ```text
//! cargo run --release -p dicepoker-engine --example objectives [-- TARGET_GAMES PAIRS_OF_GAMES [RULESET TARGET...]]
//! ```

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use dicepoker_engine::objective::{Forecast, Objective, ObjectivePlayer, TargetChances};
use dicepoker_engine::parallel::share;
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{Player, Simulation};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| arguments.get(i).map(|text| text.parse().expect("a number"));
    let (games, pairs) = (number(0).unwrap_or(100_000), number(1).unwrap_or(500_000));
    let id = arguments.get(2).map_or("yatzy", String::as_str);
    let targets: Vec<u64> = (3..).map_while(number).collect();
    let targets = if targets.is_empty() { vec![200, 300] } else { targets };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
    let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
    let values = Solution::solve(&sheet, threads).expect("within the budget");
    let game = SolvedSheet::new(&sheet, &values);
    let began = Instant::now();
    let forecast = Forecast::solve(&game, threads);
    println!("forecast: {:?}, {} bytes", began.elapsed(), forecast.bytes());
    let began = Instant::now();
    let forecast = forecast.with_target_chances(&game, threads);
    let bytes = forecast.target_chances().map_or(0, TargetChances::bytes);
    println!("reach: {:?}, {bytes} bytes", began.elapsed());

    for target in targets.into_iter().map(|target| target as i32) {
        if let Some(reach) = forecast.target_chances() {
            let chance = reach.chance(&game, &forecast, CardState::EMPTY, target.into());
            println!("{target}: {:.2} % by the table", 100.0 * chance);
        }
        for objective in [Objective::ExpectedScore, Objective::ReachTarget(target)] {
            let player = ObjectivePlayer::new(objective, &forecast);
            let began = Instant::now();
            let simulation = Simulation::new(game, Position::start(&sheet, 1), 1);
            let tally = simulation
                .on_threads(threads)
                .run(&[&player], 0..games, |_| ControlFlow::Continue(()))
                .expect("nothing stops it");
            let seat = &tally.players[0];
            let reached = seat.games_from(target);
            let share = reached as f64 / games as f64;
            let error = (share * (1.0 - share) / games as f64).sqrt();
            println!(
                "{objective:?}: {target} reached in {:.2} % ± {:.2}, mean {:.1}; {:.1} µs a decision",
                100.0 * share,
                196.0 * error,
                seat.mean().value,
                micros(began, threads) / seat.decisions() as f64
            );
        }
    }
    if pairs > 0 {
        head_to_head(game, &forecast, pairs, threads);
    }
}

/// Pairs of games with the same dice and the seats exchanged, which cancels the luck of a seat.
fn head_to_head(game: SolvedSheet<'_>, forecast: &Forecast, pairs: u64, threads: usize) {
    let simulation = Simulation::new(game, Position::start(game.sheet(), 2), 1);
    let (win, score) = (
        ObjectivePlayer::new(Objective::Win, forecast),
        ObjectivePlayer::new(Objective::ExpectedScore, forecast),
    );
    // Halves of a game won in a pair, from 0 to 4.
    let counts: [AtomicU64; 5] = Default::default();
    let halves = |players: [&dyn Player; 2], number: u64, seat: usize| -> usize {
        let turns = simulation.record(&players, number);
        let cards = turns.last().expect("a game has turns").1.end.cards();
        let totals: Vec<i32> =
            cards.iter().map(|card| card.totals(game.sheet()).grand_total()).collect();
        match totals[seat].cmp(&totals[1 - seat]) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        }
    };
    let began = Instant::now();
    share(threads, 0..pairs, |next| {
        while let Some(number) = next() {
            let won = halves([&win, &score], number, 0) + halves([&score, &win], number, 1);
            counts[won].fetch_add(1, Ordering::Relaxed);
        }
    });
    let counts = counts.map(AtomicU64::into_inner);
    let share = |power: i32| -> f64 {
        let sum = counts.iter().enumerate();
        sum.map(|(won, &n)| (won as f64 / 4.0).powi(power) * n as f64).sum::<f64>() / pairs as f64
    };
    let error = ((share(2) - share(1).powi(2)) / pairs as f64).sqrt();
    println!(
        "Win against ExpectedScore: {:.3} % ± {:.3} of {} games; {:.1} µs a decision of both",
        100.0 * share(1),
        196.0 * error,
        2 * pairs,
        micros(began, threads)
            / (pairs as usize * 2 * 2 * game.sheet().categories().len() * 3) as f64
    );
}

fn micros(began: Instant, threads: usize) -> f64 {
    began.elapsed().as_secs_f64() * 1e6 * threads as f64
}
