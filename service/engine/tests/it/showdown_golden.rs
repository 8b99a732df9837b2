//! Independent figures of showdowns, and scoring that other programs get wrong.

use dicepoker_engine::ruleset::OptionValue;
use dicepoker_engine::showdown::{
    Limit, RawSeat, RawShowdownPosition, Showdown, ShowdownPosition, ShowdownRuleset,
    ShowdownValues, rank, start,
};

fn text(value: &str) -> OptionValue {
    OptionValue::Text(value.to_owned())
}

pub(crate) fn game(id: &str, options: &[(&str, OptionValue)]) -> Showdown {
    let all = ShowdownRuleset::built_in();
    let ruleset = all.into_iter().find(|ruleset| ruleset.id == id).expect("built in");
    let options = options.iter().map(|(id, value)| ((*id).to_owned(), value.clone()));
    Showdown::new(ruleset.with_options(&options.collect()).expect("sound")).expect("sound")
}

fn start_value(game: &Showdown, players: usize) -> f64 {
    let values = ShowdownValues::solve(game, players, Limit::default()).expect("small");
    start(game, &values, players).expect("exact")
}

#[test]
fn built_in_options_have_defaults_that_they_accept() {
    for ruleset in ShowdownRuleset::built_in() {
        let game = Showdown::new(ruleset.definition.clone()).expect("sound");
        // With wild ones a roll of five different faces is a straight at least.
        let unreached = usize::from(ruleset.id == "dice-poker-indian");
        assert_eq!(game.warnings().as_slice().len(), unreached, "{}", game.warnings());
        for option in &ruleset.options {
            let default = [(option.id.clone(), ruleset.default_of(option))].into();
            assert_eq!(ruleset.with_options(&default).as_ref(), Ok(&ruleset.definition));
        }
    }
}

#[test]
fn the_first_player_wins_less_than_it_loses() {
    let classic = game("dice-poker-classic", &[]);
    let gain = 2.0 * start_value(&classic, 2) - 1.0;
    assert!((gain + 0.074841308).abs() < 5e-10, "{gain:.12}");

    let sets = [("ties", text("sets")), ("wins_needed", OptionValue::Integer(1))];
    let witcher = game("dice-poker-witcher", &sets);
    let gain = 2.0 * start_value(&witcher, 2) - 1.0;
    assert!((gain + 0.025799116).abs() < 5e-10, "{gain:.12}");

    let share = start_value(&classic, 3);
    assert!((share - 0.299311221).abs() < 5e-10, "{share:.12}");
}

#[test]
fn one_throw_against_the_pay_table_returns_7620_of_7776() {
    let game = game("dice-poker-payout", &[("rethrows", OptionValue::Integer(0))]);
    assert!((start_value(&game, 1) - 7620.0 / 7776.0).abs() < 1e-12);
}

#[test]
fn first_throws_have_the_exact_odds_of_each_hand() {
    let odds = |id: &str| game(id, &[]).hands().throws().to_vec();
    assert_eq!(odds("dice-poker-witcher"), [6, 150, 300, 120, 120, 1200, 1800, 3600, 480]);
    assert_eq!(odds("dice-poker-payout"), odds("dice-poker-witcher"));
    assert_eq!(odds("dice-poker-classic"), [6, 150, 300, 240, 1200, 1800, 3600, 480]);
    // Counted by a program that tries every face for every wild one.
    assert_eq!(odds("dice-poker-indian"), [156, 1300, 500, 1320, 2400, 900, 1200, 0]);
}

/// The rank of these dice.
fn ranked(game: &Showdown, dice: [u8; 5]) -> usize {
    game.hands().rank(game.space().roll_of(&dice).expect("five dice"))
}

fn name(game: &Showdown, dice: [u8; 5]) -> &str {
    let hand = game.hands().hand(game.space().roll_of(&dice).expect("five dice"));
    &game.definition().hands[hand].id
}

