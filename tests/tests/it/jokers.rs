//! A further roll of all dice alike, case by case: which rows it may go into, what it is worth
//! there, and the bonus it brings. For each case Score and LegalMoves must say the same.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, card, keep, move_name, roll};

use crate::server;

/// One case, which lacks nothing but a ruleset: what stands on the card, the face thrown five times, the bonus it brings in points,
/// and the rows it may go into with what they pay; all other open rows must be illegal.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    card: &'static str,
    face: u32,
    bonus: i32,
    rows: &'static str,
}

const UPPER_FILLED: &str = "ones 3, twos 6, threes 9, fours 12, fives 15, sixes 18";

const FORCED: &[Case] = &[
    Case {
        name: "(a) the upper row of its face is open: it must go there",
        card: "five_alike 50",
        face: 4,
        bonus: 100,
        rows: "fours 20",
    },
    Case {
        name: "(b) that row is filled: any open lower row, at full points",
        card: "five_alike 50, fours 12, chance 20",
        face: 4,
        bonus: 100,
        rows: "three_alike 20, four_alike 20, full_house 25, small_straight 30, large_straight 40",
    },
    Case {
        name: "(b) with one lower row open",
        card: "five_alike 50, fours 0, three_alike 20, four_alike 0, full_house 25, \
               small_straight 30, chance 20",
        face: 4,
        bonus: 100,
        rows: "large_straight 40",
    },
    Case {
        name: "(c) every lower row is filled: nothing in an open upper row",
        card: "five_alike 50, fours 12, three_alike 20, four_alike 0, full_house 25, \
               small_straight 30, large_straight 0, chance 20",
        face: 4,
        bonus: 100,
        rows: "ones 0, twos 0, threes 0, fives 0, sixes 0",
    },
    Case {
        name: "the row of five alike is open: natural points, any row",
        card: "fours 12, chance 20",
        face: 4,
        bonus: 0,
        rows: "ones 0, twos 0, threes 0, fives 0, sixes 0, three_alike 20, four_alike 20, \
               full_house 0, small_straight 0, large_straight 0, five_alike 50",
    },
];

/// Where the row holds 0 the joker is in force in `yahtzee`, without a bonus.
const ROW_AT_0_FORCED: &[Case] = &[
    Case {
        name: "(a) with the row at 0",
        card: "five_alike 0",
        face: 4,
        bonus: 0,
        rows: "fours 20",
    },
    Case {
        name: "(b) with the row at 0",
        card: "five_alike 0, fours 12, chance 20",
        face: 4,
        bonus: 0,
        rows: "three_alike 20, four_alike 20, full_house 25, small_straight 30, large_straight 40",
    },
    Case {
        name: "(c) with the row at 0",
        card: "five_alike 0, fours 12, three_alike 20, four_alike 0, full_house 25, \
               small_straight 30, large_straight 0, chance 20",
        face: 4,
        bonus: 0,
        rows: "ones 0, twos 0, threes 0, fives 0, sixes 0",
    },
];

/// In `dice-poker-15` a row at 0 is neither bonus nor joker; nor is anything in `kniffel`.
const NO_JOKER: &[Case] = &[
    Case {
        name: "any open row at natural points, the upper row of its face open",
        card: "five_alike 0",
        face: 4,
        bonus: 0,
        rows: "ones 0, twos 0, threes 0, fours 20, fives 0, sixes 0, three_alike 20, \
               four_alike 20, full_house 0, small_straight 0, large_straight 0, chance 20",
    },
    Case {
        name: "any open row at natural points, the upper row of its face filled",
        card: "five_alike 0, fours 12, twos 4",
        face: 4,
        bonus: 0,
        rows: "ones 0, threes 0, fives 0, sixes 0, three_alike 20, four_alike 20, \
               full_house 0, small_straight 0, large_straight 0, chance 20",
    },
];

