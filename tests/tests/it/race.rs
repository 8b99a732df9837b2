//! The traditional race over the socket: the text's own examples, whole games, and impossible
//! positions. Totals are counted again here from the cells alone.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, category, fields, keep, reason, record};
use pb::IllegalReason::{BelowMinimum, Closed, NoPattern, NotFullThrow};
use prost_types::value::Kind;
use tonic::Code;

use crate::server;

/// Rows of the board with their multipliers.
const ROWS: [(&str, i32); 7] = [
    ("aces", 6),
    ("kings", 5),
    ("queens", 4),
    ("jacks", 3),
    ("tens", 2),
    ("sequences", 1),
    ("fullens", 1),
];

const NINE: u32 = 1;
const TEN: u32 = 2;
const JACK: u32 = 3;
const QUEEN: u32 = 4;
const KING: u32 = 5;
const ACE: u32 = 6;

fn rules() -> Rules {
    Rules::of("poquer-tradicional")
}

/// A board in short form: `"aces 7 8 9, fullens 20"`.
fn board(text: &str) -> pb::Scorecard {
    let entries = text.split(',').map(str::trim).filter(|row| !row.is_empty()).map(|row| {
        let mut words = row.split(' ');
        pb::scorecard::Entry {
            category: words.next().expect("a row").to_owned(),
            points: words.map(|word| word.parse().expect("points")).collect(),
            ..Default::default()
        }
    });
    pb::Scorecard { entries: entries.collect(), ..Default::default() }
}

fn position(dice: &[u32], rolls_left: u32, boards: &[&str]) -> pb::Position {
    pb::Position {
        dice: dice.to_vec(),
        rolls_left,
        scorecards: boards.iter().map(|text| board(text)).collect(),
        ..Default::default()
    }
}

async fn score(client: &mut Client, rules: Rules, position: pb::Position) -> pb::ScoreResponse {
    let request = pb::ScoreRequest {
        ruleset: rules.ruleset,
        options: rules.options,
        position: Some(position),
        ..Default::default()
    };
    client.score(request).await.expect("a possible position").into_inner()
}

#[tokio::test]
async fn throws_score_what_the_rules_say() {
    let server = server();
    let mut client = server.client().await;
    // (dice, thrown together, row, points), rows opened so that no minimum stands in the way.
    let opened = "aces 7, kings 7, queens 7, jacks 7, tens 7";
    let cases: &[(&[u32], bool, &str, i32)] = &[
        (&[ACE, ACE, NINE, KING, JACK], true, "aces", 5),
        (&[QUEEN, QUEEN, JACK, KING, QUEEN], true, "queens", 6),
        (&[QUEEN; 5], true, "queens", 40),
        (&[QUEEN; 5], false, "queens", 20),
        (&[NINE; 5], true, "tens", 60),
        (&[NINE; 5], false, "aces", 30),
        (&[KING, QUEEN, JACK, TEN, NINE], false, "sequences", 15),
        (&[KING, QUEEN, JACK, TEN, NINE], true, "sequences", 30),
        (&[ACE, KING, QUEEN, JACK, TEN], true, "sequences", 60),
        (&[KING, KING, QUEEN, QUEEN, QUEEN], false, "fullens", 20),
        (&[TEN, TEN, TEN, TEN, TEN], true, "fullens", 40),
        (&[NINE, NINE, QUEEN, QUEEN, QUEEN], true, "fullens", 0),
    ];
    for &(dice, together, row, points) in cases {
        let mut position = position(dice, 1, &[opened, ""]);
        position.full_throw = Some(together);
        let scores = score(&mut client, rules(), position).await;
        assert_eq!(category(&scores, row).points, points, "{dice:?} in {row}");
    }
}

#[tokio::test]
async fn a_row_reports_why_it_is_illegal() {
    let server = server();
    let mut client = server.client().await;
    let with_poker = rules().with("poker_row", Kind::BoolValue(true));
    let mut position =
        position(&[QUEEN, QUEEN, QUEEN, QUEEN, JACK], 1, &["jacks 7", "aces 7 6 6 8 8", "kings 7"]);
    position.full_throw = Some(false);
    let scores = score(&mut client, with_poker, position).await;
    let reason = |row: &str| category(&scores, row).illegal_reason();
    assert_eq!(reason("aces"), Closed);
    assert_eq!(reason("jacks"), BelowMinimum);
    assert_eq!(reason("sequences"), NoPattern);
    assert_eq!(reason("poker"), NotFullThrow);
    let queens = category(&scores, "queens");
    assert!(queens.legal && queens.points == 8);
    let cell = queens.race.as_ref().expect("a row of the race");
    assert_eq!((cell.cell, cell.minimum), (1, 7));
}

