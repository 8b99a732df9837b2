//! Best play where both choose at once: in every pair of rolls neither player can do better, by
//! plain sums over all throws.

use std::cell::RefCell;
use std::collections::HashMap;

use dicepoker_engine::showdown::{
    Draws, Limit, Order, Showdown, ShowdownDefinition, ShowdownMove, ShowdownPosition,
    ShowdownValues, rank,
};

use crate::showdown_exact::definition;

#[test]
fn simultaneous_play_cannot_be_improved() {
    let order = Order::Simultaneous;
    let one =
        |dice, faces, rethrows| ShowdownDefinition { order, ..definition(dice, faces, rethrows) };
    let several = |draws| ShowdownDefinition { wins_needed: 2, draws, ..one(1, 3, 1) };
    for base in [
        one(2, 3, 1),
        one(3, 2, 1),
        one(2, 2, 2),
        one(2, 4, 1),
        several(Draws::Even),
        several(Draws::Split),
        ShowdownDefinition { draws: Draws::Again, ..one(2, 2, 1) },
    ] {
        let game = Showdown::new(base).expect("sound");
        let values = ShowdownValues::solve(&game, 2, Limit::default()).expect("small");
        let rounds = RefCell::default();
        let deal = |rolls: [usize; 2]| {
            let mut position = ShowdownPosition::start(&game, 2);
            for roll in rolls {
                let roll = game.space().all_rolls().nth(roll).expect("a roll");
                let thrown: Vec<u8> = game.space().faces_of(game.space().as_keep(roll)).collect();
                let all = position.legal_moves(&game)[0];
                position = position.apply(&game, all, &thrown).expect("legal").position;
            }
            position
        };
        for first in 0..game.space().rolls() {
            for second in 0..game.space().rolls() {
                let position = deal([first, second]);
                equilibrium(&game, &values, &position, &rounds);
            }
        }
    }
}

/// The worth of rounds to their first players, by what is known of them.
type Rounds = RefCell<HashMap<String, f64>>;

/// What the round that begins with `position` is worth to its first player, by plain sums over all
/// throws. A round that is the whole match and thrown again after ties favours nobody.
fn round_at_once(
    game: &Showdown,
    values: &ShowdownValues,
    position: &ShowdownPosition,
    rounds: &Rounds,
) -> f64 {
    let raw = position.to_raw(game);
    let key = format!("{:?} {} {:?}", raw.seats, raw.first, raw.rounds_played);
    if let Some(&known) = rounds.borrow().get(&key) {
        return known;
    }
    if game.definition().draws == Draws::Again {
        return 0.5;
    }
    let all = position.legal_moves(game)[0];
    let mut sum = 0.0;
    for first in game.space().all_rolls() {
        for second in game.space().all_rolls() {
            let mut dealt = position.clone();
            for roll in [first, second] {
                let thrown: Vec<u8> = game.space().faces_of(game.space().as_keep(roll)).collect();
                dealt = dealt.apply(game, all, &thrown).expect("legal").position;
            }
            let chance = game.space().probability(first) * game.space().probability(second);
            sum += chance * equilibrium(game, values, &dealt, rounds);
        }
    }
    rounds.borrow_mut().insert(key, sum);
    sum
}

/// The first player's worth in `position`, where both choose; checks that neither can do better.
fn equilibrium(
    game: &Showdown,
    values: &ShowdownValues,
    position: &ShowdownPosition,
    rounds: &Rounds,
) -> f64 {
    let own = rank(game, values, position).moves;
    let chosen = position.apply(game, own[0].chosen, &[]).expect("legal").position;
    let other = rank(game, values, &chosen).moves;
    let worth = |mine: ShowdownMove, theirs: ShowdownMove| {
        let chosen = position.apply(game, mine, &[]).expect("legal").position;
        let dice = chosen.dice_to_throw(game, theirs);
        let faces = game.space().faces();
        let throws = faces.pow(dice as u32);
        let mut sum = 0.0;
        for number in 0..throws {
            let thrown: Vec<u8> =
                (0..dice).map(|i| (number / faces.pow(i as u32) % faces) as u8 + 1).collect();
            let applied = chosen.apply(game, theirs, &thrown).expect("legal");
            sum += match applied.winners {
                Some(winners) if winners.len() == 2 => 0.5,
                Some(winners) => f64::from(winners[0] == position.first()),
                None if applied.position.all_thrown() => {
                    equilibrium(game, values, &applied.position, rounds)
                }
                None => {
                    let round = round_at_once(game, values, &applied.position, rounds);
                    if applied.position.first() == position.first() { round } else { 1.0 - round }
                }
            };
        }
        sum / throws as f64
    };
    let mut value = 0.0;
    let mut best_row = f64::MIN;
    let mut columns = vec![0.0; other.len()];
    for mine in &own {
        let p = mine.probability.expect("mixed");
        let mut row = 0.0;
        for (column, theirs) in columns.iter_mut().zip(&other) {
            let cell = worth(mine.chosen, theirs.chosen);
            row += theirs.probability.expect("mixed") * cell;
            *column += p * cell;
        }
        assert!((row - mine.value).abs() < 1e-12, "{mine:?} {row}");
        value += p * row;
        best_row = best_row.max(row);
    }
    let worst_column = columns.iter().copied().fold(f64::MAX, f64::min);
    assert!((best_row - value).abs() < 1e-12 && (worst_column - value).abs() < 1e-12);
    value
}
