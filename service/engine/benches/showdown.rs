//! Times of showdowns: `cargo bench -p dicepoker-engine --bench showdown`.

use std::hint::black_box;

use criterion::Criterion;
use dicepoker_engine::ruleset::OptionValue;
use dicepoker_engine::showdown::{
    Limit, RawSeat, RawShowdownPosition, Showdown, ShowdownPosition, ShowdownRuleset,
    ShowdownValues, rank,
};

fn game(id: &str, options: &[(&str, OptionValue)]) -> Showdown {
    let all = ShowdownRuleset::built_in();
    let ruleset = all.into_iter().find(|ruleset| ruleset.id == id).expect("built in");
    let options = options.iter().map(|(id, value)| ((*id).to_owned(), value.clone()));
    Showdown::new(ruleset.with_options(&options.collect()).expect("sound")).expect("sound")
}

fn solved(game: &Showdown, players: usize) -> ShowdownValues {
    ShowdownValues::solve(game, players, Limit::default()).expect("small")
}

/// A position with these dice on the table.
fn position(game: &Showdown, dice: &[&[u32]], to_move: u32, rolls_left: u32) -> ShowdownPosition {
    let seat = |dice: &&[u32]| RawSeat { dice: dice.to_vec(), ..RawSeat::default() };
    let raw = RawShowdownPosition {
        seats: dice.iter().map(seat).collect(),
        to_move,
        rolls_left,
        ..RawShowdownPosition::default()
    };
    ShowdownPosition::parse(game, &raw).expect("possible")
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    let witcher = game("dice-poker-witcher", &[]);
    let classic = game("dice-poker-classic", &[]);
    let at_once = [
        ("order", OptionValue::Text("simultaneous".to_owned())),
        ("rethrows", OptionValue::Integer(1)),
    ];
    let at_once = game("dice-poker-classic", &at_once);
    let two_laps = [("order", OptionValue::Text("simultaneous".to_owned()))];
    let two_laps = game("dice-poker-classic", &two_laps);
    let at_once_match =
        game("dice-poker-witcher", &[("order", OptionValue::Text("simultaneous".to_owned()))]);
    let raises = game("dice-poker-witcher", &[("raises", OptionValue::Integer(3))]);
    let alternating = [
        ("wins_needed", OptionValue::Integer(2)),
        ("next_first", OptionValue::Text("alternating".to_owned())),
    ];
    let alternating = game("dice-poker-classic", &alternating);
    let indian = game("dice-poker-indian", &[]);
    let two_rethrows = game("dice-poker-witcher", &[("rethrows", OptionValue::Integer(2))]);
    for (name, game, players) in [
        ("solve dice-poker-witcher", &witcher, 2),
        ("solve dice-poker-classic", &classic, 2),
        ("solve dice-poker-classic, eight players", &classic, 8),
        ("solve dice-poker-indian", &indian, 2),
        ("solve dice-poker-indian, three players", &indian, 3),
        ("solve dice-poker-indian, five players", &indian, 5),
        ("solve dice-poker-indian, eight players", &indian, 8),
        ("solve dice-poker-witcher, three players", &witcher, 3),
        ("solve dice-poker-witcher, two rethrows, three players", &two_rethrows, 3),
        ("solve dice-poker-classic, two wins, three players", &alternating, 3),
        ("solve dice-poker-witcher, raises", &raises, 2),
        ("solve dice-poker-witcher, choosing at once", &at_once_match, 2),
        ("solve dice-poker-classic, choosing at once twice", &two_laps, 2),
        ("solve dice-poker-payout", &game("dice-poker-payout", &[]), 1),
    ] {
        criterion.bench_function(name, |b| b.iter(|| black_box(solved(game, players))));
    }
    let (mine, yours): (&[u32], &[u32]) = (&[1, 2, 3, 4, 6], &[1, 2, 4, 5, 6]);
    let third: &[u32] = &[2, 3, 3, 5, 6];
    for (name, game, position) in [
        ("suggest, open", &witcher, position(&witcher, &[mine, yours], 0, 1)),
        ("suggest, in turn, last player", &classic, position(&classic, &[mine, yours], 1, 2)),
        ("suggest, in turn, first player", &classic, position(&classic, &[mine, &[]], 0, 2)),
        ("suggest, a matrix game", &at_once, position(&at_once, &[mine, yours], 0, 1)),
        (
            "suggest, a matrix game of two laps",
            &two_laps,
            position(&two_laps, &[mine, yours], 0, 2),
        ),
        ("suggest, open, three players", &witcher, position(&witcher, &[mine, yours, third], 0, 1)),
        (
            "suggest, open, three players, an estimate",
            &two_rethrows,
            position(&two_rethrows, &[mine, yours, third], 0, 2),
        ),
    ] {
        let values = solved(game, position.seats().len());
        let name = format!("{name} ({} moves)", position.legal_moves(game).len());
        criterion.bench_function(&name, |b| {
            b.iter(|| black_box(rank(game, &values, black_box(&position))));
        });
    }
    criterion.final_summary();
}