const FREE: &[Case] = &[
    Case {
        name: "the upper row of its face is open: any row, natural points",
        card: "five_alike 50, twos 6",
        face: 4,
        bonus: 100,
        rows: "ones 0, threes 0, fours 20, fives 0, sixes 0, three_alike 20, four_alike 20, \
               full_house 0, small_straight 0, large_straight 0, chance 20",
    },
    Case {
        name: "both filled: any row, full points in the house and the straights",
        card: "five_alike 50, fours 12",
        face: 4,
        bonus: 100,
        rows: "ones 0, twos 0, threes 0, fives 0, sixes 0, three_alike 20, four_alike 20, \
               full_house 25, small_straight 30, large_straight 40, chance 20",
    },
    Case {
        name: "both filled, the row at 0: the same without the bonus",
        card: "five_alike 0, fours 0",
        face: 4,
        bonus: 0,
        rows: "ones 0, twos 0, threes 0, fives 0, sixes 0, three_alike 20, four_alike 20, \
               full_house 25, small_straight 30, large_straight 40, chance 20",
    },
    Case {
        name: "the row of five alike open: natural points",
        card: "fours 12",
        face: 4,
        bonus: 0,
        rows: "ones 0, twos 0, threes 0, fives 0, sixes 0, three_alike 20, four_alike 20, \
               full_house 0, small_straight 0, large_straight 0, five_alike 50, chance 20",
    },
    Case {
        name: "every lower row filled: nothing in an open upper row",
        card: "five_alike 50, fours 12, three_alike 20, four_alike 0, full_house 25, \
               small_straight 30, large_straight 0, chance 20",
        face: 4,
        bonus: 100,
        rows: "ones 0, twos 0, threes 0, fives 0, sixes 0",
    },
];

#[tokio::test]
async fn yahtzee_forces_the_joker_whenever_the_row_is_filled() {
    expect_all(&Rules::of("yahtzee"), FORCED, "").await;
    expect_all(&Rules::of("yahtzee"), ROW_AT_0_FORCED, "").await;
}

#[tokio::test]
async fn yahtzee_free_joker_lets_the_player_choose() {
    expect_all(&Rules::of("yahtzee-free-joker"), FREE, "").await;
}

#[tokio::test]
async fn kniffel_and_dice_poker_13_know_neither_joker_nor_bonus() {
    let with_50 = Case { card: "five_alike 50", ..NO_JOKER[0] };
    for ruleset in ["kniffel", "dice-poker-13"] {
        expect_all(&Rules::of(ruleset), NO_JOKER, "").await;
        expect_all(&Rules::of(ruleset), std::slice::from_ref(&with_50), "").await;
    }
}

#[tokio::test]
async fn dice_poker_15_has_the_joker_only_while_the_row_holds_50() {
    let house = Rules::of("dice-poker-15");
    // Its two more rows filled, it is the forced joker of yahtzee …
    expect_all(&house, FORCED, ", pair 20, two_pairs 18").await;
    // … but a row at 0 is no joker.
    expect_all(&house, NO_JOKER, ", pair 20, two_pairs 18").await;
}

#[tokio::test]
async fn the_option_says_which_rows_a_joker_fills_in_dice_poker_15() {
    let base = Case {
        name: "(b) with the two more rows open",
        card: "five_alike 50, fours 12, three_alike 20, four_alike 0, chance 20",
        face: 4,
        bonus: 100,
        rows: "pair 20, two_pairs 20, full_house 25, small_straight 30, large_straight 40",
    };
    let house = || Rules::of("dice-poker-15");
    expect_all(&house(), std::slice::from_ref(&base), "").await;
    let rows = "pair 20, two_pairs 0, full_house 25, small_straight 30, large_straight 40";
    let three = ["full_house", "small_straight", "large_straight"];
    expect_all(&house().with_list("joker_fills", &three), &[Case { rows, ..base }], "").await;
    let rows = "pair 20, two_pairs 0, full_house 0, small_straight 0, large_straight 0";
    expect_all(&house().with_list("joker_fills", &[]), &[Case { rows, ..base }], "").await;
}

#[tokio::test]
async fn a_joker_can_bring_both_bonuses_at_once() {
    let server = server();
    let mut client = server.client().await;
    let open = "ones 3, twos 6, threes 9, fives 15, sixes 18, five_alike 50";
    let answer = Rules::of("yahtzee").score(&mut client, &[4; 5], card(open)).await.expect("ok");
    let fours = answer.scores.iter().find(|score| score.category == "fours").expect("fours");
    assert_eq!((fours.points, fours.bonus, fours.legal), (20, 135, true));
    assert_eq!((fours.upper_bonus, fours.five_alike_bonus), (35, 100));
}

