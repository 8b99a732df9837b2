//! Unknown rulesets, unknown options, invalid values of options, more than one ruleset at once; and
//! invalid page tokens.

use std::collections::BTreeMap;

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Rules, card, keep, roll};
use prost_types::value::Kind;
use prost_types::{ListValue, NullValue, Struct, Value};

use super::unsound::sound;
use super::{Call, Case, HEADERS, expect, invalid, unknown};

const AT: &str = "options.upper_bonus_threshold";
const OF: &str = "options.joker_fills";

/// A sound request of every kind, under `rules`.
fn calls(rules: &Rules) -> [Call; 4] {
    let Rules { ruleset, options, definition } = rules.clone();
    let position = Some(roll(&[1, 1, 6, 6, 6], 2, card("")));
    [
        Call::Score(pb::ScoreRequest {
            ruleset: ruleset.clone(),
            options: options.clone(),
            definition: definition.clone(),
            dice: vec![1, 1, 6, 6, 6],
            ..Default::default()
        }),
        Call::LegalMoves(pb::LegalMovesRequest {
            ruleset: ruleset.clone(),
            options: options.clone(),
            definition: definition.clone(),
            position: position.clone(),
        }),
        Call::Suggest(pb::SuggestRequest {
            ruleset: ruleset.clone(),
            options: options.clone(),
            definition: definition.clone(),
            position: position.clone(),
            max_alternatives: 0,
            ..Default::default()
        }),
        Call::Apply(pb::ApplyRequest {
            ruleset,
            options,
            definition,
            position,
            r#move: Some(keep(&[6, 6, 6])),
            dice: vec![2, 3],
            seed: None,
        }),
    ]
}

/// The same and GetRuleset, which takes no definition.
fn calls_by_name(rules: &Rules) -> Vec<Call> {
    let Rules { ruleset, options, .. } = rules.clone();
    let mut calls = calls(rules).to_vec();
    calls.push(Call::GetRuleset(pb::GetRulesetRequest { ruleset, options }));
    calls
}

#[tokio::test]
async fn unknown_rulesets_are_not_found() {
    let long = "yahtzee".repeat(10_000);
    let names = [
        "yahtze",
        "Yahtzee",
        "YAHTZEE",
        " yahtzee",
        "yahtzee ",
        "dice_poker_13",
        "dice-poker",
        "../yahtzee",
        "yahtzee\0",
        "ýatzy",
        "0",
        long.as_str(),
    ];
    let mut cases = Vec::new();
    for name in names {
        for call in calls_by_name(&Rules::of(name)) {
            cases.push(unknown(name.chars().take(20).collect::<String>(), call));
        }
    }
    expect(60, cases).await;
}

#[tokio::test]
async fn a_request_names_its_rules_once() {
    let mut cases = Vec::new();
    for call in calls_by_name(&Rules::default()) {
        cases.push(invalid("no rules", call, &["ruleset"]));
    }
    let both = Rules { definition: Some(sound()), ..Rules::of("yahtzee") };
    for call in calls(&both) {
        cases.push(invalid("a ruleset and a definition", call, &["definition"]));
    }
    let both = Rules { definition: Some(sound()), ..Rules::of("nonsense") };
    for call in calls(&both) {
        cases.push(invalid("a ruleset there is not and a definition", call, &["definition"]));
    }
    for call in calls(&Rules::defined(sound()).with_number("upper_bonus_threshold", 63.0)) {
        cases.push(invalid("options of a definition", call, &["options"]));
    }
    expect(17, cases).await;
}

