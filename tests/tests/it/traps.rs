//! Mistakes that public scorers make, each in the ruleset where it bites and in one where the
//! opposite holds: rolls, the category, and what every ruleset that has it pays.

use dicepoker_tests::{Rules, card, category, record, roll};

use crate::server;

/// A roll, a category, and what rulesets pay for it on an empty card.
type Trap = ([u32; 5], &'static str, &'static [(&'static [&'static str], i32)]);

/// Rulesets in which rows pay the sum of all dice and a small straight is any four in sequence.
const HOUSE: &[&str] = &["dice-poker-13", "dice-poker-15", "yahtzee", "kniffel"];

const TRAPS: &[Trap] = &[
    // Four in sequence with a double in between, in any order; in yatzy it must be 1 to 5.
    ([1, 2, 3, 3, 4], "small_straight", &[(HOUSE, 30), (&["yacht"], 15), (&["yatzy"], 0)]),
    ([4, 2, 3, 3, 1], "small_straight", &[(HOUSE, 30), (&["yacht"], 15), (&["yatzy"], 0)]),
    ([1, 3, 2, 4, 4], "small_straight", &[(HOUSE, 30), (&["yacht"], 15), (&["yatzy"], 0)]),
    // A large straight holds a small one; in yatzy 2 to 6 is no small one.
    ([6, 5, 4, 3, 2], "small_straight", &[(HOUSE, 30), (&["yacht"], 15), (&["yatzy"], 0)]),
    ([5, 4, 3, 2, 1], "small_straight", &[(HOUSE, 30), (&["yacht"], 15), (&["yatzy"], 15)]),
    // Five different faces with a gap, and three in sequence among doubles.
    ([1, 2, 4, 5, 6], "small_straight", &[(HOUSE, 0), (&["yacht", "yatzy"], 0)]),
    ([3, 4, 4, 6, 6], "small_straight", &[(HOUSE, 0), (&["yacht", "yatzy"], 0)]),
    ([1, 2, 3, 4, 6], "small_straight", &[(HOUSE, 30), (&["yacht"], 15), (&["yatzy"], 0)]),
    // Four in sequence and a gap are no large straight; all five are, but in yatzy from 2 only.
    ([1, 2, 3, 4, 6], "large_straight", &[(HOUSE, 0), (&["yacht", "yatzy"], 0)]),
    ([1, 2, 3, 4, 5], "large_straight", &[(HOUSE, 40), (&["yacht"], 30), (&["yatzy"], 0)]),
    ([2, 3, 4, 5, 6], "large_straight", &[(HOUSE, 40), (&["yacht"], 30), (&["yatzy"], 20)]),
    // Four and one are no full house; five alike are one in yacht only.
    ([4, 4, 6, 4, 4], "full_house", &[(HOUSE, 0), (&["yacht", "yatzy"], 0)]),
    ([2, 2, 2, 2, 2], "full_house", &[(HOUSE, 0), (&["yatzy"], 0), (&["yacht"], 10)]),
    ([2, 3, 2, 3, 2], "full_house", &[(HOUSE, 25), (&["yacht", "yatzy"], 12)]),
    // All dice count towards three and four alike, in yatzy only the matching ones.
    ([3, 3, 3, 1, 2], "three_alike", &[(HOUSE, 12), (&["yatzy"], 9)]),
    ([5, 5, 5, 2, 5], "three_alike", &[(HOUSE, 22), (&["yatzy"], 15)]),
    ([5, 5, 5, 2, 5], "four_alike", &[(HOUSE, 22), (&["yacht"], 22), (&["yatzy"], 20)]),
    ([5, 5, 5, 5, 5], "four_alike", &[(HOUSE, 25), (&["yacht"], 25), (&["yatzy"], 20)]),
    ([5, 5, 5, 2, 1], "four_alike", &[(HOUSE, 0), (&["yacht", "yatzy"], 0)]),
    // Four alike are a pair, but two pairs are of two faces.
    ([3, 3, 3, 3, 1], "pair", &[(&["yatzy"], 6), (&["dice-poker-15"], 13)]),
    ([3, 3, 3, 3, 1], "two_pairs", &[(&["yatzy"], 0), (&["dice-poker-15"], 0)]),
    ([3, 3, 3, 3, 3], "two_pairs", &[(&["yatzy"], 0), (&["dice-poker-15"], 0)]),
    // The highest pair pays; all dice do in the house's game.
    ([3, 3, 3, 4, 4], "pair", &[(&["yatzy"], 8), (&["dice-poker-15"], 17)]),
    ([3, 3, 3, 4, 4], "two_pairs", &[(&["yatzy"], 14), (&["dice-poker-15"], 17)]),
    ([5, 5, 3, 2, 1], "pair", &[(&["yatzy"], 10), (&["dice-poker-15"], 16)]),
    ([2, 2, 5, 5, 1], "two_pairs", &[(&["yatzy"], 14), (&["dice-poker-15"], 15)]),
    ([1, 2, 3, 4, 6], "pair", &[(&["yatzy"], 0), (&["dice-poker-15"], 0)]),
    // Upper rows take their faces whatever else the roll shows.
    ([6, 6, 6, 6, 6], "sixes", &[(HOUSE, 30), (&["yacht", "yatzy"], 30)]),
    ([6, 6, 6, 6, 6], "ones", &[(HOUSE, 0), (&["yacht", "yatzy"], 0)]),
    ([1, 6, 1, 5, 1], "ones", &[(HOUSE, 3), (&["yacht", "yatzy"], 3)]),
    ([1, 6, 1, 5, 1], "chance", &[(HOUSE, 14), (&["yacht", "yatzy"], 14)]),
    ([4, 4, 4, 4, 4], "five_alike", &[(HOUSE, 50), (&["yacht", "yatzy"], 50)]),
    ([4, 4, 4, 4, 3], "five_alike", &[(HOUSE, 0), (&["yacht", "yatzy"], 0)]),
];

