//! Unsound rulesets sent as data: each change of [`unsound`](super::unsound) is rejected with its fields.

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::pattern::Kind;
use dicepoker_tests::{Rules, card, keep, roll};

use super::unsound::{BONUSES, Fault, GAMES, JOKERS, ROWS, SHEETS, patterns, sound};
use super::{Call, Case, expect, invalid};

#[tokio::test]
async fn parts_of_larger_sheets_are_checked() {
    expect(12, cases(SHEETS)).await;
}

/// One request with this definition; over many of them, every call is used.
fn call(index: usize, definition: pb::RulesetDefinition) -> Call {
    let definition = Some(definition);
    let position = Some(roll(&[1, 1, 6, 6, 6], 2, card("")));
    match index % 4 {
        0 => Call::Score(pb::ScoreRequest {
            definition,
            dice: vec![1, 1, 6, 6, 6],
            ..Default::default()
        }),
        1 => Call::LegalMoves(pb::LegalMovesRequest { definition, position, ..Default::default() }),
        2 => Call::Suggest(pb::SuggestRequest { definition, position, ..Default::default() }),
        _ => Call::Apply(pb::ApplyRequest {
            definition,
            position,
            r#move: Some(keep(&[])),
            seed: Some(1),
            ..Default::default()
        }),
    }
}

fn cases(faults: &[Fault]) -> Vec<Case> {
    let case = |(index, fault)| broken(index, sound(), fault);
    faults.iter().enumerate().map(case).collect()
}

fn broken(
    index: usize,
    mut definition: pb::RulesetDefinition,
    (name, change, fields): &Fault,
) -> Case {
    change(&mut definition);
    let fields = fields.iter().map(|field| format!("definition.{field}")).collect();
    Case { fields, ..invalid(*name, call(index, definition), &[]) }
}

#[tokio::test]
async fn the_unchanged_definition_is_sound() {
    let server = crate::server();
    let mut client = server.client().await;
    for index in 0..4 {
        call(index, sound()).send(&mut client).await.expect("sound");
    }
    let scores = Rules::defined(sound()).score(&mut client, &[6; 5], card("")).await;
    assert_eq!(scores.expect("scores").scores.len(), 6);
}

#[tokio::test]
async fn invalid_dice_of_a_definition_are_rejected() {
    // The row of five alike is not reported as missing where there are not five dice.
    let without_joker: Vec<Case> = GAMES
        .iter()
        .enumerate()
        .map(|(index, fault)| {
            let mut definition = sound();
            (definition.joker, definition.five_alike_bonus) = (None, 0);
            broken(index, definition, fault)
        })
        .collect();
    expect(13, without_joker).await;
}

#[tokio::test]
async fn violations_of_texts_and_numbers_are_reported_together() {
    let all = cases(&[
        (
            "a section and a name",
            |d| {
                d.categories[0].section = 9;
                d.categories[1].id = "ones".into();
            },
            &["categories[0].section", "categories[1].id"],
        ),
        (
            "a pattern, a sum and a face",
            |d| {
                d.categories[2].pattern = None;
                d.categories[3].points.as_mut().unwrap().sum = 9;
                d.categories[0].pattern = Some(pb::Pattern { kind: Some(Kind::Face(7)) });
            },
            &["categories[2].pattern", "categories[3].points.sum", "categories[0].pattern.face"],
        ),
        (
            "a policy and the throws",
            |d| {
                d.joker.as_mut().unwrap().policy = 9;
                d.rolls = 0;
            },
            &["joker.policy", "rolls"],
        ),
    ]);
    expect(3, all).await;
}

#[tokio::test]
async fn invalid_rows_are_rejected() {
    let mut all = cases(ROWS);
    all.extend(cases(&[
        (
            "no rows",
            |d| (d.categories, d.joker, d.upper_bonuses, d.five_alike_bonus) = Default::default(),
            &["categories"],
        ),
        (
            "no row and no sense",
            |d| d.categories.clear(),
            &["categories", "upper_bonuses", "joker.policy", "joker.fills[0]", "joker.fills[1]"],
        ),
        ("81 rows", |d| d.categories = many(81), &["categories"]),
        ("4000 rows", |d| d.categories = many(4000), &["categories"]),
    ]));
    expect(27, all).await;
}

/// So many rows, among them those that [`sound`] needs.
fn many(count: usize) -> Vec<pb::Category> {
    let mut rows = sound().categories;
    let chance = rows[5].clone();
    rows.extend(
        (rows.len()..count).map(|i| pb::Category { id: format!("row_{i}"), ..chance.clone() }),
    );
    rows
}

#[tokio::test]
async fn impossible_patterns_are_rejected() {
    let mut all = Vec::new();
    for (index, (name, kind, field)) in patterns().into_iter().enumerate() {
        let mut definition = sound();
        definition.categories[3].pattern = Some(pb::Pattern { kind });
        let field = format!("definition.categories[3].pattern{field}");
        all.push(invalid(name, call(index, definition), &[field.as_str()]));
    }
    let mut definition = sound();
    definition.categories[3].pattern = None;
    all.push(invalid("none", call(0, definition), &["definition.categories[3].pattern"]));
    expect(25, all).await;
}

#[tokio::test]
async fn invalid_bonuses_and_jokers_are_rejected() {
    let mut all = cases(BONUSES);
    all.extend(cases(JOKERS));
    expect(21, all).await;
}
