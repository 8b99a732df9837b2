//! A solved showdown: the values that best play needs beyond a single position.

use std::collections::BTreeMap;

use super::contest::Contest;
use super::definition::{Draws, Order, ShowdownDefinition};
use super::game::Showdown;
use super::in_turn::{InTurn, Prizes};
use super::open_table::Replies;
use super::several::{self, Several};
use super::stakes::StakesRound;
use super::turn::{self, Row};
use crate::solve::Estimate;

/// The values of a showdown between so many players.
#[derive(Clone, Debug, Default)]
pub struct ShowdownValues {
    /// By players of a round: several where ties are thrown again by some of the players.
    rounds: BTreeMap<usize, Kind>,
    /// Matches of three or more players of which single rounds do not tell best play, if they are
    /// small enough.
    several: Option<Several>,
    /// Where three or more players see all throws and there are several laps; else empty.
    replies: Replies,
}

/// How the values are found.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// One player against a pay table: the value of each keep, by rethrows left.
    Payout(Vec<Vec<Row<1>>>),
    /// Matches of two players.
    Contest(Contest),
    /// Open rounds of two players for stakes.
    Stakes(StakesRound),
    /// Rounds of three or more players in turn.
    InTurn(InTurn),
    /// Open rounds of three or more players: solved in each position of the last lap.
    OpenTable,
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

impl Limit {
    fn allows(&self, estimate: &Estimate) -> bool {
        estimate.table_bytes <= self.bytes && estimate.work <= self.work
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
        if estimate_several(game, players, limit).is_some() {
            let several = Some(Several::solve(game, players));
            return Ok(Self { several, ..Self::default() });
        }
        let estimate = estimate_rounds(game, players);
        if !limit.allows(&estimate) {
            let one = estimate_round_at_once(game, 1);
            if game.definition().order == Order::Simultaneous && limit.allows(&one) {
                let round = Kind::Contest(Contest::of_one_round(game));
                return Ok(Self { rounds: [(players, round)].into(), ..Self::default() });
            }
            return Err(TooLarge { players, estimate, limit });
        }
        let mut rounds = BTreeMap::new();
        for players in in_a_round(game, players) {
            rounds.insert(players, Kind::solve(game, players, &rounds));
        }
        let replies = match needs_replies(game, players) {
            true => Replies::solve(game),
            false => Replies::default(),
        };
        Ok(Self { rounds, several: None, replies })
    }

    /// The values of matches of three or more players, if they were solved.
    pub(super) fn several(&self) -> Option<&Several> {
        self.several.as_ref()
    }

    /// The values of a round of so many of the players.
    pub(super) fn round(&self, players: usize) -> Option<&Kind> {
        self.rounds.get(&players)
    }

    /// How the others answer in open rounds of several laps.
    pub(super) fn replies(&self) -> &Replies {
        &self.replies
    }

    /// The cost of solving for so many players, estimated. A step of work is the addition or
    /// comparison of one value, some three billionths of a second.
    #[must_use]
    pub fn estimate(game: &Showdown, players: usize) -> Estimate {
        let several = estimate_several(game, players, Limit::default());
        several.unwrap_or_else(|| estimate_rounds(game, players))
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let several = self.several.as_ref().map_or(0, Several::bytes);
        let rounds = self.rounds.values().map(Kind::bytes);
        rounds.sum::<usize>() + several + self.replies.bytes()
    }
}

/// What it takes to solve matches of three or more players, if that is needed and within `limit`.
fn estimate_several(game: &Showdown, players: usize, limit: Limit) -> Option<Estimate> {
    let needed = several::needed(game.definition(), players);
    let estimate = needed.then(|| Several::estimate(game, players, limit.work)).flatten();
    estimate.filter(|estimate| limit.allows(estimate))
}