#[tokio::test]
async fn every_face_is_forced_into_its_own_row() {
    let server = server();
    let mut client = server.client().await;
    for ruleset in ["yahtzee", "dice-poker-15"] {
        for (face, row) in (1..).zip(["ones", "twos", "threes", "fours", "fives", "sixes"]) {
            let case = Case { name: row, card: "five_alike 50", face, bonus: 100, rows: "" };
            let wanted = vec![(row.to_owned(), 5 * face as i32)];
            expect(&mut client, &Rules::of(ruleset), &case, case.card, wanted).await;
        }
        // All upper rows filled: the lower ones at full points, whatever the face.
        let case = Case { name: "filled", card: "", face: 1, bonus: 100, rows: "" };
        let filled =
            format!("{UPPER_FILLED}, five_alike 50, three_alike 5, four_alike 5, chance 9");
        let pairs = if ruleset == "yahtzee" { "" } else { ", pair 9, two_pairs 9" };
        let wanted = [("full_house", 25), ("small_straight", 30), ("large_straight", 40)];
        let wanted = wanted.map(|(row, points)| (row.to_owned(), points)).to_vec();
        expect(&mut client, &Rules::of(ruleset), &case, &format!("{filled}{pairs}"), wanted).await;
    }
}

async fn expect_all(rules: &Rules, cases: &[Case], more: &str) {
    let server = server();
    let mut client = server.client().await;
    for case in cases {
        let rows = case.rows.split(',').map(|row| row.trim().split_once(' ').expect("row points"));
        let wanted = rows.map(|(row, points)| (row.to_owned(), points.parse().expect("points")));
        expect(&mut client, rules, case, &format!("{}{more}", case.card), wanted.collect()).await;
    }
}

/// Score finds exactly the `wanted` rows legal, at those points and the case's bonus, and
/// LegalMoves names the same rows.
async fn expect(
    client: &mut Client,
    rules: &Rules,
    case: &Case,
    on_card: &str,
    mut wanted: Vec<(String, i32)>,
) {
    let name = format!("{}: {} ({on_card})", rules.ruleset, case.name);
    let dice = [case.face; 5];
    let answer = rules.score(client, &dice, card(on_card)).await.expect("scores");
    let mut legal: Vec<(String, i32)> = Vec::new();
    for score in &answer.scores {
        let filled =
            on_card.split(", ").any(|item| item.starts_with(&format!("{} ", score.category)));
        let reason = match (score.legal, filled) {
            (true, _) => pb::IllegalReason::Unspecified,
            (false, true) => pb::IllegalReason::Filled,
            (false, false) => pb::IllegalReason::JokerElsewhere,
        };
        assert_eq!(score.illegal_reason(), reason, "{name}: {score:?}");
        if score.legal {
            assert_eq!(score.five_alike_bonus, case.bonus, "{name}: {score:?}");
            assert_eq!(score.bonus, score.upper_bonus + score.five_alike_bonus, "{name}");
            legal.push((score.category.clone(), score.points));
        }
    }
    wanted.sort();
    legal.sort();
    assert_eq!(legal, wanted, "{name}");
    let moves = rules.legal_moves(client, roll(&dice, 1, card(on_card))).await.expect("moves");
    let mut records: Vec<String> = moves
        .iter()
        .map(move_name)
        .filter_map(|name| name.strip_prefix("record ").map(str::to_owned))
        .collect();
    records.sort();
    let rows: Vec<&String> = wanted.iter().map(|(row, _)| row).collect();
    assert_eq!(records.iter().collect::<Vec<_>>(), rows, "{name}");
    // Five alike can be kept in five ways that throw something.
    let keeps = (0..5).map(|kept| keep(&vec![case.face; kept]));
    assert!(keeps.clone().all(|keep| moves.contains(&keep)), "{name}");
    assert_eq!(moves.len(), records.len() + keeps.count(), "{name}");
}
