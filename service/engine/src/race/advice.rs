//! All moves of a position ranked by the probability to win the game.
//!
//! The advice has two figures for each move, both for the player to move and both assuming that
//! this player goes on to play for the win: the probability to win, a tie among `k` counting `1/k`,
//! and the expected final margin over the best of the other players. Moves are ranked by the first,
//! and their regret is measured in it.
//!
//! A single player wins in any case, so for practice the advice is that of the
//! [turn-greedy](super::turn_greedy) player: the margin is then the points × multiplier on the
//! board and still to come in this turn, moves are ranked by it, and their regret is measured in
//! points.

use super::moves::{MAX_MOVES, RaceMove};
use super::position::RacePosition;
use super::turn_solver::{Depth, LANES, Laned, Model, TurnSolver};
use super::value::{Net, NetModel, Plain, Readout};
use super::weights::net_for;
use crate::turn_solver::Value;

/// A move with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceAdvice {
    /// The move.
    pub chosen: RaceMove,
    /// The probability to win, from 0 to 1, ties split.
    pub win_probability: f64,
    /// The expected final margin over the best of the others, in points; for a single player the
    /// points expected at the end of this turn.
    pub margin: f64,
    /// Regret against the best move: probability to win, or for a single player points. Never
    /// negative.
    pub regret: f64,
}

/// A probability to win with its margin; only the first is maximised.
#[derive(Clone, Copy, Debug)]
pub(super) struct WinAndMargin {
    win: f32,
    margin: f32,
}

impl Value for WinAndMargin {
    const WORST: Self = Self { win: f32::NEG_INFINITY, margin: 0.0 };
    const ZERO: Self = Self { win: 0.0, margin: 0.0 };

    #[inline(always)]
    fn best(self, other: Self) -> Self {
        if self.win >= other.win { self } else { other }
    }

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        let weight = weight as f32;
        Self { win: self.win + weight * other.win, margin: self.margin + weight * other.margin }
    }
}

/// [`WinAndMargin`] of several turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct WinsAndMargins {
    win: [f32; LANES],
    margin: [f32; LANES],
}

impl Value for WinsAndMargins {
    const WORST: Self = Self { win: [f32::NEG_INFINITY; LANES], margin: [0.0; LANES] };
    const ZERO: Self = Self { win: [0.0; LANES], margin: [0.0; LANES] };

    #[inline(always)]
    fn best(mut self, other: Self) -> Self {
        for lane in 0..LANES {
            let stays = self.win[lane] >= other.win[lane];
            self.win[lane] = if stays { self.win[lane] } else { other.win[lane] };
            self.margin[lane] = if stays { self.margin[lane] } else { other.margin[lane] };
        }
        self
    }

    #[inline(always)]
    fn plus(mut self, weight: f64, other: Self) -> Self {
        let weight = weight as f32;
        for lane in 0..LANES {
            self.win[lane] += weight * other.win[lane];
            self.margin[lane] += weight * other.margin[lane];
        }
        self
    }
}

impl Laned for WinAndMargin {
    type Lanes = WinsAndMargins;

    #[inline(always)]
    fn lane(lanes: &WinsAndMargins, lane: usize) -> Self {
        Self { win: lanes.win[lane], margin: lanes.margin[lane] }
    }

    #[inline(always)]
    fn set_lane(self, lanes: &mut WinsAndMargins, lane: usize) {
        (lanes.win[lane], lanes.margin[lane]) = (self.win, self.margin);
    }
}

impl Readout for WinAndMargin {
    #[inline(always)]
    fn of(win: f32, plain: Plain) -> Self {
        Self { win, margin: plain.margin }
    }
}

/// Every legal move of `position` with its values, best first; among equal ones by margin, and then
/// in the order of [`RaceMove::preference`]. Empty if the game has ended. Work is bounded for any
/// position.
#[must_use]
pub fn advise(position: &RacePosition) -> Vec<RaceAdvice> {
    if position.players() == 1 {
        return practice(position);
    }
    advise_with(net_for(position), position)
}

/// [`advise`] by the weights of any network.
fn advise_with(net: &Net, position: &RacePosition) -> Vec<RaceAdvice> {
    let model = NetModel::<WinAndMargin>::new(net, position);
    let plan = TurnSolver::new(&model, Depth::Quick).plan(&model.root(), position);
    let moves = position.legal_moves().into_iter().map(|chosen| {
        let WinAndMargin { win, margin } = plan.value(chosen);
        (chosen, f64::from(win.clamp(0.0, 1.0)), f64::from(margin))
    });
    ranked(moves, |&(_, win, _)| win, 1e-6)
}

/// The advice for a single player.
fn practice(position: &RacePosition) -> Vec<RaceAdvice> {
    let total = position.totals()[position.to_move()].points;
    let moves = super::greedy::turn_points(position)
        .into_iter()
        .map(|(chosen, points)| (chosen, 1.0, f64::from(total) + f64::from(points)));
    ranked(moves, |&(_, _, points)| points, 1e-3)
}

/// Sorts moves, given in the order of preference, by `worth` and then by whole points of margin;
/// differences below `grain` are rounding errors and count as none.
fn ranked(
    moves: impl Iterator<Item = (RaceMove, f64, f64)>,
    worth: impl Fn(&(RaceMove, f64, f64)) -> f64,
    grain: f64,
) -> Vec<RaceAdvice> {
    let mut moves: Vec<_> = moves.collect();
    debug_assert!(moves.len() <= MAX_MOVES);
    let grains = |entry: &(RaceMove, f64, f64)| (worth(entry) / grain).round() as i64;
    moves.sort_by_key(|entry| std::cmp::Reverse((grains(entry), entry.2.round() as i64)));
    let best = moves.first().map_or(0.0, &worth);
    moves
        .iter()
        .map(|entry| RaceAdvice {
            chosen: entry.0,
            win_probability: entry.1,
            margin: entry.2,
            regret: (best - worth(entry)).max(0.0),
        })
        .collect()
}
