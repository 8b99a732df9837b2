//! Upper bonuses, and the sums of a card.

use dicepoker_tests::{Rules, card, category};

use crate::server;

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
async fn an_upper_section_of_exactly_63_earns_the_bonus_only_where_63_is_enough() {
    let server = server();
    let mut client = server.client().await;
    let house = || Rules::of("dice-poker-15");
    let with = |threshold| house().with_number("upper_bonus_threshold", threshold);
    // Three of every face is 63; a fourth one makes 64.
    let (at_63, at_64) = ("sixes 18", "sixes 18, ones 4");
    let table = [
        (Rules::of("yahtzee"), at_63, 35),
        (Rules::of("yahtzee-free-joker"), at_63, 35),
        (Rules::of("kniffel"), at_63, 35),
        (Rules::of("yacht"), at_63, 35),
        (Rules::of("yatzy"), at_63, 50),
        (Rules::of("dice-poker-13"), at_63, 0),
        (Rules::of("dice-poker-13"), at_64, 0),
        (house(), at_63, 0),
        (house(), at_64, 35),
        (with(63.0), at_63, 35),
        (with(64.0), at_63, 0),
        (with(65.0), at_64, 0),
    ];
    for (rules, end, bonus) in table {
        let name = format!("{} {:?} {end}", rules.ruleset, rules.options);
        let ones = if end == at_63 { "ones 3, " } else { "ones 4, " };
        let filled = format!("{ones}twos 6, threes 9, fours 12, fives 15, sixes 18");
        let upper = if end == at_63 { 63 } else { 64 };
        // The full card has it …
        let answer = rules.score(&mut client, &[], card(&filled)).await.expect("totals");
        let totals = answer.totals.expect("totals");
        assert_eq!((totals.upper_subtotal, totals.upper_bonus), (upper, bonus), "{name}");
        assert_eq!(totals.grand_total, upper + bonus, "{name}");
        // … and the last row earns it.
        let open = filled.replace(", sixes 18", "");
        let answer = rules.score(&mut client, &[6, 6, 6, 1, 2], card(&open)).await.expect("scores");
        let sixes = category(&answer, "sixes");
        assert_eq!((sixes.points, sixes.upper_bonus, sixes.bonus), (18, bonus, bonus), "{name}");
        // One pip fewer never does.
        let answer = rules.score(&mut client, &[6, 6, 1, 1, 2], card(&open)).await.expect("scores");
        assert_eq!(category(&answer, "sixes").bonus, 0, "{name}");
        // Lower rows earn no upper bonus.
        assert_eq!(category(&answer, "chance").bonus, 0, "{name}");
    }
}

#[tokio::test]
async fn filled_cards_add_up() {
    let server = server();
    let mut client = server.client().await;
    let upper = "ones 3, twos 6, threes 9, fours 12, fives 15, sixes 24";
    let lower = "three_alike 22, four_alike 17, full_house 25, small_straight 30, \
                 large_straight 40, five_alike 50, chance 19";
    // Ruleset, what else stands on the card, then upper, upper bonus, lower, bonuses, all.
    let table: [(&str, &str, [i32; 5]); 6] = [
        ("dice-poker-13", "", [69, 0, 203, 0, 272]),
        ("yahtzee", "", [69, 35, 203, 0, 307]),
        ("yahtzee", ", bonuses 2", [69, 35, 203, 200, 507]),
        ("kniffel", "", [69, 35, 203, 0, 307]),
        ("dice-poker-15", ", pair 20, two_pairs 18", [69, 35, 241, 0, 345]),
        ("dice-poker-15", ", pair 20, two_pairs 20, bonuses 1", [69, 35, 243, 100, 447]),
    ];
    for (ruleset, more, sums) in table {
        let filled = card(&format!("{upper}, {lower}{more}"));
        let answer = Rules::of(ruleset).score(&mut client, &[], filled.clone()).await;
        let answer = answer.expect("totals");
        assert!(answer.scores.is_empty(), "no dice, no scores");
        let totals = answer.totals.expect("totals");
        let actual = [
            totals.upper_subtotal,
            totals.upper_bonus,
            totals.lower_subtotal,
            totals.five_alike_bonus,
            totals.grand_total,
        ];
        assert_eq!(actual, sums, "{ruleset}{more}");
        // Dice on a full card: everything scored, nothing legal.
        let answer = Rules::of(ruleset).score(&mut client, &[1, 1, 1, 2, 2], filled).await;
        assert!(answer.expect("scores").scores.iter().all(|score| !score.legal), "{ruleset}");
    }
}
