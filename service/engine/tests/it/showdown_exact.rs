//! Best play of showdowns against plain recursion: every move, every throw of single dice, no
//! tables. It knows the rules only through `legal_moves` and `apply`.

use std::cell::RefCell;
use std::collections::HashMap;

use dicepoker_engine::definition::{Groups, Pattern};
use dicepoker_engine::showdown::{
    Draws, HandDefinition, Limit, NextFirst, Order, Ranks, Showdown, ShowdownDefinition,
    ShowdownMove, ShowdownPosition, ShowdownValues, Ties, rank,
};

/// What everybody gets: shares of the win, or stakes.
type Worth = Vec<f64>;

struct Plain<'a> {
    game: &'a Showdown,
    /// What rounds are worth that have not begun, by their positions.
    rounds: RefCell<HashMap<String, Worth>>,
}

impl Plain<'_> {
    fn new(game: &Showdown) -> Plain<'_> {
        Plain { game, rounds: RefCell::default() }
    }

    fn best(&self, position: &ShowdownPosition) -> Worth {
        let mover = position.to_move();
        let moves = position.legal_moves(self.game).into_iter();
        moves
            .map(|chosen| self.after(position, chosen))
            .reduce(|best, next| if next[mover] > best[mover] + 1e-12 { next } else { best })
            .expect("a legal move")
    }

    /// What a round is worth before it begins. One that may be thrown again by the same players leads
    /// to itself: its worth is looked for until it is what it leads to. While play stays the same it
    /// is a straight line of what is put in.
    fn round(&self, position: &ShowdownPosition) -> Worth {
        let again = self.game.definition().draws == Draws::Again;
        let mut raw = position.to_raw(self.game);
        raw.rounds_played = raw.rounds_played.filter(|_| !again);
        let key = format!("{raw:?}");
        if let Some(known) = self.rounds.borrow().get(&key) {
            return known.clone();
        }
        let players = position.seats().len();
        let mut worth = vec![1.0 / players as f64; players];
        let put_in = |worth: &Worth| {
            self.rounds.borrow_mut().insert(key.clone(), worth.clone());
            self.best(position)
        };
        let mut next = put_in(&worth);
        while again && worth.iter().zip(&next).any(|(a, b)| (a - b).abs() > 1e-14) {
            let third = put_in(&next);
            let line = |((a, b), c): ((&f64, &f64), &f64)| {
                let slope = if a == b { 0.0 } else { (c - b) / (b - a) };
                a + (b - a) / (1.0 - slope)
            };
            worth = worth.iter().zip(&next).zip(&third).map(line).collect();
            next = put_in(&worth);
        }
        self.rounds.borrow_mut().insert(key, next.clone());
        next
    }

    fn after(&self, position: &ShowdownPosition, chosen: ShowdownMove) -> Worth {
        let dice = position.dice_to_throw(self.game, chosen);
        let faces = self.game.space().faces();
        let throws = faces.pow(dice as u32);
        let mut sum = vec![0.0; position.seats().len()];
        for number in 0..throws {
            let thrown: Vec<u8> =
                (0..dice).map(|i| (number / faces.pow(i as u32) % faces) as u8 + 1).collect();
            let worth = self.played(position, chosen, &thrown);
            sum.iter_mut().zip(worth).for_each(|(sum, worth)| *sum += worth / throws as f64);
        }
        sum
    }

    fn played(&self, position: &ShowdownPosition, chosen: ShowdownMove, thrown: &[u8]) -> Worth {
        let applied = position.apply(self.game, chosen, thrown).expect("legal");
        let players = position.seats().len();
        let definition = self.game.definition();
        let shared = |winners: &[usize], worth: f64| -> Worth {
            (0..players)
                .map(|p| if winners.contains(&p) { worth / winners.len() as f64 } else { 0.0 })
                .collect()
        };
        match (&applied.round, &applied.winners) {
            (Some(round), _) if definition.payout => {
                vec![f64::from(round.paid.expect("paid"))]
            }
            // Values are the stakes won in the round at hand.
            (Some(round), _) if definition.raises > 0 => {
                let stake = f64::from(round.stake);
                let even = round.winners.len() == 2;
                let win = |p| if round.winners.contains(&p) { stake } else { -stake };
                (0..2).map(|p| if even { 0.0 } else { win(p) }).collect()
            }
            (_, Some(winners)) => shared(winners, 1.0),
            (Some(_), None) => self.round(&applied.position),
            _ => self.best(&applied.position),
        }
    }
}

