//! The larger score sheets over the wire: columns, entries, announcements, throws saved and bought.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, card};

use crate::server;

const SHEETS: [&str; 10] = [
    "maxi-yatzy-saved",
    "forced-yatzy",
    "forced-maxi-yatzy",
    "crag",
    "kismet",
    "balut",
    "escalero",
    "triple-yahtzee",
    "yamb",
    "kosci",
];

async fn start(client: &mut Client, id: &str) -> pb::Position {
    let request = pb::GetRulesetRequest { ruleset: id.to_owned(), ..Default::default() };
    let ruleset = client.get_ruleset(request).await.expect("built in").into_inner().ruleset;
    let rolls = ruleset.and_then(|r| r.definition).expect("a definition").rolls;
    pb::Position { rolls_left: rolls, scorecards: vec![card("")], ..Default::default() }
}

/// Legal moves lead from the start of a game to its end, through positions that can be sent back.
#[tokio::test]
async fn games_of_every_sheet_are_played_to_their_end() {
    let server = server();
    let mut client = server.client().await;
    for id in SHEETS {
        let rules = Rules::of(id);
        let mut position = start(&mut client, id).await;
        let mut steps = 0usize;
        loop {
            let moves = rules.legal_moves(&mut client, position.clone()).await.expect(id);
            let chosen = moves[(steps * 31 + 17) % moves.len()].clone();
            let seed = chosen.kind.as_ref().and_then(|kind| match kind {
                pb::r#move::Kind::Keep(_) => Some(7),
                _ => None,
            });
            let applied = rules.apply(&mut client, position, chosen, &[], seed).await;
            let applied = applied.expect(id);
            let totals = applied.totals[0].clone();
            let sum = totals.upper_subtotal
                + totals.upper_bonus
                + totals.lower_subtotal
                + totals.five_alike_bonus
                + totals.other;
            assert_eq!(totals.grand_total, sum, "{id}");
            position = applied.position.expect("a position");
            steps += 1;
            if applied.game_ended {
                assert_eq!(applied.winners, [0], "{id}");
                break;
            }
        }
        assert!(steps >= 13, "{id}: {steps} steps");
    }
}

/// Published, or proved by two solvers of the engine.
#[tokio::test]
async fn sheets_that_fit_have_exact_values() {
    let server = server();
    let mut client = server.client().await;
    for (id, value) in [("kosci", 109.455_536), ("crag", 149.847_593), ("balut", 433.347_1)] {
        let position = start(&mut client, id).await;
        let advice = Rules::of(id).suggest(&mut client, position).await.expect("solved");
        assert!(advice.exact, "{id}");
        assert!((advice.expected_value - value).abs() < 1e-3, "{id}: {}", advice.expected_value);
    }
}

/// Also with more boxes than a table has bits for.
#[tokio::test]
async fn moves_on_sheets_with_columns_are_explained() {
    let server = server();
    let mut client = server.client().await;
    for id in ["triple-yahtzee", "yamb"] {
        let position = pb::Position { dice: vec![6, 6, 6, 2, 1], ..start(&mut client, id).await };
        let position = pb::Position { rolls_left: position.rolls_left - 1, ..position };
        let request = pb::SuggestRequest {
            ruleset: id.to_owned(),
            position: Some(position),
            explain: Some(pb::Explain::default()),
            ..Default::default()
        };
        let advice = client.suggest(request).await.expect(id).into_inner();
        assert!(advice.explanation.is_some_and(|it| !it.plan.is_empty()), "{id}");
    }
}

/// After the last throw of a turn a fourth throw is a legal move, which is marked as bought.
#[tokio::test]
async fn bought_throws_and_announcements_are_moves() {
    let server = server();
    let mut client = server.client().await;
    let position = pb::Position { dice: vec![6, 6, 6, 6, 1], ..Default::default() };
    let moves = Rules::of("kosci").legal_moves(&mut client, position.clone()).await.expect("moves");
    let bought = moves.iter().filter_map(|chosen| match &chosen.kind {
        Some(pb::r#move::Kind::Keep(keep)) => Some(keep.buys),
        _ => None,
    });
    assert!(bought.clone().count() > 0 && bought.into_iter().all(|buys| buys));
    let keep = pb::KeepMove { dice: vec![6; 4], ..Default::default() };
    let keep = pb::Move { kind: Some(pb::r#move::Kind::Keep(keep)) };
    let applied = Rules::of("kosci").apply(&mut client, position, keep, &[6], None).await;
    let applied = applied.expect("bought");
    assert_eq!(applied.totals[0].grand_total, -10);
    assert_eq!(applied.position.expect("a position").scorecards[0].extra_throws, 1);

    let first = pb::Position { dice: vec![6, 6, 6, 6, 1], rolls_left: 2, ..Default::default() };
    let announce = pb::AnnounceMove { category: "sixes".into(), column: "announced".into() };
    let announce = pb::Move { kind: Some(pb::r#move::Kind::Announce(announce)) };
    let moves = Rules::of("yamb").legal_moves(&mut client, first.clone()).await.expect("moves");
    assert!(moves.contains(&announce));
    let applied = Rules::of("yamb").apply(&mut client, first, announce, &[], None).await;
    let position = applied.expect("announced").position.expect("a position");
    assert_eq!(position.announced.as_ref().map(|a| a.category.as_str()), Some("sixes"));
    let score =
        pb::ScoreRequest { ruleset: "yamb".into(), position: Some(position), ..Default::default() };
    let scores = client.score(score).await.expect("scored").into_inner().scores;
    let legal: Vec<_> = scores.iter().filter(|score| score.legal).collect();
    assert_eq!(legal.len(), 1);
    assert_eq!((legal[0].column.as_str(), legal[0].points), ("announced", 24));
}
