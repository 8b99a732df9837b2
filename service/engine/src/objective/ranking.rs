//! Every legal move of a position with its chances.

use super::Objective;
use super::chances::{Chances, EQUAL_CHANCE};
use super::forecast::Forecast;
use super::solver::ExactLimits;
use crate::advice::EQUAL;
use crate::moves::Move;
use crate::position::Position;
use crate::solved_sheet::{SolvedSheet, place};

/// A move with its chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveChances {
    /// The move.
    pub chosen: Move,
    /// The chances of the card, if all that follows is played for the same objective.
    pub chances: Chances,
    /// Expected final score with this move and play for points after it.
    pub expected: f64,
    /// Regret: the difference to the best move in [`Chances::value`].
    pub regret: f64,
}

/// Every legal move of a position with its chances.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedByChances {
    /// The moves, best first; equal ones by expected score and then as in advice.
    pub moves: Vec<MoveChances>,
    /// Whether the chances are exact, not computed from means and deviations.
    pub exact: bool,
}

impl SolvedSheet<'_> {
    /// Every legal move of `position` with its chances by `objective`. For
    /// [`Objective::ExpectedScore`] the chances are those to win, and moves are sorted by score.
    ///
    /// Others are assumed to play for points, except where the game is solved for all of them: two
    /// cards, or the last round of up to four who are still to move.
    #[must_use]
    pub fn rank_by_chances(
        &self,
        forecast: &Forecast,
        objective: Objective,
        position: &Position,
    ) -> RankedByChances {
        let card = position.card();
        if card.is_complete(self.sheet) {
            return RankedByChances { moves: Vec::new(), exact: true };
        }
        let mut solver = self.solver(forecast, objective, position, ExactLimits::THOROUGH);
        let on_card = f64::from(card.totals(self.sheet).grand_total());
        let further = self.further_by_move(position);
        let chances = self.chances_of_moves(forecast, &mut solver, position, &further);
        let mut moves: Vec<MoveChances> = further
            .iter()
            .zip(chances)
            .map(|(&(chosen, further), chances)| MoveChances {
                chosen,
                chances,
                expected: on_card + further,
                regret: 0.0,
            })
            .collect();
        let by_score = objective == Objective::ExpectedScore;
        // Rounded, so that the order does not depend on rounding errors.
        let grains = |m: &MoveChances| (m.chances.value() / EQUAL_CHANCE).round() as i64;
        let points = |m: &MoveChances| (m.expected / EQUAL).round() as i64;
        moves.sort_by_key(|m| {
            let chance = if by_score { 0 } else { -grains(m) };
            (chance, -points(m), place(m.chosen))
        });
        let best = moves.iter().map(|m| m.chances.value()).fold(f64::NEG_INFINITY, f64::max);
        moves.iter_mut().for_each(|m| m.regret = (best - m.chances.value()).max(0.0));
        RankedByChances { moves, exact: !by_score && solver.is_exact() }
    }
}
