//! A sample of the table of rules, `tests/cases/rules.jsonl`, over the socket. The engine's tests
//! use all of it.

use std::collections::BTreeMap;

use dicepoker_proto::{Json, v1 as pb};
use dicepoker_tests::{Client, Rules, move_name, record, roll};
use serde::Deserialize;
use serde_json::Value;

use crate::malformed::{expect, invalid, with_position_of};
use crate::server;

const CASES: &str = include_str!("../../cases/rules.jsonl");

/// One case of so many is sent.
const SAMPLE: usize = 4;

fn sample<T: for<'de> Deserialize<'de>>(rule: &str) -> Vec<T> {
    let cases = CASES.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case"));
    let cases = cases.filter(|case| case["rule"] == rule).step_by(SAMPLE);
    let cases: Vec<T> = cases.map(|case| T::deserialize(case).expect("a case")).collect();
    assert!(cases.len() >= 8, "{} cases of {rule}", cases.len());
    cases
}

#[derive(Debug, Deserialize)]
struct Joker {
    case: String,
    ruleset: String,
    #[serde(default)]
    options: BTreeMap<String, Vec<String>>,
    scorecard: Json<pb::Scorecard>,
    dice: Vec<u32>,
    bonus: i32,
    legal: BTreeMap<String, i32>,
}

#[tokio::test]
async fn a_joker_fills_the_legal_rows_with_points_and_bonus() {
    let server = server();
    let mut client = server.client().await;
    for Joker { case, ruleset, options, scorecard: Json(card), dice, bonus, legal } in
        sample("joker")
    {
        let name = format!("{ruleset}: {case}");
        let rules = options.iter().fold(Rules::of(&ruleset), |rules, (id, words)| {
            rules.with_list(id, &words.iter().map(String::as_str).collect::<Vec<_>>())
        });
        let answer = rules.score(&mut client, &dice, card.clone()).await.expect("scores");
        let mut found = BTreeMap::new();
        for score in answer.scores {
            let filled = card.entries.iter().any(|entry| entry.category == score.category);
            let reason = match (score.legal, filled) {
                (true, _) => pb::IllegalReason::Unspecified,
                (false, true) => pb::IllegalReason::Filled,
                (false, false) => pb::IllegalReason::JokerElsewhere,
            };
            assert_eq!(score.illegal_reason(), reason, "{name}: {score:?}");
            if score.legal {
                assert_eq!(score.five_alike_bonus, bonus, "{name}: {score:?}");
                found.insert(score.category, score.points);
            }
        }
        assert_eq!(found, legal, "{name}");
        let moves = rules.legal_moves(&mut client, roll(&dice, 1, card)).await.expect("moves");
        let records = moves.iter().map(move_name).filter(|name| name.starts_with("record "));
        assert_eq!(records.count(), legal.len(), "{name}");
    }
}

#[derive(Debug, Deserialize)]
struct Trap {
    dice: Vec<u32>,
    category: String,
    points: BTreeMap<String, i32>,
}

#[tokio::test]
async fn a_trap_is_recorded_as_it_is_scored() {
    let server = server();
    let mut client = server.client().await;
    for Trap { dice, category, points } in sample("trap") {
        for (ruleset, points) in points {
            expect_points(&mut client, &ruleset, &dice, &category, points).await;
        }
    }
}

async fn expect_points(client: &mut Client, ruleset: &str, dice: &[u32], row: &str, points: i32) {
    let rules = Rules::of(ruleset);
    let answer = rules.score(client, dice, pb::Scorecard::new()).await.expect("scores");
    let found = answer.get(row).expect("a row");
    assert_eq!((found.points, found.legal), (points, true), "{ruleset}: {dice:?} as {row}");
    let position = roll(dice, 0, pb::Scorecard::new());
    let after = rules.apply(client, position, record(row), &[], None).await.expect("legal");
    let card = &after.position.expect("a position").scorecards[0];
    assert_eq!(card.cells(row), [points], "{ruleset}: {dice:?} as {row}");
}

#[derive(Debug, Deserialize)]
struct Malformed {
    case: String,
    ruleset: String,
    position: Json<pb::Position>,
    fields: Vec<String>,
}

#[tokio::test]
async fn malformed_positions_are_rejected_with_every_field_by_every_call() {
    let mut cases = Vec::new();
    for Malformed { case, ruleset, position: Json(position), fields } in sample("malformed") {
        let fields: Vec<String> = fields.iter().map(|field| format!("position.{field}")).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        for call in with_position_of(&ruleset, |sent| *sent = position.clone()) {
            cases.push(invalid(format!("{ruleset}: {case}"), call, &fields));
        }
    }
    expect(60, cases).await;
}
