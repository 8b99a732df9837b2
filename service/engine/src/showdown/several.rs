//! Matches of three or more players, solved from the last round back.
//!
//! The value of a round to a player may depend on its winner and on who throws first in the next one, so the
//! round of every state of a match has prizes of its own: the value of each set of winners to each player.
//! Where ties are thrown again, the tied players alone play a state of their own.

mod round;
mod solver;
mod standing;

use std::collections::{BTreeMap, BTreeSet};

use arrayvec::ArrayVec;

use self::round::Round;
pub(super) use self::round::Seen;
use super::check::MAX_PLAYERS;
use super::definition::{Draws, NextFirst, Order, ShowdownDefinition};
use super::game::Showdown;
use super::in_turn::Chance;
use super::position::ShowdownPosition;
use crate::solve::Estimate;

/// Chances of every player, from the first of a round on.
pub(super) type Prize = ArrayVec<Chance, MAX_PLAYERS>;

/// The match before a round, as its first player sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    /// Rounds won by each player, from the first on.
    won: ArrayVec<u8, MAX_PLAYERS>,
    /// The players of the round, a bit each; the others sit out.
    active: u16,
    /// Rounds played, where they limit the match.
    rounds: u32,
}

/// The end of a round.
enum Next {
    /// The match is over; the places of its winners.
    Over(u16),
    /// Another round, and the place that each of its players has in this one.
    Round(State, ArrayVec<usize, MAX_PLAYERS>),
}

/// The most ends of rounds that are followed to count the states of a match.
const MOST_FOLLOWED: usize = 100_000;

/// All matches of so many players.
#[derive(Clone, Debug)]
pub(super) struct Several {
    rounds: BTreeMap<State, Round>,
}

impl Several {
    /// Solves every round of every match.
    pub(super) fn solve(game: &Showdown, players: usize) -> Self {
        let mut solved = Self { rounds: BTreeMap::new() };
        solved.value(game, State::start(players));
        solved
    }

    /// The round that is played in `position`.
    pub(super) fn round(&self, game: &Showdown, position: &ShowdownPosition) -> Option<&Round> {
        self.rounds.get(&State::of(game, position))
    }

    /// What solving takes, if it stays within `work` steps and the match within so many states that
    /// they can be counted at once.
    pub(super) fn estimate(game: &Showdown, players: usize, work: u64) -> Option<Estimate> {
        let all = State::start(players);
        let round =
            |state: &State| Round::estimate(game, state.won.len(), state.active.count_ones());
        let mut sum = round(&all);
        let mut seen = BTreeSet::from([all.clone()]);
        let mut open = vec![all];
        let mut followed = 0;
        while let Some(state) = open.pop() {
            // One round alone may be too much: then the states of the match are not counted.
            if sum.work > work || followed > MOST_FOLLOWED {
                return None;
            }
            for winners in state.sets() {
                for lowest in state.lowest(game.definition(), winners) {
                    followed += 1;
                    let Next::Round(next, _) = state.after(game.definition(), winners, lowest)
                    else {
                        continue;
                    };
                    if seen.insert(next.clone()) {
                        let more = round(&next);
                        sum.states += more.states;
                        sum.table_bytes += more.table_bytes;
                        sum.work = sum.work.saturating_add(more.work);
                        open.push(next);
                    }
                }
            }
        }
        sum.working_bytes = sum.table_bytes / 4;
        Some(sum)
    }

    /// Everybody's chances before the round of `state`.
    fn value(&mut self, game: &Showdown, state: State) -> Prize {
        if let Some(round) = self.rounds.get(&state) {
            return round.start();
        }
        let players = state.won.len();
        let mut prizes = Prizes::default();
        for winners in state.sets() {
            for lowest in state.lowest(game.definition(), winners) {
                let prize = match state.after(game.definition(), winners, lowest) {
                    Next::Over(best) => shared(players, best),
                    // All of them tie and throw again: this very state.
                    Next::Round(next, _) if next == state => continue,
                    Next::Round(next, places) => {
                        let mut prize: Prize = std::iter::repeat_n([0.0; 3], players).collect();
                        let chances = self.value(game, next);
                        places.iter().zip(chances).for_each(|(&p, chance)| prize[p] = chance);
                        prize
                    }
                };
                prizes.0.insert((winners, lowest), prize);
            }
        }
        let round = Round::solve(game, &state, prizes);
        let start = round.start();
        self.rounds.insert(state, round);
        start
    }

    /// Bytes that the tables take.
    pub(super) fn bytes(&self) -> usize {
        self.rounds.values().map(Round::bytes).sum()
    }
}

/// What each set of winners, and who had the lowest hand beside it, is worth to everybody.
#[derive(Clone, Debug, Default)]
struct Prizes(BTreeMap<(u16, usize), Prize>);

/// The chances of a match that is over and won by these.
fn shared(players: usize, winners: u16) -> Prize {
    let count = winners.count_ones();
    let of = |place: usize| match (winners >> place & 1, count) {
        (0, _) => [0.0; 3],
        (_, 1) => [1.0, 1.0, 0.0],
        _ => [1.0 / f64::from(count), 0.0, 1.0],
    };
    (0..players).map(of).collect()
}