fn hand(id: &str, pattern: Pattern, pays: u16) -> HandDefinition {
    let local_titles = Default::default();
    HandDefinition { id: id.into(), title: id.into(), local_titles, pattern, pays }
}

pub(crate) fn definition(dice: u8, faces: u8, rethrows: u8) -> ShowdownDefinition {
    let alike = Pattern::Groups(Groups { sizes: vec![dice], distinct: true });
    let mut hands = vec![hand("alike", alike, 0), hand("nothing", Pattern::Any, 0)];
    if dice == 1 {
        hands.remove(0);
    }
    ShowdownDefinition {
        dice,
        faces,
        rethrows,
        hands,
        ties: Ties::Kickers,
        ranks: Ranks::Natural,
        wild: Vec::new(),
        order: Order::InTurn,
        first_sets_throws: false,
        set_aside: false,
        draws: Draws::Even,
        wins_needed: 1,
        next_first: NextFirst::Loser,
        raises: 0,
        payout: false,
        rethrow_cost: 0,
    }
}

/// What further throws have cost so far: values are of what is still to come.
fn spent(game: &Showdown, position: &ShowdownPosition) -> f64 {
    let throws = game.definition().throws();
    let rethrows = (throws - position.rolls_left()).saturating_sub(1);
    f64::from(rethrows) * f64::from(game.definition().rethrow_cost)
}

/// Holds what is said of every move against plain recursion, at the start and along a line of play.
fn proved(definition: ShowdownDefinition, players: usize) {
    let case = format!("{players} players: {definition:?}");
    let game = Showdown::new(definition).expect("sound");
    let values = ShowdownValues::solve(&game, players, Limit::default()).expect("small");
    let mut position = ShowdownPosition::start(&game, players);
    let plain = Plain::new(&game);
    let mut face = 0u8;
    let (mut exact, mut steps) = (0, 0);
    loop {
        let ranking = rank(&game, &values, &position);
        // Among three or more who all see the dice, nothing is said before they have thrown.
        let open = game.definition().order != Order::InTurn && !position.all_thrown();
        assert!(ranking.exact || open && players > 2, "{case}\n{position:?}");
        if ranking.exact {
            for advice in &ranking.moves {
                let worth = plain.after(&position, advice.chosen)[position.to_move()];
                let worth = worth + spent(&game, &position);
                assert!(
                    (worth - advice.value).abs() < 1e-12,
                    "{case}\n{position:?}\n{advice:?}: {worth}"
                );
                if let Some(game) = advice.game {
                    assert!((game.win + game.draw + game.loss - 1.0).abs() < 1e-12);
                    if players == 2 {
                        assert!((game.win + game.draw / 2.0 - advice.value).abs() < 1e-12);
                    }
                }
                exact += 1;
            }
        }
        // The second best move, and dice that differ, lead to most of the rules.
        let chosen = ranking.moves[ranking.moves.len() / 2].chosen;
        let dice = position.dice_to_throw(&game, chosen);
        let faces = game.space().faces() as u8;
        let thrown: Vec<u8> = (0..dice)
            .map(|_| {
                face = (face * 5 + 3) % 7;
                face % faces + 1
            })
            .collect();
        let applied = position.apply(&game, chosen, &thrown).expect("legal");
        steps += 1;
        // Where ties are thrown again a match may be long.
        if applied.winners.is_some() || steps == 30 {
            break;
        }
        position = applied.position;
    }
    assert!(exact > 0, "{case}");
}

#[test]
fn in_turn_equals_plain_recursion() {
    for (dice, faces, rethrows) in [(2, 3, 1), (3, 2, 1), (2, 2, 2), (1, 3, 2)] {
        for (first_sets_throws, set_aside) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let order = Order::InTurn;
            let base = definition(dice, faces, rethrows);
            proved(ShowdownDefinition { order, first_sets_throws, set_aside, ..base }, 2);
        }
    }
    for first_sets_throws in [false, true] {
        proved(ShowdownDefinition { first_sets_throws, ..definition(2, 3, 1) }, 3);
        proved(ShowdownDefinition { first_sets_throws, ..definition(1, 2, 2) }, 4);
        proved(ShowdownDefinition { set_aside: true, ..definition(1, 3, 2) }, 3);
    }
}