#[test]
fn hands_are_named_and_compared_as_the_rules_say() {
    let witcher = game("dice-poker-witcher", &[]);
    let classic = game("dice-poker-classic", &[]);
    assert_eq!(name(&witcher, [1, 2, 3, 4, 5]), "low_straight");
    assert_eq!(name(&witcher, [6, 4, 5, 3, 2]), "high_straight");
    assert_eq!(name(&classic, [1, 3, 4, 5, 6]), "nothing");
    assert_eq!(name(&classic, [4, 4, 4, 4, 4]), "five_alike");
    // Each hand beats the next one.
    for (better, worse) in [
        ([1, 1, 1, 1, 1], [6, 6, 6, 6, 5]),
        ([1, 1, 1, 1, 2], [6, 6, 6, 5, 5]),
        ([3, 3, 3, 1, 1], [2, 2, 2, 6, 6]),
        ([2, 3, 4, 5, 6], [1, 2, 3, 4, 5]),
        ([6, 6, 1, 1, 2], [5, 5, 4, 4, 6]),
        ([6, 6, 2, 2, 1], [6, 6, 1, 1, 5]),
        ([6, 6, 2, 2, 3], [6, 6, 2, 2, 1]),
        ([2, 2, 6, 1, 3], [2, 2, 5, 4, 3]),
        ([1, 1, 2, 3, 4], [6, 5, 4, 3, 1]),
        ([6, 5, 4, 3, 1], [6, 5, 4, 2, 1]),
    ] {
        for game in [&witcher, &classic] {
            assert!(ranked(game, better) > ranked(game, worse), "{better:?} {worse:?}");
        }
    }
    let sets = game("dice-poker-witcher", &[("ties", text("sets"))]);
    assert_eq!(ranked(&sets, [6, 5, 4, 3, 1]), ranked(&sets, [1, 2, 3, 4, 6]));
    assert_eq!(ranked(&sets, [2, 2, 6, 5, 4]), ranked(&sets, [2, 2, 1, 3, 4]));
    let sum = game("dice-poker-witcher", &[("ties", text("sum"))]);
    assert!(ranked(&sum, [5, 5, 6, 4, 3]) > ranked(&sum, [6, 6, 1, 2, 3]));
    let class = game("dice-poker-classic", &[("ties", text("class"))]);
    assert_eq!(class.hands().ranks(), 8);
    let aces = game("dice-poker-classic", &[("ranks", text("one_high"))]);
    assert!(ranked(&aces, [1, 1, 2, 3, 4]) > ranked(&aces, [6, 6, 2, 3, 4]));
    assert!(ranked(&aces, [2, 3, 4, 5, 6]) > ranked(&aces, [1, 2, 3, 4, 5]));
}

#[test]
fn wild_ones_stand_for_what_makes_the_best_hand() {
    let indian = game("dice-poker-indian", &[]);
    assert_eq!(name(&indian, [1, 2, 3, 4, 6]), "straight");
    assert_eq!(name(&indian, [1, 2, 2, 2, 2]), "five_alike");
    assert_eq!(name(&indian, [1, 2, 2, 5, 5]), "full_house");
    assert_eq!(name(&indian, [1, 1, 2, 4, 6]), "straight");
    assert_eq!(name(&indian, [1, 1, 1, 2, 4]), "four_alike");
    assert_eq!(ranked(&indian, [1, 1, 1, 1, 1]), ranked(&indian, [6, 6, 6, 6, 6]));
    assert_eq!(ranked(&indian, [1, 3, 3, 5, 6]), ranked(&indian, [3, 3, 3, 5, 6]));
}

#[test]
fn options_order_hands_and_leave_them_out() {
    let list = |ids: &[&str]| OptionValue::List(ids.iter().map(|&id| id.to_owned()).collect());
    let order = ["five_alike", "four_alike", "straight", "full_house", "pair", "nothing"];
    let straight_high = game("dice-poker-classic", &[("hands", list(&order))]);
    assert!(ranked(&straight_high, [1, 2, 3, 4, 5]) > ranked(&straight_high, [6, 6, 6, 5, 5]));
    let order = ["full_house", "high_straight", "low_straight", "ace_low_straight", "nothing"];
    let three = game("dice-poker-classic", &[("hands", list(&order))]);
    assert_eq!(name(&three, [6, 1, 2, 3, 4]), "ace_low_straight");
    let none = game("dice-poker-classic", &[("hands", list(&["pair", "nothing"]))]);
    assert_eq!(name(&none, [1, 2, 3, 4, 5]), "nothing");
}

#[test]
fn the_last_player_who_is_ahead_stops() {
    let game = game("dice-poker-classic", &[]);
    let values = ShowdownValues::solve(&game, 2, Limit::default()).expect("small");
    let seat = |dice: [u32; 5]| RawSeat { dice: dice.to_vec(), ..RawSeat::default() };
    let raw = RawShowdownPosition {
        seats: vec![seat([1, 2, 3, 4, 4]), seat([1, 2, 3, 5, 5])],
        to_move: 1,
        rolls_left: 2,
        ..RawShowdownPosition::default()
    };
    let position = ShowdownPosition::parse(&game, &raw).expect("possible");
    let ranking = rank(&game, &values, &position);
    assert_eq!(ranking.moves[0].chosen, dicepoker_engine::showdown::ShowdownMove::Stop);
    assert_eq!(ranking.moves[0].value, 1.0);
    assert_eq!(position.to_raw(&game).seats, raw.seats);
    assert_eq!(ShowdownPosition::parse(&game, &position.to_raw(&game)), Ok(position));
}
