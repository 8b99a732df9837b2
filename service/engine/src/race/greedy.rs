//! The turn-greedy player: it maximises the expected points × multiplier of this turn alone,
//! computed exactly, and ignores other boards, doubling and closing. Stronger players are measured
//! against it.

use super::board::{closed_rows, is_closed};
use super::moves::RaceMove;
use super::position::RacePosition;
use super::row::{ROWS, Row};
use super::rules::RaceRules;
use super::turn_solver::{Depth, Model, Node, PositionValues, TurnSolver};

/// The boards of the player to move as every model sees them.
pub(super) fn node_of<A>(position: &RacePosition, state: A) -> Node<A> {
    let board = position.board();
    let open = Row::ALL
        .into_iter()
        .filter(|&row| row.exists(position.rules()) && !is_closed(position.boards(), row))
        .fold(0, |open, row| open | 1 << row.index());
    Node {
        counts: Row::ALL.map(|row| board.count(row) as u8),
        open,
        closed: closed_rows(position.boards()) as u8,
        state,
    }
}

/// Counts the points × multiplier of the turn.
struct Points<'p> {
    position: &'p RacePosition,
}

impl Model for Points<'_> {
    type Value = f32;
    type State = f32;

    fn rules(&self) -> &RaceRules {
        self.position.rules()
    }

    fn root(&self) -> Node<f32> {
        node_of(self.position, 0.0)
    }

    fn fill(&self, _: &mut Node<f32>, _: Row) {}

    fn add(&self, node: &mut Node<f32>, row: Row, points: u16) {
        node.state += f32::from(points) * row.multiplier() as f32;
    }

    fn value(&self, node: &Node<f32>) -> f32 {
        node.state
    }
}

/// The expected points × multiplier still to come in this turn for each legal move, if all that
/// follows maximises it; in the order of [`RacePosition::legal_moves`].
#[must_use]
pub fn turn_points(position: &RacePosition) -> Vec<(RaceMove, f32)> {
    let model = Points { position };
    let plan: PositionValues<f32> =
        TurnSolver::new(&model, Depth::Exact).plan(&model.root(), position);
    position.legal_moves().into_iter().map(|chosen| (chosen, plan.value(chosen))).collect()
}

/// The move of the turn-greedy player; `None` if the game has ended.
#[must_use]
pub fn turn_greedy(position: &RacePosition) -> Option<RaceMove> {
    if position.dice().is_none() {
        return position.legal_moves().first().copied();
    }
    let moves = turn_points(position);
    // The first of equals: legal moves are in the order of preference.
    let mut best = moves.first()?;
    for candidate in &moves[1..] {
        if candidate.1 > best.1 {
            best = candidate;
        }
    }
    Some(best.0)
}

const _: () = assert!(ROWS <= 8, "open rows are bits of a byte");
