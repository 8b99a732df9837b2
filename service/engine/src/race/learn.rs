//! What the training program needs of the room: a turn solved from its start at the speed of
//! self-play, and games between players on given dice.

use rand::{Rng, RngExt};

use super::apply::RaceEnd;
use super::moves::RaceMove;
use super::position::RacePosition;
use super::row::Row;
use super::rules::THROWS;
use super::turn::{Depth, Model, Start, Turn};
use super::value::{Net, NetModel};

/// A turn of the player to move, solved from its start for the probability to win.
pub struct Opening {
    start: Start<f32>,
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Opening({})", self.start.value)
    }
}

impl Opening {
    /// Solves the turn that `position` starts, with the gains of records measured once a row.
    #[must_use]
    pub fn solve(net: &Net, position: &RacePosition) -> Self {
        let model = NetModel::<f32>::new(net, position);
        Self { start: Turn::new(&model, Depth::Quick).start(&model.root()) }
    }

    /// The same with every record worked out by itself.
    #[must_use]
    pub fn solve_exactly(net: &Net, position: &RacePosition) -> Self {
        let model = NetModel::<f32>::new(net, position);
        Self { start: Turn::new(&model, Depth::Exact).start(&model.root()) }
    }

    /// The probability to win before the first throw.
    #[must_use]
    pub fn value(&self) -> f32 {
        self.start.value
    }

    /// The best move after a throw of this turn as long as nothing has been recorded in it.
    #[must_use]
    pub fn choose(&self, net: &Net, position: &RacePosition) -> Option<RaceMove> {
        if position.rules().sum_of_figures || position.dice().is_none() {
            return choose(net, position);
        }
        let points: [Option<usize>; 8] = match position.dice() {
            None => [None; 8],
            Some(roll) => Row::ALL.map(|row| {
                super::throws::slot_of(position.rules(), row, position.points(row, roll))
            }),
        };
        first_best(position, |chosen| {
            self.start.value_of(position.rolls_left(), chosen, |row| points[row.index()])
        })
    }
}

/// The move that `net` thinks best; `None` if the game has ended. Without dice on the table it is
/// to throw them, since stopping remains possible after the throw.
#[must_use]
pub fn choose(net: &Net, position: &RacePosition) -> Option<RaceMove> {
    let moves = position.legal_moves();
    if moves.len() <= 1 || position.dice().is_none() {
        return moves.first().copied();
    }
    let model = NetModel::<f32>::new(net, position);
    let plan = Turn::new(&model, Depth::Quick).plan(&model.root(), position);
    first_best(position, |chosen| plan.value(chosen))
}

/// The legal move of the highest value, the first in order of preference among equals.
pub(super) fn first_best(
    position: &RacePosition,
    value: impl Fn(RaceMove) -> f32,
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

/// Plays a game to its end, `choose` making the moves, and `dice` the throws of the player it is
/// told. `None` if it has not ended after `turns` turns, or if a move was refused.
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