#[test]
fn open_equals_plain_recursion() {
    let order = Order::Open;
    for (dice, faces, rethrows) in [(2, 3, 1), (3, 2, 1), (2, 2, 2), (1, 3, 2), (2, 3, 0)] {
        proved(ShowdownDefinition { order, ..definition(dice, faces, rethrows) }, 2);
    }
    for (dice, faces, players) in [(2, 3, 3), (1, 3, 4), (1, 2, 5)] {
        proved(ShowdownDefinition { order, ..definition(dice, faces, 1) }, players);
    }
}

#[test]
fn every_way_to_compare_hands_equals_plain_recursion() {
    for ties in [Ties::Kickers, Ties::Sets, Ties::Sum, Ties::Class] {
        for (ranks, wild) in [(Ranks::Natural, vec![]), (Ranks::OneHigh, vec![2])] {
            for order in [Order::InTurn, Order::Open] {
                let wild = wild.clone();
                proved(ShowdownDefinition { ties, ranks, wild, order, ..definition(2, 3, 1) }, 2);
            }
        }
    }
}

#[test]
fn matches_equal_plain_recursion() {
    for draws in [Draws::Even, Draws::Split] {
        for next_first in [NextFirst::Loser, NextFirst::Alternating] {
            for order in [Order::InTurn, Order::Open] {
                let base = ShowdownDefinition { draws, next_first, order, ..definition(1, 3, 1) };
                proved(ShowdownDefinition { wins_needed: 2, ..base.clone() }, 2);
                let (wins_needed, faces) = (3, 2);
                proved(ShowdownDefinition { wins_needed, faces, rethrows: 0, ..base }, 2);
            }
        }
    }
}

#[test]
fn ties_that_are_thrown_again_are_worth_the_round_itself() {
    for (dice, faces, rethrows) in [(2, 3, 1), (1, 2, 2), (3, 2, 1)] {
        for order in [Order::InTurn, Order::Open] {
            let draws = Draws::Again;
            proved(ShowdownDefinition { order, draws, ..definition(dice, faces, rethrows) }, 2);
        }
    }
}

#[test]
fn matches_of_three_players_equal_plain_recursion() {
    for draws in [Draws::Even, Draws::Split, Draws::Again] {
        for next_first in [NextFirst::Loser, NextFirst::Alternating] {
            for order in [Order::InTurn, Order::Open] {
                let base = ShowdownDefinition { draws, next_first, order, ..definition(1, 3, 1) };
                proved(ShowdownDefinition { wins_needed: 2, ..base }, 3);
            }
        }
    }
    for order in [Order::InTurn, Order::Open] {
        let base = ShowdownDefinition { order, ..definition(1, 2, 0) };
        proved(ShowdownDefinition { wins_needed: 2, ..base.clone() }, 4);
        proved(ShowdownDefinition { wins_needed: 3, draws: Draws::Split, ..base }, 3);
    }
}

#[test]
fn ties_of_three_players_that_are_thrown_again_equal_plain_recursion() {
    let draws = Draws::Again;
    for first_sets_throws in [false, true] {
        proved(ShowdownDefinition { draws, first_sets_throws, ..definition(1, 3, 2) }, 3);
        proved(ShowdownDefinition { draws, first_sets_throws, ..definition(1, 2, 1) }, 4);
    }
    proved(ShowdownDefinition { draws, order: Order::Open, ..definition(2, 2, 1) }, 3);
}

#[test]
fn open_rounds_of_several_laps_and_players_equal_plain_recursion() {
    let order = Order::Open;
    for (dice, faces, rethrows, players) in [(1, 3, 2, 3), (1, 2, 3, 3), (1, 2, 2, 4)] {
        proved(ShowdownDefinition { order, ..definition(dice, faces, rethrows) }, players);
    }
}

/// In a match of several rounds each of them is settled by itself.
#[test]
fn raises_equal_plain_recursion() {
    for draws in [Draws::Even, Draws::Split] {
        for (raises, wins_needed) in [(1, 1), (3, 1), (2, 3)] {
            let (order, base) = (Order::Open, definition(2, 3, 1));
            proved(ShowdownDefinition { order, raises, draws, wins_needed, ..base }, 2);
        }
    }
}

#[test]
fn pay_tables_equal_plain_recursion() {
    for (set_aside, rethrow_cost) in [(false, 0), (true, 0), (false, 1), (true, 2)] {
        let mut base = definition(3, 2, 2);
        base.hands[0].pays = 5;
        let base = ShowdownDefinition { payout: true, set_aside, rethrow_cost, ..base };
        proved(base, 1);
    }
}
