//! A solved showdown: the values that best play needs beyond a single position.

use std::collections::BTreeMap;

use super::contest::Contest;
use super::definition::{Draws, Order, ShowdownDefinition};
use super::game::Showdown;
use super::in_turn::InTurn;
use super::open::Open;
use super::simultaneous::Simultaneous;
use super::turn::{self, Row};
use crate::solve::Estimate;

/// The values of a showdown between so many players.
#[derive(Clone, Debug)]
pub struct ShowdownValues {
    /// By players of a round: several where ties are thrown again by some of the players.
    rounds: BTreeMap<usize, Kind>,
}

/// How the values are found.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// One player against a pay table: the value of each keep, by rethrows left.
    Payout(Vec<Vec<Row<1>>>),
    /// Matches of two players.
    Contest(Contest),
    /// Open rounds of two players for stakes.
    Stakes(Open),
    /// Rounds of three or more players in turn.
    InTurn(InTurn),
    /// Open rounds of three or more players: solved in each position.
    OpenTable,
    /// Two players who choose at once.
    Simultaneous(Simultaneous),
}

/// The most that solving a showdown may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Bytes of the tables.
    pub bytes: u64,
    /// Steps of work, see [`ShowdownValues::estimate`].
    pub work: u64,
}

impl Default for Limit {
    /// Far above the cost of six dice of six faces, and below a second of one core.
    fn default() -> Self {
        Self { bytes: 128 << 20, work: 1_000_000_000 }
    }
}

/// A showdown is too large to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "too large to solve for {players} players: {} states would take {} MiB and {} million steps; \
     the limit is {} MiB and {} million. Fewer dice, faces, rethrows, players or rounds would help",
    .estimate.states,
    .estimate.table_bytes.div_ceil(1 << 20),
    .estimate.work.div_ceil(1_000_000),
    .limit.bytes >> 20,
    .limit.work / 1_000_000
)]
pub struct TooLarge {
    /// The players.
    pub players: usize,
    /// The estimate.
    pub estimate: Estimate,
    /// The limit.
    pub limit: Limit,
}

impl ShowdownValues {
    /// Solves the game for so many players.
    ///
    /// # Errors
    /// If the estimate exceeds `limit`.
    ///
    /// # Panics
    /// If the rules are not for so many players.
    pub fn solve(game: &Showdown, players: usize, limit: Limit) -> Result<Self, TooLarge> {
        assert!(game.players().contains(&players), "{players} players");
        let estimate = Self::estimate(game, players);
        if estimate.table_bytes > limit.bytes || estimate.work > limit.work {
            return Err(TooLarge { players, estimate, limit });
        }
        let rounds = in_a_round(game, players).map(|players| (players, Kind::solve(game, players)));
        Ok(Self { rounds: rounds.collect() })
    }

    /// The values of a round of so many of the players.
    pub(super) fn round(&self, players: usize) -> Option<&Kind> {
        self.rounds.get(&players)
    }

    /// The cost of solving for so many players, estimated. A step of work is the addition or
    /// comparison of one value, some three billionths of a second.
    #[must_use]
    pub fn estimate(game: &Showdown, players: usize) -> Estimate {
        let mut sum = Estimate { states: 0, table_bytes: 0, working_bytes: 0, work: 0 };
        for players in in_a_round(game, players) {
            let round = estimate_round(game, players);
            sum.states = sum.states.saturating_add(round.states);
            sum.table_bytes = sum.table_bytes.saturating_add(round.table_bytes);
            sum.working_bytes = sum.working_bytes.max(round.working_bytes);
            sum.work = sum.work.saturating_add(round.work);
        }
        sum
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rounds.values().map(Kind::bytes).sum()
    }
}

/// The numbers of players of a round in a game of so many: fewer where tied players throw again.
fn in_a_round(game: &Showdown, players: usize) -> std::ops::RangeInclusive<usize> {
    match game.definition().draws {
        Draws::Again => players.min(2)..=players,
        _ => players..=players,
    }
}

