//! Positions and cards that no game can come to. Each is sent to all four calls that take a
//! position, and where it can be, as the bare dice and card of a Score.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{card, header_size};
use tonic::Code;

use super::{Case, HEADERS, expect, finished, invalid, with_position, with_position_of};

/// A fault of the dice or of the moment, and the fields of `position` it must name.
pub(super) type Fault = (&'static str, Change, &'static [&'static str]);

/// What is done to a sound position.
pub(super) type Change = fn(&mut pb::Position);

pub(super) const MOMENTS: &[Fault] = &[
    ("no position at all but rolls_left 0", |p| *p = pb::Position::default(), &["dice"]),
    ("one die", |p| p.dice = vec![3], &["dice"]),
    ("four dice", |p| p.dice = vec![1, 2, 3, 4], &["dice"]),
    ("six dice", |p| p.dice = vec![1, 2, 3, 4, 5, 6], &["dice"]),
    ("ten thousand dice", |p| p.dice = vec![1; 10_000], &["dice"]),
    ("a face of 0", |p| p.dice[2] = 0, &["dice[2]"]),
    ("a face of 7", |p| p.dice[4] = 7, &["dice[4]"]),
    ("a face that is 1 in a byte", |p| p.dice[0] = 257, &["dice[0]"]),
    ("the greatest face", |p| p.dice[1] = u32::MAX, &["dice[1]"]),
    ("two wrong faces", |p| p.dice = vec![0, 1, 2, 3, 9], &["dice[0]", "dice[4]"]),
    ("too few dice and a wrong face", |p| p.dice = vec![1, 2, 9], &["dice", "dice[2]"]),
    ("as many throws left as a turn has", |p| p.rolls_left = 3, &["rolls_left"]),
    ("no number of throws", |p| p.rolls_left = u32::MAX, &["rolls_left"]),
    ("throws left that are 2 in a byte", |p| p.rolls_left = 258, &["rolls_left"]),
    ("no dice after the first throw", |p| p.dice.clear(), &["dice"]),
    (
        "no dice and too many throws",
        |p| {
            p.dice.clear();
            p.rolls_left = 4;
        },
        &["dice"],
    ),
    ("the second of one player", |p| p.to_move = 1, &["to_move"]),
    ("no such player", |p| p.to_move = u32::MAX, &["to_move"]),
    (
        "the second player where no card is sent",
        |p| {
            p.scorecards.clear();
            p.to_move = 1;
        },
        &["to_move"],
    ),
    ("33 players", |p| p.scorecards = vec![card(""); 33], &["scorecards"]),
    ("5000 players", |p| p.scorecards = vec![card(""); 5000], &["scorecards"]),
    ("a throw of the race", |p| p.full_throw = Some(true), &["full_throw"]),
    ("an untruth of the race", |p| p.full_throw = Some(false), &["full_throw"]),
    ("turns of the race", |p| p.turns_ended = 1, &["turns_ended"]),
    ("a count of the race", |p| p.running_count = Some(Default::default()), &["running_count"]),
    (
        "everything wrong at once",
        |p| {
            p.dice = vec![1, 7];
            p.rolls_left = 9;
            p.to_move = 2;
            p.scorecards = vec![card("ones 7, ones 1"), card("bonuses 1")];
        },
        &[
            "dice",
            "dice[1]",
            "rolls_left",
            "to_move",
            "scorecards[0].entries[0].points",
            "scorecards[0].entries[1].category",
            "scorecards[1].five_alike_bonuses",
        ],
    ),
];

/// Ruleset, what stands on the card, and the fields of the card it must name.
const CARDS: &[(&str, &str, &[&str])] = &[
    ("yahtzee", "joker 25", &["entries[0].category"]),
    ("yahtzee", "Ones 1", &["entries[0].category"]),
    ("yahtzee", "pair 8", &["entries[0].category"]),
    ("yacht", "three_alike 12", &["entries[0].category"]),
    ("yahtzee", "aces 1", &["entries[0].category"]),
    ("yahtzee", "ones 1, twos 2, ones 1", &["entries[2].category"]),
    ("yahtzee", "chance 9, chance 9, chance 9", &["entries[1].category", "entries[2].category"]),
    ("yahtzee", "ones 7", &["entries[0].points"]),
    ("yahtzee", "ones 6", &["entries[0].points"]),
    ("yahtzee", "twos 3", &["entries[0].points"]),
    ("yahtzee", "sixes 36", &["entries[0].points"]),
    ("yahtzee", "three_alike 4", &["entries[0].points"]),
    ("yahtzee", "three_alike 31", &["entries[0].points"]),
    ("yahtzee", "full_house 24", &["entries[0].points"]),
    ("yacht", "full_house 31", &["entries[0].points"]),
    ("yatzy", "full_house 25", &["entries[0].points"]),
    ("yatzy", "full_house 6", &["entries[0].points"]),
    ("yatzy", "pair 7", &["entries[0].points"]),
    ("yatzy", "three_alike 12, three_alike 13", &["entries[1].category", "entries[1].points"]),
    ("yatzy", "four_alike 22", &["entries[0].points"]),
    ("yatzy", "two_pairs 5", &["entries[0].points"]),
    ("yatzy", "small_straight 30", &["entries[0].points"]),
    ("yatzy", "large_straight 15", &["entries[0].points"]),
    ("yahtzee", "small_straight 15", &["entries[0].points"]),
    ("yahtzee", "large_straight 30", &["entries[0].points"]),
    ("yahtzee", "five_alike 100", &["entries[0].points"]),
    ("yahtzee", "five_alike 5", &["entries[0].points"]),
    ("yahtzee", "chance 4", &["entries[0].points"]),
    ("yahtzee", "chance 31", &["entries[0].points"]),
    ("yahtzee", "chance 0", &["entries[0].points"]),
    ("yahtzee", "chance 65541", &["entries[0].points"]),
    ("yahtzee", "ones 2147483647", &["entries[0].points"]),
    ("yahtzee", "ones -1", &["entries[0].points"]),
    (
        "yahtzee",
        "ones 7, twos 3, x 1",
        &["entries[0].points", "entries[1].points", "entries[2].category"],
    ),
    ("yahtzee", "bonuses 1", &["five_alike_bonuses"]),
    ("yahtzee", "five_alike 0, ones 3, bonuses 1", &["five_alike_bonuses"]),
    ("yahtzee", "five_alike 50, bonuses 1", &["five_alike_bonuses"]),
    ("yahtzee", "five_alike 50, ones 3, bonuses 2", &["five_alike_bonuses"]),
    ("yahtzee", "five_alike 50, ones 3, bonuses 4294967295", &["five_alike_bonuses"]),
    ("yahtzee", "five_alike 50, ones 3, bonuses 257", &["five_alike_bonuses"]),
    ("kniffel", "five_alike 50, ones 3, bonuses 1", &["five_alike_bonuses"]),
    ("dice-poker-13", "five_alike 50, ones 3, bonuses 1", &["five_alike_bonuses"]),
    ("dice-poker-15", "five_alike 0, ones 3, bonuses 1", &["five_alike_bonuses"]),
    ("dice-poker-15", "two_pairs 4", &["entries[0].points"]),
    ("yatzy", "ones 7, bonuses 1", &["entries[0].points", "five_alike_bonuses"]),
];

const FULL: &str = "ones 3, twos 6, threes 9, fours 12, fives 15, sixes 18, three_alike 20, \
                    four_alike 0, full_house 25, small_straight 30, large_straight 40, \
                    five_alike 50, chance 20";

fn under(prefix: &str, fields: &[&str]) -> Vec<String> {
    fields.iter().map(|field| format!("{prefix}.{field}")).collect()
}

#[tokio::test]
async fn moments_that_cannot_be_are_refused() {
    let mut cases = Vec::new();
    for (name, change, fields) in MOMENTS {
        for call in with_position(change) {
            let case = invalid(*name, call, &[]);
            cases.push(Case { fields: under("position", fields), ..case });
        }
    }
    expect(80, cases).await;
}

#[tokio::test]
async fn cards_that_cannot_be_are_refused() {
    let mut cases = Vec::new();
    for (ruleset, on_card, fields) in CARDS {
        let name = format!("{ruleset}: {on_card}");
        for call in with_position_of(ruleset, |p| p.scorecards = vec![card(on_card)]) {
            let case = invalid(name.as_str(), call, &[]);
            cases.push(Case { fields: under("position.scorecards[0]", fields), ..case });
        }
        let request = pb::ScoreRequest {
            ruleset: (*ruleset).to_owned(),
            dice: vec![1, 2, 3, 4, 5],
            scorecard: Some(card(on_card)),
            ..Default::default()
        };
        let case = invalid(name.as_str(), request, &[]);
        cases.push(Case { fields: under("scorecard", fields), ..case });
        // It is the second player's card as well that must be possible.
        let both = with_position_of(ruleset, |p| p.scorecards = vec![card(""), card(on_card)]);
        let case = invalid(name, both[1].clone(), &[]);
        cases.push(Case { fields: under("position.scorecards[1]", fields), ..case });
    }
    expect(250, cases).await;
}

#[tokio::test]
async fn entries_of_the_wrong_shape_are_refused() {
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
        // Score has still something to add up, see below.
        for call in with_position(change).into_iter().skip(1) {
            cases.push(finished(name, call));
        }
    }
    // What cannot be is told before what is over.
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
async fn of_a_finished_card_score_tells_the_totals_only() {
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
async fn a_refusal_of_very_many_faults_still_arrives() {
    let wrong = "ones 7, twos 3, threes 4, fours 5, fives 6, sixes 7, three_alike 1, \
                 four_alike 1, full_house 1, small_straight 1, large_straight 1, five_alike 1, \
                 chance 1";
    let server = crate::server();
    let mut client = server.client().await;
    for call in with_position(|p| p.scorecards = vec![card(wrong); 32]) {
        let status = call.send(&mut client).await.expect_err("wrong");
        assert_eq!(status.code(), tonic::Code::InvalidArgument, "{}", status.message());
        let told = dicepoker_tests::fields(&status);
        assert!(told.iter().any(|field| field == "position.scorecards[0].entries[0].points"));
        let size = header_size(&status);
        assert!(size < HEADERS, "{size} bytes of details in {} violations", told.len());
    }
}

#[tokio::test]
async fn dice_and_cards_of_a_score_are_refused_alike() {
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
