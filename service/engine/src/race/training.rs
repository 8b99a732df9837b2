//! Used by the training program: turns solved from their start at the speed of self-play, and games
//! between players on given dice.

use rand::{Rng, RngExt};

use super::apply::RaceEnd;
use super::moves::RaceMove;
use super::position::RacePosition;
use super::row::Row;
use super::rules::THROWS;
use super::throws::slot_of;
use super::turn_solver::{Depth, LANES, Laned, Model, TurnSolver, TurnStart};
pub use super::value::{
    FEATURES, Feature, Goal, HIDDEN, Knowledge, Net, NetError, ROW, STAGES, View, WeightRow,
    logistic, margin_features, squash, squash_slope,
};
use super::value::{NetModel, Plain, Readout};
use crate::turn_solver::Value;

/// A turn of the player to move, solved from its start for the most of its goal.
pub struct Opening {
    start: TurnStart<f32>,
    goal: Goal,
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Opening({})", self.start.value)
    }
}

impl Opening {
    /// Solves the turn that `position` starts, with the gains of records measured once a row.
    #[must_use]
    pub fn solve(net: &Net, position: &RacePosition, goal: Goal) -> Self {
        let model = NetModel::<f32>::with_goal(net, position, goal);
        Self { start: TurnSolver::new(&model, Depth::Quick).start(&model.root()), goal }
    }

    /// The value before the first throw: the probability to win, if that is the goal.
    #[must_use]
    pub fn value(&self) -> f32 {
        self.start.value
    }

    /// The best move after a throw of this turn as long as nothing has been recorded in it, by the
    /// values that `look` makes of values.
    #[must_use]
    pub fn choose(
        &self,
        net: &Net,
        position: &RacePosition,
        mut look: impl FnMut(f32) -> f32,
    ) -> Option<RaceMove> {
        let Some(roll) = position.dice().filter(|_| !position.rules().sum_of_figures) else {
            return choose_for(net, position, self.goal, look);
        };
        let slots = Row::ALL.map(|row| slot_of(position.rules(), row, position.points(row, roll)));
        first_best(position, |chosen| {
            look(self.start.value_of(position.rolls_left(), chosen, |row| slots[row.index()]))
        })
    }
}

/// A turn of a turn-greedy player, valued by a network.
pub struct GreedyOpening {
    start: TurnStart<Greed>,
}

impl std::fmt::Debug for GreedyOpening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GreedyOpening({:?})", self.start.value)
    }
}

/// The points that are maximised, and the value of the boards.
#[derive(Clone, Copy, Debug)]
struct Greed {
    points: f32,
    value: f32,
}

impl Value for Greed {
    const WORST: Self = Self { points: f32::NEG_INFINITY, value: 0.0 };
    const ZERO: Self = Self { points: 0.0, value: 0.0 };

    fn best(self, other: Self) -> Self {
        if self.points >= other.points { self } else { other }
    }

    fn plus(self, weight: f64, other: Self) -> Self {
        let weight = weight as f32;
        Self {
            points: self.points + weight * other.points,
            value: self.value + weight * other.value,
        }
    }
}

impl Laned for Greed {
    type Lanes = [Self; LANES];

    fn lane(lanes: &[Self; LANES], lane: usize) -> Self {
        lanes[lane]
    }

    fn set_lane(self, lanes: &mut [Self; LANES], lane: usize) {
        lanes[lane] = self;
    }
}

impl Readout for Greed {
    fn of(value: f32, plain: Plain) -> Self {
        Self { points: plain.gained, value }
    }
}

impl GreedyOpening {
    /// Solves the turn that `position` starts.
    #[must_use]
    pub fn solve(net: &Net, position: &RacePosition, goal: Goal) -> Self {
        let model = NetModel::<Greed>::with_goal(net, position, goal);
        Self { start: TurnSolver::new(&model, Depth::Quick).start(&model.root()) }
    }

    /// The value before the first throw, for the player to move.
    #[must_use]
    pub fn value(&self) -> f32 {
        self.start.value.value
    }
}

/// The best move by `net`; `None` if the game has ended. Without dice on the table it is to throw
/// them, since stopping remains possible after the throw.
#[must_use]
pub fn choose(net: &Net, position: &RacePosition) -> Option<RaceMove> {
    choose_for(net, position, Goal::Win, |value| value)
}

/// [`choose`] for players with another goal, or by the values that `look` makes of values.
#[must_use]
pub fn choose_for(
    net: &Net,
    position: &RacePosition,
    goal: Goal,
    mut look: impl FnMut(f32) -> f32,
) -> Option<RaceMove> {
    let moves = position.legal_moves();
    if moves.len() <= 1 || position.dice().is_none() {
        return moves.first().copied();
    }
    let model = NetModel::<f32>::with_goal(net, position, goal);
    let plan = TurnSolver::new(&model, Depth::Quick).plan(&model.root(), position);
    first_best(position, |chosen| look(plan.value(chosen)))
}

/// The legal move of the highest value, the first in order of preference among equals.
pub(super) fn first_best(
    position: &RacePosition,
    mut value: impl FnMut(RaceMove) -> f32,
) -> Option<RaceMove> {
    let mut best: Option<(RaceMove, f32)> = None;
    for chosen in position.legal_moves() {
        let value = value(chosen);
        if best.is_none_or(|(_, so_far)| value > so_far) {
            best = Some((chosen, value));
        }
    }
    best.map(|(chosen, _)| chosen)
}

/// Throws dice for `chosen`.
pub fn throw(rng: &mut impl Rng, chosen: RaceMove) -> arrayvec::ArrayVec<u8, 5> {
    (0..chosen.dice_to_throw()).map(|_| rng.random_range(1..=6)).collect()
}

/// Plays a game to its end: `choose` makes the moves, `dice` makes the throws of a player. `None`
/// if it has not ended after `turns` turns, or if a move was refused.
pub fn play(
    mut position: RacePosition,
    turns: usize,
    mut choose: impl FnMut(&RacePosition) -> Option<RaceMove>,
    mut dice: impl FnMut(usize, RaceMove) -> arrayvec::ArrayVec<u8, 5>,
) -> Option<(RaceEnd, usize)> {
    let mut played = 0;
    while played < turns {
        let chosen = choose(&position)?;
        let thrown = dice(position.to_move(), chosen);
        let applied = position.apply(chosen, &thrown).ok()?;
        if let Some(end) = applied.end {
            return Some((end, played + 1));
        }
        played += usize::from(applied.turn_ended);
        position = applied.position;
    }
    None
}

/// Whether a turn starts here.
#[must_use]
pub fn is_turn_start(position: &RacePosition) -> bool {
    position.rolls_left() == THROWS
}
