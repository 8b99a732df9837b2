//! Rulesets sent as data: solved on first use, validated without being solved, and rejected when
//! they would take more than the service allows.

use dicepoker_proto::v1::{self as pb, SupportQuality};
use dicepoker_tests::{Client, Rules, card, reason, roll, start};
use tonic::{Code, Status};

use crate::server;

async fn definition_of(client: &mut Client, ruleset: &str) -> pb::RulesetDefinition {
    let request = pb::GetRulesetRequest { ruleset: ruleset.to_owned(), ..Default::default() };
    let answer = client.get_ruleset(request).await.expect("built in").into_inner();
    answer.ruleset.and_then(|ruleset| ruleset.definition).expect("a definition")
}

async fn judge(
    client: &mut Client,
    definition: pb::RulesetDefinition,
) -> Result<pb::ValidateRulesetResponse, Status> {
    let request = pb::ValidateRulesetRequest { definition: Some(definition), ..Default::default() };
    client.validate_ruleset(request).await.map(tonic::Response::into_inner)
}

/// Twenty rows, all of which count towards a bonus that is far away.
fn oversized(mut definition: pb::RulesetDefinition) -> pb::RulesetDefinition {
    let row = definition.categories.last().expect("rows").clone();
    for i in definition.categories.len()..20 {
        definition.categories.push(pb::Category { id: format!("row_{i}"), ..row.clone() });
    }
    for row in &mut definition.categories {
        row.section = pb::Section::Upper.into();
    }
    definition.joker = None;
    definition.upper_bonuses = vec![pb::UpperBonus { threshold: 1000, points: 50 }];
    definition
}

#[tokio::test]
async fn an_unseen_definition_is_solved_while_its_caller_waits() {
    let server = server();
    let mut client = server.client().await;
    let mut definition = definition_of(&mut client, "yahtzee").await;
    let before = Rules::of("yahtzee").suggest(&mut client, start(card(""))).await.expect("solved");
    definition.upper_bonuses[0].points += 1;
    let rules = Rules::defined(definition);
    let after = rules.suggest(&mut client, start(card(""))).await.expect("solved");
    // A point more for the bonus is worth the chance of the bonus, about two in three.
    let gain = after.expected_value - before.expected_value;
    assert!((0.5..0.9).contains(&gain), "{gain}");
}

#[tokio::test]
async fn definitions_with_equal_rules_share_a_key() {
    let server = server();
    let mut client = server.client().await;
    let definition = definition_of(&mut client, "dice-poker-15").await;
    let actual = judge(&mut client, definition.clone()).await.expect("sound");
    assert!(actual.accepted && actual.states > 1_000_000 && actual.table_bytes > 4 * actual.states);
    let mut renamed = definition.clone();
    renamed.categories[0].title = "Aces".to_owned();
    renamed.joker.as_mut().expect("a joker").fills.reverse();
    assert_eq!(judge(&mut client, renamed).await.expect("sound").key, actual.key);
    let mut other = definition;
    other.upper_bonuses[0].threshold = 63;
    assert_ne!(judge(&mut client, other).await.expect("sound").key, actual.key);
}

/// How well each feature is served.
fn qualities(validated: &pb::ValidateRulesetResponse) -> Vec<SupportQuality> {
    assert!(validated.support.iter().all(|support| {
        (support.quality() == SupportQuality::Exact) == support.limitation.is_empty()
    }));
    validated.support.iter().map(pb::Support::quality).collect()
}

#[tokio::test]
async fn validate_ruleset_says_what_a_definition_can_have() {
    let mut client = server().client().await;
    let yahtzee = definition_of(&mut client, "yahtzee").await;
    let plain = judge(&mut client, yahtzee).await.expect("sound");
    use SupportQuality::{Estimated, Exact};
    assert_eq!(qualities(&plain), [Exact, Estimated, Estimated, Estimated]);
    assert!(plain.support[2].limitation.contains("table of chances"), "{plain:?}");
    let balut = definition_of(&mut client, "balut").await;
    let entries = judge(&mut client, balut).await.expect("sound");
    assert_eq!(qualities(&entries), [Exact, Estimated, Estimated, Estimated]);
    assert!(entries.support[1].limitation.contains("filled in an order"), "{entries:?}");
    // Also of built-in rules that cannot be solved.
    let triple = definition_of(&mut client, "triple-yahtzee").await;
    let triple = judge(&mut client, triple).await.expect("sound");
    assert!(!triple.accepted && triple.limitation.contains("learned"), "{triple:?}");
    assert_eq!(qualities(&triple), [Estimated; 4]);
}

