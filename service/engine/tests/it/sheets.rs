//! The built-in score sheets against their rule pages: the points of rolls, the opening of rows,
//! the highest total, and the value of the sheet.

use std::collections::BTreeMap;

use dicepoker_engine::category::Category;
use dicepoker_engine::moves::Move;
use dicepoker_engine::position::{Position, RawPosition, Rejection};
use dicepoker_engine::ruleset::{OptionValue, Ruleset};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard, Scorecard};
use dicepoker_engine::sheet::{CardState, Gain, Sheet};
use dicepoker_engine::solve::{Reference, Solution, Values};

fn sheet(id: &str, options: &[(&str, &str)]) -> Sheet {
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
    let options: BTreeMap<String, OptionValue> = options
        .iter()
        .map(|&(option, value)| {
            let number = value.parse().map(OptionValue::Integer);
            (option.to_owned(), number.unwrap_or(OptionValue::Text(value.to_owned())))
        })
        .collect();
    Sheet::new(ruleset.with_options(&options).expect("valid options")).expect("sound")
}

/// The points of these dice in a row, on the throw of this number of a turn, from 0.
fn points(sheet: &Sheet, row: &str, dice: &[u8], throw: u32) -> i16 {
    let raw = RawPosition {
        dice: dice.iter().map(|&face| face.into()).collect(),
        rolls_left: u32::from(sheet.rolls()) - 1 - throw,
        ..RawPosition::default()
    };
    let position = Position::parse(sheet, &raw).expect("possible");
    let category = sheet.category(row).expect("a row");
    let roll = position.dice().expect("dice");
    sheet.points(CardState::EMPTY, roll, category, position.throw(sheet))
}

/// `ruleset options: row dice [@throw] = points`, a line each.
const EXAMPLES: &str = "
crag: crag 661 = 50
crag: crag 652 = 0
crag: crag 553 = 50
crag: thirteen 661 = 26
crag: thirteen 652 = 26
crag: thirteen 651 = 0
crag: three_alike 444 = 25
crag: odd_straight 531 = 20
crag: even_straight 246 = 20
crag: low_straight 321 = 20
crag: high_straight 456 = 20
crag: high_straight 455 = 0
crag: sixes 661 = 12
kismet: two_pairs 11665 = 19
kismet: two_pairs 11552 = 0
kismet: two_pairs 11112 = 6
kismet four_alike_are_two_pairs=no: two_pairs 11112 = 0
kismet: flush 11661 = 35
kismet: flush 22552 = 35
kismet: flush 22553 = 0
kismet: full_house 22255 = 31
kismet: full_house 22233 = 27
kismet: full_house_of_one_colour 22255 = 36
kismet: full_house_of_one_colour 22233 = 0
kismet: four_alike 44442 = 43
kismet: large_straight 23456 = 30
kismet: five_alike 33333 = 65
kismet: yarborough 12346 = 16
balut: fours 44451 = 12
balut: large_straight 12345 = 15
balut: large_straight 23456 = 20
balut: full_house 33366 = 21
balut: full_house 33333 = 0
balut: choice 12345 = 15
balut: five_alike 66666 = 50
escalero: aces 66612 = 18
escalero: large_straight 23456 @1 = 20
escalero: large_straight 23456 @0 = 25
escalero: full_house 55522 @0 = 35
escalero: full_house 55555 @1 = 0
escalero: four_alike 55555 @1 = 40
escalero: four_alike 55552 @0 = 45
escalero: five_alike 55555 @0 = 80
escalero: five_alike 55555 @2 = 50
triple-yahtzee: four_alike 55552 = 22
triple-yahtzee: small_straight 12346 = 30
yamb: straight 12345 @0 = 66
yamb: straight 12345 @1 = 56
yamb: straight 12345 @2 = 46
yamb: full_house 66655 = 58
yamb: full_house 66666 = 0
yamb: four_alike 66661 = 64
yamb: four_alike 66666 = 64
yamb: five_alike 66666 = 80
yamb: max 66655 = 28
yamb dice=six: max 666551 = 28
yamb dice=six: min 666551 = 23
yamb dice=six: sixes 666666 = 30
yamb dice=six: straight 112345 @2 = 46
maxi-yatzy-saved: tower 444422 = 20
forced-yatzy: ones 11123 = 3
forced-maxi-yatzy: villa 555222 = 21
generala: large_straight 13456 = 0
generala straights=wrap: large_straight 13456 @1 = 20
generala double_generala=yes: double_generala 55555 @1 = 100
generala: five_alike 55555 @0 = 100
kosci: pair 11662 @1 = 12
kosci: pair 11662 @0 = 24
kosci: two_pairs 33331 @1 = 12
kosci: two_pairs 11662 @1 = 14
kosci: three_alike 44412 @1 = 12
kosci: large_straight 12345 @2 = 15
kosci: large_straight 23456 @2 = 20
kosci: large_straight 23456 @0 = 40
kosci: full_house 55522 @1 = 19
kosci: full_house 55555 @1 = 25
kosci: four_alike 55552 @1 = 20
kosci: five_alike 55555 @1 = 75
kosci: five_alike 55555 @0 = 100
";

