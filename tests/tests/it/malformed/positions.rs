//! Malformed positions that only messages can have; `rules` samples those of the table. Each is
//! sent to all four calls with a position.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{card, header_size};
use tonic::Code;

use super::{Case, HEADERS, expect, finished, invalid, with_position};

/// A violation of the dice or of the moment, and the fields of `position` that the error must name.
pub(super) type Fault = (&'static str, Change, &'static [&'static str]);

/// The change to a sound position.
pub(super) type Change = fn(&mut pb::Position);

pub(super) const MOMENTS: &[Fault] = &[
    ("ten thousand dice", |p| p.dice = vec![1; 10_000], &["dice"]),
    ("5000 players", |p| p.scorecards = vec![card(""); 5000], &["scorecards"]),
    ("a throw of the race", |p| p.full_throw = Some(true), &["full_throw"]),
    ("full_throw false outside the race", |p| p.full_throw = Some(false), &["full_throw"]),
    ("turns of the race", |p| p.turns_ended = 1, &["turns_ended"]),
    ("a count of the race", |p| p.running_count = Some(Default::default()), &["running_count"]),
];

const FULL: &str = "ones 3, twos 6, threes 9, fours 12, fives 15, sixes 18, three_alike 20, \
                    four_alike 0, full_house 25, small_straight 30, large_straight 40, \
                    five_alike 50, chance 20";

fn under(prefix: &str, fields: &[&str]) -> Vec<String> {
    fields.iter().map(|field| format!("{prefix}.{field}")).collect()
}

#[tokio::test]
async fn positions_of_invalid_shape_are_rejected() {
    let mut cases = Vec::new();
    for (name, change, fields) in MOMENTS {
        for call in with_position(change) {
            let case = invalid(*name, call, &[]);
            cases.push(Case { fields: under("position", fields), ..case });
        }
    }
    expect(24, cases).await;
}

#[tokio::test]
async fn the_card_of_every_player_and_of_a_score_is_checked() {
    let wrong = || card("ones 7, twos 3, x 1");
    let fields = ["entries[0].points", "entries[1].points", "entries[2].category"];
    let score = pb::ScoreRequest {
        ruleset: "yahtzee".to_owned(),
        dice: vec![1, 2, 3, 4, 5],
        scorecard: Some(wrong()),
        ..Default::default()
    };
    let mut cases =
        vec![Case { fields: under("scorecard", &fields), ..invalid("score", score, &[]) }];
    for call in with_position(|p| p.scorecards = vec![card(""), wrong()]) {
        let case = invalid("second player", call, &[]);
        cases.push(Case { fields: under("position.scorecards[1]", &fields), ..case });
    }
    expect(5, cases).await;
}

#[tokio::test]
async fn entries_of_invalid_shape_are_rejected() {
    let entry = |category: &str, points: &[i32]| pb::scorecard::Entry {
        category: category.to_owned(),
        points: points.to_vec(),
        ..Default::default()
    };
    let full = |more: usize| {
        let mut entries = card(FULL).entries;
        entries.extend((0..more).map(|_| entry("ones", &[1])));
        entries
    };
    let first = "position.scorecards[0].entries";
    let table: [(&str, Vec<pb::scorecard::Entry>, Vec<String>); 6] = [
        ("no value", vec![entry("ones", &[])], vec![format!("{first}[0].points")]),
        ("two values", vec![entry("ones", &[1, 2])], vec![format!("{first}[0].points")]),
        ("many values", vec![entry("ones", &[1; 9999])], vec![format!("{first}[0].points")]),
        ("no category", vec![entry("", &[1])], vec![format!("{first}[0].category")]),
        ("one too many", full(1), vec![first.to_owned(), format!("{first}[13].category")]),
        ("ten thousand", full(9987), vec![first.to_owned(), format!("{first}[13].category")]),
    ];
    let mut cases = Vec::new();
    for (name, entries, fields) in table {
        for call in with_position(|p| p.scorecards[0].entries = entries.clone()) {
            cases.push(Case { fields: fields.clone(), ..invalid(name, call, &[]) });
        }
    }
    expect(24, cases).await;
}

#[tokio::test]
async fn a_finished_card_has_no_move_to_make() {
    let mut cases = Vec::new();
    let table: [(&str, Change); 4] = [
        ("with dice", |p| p.scorecards = vec![card(FULL)]),
        ("as Apply leaves it", |p| {
            p.scorecards = vec![card(FULL)];
            p.dice.clear();
            p.rolls_left = 0;
        }),
        ("before a throw", |p| {
            p.scorecards = vec![card(FULL)];
            p.dice.clear();
            p.rolls_left = 3;
        }),
        ("of the second player", |p| {
            p.scorecards = vec![card(""), card(FULL)];
            p.to_move = 1;
        }),
    ];
    for (name, change) in table {
        // Score can still return totals, see below.
        for call in with_position(change).into_iter().skip(1) {
            cases.push(finished(name, call));
        }
    }
    // Violations take precedence over GAME_FINISHED.
    for call in with_position(|p| {
        p.scorecards = vec![card(FULL)];
        p.dice[0] = 7;
    }) {
        let case = invalid("finished, and a face of 7", call, &["position.dice[0]"]);
        assert_eq!(case.code, Code::InvalidArgument);
        cases.push(case);
    }
    expect(16, cases).await;
}

#[tokio::test]
async fn score_of_a_finished_card_has_totals_only() {
    let server = crate::server();
    let mut client = server.client().await;
    for (dice, rolls_left) in [(vec![], 0), (vec![1, 1, 6, 6, 6], 2)] {
        let request = pb::ScoreRequest {
            ruleset: "yahtzee".to_owned(),
            position: Some(dicepoker_tests::roll(&dice, rolls_left, card(FULL))),
            ..Default::default()
        };
        let answer = client.score(request).await.expect("totals").into_inner();
        assert!(answer.scores.is_empty());
        assert_eq!(answer.totals.map(|totals| totals.grand_total), Some(63 + 35 + 185));
    }
}

#[tokio::test]
async fn an_error_with_many_violations_fits_the_headers() {
    let wrong = "ones 7, twos 3, threes 4, fours 5, fives 6, sixes 7, three_alike 1, \
                 four_alike 1, full_house 1, small_straight 1, large_straight 1, five_alike 1, \
                 chance 1";
    let server = crate::server();
    let mut client = server.client().await;
    for call in with_position(|p| p.scorecards = vec![card(wrong); 32]) {
        let status = call.send(&mut client).await.expect_err("wrong");
        assert_eq!(status.code(), tonic::Code::InvalidArgument, "{}", status.message());
        let actual = dicepoker_tests::fields(&status);
        assert!(actual.iter().any(|field| field == "position.scorecards[0].entries[0].points"));
        let size = header_size(&status);
        assert!(size < HEADERS, "{size} bytes of details in {} violations", actual.len());
    }
}

#[tokio::test]
async fn invalid_dice_and_cards_of_a_score_are_rejected() {
    let score = |change: fn(&mut pb::ScoreRequest)| {
        let mut request = pb::ScoreRequest {
            ruleset: "yahtzee".to_owned(),
            dice: vec![1, 1, 6, 6, 6],
            ..Default::default()
        };
        change(&mut request);
        request
    };
    let with_position = |r: &mut pb::ScoreRequest| {
        r.position = Some(dicepoker_tests::roll(&[1, 1, 6, 6, 6], 2, card("")));
    };
    let both = |change: fn(&mut pb::ScoreRequest)| {
        let mut request = score(change);
        with_position(&mut request);
        request
    };
    let cases = vec![
        invalid("no dice and no card", score(|r| r.dice.clear()), &["dice"]),
        invalid(
            "no dice and an empty card",
            score(|r| {
                r.dice.clear();
                r.scorecard = Some(card(""));
            }),
            &["dice"],
        ),
        invalid("four dice", score(|r| r.dice = vec![1; 4]), &["dice"]),
        invalid("six dice", score(|r| r.dice = vec![1; 6]), &["dice"]),
        invalid("a face of 0", score(|r| r.dice[0] = 0), &["dice[0]"]),
        invalid("a face of 7", score(|r| r.dice[4] = 7), &["dice[4]"]),
        invalid(
            "every face wrong",
            score(|r| r.dice = vec![0; 5]),
            &["dice[0]", "dice[1]", "dice[2]", "dice[3]", "dice[4]"],
        ),
        invalid("no such category", score(|r| r.category = "joker".into()), &["category"]),
        invalid(
            "a category of another ruleset",
            score(|r| r.category = "pair".into()),
            &["category"],
        ),
        invalid("a very long category", score(|r| r.category = "x".repeat(100_000)), &["category"]),
        invalid("dice and a position", both(|_| ()), &["dice"]),
        invalid(
            "a card and a position",
            both(|r| {
                r.dice.clear();
                r.scorecard = Some(card("ones 3"));
            }),
            &["scorecard"],
        ),
        invalid(
            "all of it",
            both(|r| {
                r.scorecard = Some(card("ones 3"));
                r.category = "joker".into();
            }),
            &["dice", "scorecard", "category"],
        ),
        invalid(
            "dice, card and category",
            score(|r| {
                r.dice = vec![7, 1, 1, 1, 1];
                r.scorecard = Some(card("ones 7"));
                r.category = "joker".into();
            }),
            &["dice[0]", "scorecard.entries[0].points", "category"],
        ),
    ];
    expect(14, cases).await;
}
