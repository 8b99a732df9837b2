//! A round of several players whose outcomes have prizes, solved by recursion over what a player
//! needs to know, each state once.
//!
//! Of the players who have thrown for the last time that is the best rank, who holds it and, where
//! it decides who throws first in the next round, who has the lowest; of the others their dice.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::standing::{Known, Standing, Table};
use super::{Prize, lowest_matters};
use crate::dice::Roll;
use crate::showdown::check::MAX_PLAYERS;
use crate::showdown::definition::{Draws, Order};
use crate::showdown::game::Showdown;
use crate::showdown::turn::Row;
use crate::solve::Estimate;

/// Chances of the player to move: what it plays for, the match won and shared, the round won and
/// shared.
pub(in crate::showdown) type Seen = Row<5>;

/// Where numbers stand in a row: what the player to move plays for, then the numbers of each
/// place, then the probability that everybody ties and throws again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) players: usize,
    /// Numbers of each place: its share, the match won and shared where these differ, the round
    /// won and shared.
    pub(super) each: usize,
}

impl Layout {
    pub(super) fn of(game: &Showdown, players: usize) -> Self {
        let definition = game.definition();
        // Where ties are thrown again one round won is the match won.
        let plain = definition.draws == Draws::Again && definition.wins_needed == 1;
        Self { players, each: if plain { 3 } else { 5 } }
    }

    pub(super) fn at(self, place: usize) -> usize {
        1 + place * self.each
    }

    pub(super) fn again(self) -> usize {
        1 + self.players * self.each
    }

    /// Numbers of a row.
    pub(super) fn width(self) -> usize {
        self.again() + 1
    }

    pub(super) fn seen(self, row: &[f64], place: usize) -> Seen {
        let own = &row[self.at(place)..][..self.each];
        match *own {
            [value, won, tied] => [value, value, 0.0, won, tied],
            [value, win, draw, won, tied] => [value, win, draw, won, tied],
            _ => unreachable!("rows have this layout"),
        }
    }
}

/// A solved round.
#[derive(Clone, Debug)]
pub(in crate::showdown) struct Round {
    pub(super) layout: Layout,
    pub(super) start: Vec<f64>,
    /// The rows of what is known, one after the other: in turn one, in the open one for each roll
    /// of the player to move.
    pub(super) rows: HashMap<Known, Box<[f64]>>,
    /// The rows of the ends.
    pub(super) ends: HashMap<(u16, u8), Box<[f64]>>,
    /// The places of those who play.
    pub(super) places: ArrayVec<usize, MAX_PLAYERS>,
}

impl Round {
    /// Everybody's chances in the match before the round.
    pub(super) fn start(&self) -> Prize {
        let seen = |place| self.layout.seen(&self.start, place);
        (0..self.layout.players)
            .map(seen)
            .map(|[value, win, draw, ..]| [value, win, draw])
            .collect()
    }

    /// The chances of the player at this place before the round.
    pub(in crate::showdown) fn start_of(&self, place: usize) -> Seen {
        self.layout.seen(&self.start, place)
    }

    /// In turn: what coming to each rank is worth to the player who throws after those of these
    /// `ranks`, so many throws being allowed from then on.
    pub(in crate::showdown) fn stops_in_turn(
        &self,
        game: &Showdown,
        limit: u8,
        ranks: &[usize],
    ) -> Vec<Seen> {
        let (thrown, place) = (ranks.len(), self.places[ranks.len()]);
        let before = self.standing(game, ranks);
        let row = |rank| {
            let standing = Standing::with(game, before, place, rank);
            if thrown + 1 == self.places.len() {
                return self.layout.seen(self.end(standing), place);
            }
            let row = &self.rows[&Known::in_turn(limit, thrown + 1, standing)];
            self.layout.seen(row, place)
        };
        (0..game.hands().ranks()).map(row).collect()
    }