#[test]
fn rolls_pay_what_the_rule_pages_say() {
    for line in EXAMPLES.lines().filter(|line| !line.is_empty()) {
        let (rules, example) = line.split_once(": ").expect("rules");
        let mut rules = rules.split(' ');
        let id = rules.next().expect("an id");
        let options: Vec<(&str, &str)> = rules.filter_map(|o| o.split_once('=')).collect();
        expect_points(&sheet(id, &options), example);
    }
}

/// Checks `row dice [@throw] = points`.
fn expect_points(sheet: &Sheet, example: &str) {
    let (roll, expected) = example.split_once(" = ").expect("points");
    let mut roll = roll.split(' ');
    let row = roll.next().expect("a row");
    let dice: Vec<u8> = roll.next().expect("dice").bytes().map(|b| b - b'0').collect();
    let throw = roll.next().map_or(1, |throw| throw[1..].parse().expect("a throw"));
    let expected: i16 = expected.parse().expect("points");
    assert_eq!(points(sheet, row, &dice, throw), expected, "{example}");
}

/// Every definition of RULESETS.md is sound, and its examples hold.
#[test]
fn examples_of_rulesets_md_hold() {
    let page = include_str!("../../RULESETS.md");
    let mut sheet = None;
    let mut checked = 0;
    for block in page.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').expect("a block of lines");
        match kind {
            "toml" => {
                let definition = toml::from_str(text).expect("a definition");
                sheet = Some(Sheet::new(definition).expect("sound"));
            }
            "examples" => {
                let sheet = sheet.as_ref().expect("examples stand below a definition");
                for line in text.lines() {
                    expect_points(sheet, line);
                    checked += 1;
                }
            }
            _ => {}
        }
    }
    assert!(checked >= 10, "{checked} examples");
}

/// The highest total of a card: every box at its maximum, as far as the upper section allows.
fn most(sheet: &Sheet) -> i32 {
    let mut card = Scorecard::EMPTY;
    for category in sheet.categories().iter() {
        let state = card.state(sheet);
        let points = *sheet.possible_points(category).last().expect("a value");
        card = card.with(sheet, category, sheet.gain_of_points(state, category, points));
    }
    card.totals(sheet).grand_total()
}

#[test]
fn highest_totals_are_the_published_ones() {
    assert_eq!(most(&sheet("crag", &[])), 244);
    assert_eq!(most(&sheet("triple-yahtzee", &[("five_alike_bonus", "0")])), 2250);
    assert_eq!(most(&sheet("balut", &[])), 812);
    assert_eq!(most(&sheet("balut", &[("final_score", "points")])), 29);
}

#[test]
fn kosci_has_its_published_value() {
    const PUBLISHED: f64 = 109.455_536_493_873_82;
    let sheet = sheet("kosci", &[]);
    let plain = Reference::solve(&sheet).value(CardState::EMPTY);
    assert!((plain - PUBLISHED).abs() < 1e-9, "{plain}");
    let fast = Solution::solve(&sheet, 1).expect("small").value(CardState::EMPTY);
    assert!((fast - PUBLISHED).abs() < 1e-4, "{fast}");
}