/// What it takes to solve the rounds by themselves.
fn estimate_rounds(game: &Showdown, players: usize) -> Estimate {
    let mut sum = Estimate { states: 0, table_bytes: 0, working_bytes: 0, work: 0 };
    for players in in_a_round(game, players) {
        let round = estimate_round(game, players);
        sum.states = sum.states.saturating_add(round.states);
        sum.table_bytes = sum.table_bytes.saturating_add(round.table_bytes);
        sum.working_bytes = sum.working_bytes.max(round.working_bytes);
        sum.work = sum.work.saturating_add(round.work);
    }
    if needs_replies(game, players) {
        let (space, ranks) = (game.space(), game.hands().ranks() as u64);
        let solves = u64::from(game.definition().rethrows) * ranks;
        sum.table_bytes += solves * space.rolls() as u64 * size_of::<[f64; 2]>() as u64;
        sum.work += solves * 2 * space.keeps() as u64 * space.faces() as u64;
    }
    sum
}

/// Whether three or more players see all throws of several laps.
fn needs_replies(game: &Showdown, players: usize) -> bool {
    let ShowdownDefinition { order, rethrows, .. } = *game.definition();
    players > 2 && order == Order::Open && rethrows > 1
}

/// How many players a round may have in a game of so many: fewer where the tied ones throw again.
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
        Order::Simultaneous => return estimate_round_at_once(game, definition.wins_needed),
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

/// What matches of so many wins take in which both choose at once.
fn estimate_round_at_once(game: &Showdown, wins: u8) -> Estimate {
    let definition = game.definition();
    let (space, wins) = (game.space(), u64::from(wins));
    let (rolls, keeps) = (space.rolls() as u64, space.keeps() as u64);
    let choices = 1u64 << definition.dice;
    // A matrix game for each pair of rolls in each lap but the first, and in a match of several
    // rounds in the first too: once for those with equal scores, else for each score.
    let rounds = match definition.draws {
        _ if wins == 1 => 1,
        Draws::Again => 1,
        _ => {
            let scores = (0..wins).flat_map(|more| (0..more).map(move |less| less + more));
            1 + scores.map(|played| 2 * wins - 1 - played).sum::<u64>()
        }
    };
    let laps = u64::from(definition.rethrows).saturating_sub(u64::from(wins == 1));
    let played_on = if laps > 1 { choices * rolls * rolls / 2 } else { 0 };
    let states = rounds * laps * rolls * rolls;
    let table_bytes = states * size_of::<Row<3>>() as u64 + keeps * keeps * 16;
    let work = states * (STEPS_A_CHOICE * choices * choices + played_on)
        + keeps * keeps * game.hands().ranks() as u64;
    Estimate { states, table_bytes, working_bytes: 0, work }
}

/// Steps that a matrix game takes for each cell, on average.
const STEPS_A_CHOICE: u64 = 4;

impl Kind {
    /// Solves a round, given those of fewer players where the tied ones play another one.
    fn solve(game: &Showdown, players: usize, fewer: &BTreeMap<usize, Self>) -> Self {
        let definition = game.definition();
        match definition.order {
            _ if definition.payout => Self::Payout(payout(game)),
            Order::Open if definition.raises > 0 => Self::Stakes(StakesRound::solve(game)),
            _ if players == 2 => Self::Contest(Contest::solve(game)),
            Order::InTurn if definition.draws == Draws::Again => {
                let fewer: Vec<Vec<f64>> = fewer.values().map(Self::starts).collect();
                Self::InTurn(InTurn::solve_again(game, &fewer))
            }
            Order::InTurn => Self::InTurn(InTurn::solve(game, &Prizes::shared(players))),
            _ => Self::OpenTable,
        }
    }

    /// In turn, where ties are thrown again: the value of the round to each player before it begins.
    fn starts(&self) -> Vec<f64> {
        match self {
            Self::Contest(contest) => {
                contest.known_start(0).map_or(Vec::new(), |[value, ..]| vec![value, 1.0 - value])
            }
            Self::InTurn(round) => round.starts().to_vec(),
            _ => Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Payout(levels) => levels.iter().map(|keeps| size_of_val(&keeps[..])).sum(),
            Self::Contest(contest) => contest.bytes(),
            Self::Stakes(round) => round.bytes(),
            Self::InTurn(round) => round.bytes(),
            Self::OpenTable => 0,
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
