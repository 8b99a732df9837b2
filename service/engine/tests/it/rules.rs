//! The table of rules, `tests/cases/rules.jsonl`, in full: jokers, traps and malformed positions.

use std::collections::BTreeMap;

use dicepoker_engine::moves::Move;
use dicepoker_engine::position::{Position, RawPosition, Rejection};
use dicepoker_engine::ruleset::{OptionValue, Ruleset};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_engine::sheet::{Scores, Sheet};
use serde_json::Value;

const CASES: &str = include_str!("../../../../tests/cases/rules.jsonl");

fn cases(rule: &str) -> Vec<Value> {
    let cases = CASES.lines().map(|line| serde_json::from_str(line).expect("a case a line"));
    cases.filter(|case: &Value| case["rule"] == rule).collect()
}

fn sheet(id: &str, options: &Value) -> Sheet {
    let list = |words: &Value| {
        let words = words.as_array().expect("a list").iter();
        OptionValue::List(words.map(|word| word.as_str().expect("a word").to_owned()).collect())
    };
    let options = options.as_object().into_iter().flatten();
    let options: BTreeMap<String, OptionValue> =
        options.map(|(id, value)| (id.clone(), list(value))).collect();
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
    Sheet::new(ruleset.with_options(&options).expect("accepted")).expect("sound")
}

fn number<T: TryFrom<i64, Error: std::fmt::Debug> + Default>(value: &Value) -> T {
    value.as_i64().map_or_else(T::default, |number| number.try_into().expect("small"))
}

fn numbers<T: TryFrom<i64, Error: std::fmt::Debug> + Default>(value: &Value) -> Vec<T> {
    value.as_array().into_iter().flatten().map(number).collect()
}

fn scorecard(card: &Value) -> RawScorecard {
    let entry = |entry: &Value| RawEntry {
        category: entry["category"].as_str().expect("a category").to_owned(),
        points: numbers(&entry["points"]),
        ..RawEntry::default()
    };
    RawScorecard {
        entries: card["entries"].as_array().into_iter().flatten().map(entry).collect(),
        five_alike_bonuses: number(&card["five_alike_bonuses"]),
        ..RawScorecard::default()
    }
}

/// The scores of dice on a card of `sheet` after the last throw, and the legal records.
fn score(sheet: &Sheet, dice: &Value, card: &Value) -> (Scores, Vec<String>) {
    let raw = RawPosition {
        dice: numbers(dice),
        scorecards: vec![scorecard(card)],
        ..RawPosition::default()
    };
    let position = Position::parse(sheet, &raw).expect("possible");
    let mut scores = Scores::new();
    let state = position.card().state(sheet);
    sheet.score_all(state, position.dice().expect("dice"), position.throw(sheet), &mut scores);
    let record = |chosen| match chosen {
        Move::Record(category) => Some(sheet.id(category).to_owned()),
        Move::Keep(_) | Move::Announce(_) => None,
    };
    let mut records: Vec<String> = position.legal_moves(sheet).filter_map(record).collect();
    records.sort();
    (scores, records)
}

#[test]
fn a_joker_fills_the_legal_rows_with_points_and_bonus() {
    for case in cases("joker") {
        let sheet = sheet(case["ruleset"].as_str().expect("a ruleset"), &case["options"]);
        let (scores, records) = score(&sheet, &case["dice"], &case["scorecard"]);
        let legal = scores.iter().filter(|score| score.legal);
        let legal: BTreeMap<&str, i64> =
            legal.map(|score| (sheet.id(score.category), score.gain.points.into())).collect();
        let expected = case["legal"].as_object().expect("rows");
        let expected: BTreeMap<&str, i64> = expected
            .iter()
            .map(|(row, points)| (row.as_str(), points.as_i64().expect("points")))
            .collect();
        assert_eq!(legal, expected, "{case}");
        assert!(records.iter().eq(expected.keys()), "{records:?} in {case}");
        for score in scores.iter().filter(|score| score.legal) {
            assert_eq!(i64::from(score.gain.five_alike_bonus), case["bonus"], "{case}");
        }
    }
}

#[test]
fn traps_pay_by_each_ruleset() {
    for case in cases("trap") {
        for (ruleset, points) in case["points"].as_object().expect("rulesets") {
            let sheet = sheet(ruleset, &Value::Null);
            let (scores, _) = score(&sheet, &case["dice"], &Value::Null);
            let category = sheet.category(case["category"].as_str().expect("a category"));
            let found = scores.iter().find(|score| Some(score.category) == category);
            let found = found.expect("a row of the ruleset");
            assert!(found.legal, "{ruleset}: {case}");
            assert_eq!(i64::from(found.gain.total()), *points, "{ruleset}: {case}");
        }
    }
}

#[test]
fn malformed_positions_are_rejected_with_every_field() {
    for case in cases("malformed") {
        let sheet = sheet(case["ruleset"].as_str().expect("a ruleset"), &Value::Null);
        let position = &case["position"];
        let raw = RawPosition {
            dice: numbers(&position["dice"]),
            rolls_left: number(&position["rolls_left"]),
            scorecards: position["scorecards"]
                .as_array()
                .into_iter()
                .flatten()
                .map(scorecard)
                .collect(),
            to_move: number(&position["to_move"]),
            ..RawPosition::default()
        };
        let Err(Rejection::Impossible(found)) = Position::parse(&sheet, &raw) else {
            panic!("accepted: {case}")
        };
        let mut fields: Vec<&str> =
            found.as_slice().iter().map(|violation| violation.field.as_str()).collect();
        let expected = case["fields"].as_array().expect("fields").iter();
        let mut expected: Vec<&str> =
            expected.map(|field| field.as_str().expect("a field")).collect();
        fields.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fields, expected, "{case}");
    }
}