/// The fast solver against the plain one, on every state.
fn expect_proved(id: &str, options: &[(&str, &str)]) {
    let sheet = sheet(id, options);
    let solution = Solution::solve(&sheet, 2).expect("within the budget");
    let reference = Reference::solve(&sheet);
    let mut seen = 0;
    for (state, value) in reference.states() {
        let fast = solution.value(state);
        assert!((fast - value).abs() < 1e-4, "{id}: {fast}, not {value}: {state:?}");
        seen += 1;
    }
    let value = solution.value(CardState::EMPTY);
    let plain = reference.value(CardState::EMPTY);
    println!("{id}: {seen} states, {value}, plain {plain}");
    assert!((value - plain).abs() < 1e-4);
    assert!(sheet.is_plain() || seen > 0);
}

#[test]
fn crag_is_proved() {
    expect_proved("crag", &[]);
}

#[test]
fn forced_yatzy_is_proved() {
    expect_proved("forced-yatzy", &[]);
}

#[test]
fn balut_is_proved() {
    expect_proved("balut", &[]);
}

#[test]
fn complete_generala_is_proved() {
    let options = [("double_generala", "yes"), ("served_generala", "wins"), ("straights", "wrap")];
    expect_proved("generala", &options);
}

fn parse(sheet: &Sheet, raw: &RawPosition) -> Position {
    Position::parse(sheet, raw).expect("possible")
}

fn entry(category: &str, column: &str, points: &[i32]) -> RawEntry {
    RawEntry { category: category.into(), column: column.into(), points: points.to_vec() }
}

fn names(sheet: &Sheet, position: &Position) -> Vec<String> {
    let name = |c: Category| format!("{}/{}", sheet.column_id(c), sheet.id(c));
    let moves = position.legal_moves(sheet);
    moves
        .filter_map(|chosen| match chosen {
            Move::Record(category) => Some(name(category)),
            Move::Announce(category) => Some(format!("announce {}", name(category))),
            Move::Keep(_) => None,
        })
        .collect()
}

#[test]
fn yamb_fills_columns_in_their_order_and_announces() {
    let sheet = sheet("yamb", &[]);
    let raw = RawPosition { dice: vec![6, 6, 6, 6, 1], rolls_left: 2, ..RawPosition::default() };
    let first = parse(&sheet, &raw);
    let moves = names(&sheet, &first);
    assert!(moves.contains(&"down/ones".into()) && !moves.contains(&"down/twos".into()));
    assert!(moves.contains(&"up/five_alike".into()) && !moves.contains(&"up/ones".into()));
    assert!(moves.contains(&"free/four_alike".into()));
    assert!(moves.contains(&"announce announced/four_alike".into()));
    assert!(!moves.iter().any(|name| name.starts_with("announced/")));
    // Once announced, it is the only row, to the end of the turn.
    let poker = sheet
        .categories()
        .iter()
        .find(|&c| sheet.column_id(c) == "announced" && sheet.id(c) == "four_alike");
    let announced = first.play(&sheet, Move::Announce(poker.expect("a box")), &[]).expect("legal");
    assert_eq!(names(&sheet, &announced.position), ["announced/four_alike"]);
    let later = RawPosition { rolls_left: 1, ..raw };
    assert!(!names(&sheet, &parse(&sheet, &later)).iter().any(|n| n.starts_with("announce ")));
}

#[test]
fn yamb_counts_the_difference_times_the_ones() {
    let sheet = sheet("yamb", &[]);
    let card = |max: i32, min: i32, ones: i32| {
        let entries = vec![
            entry("ones", "free", &[ones]),
            entry("max", "free", &[max]),
            entry("min", "free", &[min]),
        ];
        let raw = RawScorecard { entries, ..RawScorecard::default() };
        let card = Scorecard::parse(&sheet, &raw).expect("possible");
        let columns = (0..4).map(|column| card.column_totals(&sheet, column).grand_total());
        assert_eq!(columns.collect::<Vec<_>>(), [0, card.totals(&sheet).grand_total(), 0, 0]);
        card.totals(&sheet).grand_total()
    };
    assert_eq!(card(28, 8, 4), 4 + 20 * 4);
    assert_eq!(card(8, 28, 4), 4);
}

#[test]
fn rows_open_after_others() {
    let sheet = sheet("forced-yatzy", &[]);
    let entries = vec![entry("twos", "forced", &[4])];
    let raw = RawScorecard { entries, ..RawScorecard::default() };
    let wrong = Scorecard::parse(&sheet, &raw).expect_err("out of order");
    assert_eq!(wrong.as_slice()[0].field, "entries[0].category");
    assert_eq!(wrong.as_slice()[0].description, "\"twos\" opens only when \"ones\" is full");
}

