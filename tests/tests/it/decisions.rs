//! Published decisions and expected scores, compared with Suggest.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, card, move_name, roll, start};

use crate::server;

/// Published figures are rounded to two or four places.
const TOLERANCE: f64 = 0.002;

async fn best(client: &mut Client, ruleset: &str, position: pb::Position) -> (String, f64) {
    let answer = Rules::of(ruleset).suggest(client, position).await.expect("advice");
    (move_name(&answer.r#move.expect("a move")), answer.expected_value)
}

#[tokio::test]
async fn the_best_moves_are_the_published_ones() {
    let server = server();
    let mut client = server.client().await;
    let table = [
        ("yahtzee", [1, 1, 6, 6, 6], 2, "keep 6-6-6", 265.1134),
        ("yahtzee", [1, 1, 2, 3, 6], 2, "keep 6", 249.8285),
        ("yahtzee", [1, 1, 3, 4, 6], 1, "keep 3-4", 245.1633),
        ("yahtzee-free-joker", [1, 2, 3, 4, 5], 0, "record large_straight", 261.5338),
    ];
    for (ruleset, dice, rolls_left, name, value) in table {
        let (chosen, actual) = best(&mut client, ruleset, roll(&dice, rolls_left, card(""))).await;
        assert_eq!(chosen, name, "{ruleset} {dice:?}");
        assert!((actual - value).abs() < TOLERANCE, "{ruleset} {dice:?}: {actual}, not {value}");
    }
}

#[tokio::test]
async fn with_only_yatzy_open_every_pair_is_equal() {
    let server = server();
    let mut client = server.client().await;
    let all_but_yatzy = card(
        "ones 3, twos 6, threes 9, fours 12, fives 15, sixes 18, pair 12, two_pairs 22, \
         three_alike 18, four_alike 24, small_straight 15, large_straight 20, full_house 28, \
         chance 25",
    );
    for rolls_left in [1, 2] {
        let position = roll(&[1, 1, 2, 2, 3], rolls_left, all_but_yatzy.clone());
        let answer = Rules::of("yatzy").suggest(&mut client, position).await.expect("advice");
        let value = |name: &str| {
            let moves = &answer.alternatives;
            let found = moves.iter().find(|a| move_name(a.r#move.as_ref().unwrap()) == name);
            found.expect("a legal move").expected_value
        };
        assert!((value("keep 1-1") - value("keep 2-2")).abs() < 1e-6);
        // Of equal moves the higher faces come first.
        assert_eq!(move_name(&answer.r#move.clone().unwrap()), "keep 2-2");
    }
}

#[tokio::test]
async fn an_empty_card_has_the_published_optimum() {
    let server = server();
    let mut client = server.client().await;
    let table = [
        ("dice-poker-13", 229.638_499_550),
        ("dice-poker-15", 314.832_099_073),
        ("yahtzee", 254.587_728_734),
        ("yahtzee-free-joker", 254.589_609_482),
        ("kniffel", 245.870_774_514),
        ("yatzy", 248.439_989_378),
        ("yacht", 191.774_369),
    ];
    for (ruleset, value) in table {
        let (chosen, actual) = best(&mut client, ruleset, start(card(""))).await;
        assert_eq!(chosen, "keep nothing", "the one move before a throw");
        assert!((actual - value).abs() < 1e-4, "{ruleset}: {actual}, not {value}");
        let request = pb::GetRulesetRequest { ruleset: ruleset.to_owned(), options: None };
        let answer = client.get_ruleset(request).await.expect("a ruleset").into_inner();
        let expected = answer.ruleset.and_then(|ruleset| ruleset.expected_score);
        let expected = expected.expect("solved by now");
        assert!((expected - value).abs() < 1e-4, "{ruleset}: {expected}, not {value}");
    }
}

#[tokio::test]
async fn options_change_the_optimum_as_published() {
    let server = server();
    let mut client = server.client().await;
    let house = || Rules::of("dice-poker-15");
    let three = ["full_house", "small_straight", "large_straight"];
    let table = [
        (house().with_number("upper_bonus_threshold", 63.0), 316.625_491_280),
        (house().with_list("joker_fills", &three), 314.815_664_413),
        (
            house().with_list("joker_fills", &three).with_number("upper_bonus_threshold", 63.0),
            316.608_814_424,
        ),
        (house().with_number("upper_bonus_threshold", 64.0), 314.832_099_073),
    ];
    for (rules, value) in table {
        let actual = rules.suggest(&mut client, start(card(""))).await.expect("advice");
        let actual = actual.expected_value;
        assert!((actual - value).abs() < 1e-4, "{:?}: {actual}, not {value}", rules.options);
    }
}