#[tokio::test]
async fn unknown_options_are_rejected() {
    let house = || Rules::of("dice-poker-15");
    let threshold = "upper_bonus_threshold";
    let list = |items: Vec<Kind>| {
        let values = items.into_iter().map(|kind| Value { kind: Some(kind) }).collect();
        Kind::ListValue(ListValue { values })
    };
    let empty = || Struct { fields: BTreeMap::new() };
    let table: Vec<(&str, Rules, &[&str])> = vec![
        ("an option of another", Rules::of("yatzy").with_number(threshold, 63.0), &[AT]),
        ("no such option", house().with_number("bonus", 63.0), &["options.bonus"]),
        ("an option without a name", house().with_number("", 63.0), &["options"]),
        ("a threshold of 0", house().with_number(threshold, 0.0), &[AT]),
        ("a threshold of 106", house().with_number(threshold, 106.0), &[AT]),
        ("a negative threshold", house().with_number(threshold, -1.0), &[AT]),
        ("half a point", house().with_number(threshold, 63.5), &[AT]),
        ("no number", house().with_number(threshold, f64::NAN), &[AT]),
        ("no end", house().with_number(threshold, f64::INFINITY), &[AT]),
        ("a great number", house().with_number(threshold, 1e300), &[AT]),
        ("a number that is 63 in 32 bits", house().with_number(threshold, 4_294_967_359.0), &[AT]),
        ("a word", house().with(threshold, Kind::StringValue("63".into())), &[AT]),
        ("true", house().with(threshold, Kind::BoolValue(true)), &[AT]),
        ("null", house().with(threshold, Kind::NullValue(NullValue::NullValue.into())), &[AT]),
        ("a struct", house().with(threshold, Kind::StructValue(empty())), &[AT]),
        ("a list", house().with_list(threshold, &["63"]), &[AT]),
        ("a number of rows", house().with_number("joker_fills", 3.0), &[OF]),
        ("one row", house().with("joker_fills", Kind::StringValue("pair".into())), &[OF]),
        ("no such row", house().with_list("joker_fills", &["joker"]), &[OF]),
        ("an upper row", house().with_list("joker_fills", &["ones"]), &[OF]),
        ("a row twice", house().with_list("joker_fills", &["chance", "chance"]), &[OF]),
        ("numbers", house().with("joker_fills", list(vec![Kind::NumberValue(1.0)])), &[OF]),
        ("a list in a list", house().with("joker_fills", list(vec![list(vec![])])), &[OF]),
    ];
    let mut cases = Vec::new();
    for (name, rules, fields) in table {
        for call in calls_by_name(&rules) {
            cases.push(invalid(name, call, fields));
        }
    }
    let nothing = Struct { fields: [(threshold.to_owned(), Value { kind: None })].into() };
    for call in calls_by_name(&Rules { options: Some(nothing), ..house() }) {
        cases.push(invalid("a value of no kind", call, &[AT]));
    }
    expect(120, cases).await;
}

#[tokio::test]
async fn very_many_options_are_rejected() {
    let many = (0..5000).fold(Rules::of("dice-poker-15"), |rules, i| {
        rules.with_number(&format!("option_{i}"), 1.0)
    });
    let server = crate::server();
    let mut client = server.client().await;
    for call in calls_by_name(&many) {
        let status = call.send(&mut client).await.expect_err("wrong");
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
        let actual = dicepoker_tests::fields(&status);
        assert!(!actual.is_empty() && actual.iter().all(|field| field.starts_with("options")));
        assert!(dicepoker_tests::header_size(&status) < HEADERS);
    }
}

#[tokio::test]
async fn a_missing_position_is_reported() {
    let ruleset = "yahtzee".to_owned();
    let cases: Vec<Case> = vec![
        invalid(
            "LegalMoves",
            Call::LegalMoves(pb::LegalMovesRequest {
                ruleset: ruleset.clone(),
                ..Default::default()
            }),
            &["position"],
        ),
        invalid(
            "Suggest",
            Call::Suggest(pb::SuggestRequest { ruleset: ruleset.clone(), ..Default::default() }),
            &["position"],
        ),
        invalid(
            "Score",
            Call::Score(pb::ScoreRequest { ruleset, ..Default::default() }),
            &["dice"],
        ),
        invalid("an empty Score", pb::ScoreRequest::default(), &["ruleset"]),
        invalid("an empty Apply", pb::ApplyRequest::default(), &["ruleset"]),
        invalid("an empty Suggest", Call::Suggest(pb::SuggestRequest::default()), &["ruleset"]),
        invalid(
            "an empty LegalMoves",
            Call::LegalMoves(pb::LegalMovesRequest::default()),
            &["ruleset"],
        ),
        invalid("an empty GetRuleset", pb::GetRulesetRequest::default(), &["ruleset"]),
    ];
    expect(8, cases).await;
}

#[tokio::test]
async fn invalid_page_tokens_are_rejected() {
    let page = |token: &str| pb::ListRulesetsRequest { page_size: 2, page_token: token.to_owned() };
    let tokens = ["nonsense", "0", "-1", "yahtzee ", "\u{0}", "dice-poker-16"];
    let mut cases: Vec<Case> =
        tokens.iter().map(|token| invalid(*token, page(token), &["page_token"])).collect();
    cases.push(invalid("a long token", page(&"x".repeat(100_000)), &["page_token"]));
    expect(7, cases).await;
}
