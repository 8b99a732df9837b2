//! The engine against independent figures: published optimal scores, and positions ranked by an
//! independent solver.

use std::collections::BTreeMap;

use dicepoker_engine::advice;
use dicepoker_engine::moves::{Move, RawMove};
use dicepoker_engine::position::{Position, RawPosition};
use dicepoker_engine::ruleset::{OptionValue, Ruleset};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Solution, Values};
use serde_json::Value;

fn sheet(id: &str, options: &[(&str, OptionValue)]) -> Sheet {
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|r| r.id == id).expect("built in");
    let options: BTreeMap<String, OptionValue> =
        options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Sheet::new(ruleset.with_options(&options).expect("accepted")).expect("sound")
}

fn expect_optimum(id: &str, options: &[(&str, OptionValue)], expected: f64) -> (Sheet, Solution) {
    let sheet = sheet(id, options);
    let solution = Solution::solve(&sheet, 2).expect("within the budget");
    let value = solution.value(CardState::EMPTY);
    assert!((value - expected).abs() < 1e-5, "{id}: {value}, not {expected}");
    (sheet, solution)
}

/// Ranks every golden position of `id` and compares each move's value.
fn expect_golden(id: &str, expected: f64) {
    let (sheet, solution) = expect_optimum(id, &[], expected);
    let file = include_str!("../../../../tests/cases/golden-positions.jsonl");
    let mut seen = 0;
    for line in file.lines().filter(|line| line.contains(&format!("\"{id}\""))) {
        let case: Value = serde_json::from_str(line).expect("a case a line");
        let position = Position::parse(&sheet, &raw_position(&case)).expect("possible");
        let mut ranked: Vec<(Move, f64)> = advice::rank(&sheet, &solution, &position)
            .iter()
            .map(|ranked| (ranked.chosen, ranked.expected))
            .collect();
        assert!(ranked.windows(2).all(|pair| pair[0].1 > pair[1].1 - advice::EQUAL));
        for golden in case["moves"].as_array().expect("moves") {
            let chosen = Move::parse(&sheet, &raw_move(&golden[0])).expect("a move");
            let at = ranked
                .iter()
                .position(|(other, _)| *other == chosen)
                .unwrap_or_else(|| panic!("{chosen:?} missing in {line}"));
            let (_, value) = ranked.swap_remove(at);
            let golden = golden[1].as_f64().expect("a value");
            assert!((value - golden).abs() < 1e-4, "{value}, not {golden}: {chosen:?} in {line}");
        }
        assert!(ranked.is_empty(), "more moves than golden: {ranked:?} in {line}");
        seen += 1;
    }
    assert!(seen >= 40, "{seen} cases of {id}");
}

fn numbers<T: TryFrom<i64, Error: std::fmt::Debug>>(value: &Value) -> Vec<T> {
    let number = |n: &Value| n.as_i64().expect("whole").try_into().expect("small");
    value.as_array().expect("a list").iter().map(number).collect()
}

fn raw_move(value: &Value) -> RawMove {
    match value.get("keep") {
        Some(dice) => RawMove::Keep(numbers(dice)),
        None => {
            let category = value["record"].as_str().expect("a category").to_owned();
            RawMove::Record(category, String::new())
        }
    }
}

fn raw_position(case: &Value) -> RawPosition {
    let entries = case["entries"].as_array().expect("entries");
    let entries = entries
        .iter()
        .map(|entry| RawEntry {
            category: entry["category"].as_str().expect("a category").to_owned(),
            points: numbers(&entry["points"]),
            ..RawEntry::default()
        })
        .collect();
    RawPosition {
        dice: numbers(&case["dice"]),
        rolls_left: case["rolls_left"].as_u64().expect("whole") as u32,
        scorecards: vec![RawScorecard { entries, ..RawScorecard::default() }],
        ..RawPosition::default()
    }
}

#[test]
fn dice_poker_13() {
    expect_golden("dice-poker-13", 229.638_499_550);
}

#[test]
fn dice_poker_15() {
    expect_golden("dice-poker-15", 314.832_099_073);
}

#[test]
fn dice_poker_15_with_the_bonus_at_63() {
    let threshold = ("upper_bonus_threshold", OptionValue::Integer(63));
    expect_optimum("dice-poker-15", &[threshold], 316.625_491_280);
}

#[test]
fn dice_poker_15_without_two_pairs_for_the_joker() {
    let fills = ["full_house", "small_straight", "large_straight"].map(str::to_owned).to_vec();
    let fills = ("joker_fills", OptionValue::List(fills));
    expect_optimum("dice-poker-15", std::slice::from_ref(&fills), 314.815_664_413);
    let threshold = ("upper_bonus_threshold", OptionValue::Integer(63));
    expect_optimum("dice-poker-15", &[fills, threshold], 316.608_814_424);
}

#[test]
fn yahtzee() {
    expect_golden("yahtzee", 254.587_728_734);
}

#[test]
fn yahtzee_free_joker() {
    expect_golden("yahtzee-free-joker", 254.589_609_482);
}

#[test]
fn kniffel() {
    expect_golden("kniffel", 245.870_774_514);
}

#[test]
fn yatzy() {
    expect_golden("yatzy", 248.439_989_378);
}

#[test]
fn yacht() {
    expect_golden("yacht", 191.774_369);
}

/// No public figure is known; this one is from the plain solver.
#[test]
fn generala() {
    expect_optimum("generala", &[], 149.400_123_697);
}