#[tokio::test]
async fn three_records_in_one_turn() {
    let server = server();
    let mut client = server.client().await;
    let rules = rules();
    let throw = keep(&[]);
    let start = position(&[], 3, &["", ""]);
    let apply = rules.apply(&mut client, start, throw.clone(), &[QUEEN; 5], None);
    let thrown = apply.await.expect("the first throw").position.expect("a position");
    let mut at = thrown;
    // 40 queens de mão, four kings, three queens in the next cell: the turn of the text.
    for (row, points, next) in [
        ("queens", 40, Some([KING, KING, KING, JACK, KING])),
        ("kings", 8, Some([KING, QUEEN, QUEEN, QUEEN, JACK])),
        ("queens", 6, None),
    ] {
        let played = rules.apply(&mut client, at, record(row), &[], None).await.expect("legal");
        assert_eq!(played.recorded.expect("recorded").points, points);
        assert_eq!(played.turn_ended, next.is_none());
        at = played.position.expect("a position");
        if let Some(dice) = next {
            let played = rules.apply(&mut client, at, throw.clone(), &dice, None).await;
            at = played.expect("another throw").position.expect("a position");
        }
    }
    assert_eq!((at.to_move, at.rolls_left), (1, 3));
    assert_eq!(at.scorecards[0].entries, board("kings 8, queens 40 6").entries);
}

#[tokio::test]
async fn closing_rows_doubles_the_unopened_and_ends_the_game() {
    let server = server();
    let mut client = server.client().await;
    let mine = "aces 7 8 9 8 9, kings 7 6 6 8 8, queens 8 6 6 20, jacks 7 6 6 8 8, \
                sequences 60 15 30 60 30, tens 7 6 6 8 8";
    let at = position(&[QUEEN, QUEEN, QUEEN, QUEEN, JACK], 0, &[mine, "aces 7, tens 7 6"]);
    let applied = rules().apply(&mut client, at, record("queens"), &[], None).await;
    let applied = applied.expect("the sixth row closes");
    assert!(applied.row_closed && applied.row_doubled && applied.turn_ended && applied.game_ended);
    assert_eq!(applied.winners, [0]);
    let rows = &applied.totals[0].rows;
    let points = |id: &str| rows.iter().find(|row| row.category == id).expect("a row").points;
    assert_eq!(points("aces"), 246);
    assert_eq!(points("queens"), 384);
    assert_eq!(points("sequences"), 195 * 2);
    let end = applied.position.expect("a position");
    let refused = rules().suggest(&mut client, end.clone()).await.expect_err("no move is left");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(reason(&refused).as_deref(), Some("GAME_FINISHED"));
    // Its totals are still available.
    let totals = score(&mut client, rules(), end).await.totals.expect("totals");
    assert_eq!(totals.grand_total, applied.totals[0].grand_total);
}

#[tokio::test]
async fn a_running_count_continues_with_sum_of_figures() {
    let server = server();
    let mut client = server.client().await;
    let rules = rules().with("sum_of_figures", Kind::BoolValue(true));
    let mut at = position(&[QUEEN, QUEEN, QUEEN, QUEEN, NINE], 2, &["", ""]);
    for (kept, thrown, count) in [
        (&[][..], &[QUEEN, TEN, KING, KING, NINE][..], 12),
        (&[NINE, QUEEN][..], &[QUEEN, KING, JACK][..], 14),
    ] {
        let played = rules.apply(&mut client, at, keep(kept), thrown, None).await.expect("legal");
        at = played.position.expect("a position");
        assert_eq!(at.running_count.as_ref().expect("a count").points, 9);
        let scores = score(&mut client, rules.clone(), at.clone()).await;
        assert_eq!(category(&scores, "queens").points, count);
    }
}

