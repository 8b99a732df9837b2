//! Times of solving, advice and scoring: `cargo bench -p dicepoker-engine`.
//!
//! Criterion reports each, and a table follows with the least time of each and its ratio to two
//! yardsticks of the same run: a turn in the plain solver, and a loop that only loads vectors from
//! the first-level cache, which bounds how fast a turn of a vector of cards can be. The least time
//! is the one least disturbed by other processes. Work on one thread is timed by its processor
//! time, other work by wall time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use dicepoker_engine::advice::Advisor;
use dicepoker_engine::moves::Move;
use dicepoker_engine::objective::{Forecast, Objective, ObjectivePlayer, TargetChances};
use dicepoker_engine::opponent::{Skill, standard_skill};
use dicepoker_engine::position::{Position, RawPosition};
use dicepoker_engine::ruleset::{Ruleset, SolveWhen};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_engine::sheet::{CardState, Scores, Sheet};
use dicepoker_engine::solve::{
    Estimate, Isa, Leaf, Reference, Solution, Solver, TurnTables, Values,
};
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{Player, Simulation};
use pulp::{Simd, WithSimd};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let mut criterion = Criterion::default()
        .configure_from_args()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    let mut table = Table::default();
    yardsticks(&mut criterion, &mut table);
    solving(&mut criterion, &mut table);
    deciding(&mut criterion, &mut table);
    playing(&mut criterion, &mut table);
    criterion.final_summary();
    if filter.is_none() {
        aims(&mut table);
        table.print();
    }
}

/// The least times, in nanoseconds.
#[derive(Default)]
struct Table {
    rows: Vec<(String, f64)>,
    plain_turn: f64,
    load: f64,
}

impl Table {
    /// Times `work` for the table and for Criterion.
    fn bench<T>(&mut self, criterion: &mut Criterion, name: &str, work: impl FnMut() -> T) -> f64 {
        self.bench_by(criterion, name, thread_time, work)
    }

    /// The same by another clock.
    fn bench_by<T>(
        &mut self,
        criterion: &mut Criterion,
        name: &str,
        clock: impl Fn() -> Duration,
        mut work: impl FnMut() -> T,
    ) -> f64 {
        let start = Instant::now();
        let mut least = f64::INFINITY;
        let mut batch = 1u32;
        while start.elapsed() < Duration::from_millis(500) {
            let once = clock();
            for _ in 0..batch {
                black_box(work());
            }
            let took = (clock() - once).as_nanos() as f64;
            // Batches of some microseconds, so that the clock itself does not count.
            if took < 20_000.0 {
                batch *= 2;
            } else {
                least = least.min(took / f64::from(batch));
            }
        }
        criterion.bench_function(name, |bencher| bencher.iter(&mut work));
        self.rows.push((name.to_owned(), least));
        least
    }

    /// Times `work` that takes seconds: the least of three, for the table alone.
    fn bench_long<T>(&mut self, name: &str, clock: impl Fn() -> Duration, work: impl Fn() -> T) {
        let times = (0..3).map(|_| {
            let once = clock();
            black_box(work());
            (clock() - once).as_nanos() as f64
        });
        self.rows.push((name.to_owned(), times.fold(f64::INFINITY, f64::min)));
    }

    fn print(&self) {
        println!("{:42} {:>12} {:>12} {:>14}", "what", "least", "plain turns", "vector loads");
        for (name, least) in &self.rows {
            println!(
                "{name:42} {:>12} {:>12.3} {:>14.0}",
                human(*least),
                least / self.plain_turn,
                least / self.load
            );
        }
    }
}

/// The processor time of this thread.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn human(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.1} ns"),
        n if n < 1e6 => format!("{:.2} us", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}

fn sheet(id: &str) -> Sheet {
    let mut rulesets = Ruleset::built_in().into_iter();
    let ruleset = rulesets.find(|ruleset| ruleset.id == id).expect("built in");
    Sheet::new(ruleset.definition).expect("sound")
}

/// Adds up as many vectors as a turn has rows, repeatedly.
struct Loads<'a>(&'a [f32]);