#[tokio::test]
async fn every_trap_is_scored_as_its_ruleset_says() {
    let server = server();
    let mut client = server.client().await;
    for (dice, row, pays) in TRAPS {
        for (rulesets, points) in *pays {
            for ruleset in *rulesets {
                let rules = Rules::of(ruleset);
                let answer = rules.score(&mut client, dice, card("")).await.expect("a score");
                let told = category(&answer, row);
                assert_eq!(told.points, *points, "{ruleset}: {dice:?} as {row}");
                assert!(told.legal && told.bonus == 0, "{ruleset}: {dice:?} as {row}: {told:?}");
                // What is scored is what is written down.
                let position = roll(dice, 0, card(""));
                let after = rules.apply(&mut client, position, record(row), &[], None).await;
                let written = after.expect("legal").position.expect("a position");
                assert_eq!(written.scorecards[0].entries[0].points, [*points], "{ruleset} {row}");
            }
        }
    }
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
        // … and the last row brings it.
        let open = filled.replace(", sixes 18", "");
        let answer = rules.score(&mut client, &[6, 6, 6, 1, 2], card(&open)).await.expect("scores");
        let sixes = category(&answer, "sixes");
        assert_eq!((sixes.points, sixes.upper_bonus, sixes.bonus), (18, bonus, bonus), "{name}");
        // One pip fewer never does.
        let answer = rules.score(&mut client, &[6, 6, 1, 1, 2], card(&open)).await.expect("scores");
        assert_eq!(category(&answer, "sixes").bonus, 0, "{name}");
        // Lower rows bring no upper bonus.
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
        let told = [
            totals.upper_subtotal,
            totals.upper_bonus,
            totals.lower_subtotal,
            totals.five_alike_bonus,
            totals.grand_total,
        ];
        assert_eq!(told, sums, "{ruleset}{more}");
        // Dice on a full card: everything scored, nothing legal.
        let answer = Rules::of(ruleset).score(&mut client, &[1, 1, 1, 2, 2], filled).await;
        assert!(answer.expect("scores").scores.iter().all(|score| !score.legal), "{ruleset}");
    }
}