#[test]
fn a_winning_hand_ends_the_game() {
    let sheet = sheet("generala", &[("served_generala", "wins")]);
    let raw = RawPosition {
        dice: vec![4; 5],
        rolls_left: 2,
        scorecards: vec![RawScorecard::default(); 2],
        ..RawPosition::default()
    };
    let generala = sheet.category("five_alike").expect("a row");
    let played = parse(&sheet, &raw).play(&sheet, Move::Record(generala), &[]).expect("legal");
    assert!(played.game_over && played.position.cards()[0].has_won());
    // It has also ended when the card is parsed.
    let won =
        RawScorecard { entries: vec![entry("five_alike", "", &[100])], ..RawScorecard::default() };
    let raw = RawPosition {
        rolls_left: 3,
        scorecards: vec![won, RawScorecard::default()],
        to_move: 1,
        ..RawPosition::default()
    };
    assert!(matches!(Position::parse(&sheet, &raw), Err(Rejection::Finished { .. })));
}

#[test]
fn a_bought_throw_costs_its_price_once() {
    let sheet = sheet("kosci", &[]);
    let raw = RawPosition { dice: vec![6, 6, 6, 6, 1], ..RawPosition::default() };
    let position = parse(&sheet, &raw);
    let sixes = sheet.space().keep_of(&[6, 6, 6, 6]).expect("dice");
    let bought = position.play(&sheet, Move::Keep(sixes), &[6]).expect("bought").position;
    assert_eq!(bought.card().extra_throws(), 1);
    assert_eq!(bought.card().totals(&sheet).grand_total(), -10);
    assert!(!bought.may_buy(&sheet));
    assert!(bought.legal_moves(&sheet).all(|chosen| matches!(chosen, Move::Record(_))));
}

#[test]
fn kept_dice_stay_and_saved_throws_are_kept() {
    let kosci = sheet("kosci", &[]);
    let raw = RawPosition {
        dice: vec![6, 6, 1, 2, 3],
        rolls_left: 1,
        kept: vec![6, 6],
        ..RawPosition::default()
    };
    let position = parse(&kosci, &raw);
    let keeps = position.legal_moves(&kosci).filter_map(|chosen| match chosen {
        Move::Keep(keep) => Some(keep),
        _ => None,
    });
    assert!(keeps.into_iter().all(|keep| kosci.space().counts(keep)[5] == 2));
    let saved = sheet("maxi-yatzy-saved", &[]);
    let raw = RawPosition { dice: vec![1; 6], rolls_left: 2, ..RawPosition::default() };
    let ones = saved.category("ones").expect("a row");
    let played = parse(&saved, &raw).play(&saved, Move::Record(ones), &[]).expect("legal");
    assert_eq!(played.position.card().extra_throws(), 2);
    assert_eq!(played.position.rolls_left(), 5);
}

#[test]
fn further_five_alike_count_by_column() {
    let sheet = sheet("triple-yahtzee", &[]);
    let columns = ["single", "double", "triple"];
    let raw = RawScorecard {
        entries: columns.map(|column| entry("five_alike", column, &[50])).to_vec(),
        ..RawScorecard::default()
    };
    let card = Scorecard::parse(&sheet, &raw).expect("possible");
    assert_eq!(card.totals(&sheet).grand_total(), 300);
    let roll = sheet.space().roll_of(&[6; 5]).expect("dice");
    let triple_sixes = sheet
        .categories()
        .iter()
        .find(|&c| sheet.column_id(c) == "triple" && sheet.id(c) == "sixes")
        .expect("a box");
    let gain = sheet.gain(card.state(&sheet), roll, triple_sixes, false);
    assert_eq!(gain, Gain { points: 30, five_alike_bonus: 300, other: 60, upper_bonus: 0 });
    let card = card.with(&sheet, triple_sixes, gain);
    assert_eq!(card.totals(&sheet).grand_total(), 300 + 90 + 300);
    // A bonus for further five alike is in no column.
    assert_eq!(card.column_totals(&sheet, 2).grand_total(), 150 + 90);
}