impl WithSimd for Loads<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let (vectors, _) = S::as_simd_f32s(self.0);
        let mut sums = [simd.splat_f32s(0.0); 12];
        for vectors in vectors.chunks_exact(12) {
            for (sum, &vector) in sums.iter_mut().zip(vectors) {
                *sum = simd.add_f32s(*sum, vector);
            }
        }
        let sum = sums.into_iter().fold(simd.splat_f32s(0.0), |a, b| simd.add_f32s(a, b));
        simd.reduce_sum_f32s(sum)
    }
}

fn yardsticks(criterion: &mut Criterion, table: &mut Table) {
    let sheet = sheet("yatzy");
    let leaf: Leaf = (0..sheet.space().rolls()).map(|roll| roll as f64).collect();
    table.plain_turn = table.bench(criterion, "yardstick/plain turn", || {
        TurnTables::solve(sheet.space(), 3, leaf.clone(), None).start()
    });
    // As many vectors as a turn has rows, at a boundary of 64 bytes.
    let rows = 456;
    let memory = vec![1f32; rows * 16 + 16];
    let start = memory.as_ptr().align_offset(64);
    let rows_of_turn = &memory[start..start + rows * 16];
    let arch = pulp::Arch::new();
    let pass = table.bench(criterion, "yardstick/456 vector loads", || {
        arch.dispatch(Loads(black_box(rows_of_turn)))
    });
    table.load = pass / rows as f64;
}

fn solving(criterion: &mut Criterion, table: &mut Table) {
    println!("instructions: {:?}", Isa::best());
    for ruleset in Ruleset::built_in() {
        let make = || Sheet::new(ruleset.definition.clone()).expect("sound");
        table.bench(criterion, &format!("sheet/{}", ruleset.id), make);
        if ruleset.solve == SolveWhen::OnDemand {
            continue;
        }
        let sheet = make();
        let expected = Solution::solve(&sheet, 1).expect("within the budget");
        for threads in [1, 2] {
            let name = format!("solve/{}/{threads}", ruleset.id);
            let wall = Instant::now();
            let clock = || if threads == 1 { thread_time() } else { wall.elapsed() };
            let least = table.bench_by(criterion, &name, clock, || {
                let solution = Solution::solve(&sheet, threads).expect("within the budget");
                assert_eq!(solution.value(CardState::EMPTY), expected.value(CardState::EMPTY));
                solution
            });
            if threads == 1 {
                let loads = Estimate::of(&ruleset.definition).work as f64 * table.load;
                println!("{name}: {:.0} % of the load-port bound", 100.0 * loads / least);
            }
        }
    }
    let sheet = sheet("yatzy");
    for isa in Isa::available() {
        let solver = Solver { isa, ..Solver::default() };
        table.bench(criterion, &format!("solve/yatzy/1/{isa:?}"), || solver.solve(&sheet));
    }
}

/// A card with some rows filled, early in the game: most categories are open.
fn position(sheet: &Sheet, rolls_left: u32) -> Position {
    let entry = |category: &str, points| RawEntry {
        category: category.to_owned(),
        points: vec![points],
        ..RawEntry::default()
    };
    let card = RawScorecard {
        entries: vec![entry("twos", 6), entry("full_house", 25)],
        ..RawScorecard::default()
    };
    // Five different faces have the most keeps.
    let raw = RawPosition {
        dice: vec![1, 2, 3, 4, 6],
        rolls_left,
        scorecards: vec![card],
        ..RawPosition::default()
    };
    Position::parse(sheet, &raw).expect("possible")
}

