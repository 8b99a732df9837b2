//! Calls agree with each other: LegalMoves lists the moves that Apply plays and Suggest ranks, and
//! a definition from GetRuleset is the same ruleset when sent back.

use std::collections::BTreeSet;

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, card, fields, keep, move_name, moves_named, record, roll};
use tonic::Code;

use crate::server;

const CATEGORIES: [&str; 15] = [
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "pair",
    "two_pairs",
    "three_alike",
    "four_alike",
    "full_house",
    "small_straight",
    "large_straight",
    "five_alike",
    "chance",
];

/// Positions of all kinds: early, late, jokers, before a throw, after the last.
fn positions() -> Vec<(&'static str, pb::Position)> {
    vec![
        ("dice-poker-13", roll(&[1, 3, 2, 4, 4], 2, card(""))),
        ("dice-poker-13", roll(&[1, 3, 2, 4, 4], 0, card("chance 20, ones 3"))),
        ("dice-poker-13", roll(&[], 3, card("chance 20"))),
        ("dice-poker-13", roll(&[6, 6, 6, 6, 6], 1, card("five_alike 50"))),
        ("dice-poker-15", roll(&[6, 6, 6, 6, 6], 1, card("five_alike 50"))),
        ("dice-poker-15", roll(&[6, 6, 6, 6, 6], 2, card("five_alike 50, sixes 18"))),
        ("yahtzee", roll(&[2, 2, 2, 2, 2], 0, card("five_alike 0, twos 6"))),
        ("yahtzee-free-joker", roll(&[2, 2, 2, 2, 2], 1, card("five_alike 50, twos 6"))),
        ("yatzy", roll(&[1, 1, 2, 2, 3], 1, card("pair 12, two_pairs 22"))),
        ("yacht", roll(&[1, 2, 3, 4, 5], 2, card("ones 5"))),
    ]
}

/// Every multiset of at most five dice.
fn every_keep() -> Vec<pb::Move> {
    let mut keeps = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..5 {
        let to = keeps.len();
        for index in from..to {
            let last = keeps[index].last().copied().unwrap_or(1);
            for face in last..=6 {
                let mut more: Vec<u32> = keeps[index].clone();
                more.push(face);
                keeps.push(more);
            }
        }
        from = to;
    }
    assert_eq!(keeps.len(), 462);
    keeps.iter().map(|dice| keep(dice)).collect()
}

#[tokio::test]
async fn apply_accepts_exactly_the_legal_moves() {
    let server = server();
    let mut client = server.client().await;
    for (ruleset, position) in positions() {
        let rules = Rules::of(ruleset);
        let legal = rules.legal_moves(&mut client, position.clone()).await.expect("moves");
        let names: BTreeSet<String> = moves_named(&legal).into_iter().collect();
        assert_eq!(names.len(), legal.len(), "each once");
        let every = every_keep().into_iter().chain(CATEGORIES.map(record));
        let mut played = 0;
        for chosen in every {
            let name = move_name(&chosen);
            let answer = rules.apply(&mut client, position.clone(), chosen, &[], Some(7)).await;
            match answer {
                Ok(_) => {
                    assert!(names.contains(&name), "{ruleset}: {name} was played");
                    played += 1;
                }
                Err(status) => {
                    assert_eq!(status.code(), Code::InvalidArgument, "{ruleset}: {name}");
                    let actual = fields(&status);
                    assert!(actual.iter().all(|field| field.starts_with("move.")), "{actual:?}");
                    assert!(!actual.is_empty() && !names.contains(&name), "{ruleset}: {name}");
                }
            }
        }
        assert_eq!(played, legal.len(), "{ruleset}");
    }
}