impl State {
    fn start(players: usize) -> Self {
        let won = std::iter::repeat_n(0, players).collect();
        Self { won, active: (1 << players) - 1, rounds: 0 }
    }

    fn of(game: &Showdown, position: &ShowdownPosition) -> Self {
        let definition = game.definition();
        let seats = position.seats();
        let seat = |place: usize| &seats[(position.first() + place) % seats.len()];
        let state = Self {
            won: (0..seats.len()).map(|place| seat(place).rounds_won).collect(),
            active: bits((0..seats.len()).filter(|&place| !seat(place).sits_out)),
            rounds: if definition.draws == Draws::Again { 0 } else { position.rounds_played() },
        };
        state.of_those_left(definition).0
    }

    /// The state without the players who sit out, if one round is the whole match and they have lost
    /// it; and the places of the players in the state as it was.
    fn of_those_left(
        self,
        definition: &ShowdownDefinition,
    ) -> (Self, ArrayVec<usize, MAX_PLAYERS>) {
        if definition.wins_needed > 1 {
            let all = (0..self.won.len()).collect();
            return (self, all);
        }
        let places = self.places();
        (Self { rounds: self.rounds, ..Self::start(places.len()) }, places)
    }

    /// The places of the players of the round.
    fn places(&self) -> ArrayVec<usize, MAX_PLAYERS> {
        (0..self.won.len()).filter(|place| self.active >> place & 1 == 1).collect()
    }

    /// Every set of players who may win the round.
    fn sets(&self) -> impl Iterator<Item = u16> + use<> {
        let active = self.active;
        (1..=active).filter(move |winners| winners & !active == 0)
    }

    /// The places that may hold the lowest hand beside these winners; the first place stands for
    /// all of them where it does not matter.
    fn lowest(
        &self,
        definition: &ShowdownDefinition,
        winners: u16,
    ) -> ArrayVec<usize, MAX_PLAYERS> {
        if !lowest_matters(definition) || winners == self.active {
            return std::iter::once(0).collect();
        }
        self.places().into_iter().filter(|place| winners >> place & 1 == 0).collect()
    }

    /// What follows when these win the round, and the player at the place `lowest` has the lowest
    /// hand; as [`ShowdownPosition::apply`] has it.
    fn after(&self, definition: &ShowdownDefinition, winners: u16, lowest: usize) -> Next {
        let players = self.won.len();
        let tied = winners.count_ones() > 1;
        let again = definition.draws == Draws::Again;
        let mut won = self.won.clone();
        if tied && again {
            let first = winners.trailing_zeros() as usize;
            return Self::follow(definition, won, winners, self.rounds, first);
        }
        if !tied || definition.draws == Draws::Split {
            (0..players).filter(|p| winners >> p & 1 == 1).for_each(|p| won[p] += 1);
        }
        let rounds = if again { 0 } else { self.rounds + 1 };
        let most = won.iter().copied().max().unwrap_or_default();
        if most >= definition.wins_needed || !again && rounds >= definition.most_rounds(players) {
            let best = bits((0..players).filter(|&p| won[p] == most));
            return Next::Over(if definition.wins_needed == 1 { winners } else { best });
        }
        let first = match definition.next_first {
            NextFirst::Alternating => 1,
            NextFirst::Loser if tied => 0,
            NextFirst::Loser => lowest,
        };
        Self::follow(definition, won, (1 << players) - 1, rounds, first)
    }

    /// The round that follows, of the `active` players, begun by the player at the place `first`.
    fn follow(
        definition: &ShowdownDefinition,
        won: ArrayVec<u8, MAX_PLAYERS>,
        active: u16,
        rounds: u32,
        first: usize,
    ) -> Next {
        let players = won.len();
        let from = |place: usize| (place + first) % players;
        let state = Self {
            won: (0..players).map(|place| won[from(place)]).collect(),
            active: bits((0..players).filter(|&place| active >> from(place) & 1 == 1)),
            rounds,
        };
        let (state, places) = state.of_those_left(definition);
        Next::Round(state, places.into_iter().map(from).collect())
    }
}

/// A set of places.
fn bits(places: impl Iterator<Item = usize>) -> u16 {
    places.fold(0, |set, place| set | 1 << place)
}

/// Whether what follows a round depends on who has the lowest hand.
fn lowest_matters(definition: &ShowdownDefinition) -> bool {
    definition.wins_needed > 1 && definition.next_first == NextFirst::Loser
}

/// Whether rounds by themselves do not tell the best play of so many players.
pub(super) fn needed(definition: &ShowdownDefinition, players: usize) -> bool {
    let again = definition.draws == Draws::Again;
    players > 2
        && match definition.order {
            Order::InTurn => definition.wins_needed > 1,
            Order::Open => definition.wins_needed > 1 || again || definition.rethrows > 1,
            Order::Simultaneous => false,
        }
}