fn estimate_round(game: &Showdown, players: usize) -> Estimate {
    let definition = game.definition();
    let (space, ranks) = (game.space(), game.hands().ranks() as u64);
    let (rolls, keeps) = (space.rolls() as u64, space.keeps() as u64);
    let rethrows = u64::from(definition.rethrows);
    let pass = if definition.set_aside { rolls << definition.dice } else { 2 * keeps }
        * u64::from(definition.faces);
    let cell = 3 * size_of::<f64>() as u64;
    let (states, bytes, work) = match definition.order {
        _ if definition.payout => {
            ((rethrows + 1) * keeps, (rethrows + 1) * keeps * 8, pass * rethrows)
        }
        Order::Simultaneous => {
            // A matrix game of at most 2^dice choices each, some pivots of all its cells.
            let choices = 1u64 << definition.dice;
            let laps = rethrows.saturating_sub(1);
            let states = laps * rolls * rolls;
            (states, states * cell, states * choices * choices * (2 * ranks + choices))
        }
        Order::Open if players > 2 => (0, 0, rolls),
        Order::Open => {
            let rounds = rounds(definition);
            let states = rounds * 2 * rethrows * rolls * rolls;
            let solves = rounds * 2 * rethrows * rolls;
            (states + rounds * rolls, states * cell, solves * pass + states)
        }
        Order::InTurn => {
            let limits = if definition.first_sets_throws { rethrows + 1 } else { 1 };
            let turns: u64 = (1..players.max(2) as u64).sum::<u64>() * ranks * limits;
            let rounds = if players == 2 { rounds(definition) } else { 1 };
            let kept = if players == 2 { turns * rethrows * keeps } else { turns };
            let states = rounds * (kept + (rethrows + 1) * keeps);
            (states, states * cell, rounds * (turns + 1) * (rethrows + 1) * pass * 2)
        }
    };
    Estimate { states, table_bytes: bytes, working_bytes: bytes / 4, work }
}

impl Kind {
    fn solve(game: &Showdown, players: usize) -> Self {
        let definition = game.definition();
        match definition.order {
            _ if definition.payout => Self::Payout(payout(game)),
            Order::Simultaneous => Self::Simultaneous(Simultaneous::solve(game)),
            Order::Open if definition.raises > 0 => Self::Stakes(Open::solve(game, 0.5)),
            _ if players == 2 => Self::Contest(Contest::solve(game)),
            Order::InTurn => Self::InTurn(InTurn::solve(game, players, 0.5)),
            Order::Open => Self::OpenTable,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Payout(levels) => levels.iter().map(|keeps| size_of_val(&keeps[..])).sum(),
            Self::Contest(contest) => contest.bytes(),
            Self::Stakes(open) => open.bytes(),
            Self::InTurn(round) => round.bytes(),
            Self::OpenTable => 0,
            Self::Simultaneous(round) => round.bytes(),
        }
    }
}

/// The most rounds of a match of two that are solved separately.
fn rounds(definition: &ShowdownDefinition) -> u64 {
    let wins = u64::from(definition.wins_needed);
    match definition.draws {
        // One round, in which a tie has the value of the round itself; it is found by iteration.
        Draws::Again => 8,
        _ => (0..wins)
            .flat_map(|own| {
                (0..wins).map(move |other| 2 * wins - 1 - own.max(other).min(own + other))
            })
            .sum(),
    }
}

/// The value of each keep to a single player, by rethrows left after its throw.
fn payout(game: &Showdown) -> Vec<Vec<Row<1>>> {
    let definition = game.definition();
    let pays: Vec<Row<1>> = game
        .space()
        .all_rolls()
        .map(|roll| [f64::from(definition.hands[game.hands().hand(roll)].pays)])
        .collect();
    let cost = f64::from(definition.rethrow_cost);
    turn::solve(game, definition.rethrows, cost, |_| pays.clone())
}