#[tokio::test]
async fn impossible_positions_are_rejected_by_field() {
    let server = server();
    let mut client = server.client().await;
    let with_count = |row: &str| pb::Position {
        running_count: Some(pb::RunningCount { category: row.to_owned(), points: 9 }),
        ..position(&[QUEEN; 5], 1, &["", ""])
    };
    let closed = "aces 7 6 6 8 8, kings 7 6 6 8 8, queens 7 6 6 8 8, jacks 7 6 6 8 8, \
                  tens 7 6 6 8 8, sequences 15 15 15 15 15, fullens 20 20 20 20 20";
    let cases = [
        (position(&[1; 5], 0, &["aces 7 10"]), "scorecards[0].entries[0].points[1]"),
        (position(&[1; 5], 0, &["", "fullens 8"]), "scorecards[1].entries[0].points[0]"),
        (position(&[1; 5], 0, &["jacks 6"]), "scorecards[0].entries[0].points[0]"),
        (position(&[1; 5], 0, &["tens 7 6 6 8 8 8"]), "scorecards[0].entries[0].points"),
        (
            position(&[1; 5], 0, &["tens 7 6 6 8 8", "tens 7 6 6 8 8"]),
            "scorecards[1].entries[0].points",
        ),
        (position(&[1; 5], 0, &[closed]), "scorecards"),
        (position(&[1; 5], 0, &["nines 7"]), "scorecards[0].entries[0].category"),
        (position(&[1; 5], 0, &["poker 100"]), "scorecards[0].entries[0].category"),
        (position(&[1, 2, 3], 0, &[""]), "dice"),
        (position(&[1, 2, 3, 7, 5], 0, &[""]), "dice[3]"),
        (position(&[1; 5], 3, &[""]), "rolls_left"),
        (position(&[1; 5], 0, &[""; 9]), "scorecards"),
        (with_count("queens"), "running_count"),
    ];
    for (position, field) in cases {
        let refused = rules().legal_moves(&mut client, position.clone()).await;
        let refused = refused.expect_err("impossible");
        assert_eq!(refused.code(), Code::InvalidArgument, "{position:?}");
        let fields = fields(&refused);
        assert!(fields.contains(&format!("position.{field}")), "{fields:?} for {position:?}");
    }
}

#[tokio::test]
async fn seeded_games_of_any_number_of_players_have_consistent_totals() {
    let server = server();
    let mut client = server.client().await;
    for players in 1..=8usize {
        let mut at = position(&[], 3, &vec![""; players]);
        let mut steps = 0;
        let end = loop {
            let advice = rules().suggest(&mut client, at.clone()).await.expect("a position");
            let legal = rules().legal_moves(&mut client, at.clone()).await.expect("a position");
            assert_eq!(advice.alternatives.len(), legal.len());
            let chosen = advice.r#move.expect("a move");
            let seed = Some(players as u64);
            let played = rules().apply(&mut client, at, chosen, &[], seed).await.expect("legal");
            if played.game_ended {
                break played;
            }
            at = played.position.expect("a position");
            steps += 1;
            assert!(steps < 10_000, "the game does not end");
        };
        let boards = &end.position.as_ref().expect("a position").scorecards;
        let totals: Vec<i32> = boards.iter().map(|card| count_again(card, boards)).collect();
        let actual: Vec<i32> = end.totals.iter().map(|total| total.grand_total).collect();
        assert_eq!(actual, totals, "{players} players");
        let most = totals.iter().max().expect("players");
        let best: Vec<u32> =
            (0..players as u32).filter(|&player| totals[player as usize] == *most).collect();
        assert_eq!(end.winners, best);
    }
}

/// A player's total at the end of a game, from the cells alone.
pub(crate) fn count_again(card: &pb::Scorecard, boards: &[pb::Scorecard]) -> i32 {
    let cells = |card: &pb::Scorecard, row: &str| -> Vec<i32> {
        let entry = card.entries.iter().find(|entry| entry.category == row);
        entry.map(|entry| entry.points.clone()).unwrap_or_default()
    };
    ROWS.iter()
        .map(|(row, multiplier)| {
            let closed = boards.iter().any(|card| cells(card, row).len() == 5);
            let unopened = boards.iter().any(|card| cells(card, row).is_empty());
            let double = if closed && unopened { 2 } else { 1 };
            cells(card, row).iter().sum::<i32>() * multiplier * double
        })
        .sum()
}

#[tokio::test]
async fn a_board_rejects_bonuses_of_score_sheets() {
    let server = server();
    let mut client = server.client().await;
    let mut at = position(&[ACE, ACE, NINE, TEN, JACK], 2, &["", "aces 7"]);
    at.scorecards[1].five_alike_bonuses = 1;
    let actual = rules().suggest(&mut client, at).await.expect_err("refused");
    assert_eq!(fields(&actual), ["position.scorecards[1].five_alike_bonuses"]);
}
