//! Instructions of the hot paths, counted by Callgrind, independently of other load: `cargo bench
//! -p dicepoker-engine --features instructions --bench instructions`. Needs valgrind and `cargo
//! install gungraun-runner` in the version of the library. Each benchmark asserts its result.
//! Valgrind emulates AVX2 but not AVX-512.

#![allow(missing_docs, reason = "the macros make items without")]

use std::hint::black_box;

use dicepoker_engine::advice::Advisor;
use dicepoker_engine::moves::Move;
use dicepoker_engine::position::{Position, RawPosition};
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_engine::sheet::{CardState, Scores, Sheet};
use dicepoker_engine::solve::{Solution, Values};
use gungraun::{library_benchmark, library_benchmark_group, main};

struct Case {
    sheet: Sheet,
    solution: Solution,
    position: Position,
    advisor: Advisor,
    scores: Scores,
}

fn sheet(id: &str) -> Sheet {
    let mut rulesets = Ruleset::built_in().into_iter();
    let ruleset = rulesets.find(|ruleset| ruleset.id == id).expect("built in");
    Sheet::new(ruleset.definition).expect("sound")
}

/// A card of `dice-poker-13` with two rows filled, and the memory of an advisor warm.
fn case(rolls_left: u32) -> Case {
    let sheet = sheet("dice-poker-13");
    let solution = Solution::solve(&sheet, 1).expect("within the budget");
    let entry = |category: &str, points| RawEntry {
        category: category.to_owned(),
        points: vec![points],
        ..RawEntry::default()
    };
    let card = RawScorecard {
        entries: vec![entry("twos", 6), entry("full_house", 25)],
        ..RawScorecard::default()
    };
    let raw = RawPosition {
        dice: vec![1, 2, 3, 4, 6],
        rolls_left,
        scorecards: vec![card],
        ..RawPosition::default()
    };
    let position = Position::parse(&sheet, &raw).expect("possible");
    let mut advisor = Advisor::new();
    let _ = advisor.rank(&sheet, &solution, &position);
    Case { sheet, solution, position, advisor, scores: Scores::new() }
}

#[library_benchmark]
#[bench::two_throws_left(case(2))]
#[bench::one_throw_left(case(1))]
#[bench::no_throw_left(case(0))]
fn rank(mut case: Case) -> Case {
    let ranked = case.advisor.rank(&case.sheet, &case.solution, black_box(&case.position));
    // A small straight on the table: it is the best record, unless another throw is better.
    let straight = case.sheet.category("small_straight").map(Move::Record);
    let large = case.sheet.space().keep_of(&[1, 2, 3, 4]).map(Move::Keep);
    assert!([straight, large].contains(&Some(ranked[0].chosen)));
    case
}

#[library_benchmark]
#[bench::all_categories(case(0))]
fn score(mut case: Case) -> Case {
    let state = case.position.card().state(&case.sheet);
    let roll = case.position.dice().expect("thrown");
    case.sheet.score_all(black_box(state), black_box(roll), false, &mut case.scores);
    assert_eq!(case.scores[9].gain.points, 30);
    case
}

#[library_benchmark]
#[bench::dice_poker_13(sheet("dice-poker-13"), 229.638_499_550)]
#[bench::yacht(sheet("yacht"), 191.774_369)]
fn solve(sheet: Sheet, optimum: f64) -> Sheet {
    let solution = Solution::solve(black_box(&sheet), 1).expect("within the budget");
    assert!((solution.value(CardState::EMPTY) - optimum).abs() < 1e-5);
    sheet
}

library_benchmark_group!(name = hot_paths; benchmarks = rank, score, solve);
main!(library_benchmark_groups = hot_paths);