#[tokio::test]
async fn suggest_ranks_exactly_the_legal_moves() {
    let server = server();
    let mut client = server.client().await;
    for (ruleset, position) in positions() {
        let rules = Rules::of(ruleset);
        let legal = rules.legal_moves(&mut client, position.clone()).await.expect("moves");
        let advice = rules.suggest(&mut client, position).await.expect("advice");
        let ranked: Vec<pb::Move> =
            advice.alternatives.into_iter().filter_map(|alternative| alternative.r#move).collect();
        assert_eq!(ranked.len(), legal.len());
        let set = |moves: &[pb::Move]| moves_named(moves).into_iter().collect::<BTreeSet<_>>();
        assert_eq!(set(&ranked), set(&legal), "{ruleset}");
    }
}

#[tokio::test]
async fn max_alternatives_returns_the_best() {
    let server = server();
    let mut client = server.client().await;
    let position = roll(&[1, 3, 2, 4, 4], 2, card(""));
    let all = Rules::of("dice-poker-13").suggest(&mut client, position.clone()).await.expect("ok");
    for most in [1, 3, 1000, u32::MAX] {
        let request = pb::SuggestRequest {
            ruleset: "dice-poker-13".to_owned(),
            position: Some(position.clone()),
            max_alternatives: most,
            ..Default::default()
        };
        let some = client.suggest(request).await.expect("advice").into_inner();
        let count = all.alternatives.len().min(most as usize);
        assert_eq!(some.alternatives, all.alternatives[..count]);
        assert_eq!((some.r#move, some.expected_value), (all.r#move.clone(), all.expected_value));
    }
}

#[tokio::test]
async fn the_order_of_dice_does_not_matter() {
    let server = server();
    let mut client = server.client().await;
    let orders = [[1, 3, 2, 4, 4], [4, 4, 3, 2, 1], [2, 4, 1, 4, 3], [4, 1, 4, 3, 2]];
    for ruleset in ["dice-poker-13", "dice-poker-15", "yahtzee", "kniffel", "yatzy", "yacht"] {
        let rules = Rules::of(ruleset);
        let first = rules.score(&mut client, &orders[0], card("")).await.expect("scores");
        for dice in orders {
            let actual = rules.score(&mut client, &dice, card("")).await.expect("scores");
            assert_eq!(actual, first, "{ruleset} {dice:?}");
        }
    }
}

#[tokio::test]
async fn a_definition_of_get_ruleset_can_be_sent_back() {
    let server = server();
    let mut client = server.client().await;
    for (ruleset, position) in positions() {
        let named = Rules::of(ruleset);
        let defined = Rules::defined(definition(&mut client, ruleset).await);
        let dice = if position.dice.is_empty() { vec![1; 5] } else { position.dice.clone() };
        let on_card = position.scorecards[0].clone();
        assert_eq!(
            named.score(&mut client, &dice, on_card.clone()).await.expect("scores"),
            defined.score(&mut client, &dice, on_card).await.expect("scores"),
        );
        assert_eq!(
            named.legal_moves(&mut client, position.clone()).await.expect("moves"),
            defined.legal_moves(&mut client, position.clone()).await.expect("moves"),
        );
        // Solving again is the same work: one ruleset is enough to show it.
        if ruleset == "dice-poker-13" {
            assert_eq!(
                named.suggest(&mut client, position.clone()).await.expect("advice"),
                defined.suggest(&mut client, position).await.expect("advice"),
            );
        }
    }
}

async fn definition(client: &mut Client, ruleset: &str) -> pb::RulesetDefinition {
    let request = pb::GetRulesetRequest { ruleset: ruleset.to_owned(), options: None };
    let answer = client.get_ruleset(request).await.expect("a ruleset").into_inner();
    answer.ruleset.and_then(|ruleset| ruleset.definition).expect("a definition")
}

#[tokio::test]
async fn pages_of_rulesets_follow_each_other() {
    let server = server();
    let mut client = server.client().await;
    let all = client.list_rulesets(pb::ListRulesetsRequest::default()).await.expect("a list");
    let all = all.into_inner();
    assert!(all.next_page_token.is_empty());
    let ids: Vec<String> = all.rulesets.into_iter().map(|ruleset| ruleset.id).collect();
    assert!(ids.len() >= 7, "{ids:?}");
    let mut seen = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = pb::ListRulesetsRequest { page_size: 3, page_token };
        let page = client.list_rulesets(request).await.expect("a page").into_inner();
        assert!((1..=3).contains(&page.rulesets.len()));
        seen.extend(page.rulesets.into_iter().map(|ruleset| ruleset.id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, ids);
}