    /// In the open: what ending its throw with each roll is worth to the player whom so many have
    /// `thrown` before in this lap, the `lap`th from 0. `dice` are those of all players of the round.
    pub(in crate::showdown) fn stops_open(
        &self,
        game: &Showdown,
        lap: u8,
        thrown: usize,
        dice: &[Roll],
    ) -> Vec<Seen> {
        let place = self.places[thrown];
        let ranks: Vec<usize> = dice.iter().map(|&roll| game.hands().rank(roll)).collect();
        let standing = self.standing(game, &ranks[..thrown]);
        let table = Table::new(game, self.places.len(), lap, thrown, standing, dice);
        let row = |roll| {
            let next = table.after(game, place, roll);
            if next.is_over(game) {
                let standing = next.standing.expect("all have thrown");
                return self.layout.seen(self.end(standing), place);
            }
            let (known, own) = next.known();
            self.layout.seen(&self.rows[&known][own * self.layout.width()..], place)
        };
        game.space().all_rolls().map(row).collect()
    }

    /// The chances of the player at `thrown` if all hands stay what they are.
    pub(in crate::showdown) fn as_it_lies(
        &self,
        game: &Showdown,
        thrown: usize,
        dice: &[Roll],
    ) -> Seen {
        let ranks: Vec<usize> = dice.iter().map(|&roll| game.hands().rank(roll)).collect();
        let standing = self.standing(game, &ranks).expect("players have thrown");
        self.layout.seen(self.end(standing), self.places[thrown])
    }

    /// What the first players have come to, whose hands have these ranks.
    fn standing(&self, game: &Showdown, ranks: &[usize]) -> Option<Standing> {
        let hands = self.places.iter().zip(ranks);
        hands.fold(None, |standing, (&p, &rank)| Some(Standing::with(game, standing, p, rank)))
    }

    fn end(&self, standing: Standing) -> &[f64] {
        &self.ends[&(standing.holders, standing.lowest)]
    }

    pub(super) fn bytes(&self) -> usize {
        let rows = self.rows.values().chain(self.ends.values()).map(|rows| rows.len());
        rows.sum::<usize>() * size_of::<f64>()
            + (self.rows.len() + self.ends.len()) * size_of::<(Known, Box<[f64]>)>()
    }

    /// What solving one round of `active` of the players takes.
    pub(super) fn estimate(game: &Showdown, players: usize, active: u32) -> Estimate {
        let definition = game.definition();
        let (space, ranks) = (game.space(), game.hands().ranks() as u64);
        let (rolls, rethrows) = (space.rolls() as u64, u64::from(definition.rethrows));
        let width = Layout::of(game, players).width() as u64;
        let pass = 2 * space.keeps() as u64 * u64::from(definition.faces);
        let pass = if definition.set_aside && definition.order == Order::InTurn {
            (rolls << definition.dice) * u64::from(definition.faces)
        } else {
            pass
        };
        // A tie of all that is thrown again takes some repetitions.
        let repeated = if definition.draws == Draws::Again { 4 } else { 1 };
        let power = |count: u32| rolls.saturating_pow(count);
        let (states, rows, passes) = match definition.order {
            Order::Open => {
                let states = power(active - 1).saturating_mul(u64::from(active) * rethrows.max(1));
                (states, states.saturating_mul(rolls), 1)
            }
            _ => {
                let limits = if definition.first_sets_throws { rethrows + 1 } else { 1 };
                let lowest = lowest_matters(definition);
                let of = |thrown: u32| {
                    let sets = (1 << thrown) - 1;
                    let low = if lowest { ranks * u64::from(thrown) / 2 } else { 1 };
                    ranks * sets * low.max(1)
                };
                let states = (1..active).map(of).sum::<u64>() * limits;
                (states, states, rethrows + 1)
            }
        };
        let work = states.saturating_mul(pass * passes * width / 3).saturating_mul(repeated);
        let table_bytes = rows.saturating_mul(8 * width).saturating_add(states.saturating_mul(64));
        Estimate { states, table_bytes, working_bytes: 0, work }
    }
}
