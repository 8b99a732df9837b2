//! Positions ranked by an independent solver, compared with Suggest: every legal move of each, its
//! value, the order and the regrets. The engine's tests use all of them; over the socket every
//! fifth is enough.

use std::collections::HashMap;

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, keep, move_name, record, roll};
use serde_json::Value;

use crate::server;

const CASES: &str = include_str!("../../cases/golden-positions.jsonl");

/// The independent values are rounded to six places.
const TOLERANCE: f64 = 1e-4;

#[tokio::test]
async fn suggest_values_every_move_as_an_independent_solver_does() {
    let server = server();
    let mut client = server.client().await;
    let mut seen: HashMap<String, usize> = HashMap::new();
    for line in CASES.lines().step_by(5) {
        let case: Value = serde_json::from_str(line).expect("a case a line");
        let ruleset = case["ruleset"].as_str().expect("a ruleset");
        expect(&mut client, ruleset, &case).await;
        *seen.entry(ruleset.to_owned()).or_default() += 1;
    }
    assert_eq!(seen.len(), 7, "rulesets covered: {seen:?}");
    assert!(seen.values().all(|&cases| cases >= 10), "{seen:?}");
}

async fn expect(client: &mut Client, ruleset: &str, case: &Value) {
    let position = position(case);
    let answer = Rules::of(ruleset).suggest(client, position).await.expect("advice");
    let golden: HashMap<String, f64> = case["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|pair| (move_name(&a_move(&pair[0])), pair[1].as_f64().expect("a value")))
        .collect();
    assert_eq!(answer.alternatives.len(), golden.len(), "moves of {case}");
    let best = &answer.alternatives[0];
    assert_eq!((&answer.r#move, answer.expected_value), (&best.r#move, best.expected_value));
    let mut before = f64::INFINITY;
    for alternative in &answer.alternatives {
        let name = move_name(alternative.r#move.as_ref().expect("a move"));
        let value = golden.get(&name).unwrap_or_else(|| panic!("{name} is no move of {case}"));
        let actual = alternative.expected_value;
        assert!((actual - value).abs() < TOLERANCE, "{name} is {actual}, not {value}, in {case}");
        assert!(actual <= before + 1e-5, "{name} stands too low in {case}");
        before = actual;
        let regret = best.expected_value - actual;
        assert!((alternative.regret - regret).abs() < 2e-5, "regret of {name} in {case}");
        assert!(alternative.regret >= 0.0, "regret of {name} in {case}");
    }
}

fn position(case: &Value) -> pb::Position {
    let entry = |entry: &Value| pb::scorecard::Entry {
        category: entry["category"].as_str().expect("a category").to_owned(),
        points: numbers(&entry["points"]),
        ..Default::default()
    };
    let entries = case["entries"].as_array().expect("entries").iter().map(entry).collect();
    let card = pb::Scorecard { entries, five_alike_bonuses: 0, ..Default::default() };
    roll(
        &numbers::<u32>(&case["dice"]),
        case["rolls_left"].as_u64().expect("a number") as u32,
        card,
    )
}

fn a_move(value: &Value) -> pb::Move {
    match value.get("keep") {
        Some(dice) => keep(&numbers::<u32>(dice)),
        None => record(value["record"].as_str().expect("a category")),
    }
}

fn numbers<T: TryFrom<i64, Error: std::fmt::Debug>>(value: &Value) -> Vec<T> {
    let number = |n: &Value| n.as_i64().expect("a number").try_into().expect("a small one");
    value.as_array().expect("a list").iter().map(number).collect()
}