#[tokio::test]
async fn an_oversized_definition_is_played_by_learned_values() {
    let server = server();
    let mut client = server.client().await;
    let definition = oversized(definition_of(&mut client, "yahtzee").await);
    let actual = judge(&mut client, definition.clone()).await.expect("sound");
    assert!(!actual.accepted && actual.estimated_seconds > 10.0, "{actual:?}");
    let before = server.memory();
    let position = roll(&[1, 2, 3, 4, 5], 2, card(""));
    assert!(actual.limitation.contains("learned"), "{}", actual.limitation);
    assert_eq!(qualities(&actual), [SupportQuality::Estimated; 4]);
    let answer = Rules::defined(definition).suggest(&mut client, position).await;
    let answer = answer.expect("learned");
    assert!(!answer.exact && answer.expected_value > 0.0, "{answer:?}");
    // Other tests solve rulesets on the same server: only the table must not appear.
    let grown = server.memory().saturating_sub(before);
    assert!(grown < actual.table_bytes / 2, "{grown} of {actual:?}");
}

#[tokio::test]
async fn score_and_legal_moves_need_no_solution() {
    let server = server();
    let mut client = server.client().await;
    let mut definition = oversized(definition_of(&mut client, "yahtzee").await);
    let row = definition.categories[0].clone();
    definition.categories =
        (0..80).map(|i| pb::Category { id: format!("row_{i}"), ..row.clone() }).collect();
    definition.upper_bonuses.clear();
    definition.five_alike_bonus = 0;
    definition.joker = None;
    let position = roll(&[1, 2, 3, 4, 5], 0, card(""));
    let score = pb::ScoreRequest {
        definition: Some(definition.clone()),
        position: Some(position.clone()),
        ..Default::default()
    };
    let scores = client.score(score).await.expect("scored").into_inner().scores;
    assert_eq!(scores.len(), 80);
    let moves = pb::LegalMovesRequest {
        definition: Some(definition.clone()),
        position: Some(position.clone()),
        ..Default::default()
    };
    let moves = client.legal_moves(moves).await.expect("moves").into_inner().moves;
    assert_eq!(moves.len(), 80);
    let apply = pb::ApplyRequest {
        definition: Some(definition.clone()),
        position: Some(position.clone()),
        r#move: Some(moves[79].clone()),
        ..Default::default()
    };
    let applied = client.apply(apply).await.expect("applied").into_inner();
    assert!(applied.turn_ended && !applied.game_ended);
    let answer = Rules::defined(definition).suggest(&mut client, position).await.expect("learned");
    assert!(!answer.exact);
}

#[tokio::test]
async fn dice_too_many_to_learn_from_have_no_values() {
    let server = server();
    let mut client = server.client().await;
    let mut definition = definition_of(&mut client, "yahtzee").await;
    (definition.dice, definition.faces) = (6, 15);
    definition.categories.retain(|row| row.id != "five_alike");
    definition.five_alike_bonus = 0;
    definition.joker = None;
    definition.upper_bonuses[0].threshold = 1000;
    let actual = judge(&mut client, definition.clone()).await.expect("sound");
    assert!(actual.limitation.starts_with("no values"), "{}", actual.limitation);
    assert_eq!(qualities(&actual), [SupportQuality::None; 4]);
    let refused = Rules::defined(definition).suggest(&mut client, start(card(""))).await;
    let refused = refused.expect_err("too large");
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert_eq!(reason(&refused).as_deref(), Some("RULESET_TOO_LARGE"));
}

#[tokio::test]
async fn validating_an_unsound_definition_lists_its_violations() {
    let server = server();
    let mut client = server.client().await;
    let mut definition = definition_of(&mut client, "kniffel").await;
    definition.dice = 9;
    let refused = judge(&mut client, definition).await.expect_err("nine dice");
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert_eq!(dicepoker_tests::fields(&refused), ["definition.dice"]);
}

#[tokio::test]
async fn simultaneous_calls_get_equal_answers() {
    let server = server();
    let mut client = server.client().await;
    let mut definition = definition_of(&mut client, "yatzy").await;
    definition.upper_bonuses[0].points = 77;
    let rules = Rules::defined(definition);
    let mut calls = Vec::new();
    for _ in 0..8 {
        let (rules, mut client) = (rules.clone(), server.client().await);
        calls.push(tokio::spawn(async move {
            rules.suggest(&mut client, start(card(""))).await.expect("solved").expected_value
        }));
    }
    let mut values = Vec::new();
    for call in calls {
        values.push(call.await.expect("an answer"));
    }
    assert!(values.windows(2).all(|pair| pair[0] == pair[1]), "{values:?}");
    assert!(values[0] > 248.5);
}