fn deciding(criterion: &mut Criterion, table: &mut Table) {
    for id in ["dice-poker-13", "dice-poker-15", "yahtzee"] {
        let sheet = sheet(id);
        let solution = Solution::solve(&sheet, 2).expect("within the budget");
        let mut advisor = Advisor::new();
        for rolls_left in [2, 1, 0] {
            let position = position(&sheet, rolls_left);
            table.bench(criterion, &format!("rank/{id}/{rolls_left}"), || {
                let ranked = advisor.rank(&sheet, &solution, black_box(&position));
                assert!(ranked[0].regret == 0.0 && ranked.len() >= 9);
                ranked[0].chosen
            });
        }
        let roll = sheet.space().roll_of(&[1, 3, 2, 4, 4]).expect("a roll");
        let card = position(&sheet, 0).card().state(&sheet);
        let mut scores = Scores::new();
        table.bench(criterion, &format!("score/{id}"), || {
            sheet.score_all(black_box(card), black_box(roll), false, &mut scores);
            scores[3].gain.points
        });
        let best = advisor.rank(&sheet, &solution, &position(&sheet, 2))[0].chosen;
        assert!(matches!(best, Move::Keep(_)));
    }
    let sheet = sheet("yacht");
    table.bench(criterion, "plain solver/yacht, one turn", || {
        let reference = REFERENCE.get_or_init(|| Reference::solve(&sheet));
        reference.turn(&sheet, CardState::EMPTY).map(|turn| turn.start())
    });
}

/// Opponents, at a game of fifteen rows.
fn playing(criterion: &mut Criterion, table: &mut Table) {
    let sheet = sheet("yatzy");
    let solution = Solution::solve(&sheet, 2).expect("within the budget");
    let game = SolvedSheet::new(&sheet, &solution);
    let alone = Position::start(&sheet, 1);
    let turns = Simulation::new(game, alone.clone(), 1).record(&[&Skill::PERFECT], 0);
    assert_eq!(turns.len(), 15);
    let steps = turns.iter().flat_map(|(_, turn)| &turn.steps);
    let moves: Vec<_> = steps.map(|step| (step.chosen, step.thrown.clone())).collect();
    table.bench(criterion, "review/yatzy, a game of 15 turns", || {
        let review = game.review(black_box(&alone), black_box(&moves)).expect("a game");
        assert!(review.game_over);
        review.players[0].luck
    });
    let level = standard_skill(5, game.points_a_turn());
    table.bench(criterion, "level 5/yatzy, a whole turn", || {
        game.play_turn(&level, black_box(&alone), 7).steps.len()
    });
    let forecast = Forecast::solve(&game, 2);
    let throw = alone.legal_moves(&sheet).next().expect("the throw of all dice");
    let at = alone.play(&sheet, throw, &[1, 1, 6, 6, 6]).expect("legal").position;
    table.bench(criterion, "reasons/yatzy", || game.explain(&forecast, black_box(&at), None));
    // After six rounds, so that nothing is solved to its end.
    let mut table_of_two = Position::start(&sheet, 2);
    for seed in 0..12 {
        table_of_two = game.play_turn(&Skill::PERFECT, &table_of_two, seed).end;
    }
    let start = table_of_two;
    let to_win = ObjectivePlayer::new(Objective::Win, &forecast);
    table.bench(criterion, "to win/yatzy, a whole turn after six rounds", || {
        to_win.take_turn(&game, black_box(&start), 7).steps.len()
    });
}

/// The tables that the first request with an objective waits for: the forecast of scores and, for a
/// target, the chances to reach it.
fn aims(table: &mut Table) {
    for ruleset in Ruleset::built_in() {
        if ruleset.solve == SolveWhen::OnDemand {
            continue;
        }
        let sheet = sheet(&ruleset.id);
        let solution = Solution::solve(&sheet, 2).expect("within the budget");
        let game = SolvedSheet::new(&sheet, &solution);
        let forecast = Forecast::solve(&game, 2);
        for threads in [1, 2] {
            let wall = Instant::now();
            let clock = || if threads == 1 { thread_time() } else { wall.elapsed() };
            let named = |what: &str| format!("{what}/{}/{threads}", ruleset.id);
            table.bench_long(&named("forecast"), clock, || Forecast::solve(&game, threads));
            table.bench_long(&named("reach"), clock, || {
                TargetChances::solve(&game, &forecast, threads)
            });
        }
    }
}

static REFERENCE: std::sync::OnceLock<Reference> = std::sync::OnceLock::new();
