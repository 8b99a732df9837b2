//! A player for an objective: one move, a turn or many games, with or without errors.

use super::Objective;
use super::chances::EQUAL_CHANCE;
use super::forecast::Forecast;
use super::solver::{ChanceSolver, ExactLimits};
use crate::advice::EQUAL;
use crate::moves::Move;
use crate::opponent::PlayedTurn;
use crate::opponent::Skill;
use crate::opponent::{Candidate, Decision, MoveKind, candidates, draw, rule_out, stake};
use crate::position::Position;
use crate::sheet::CardState;
use crate::solved_sheet::SolvedSheet;
use crate::solved_sheet::{MoveValues, best_of};
use crate::statistics::Player;
use crate::turn_solver::SolvedTurn;

/// The limits of an [`ObjectivePlayer`] in many games: for a target, and to win.
const ALONE: ExactLimits = ExactLimits { own: 3, others: 0, last_round: false };
const AGAINST_OTHERS: ExactLimits = ExactLimits { own: 1, others: 1, last_round: false };

/// A player that plays for an objective.
#[derive(Debug)]
pub struct ObjectivePlayer<'s> {
    objective: Objective,
    forecast: &'s Forecast,
    skill: Skill,
    /// Whether it solves as much as [`SolvedSheet::rank_by_chances`] does.
    thorough: bool,
}

impl<'s> ObjectivePlayer<'s> {
    /// A player for `objective` who makes no errors but those of haste: it is meant for many games.
    #[must_use]
    pub fn new(objective: Objective, forecast: &'s Forecast) -> Self {
        let (skill, thorough) = (Skill::PERFECT, false);
        Self { objective, forecast, skill, thorough }
    }

    /// The same player with a skill. It sees exact chances. The stake of its errors is one of chances,
    /// or of points where all moves have equal chances.
    #[must_use]
    pub fn with_skill(self, skill: Skill) -> Self {
        Self { skill, ..self }
    }

    /// The same player for a single decision: it solves as much as
    /// [`SolvedSheet::rank_by_chances`] does, and without a
    /// skill makes the move that stands first there.
    #[must_use]
    pub fn thorough(self) -> Self {
        Self { thorough: true, ..self }
    }

    /// The move it makes in `position` by `seed`.
    ///
    /// # Panics
    /// If `position` is finished.
    #[must_use]
    pub fn choose(&self, solved: &SolvedSheet<'_>, position: &Position, seed: u64) -> Move {
        if self.objective == Objective::ExpectedScore {
            return solved.choose(&self.skill, position, seed);
        }
        let mut turn = ObjectiveTurn::new(self, solved, position);
        turn.choose(position, seed).chosen
    }

    fn solver(&self, solved: &SolvedSheet<'_>, position: &Position) -> ChanceSolver {
        let for_target = matches!(self.objective, Objective::ReachTarget(_));
        let effort = match (self.thorough, for_target) {
            (true, _) => ExactLimits::THOROUGH,
            (false, true) => ALONE,
            (false, false) => AGAINST_OTHERS,
        };
        solved.solver(self.forecast, self.objective, position, effort)
    }
}

/// A turn that an [`ObjectivePlayer`] is about to play, or in.
struct ObjectiveTurn<'a> {
    player: &'a ObjectivePlayer<'a>,
    solved: &'a SolvedSheet<'a>,
    solver: ChanceSolver,
    state: CardState,
    by_score: SolvedTurn<f64>,
}

impl<'a> ObjectiveTurn<'a> {
    fn new(
        player: &'a ObjectivePlayer<'a>,
        solved: &'a SolvedSheet<'a>,
        position: &Position,
    ) -> Self {
        let state = position.card().state(solved.sheet());
        let solver = player.solver(solved, position);
        Self { player, solved, solver, state, by_score: solved.turn(state) }
    }

    /// The move made in `position`, a moment of the turn.
    fn choose(&mut self, position: &Position, seed: u64) -> Decision {
        let (player, solved) = (self.player, self.solved);
        let by_score = solved.move_values(&self.by_score, self.state, position);
        if let [(chosen, _)] = by_score[..] {
            return Decision { chosen, regret: 0.0, stake: 0.0, could_err: false };
        }
        let chances =
            solved.chances_of_moves(player.forecast, &mut self.solver, position, &by_score);
        let by_chance: MoveValues =
            by_score.iter().zip(chances).map(|(value, chance)| (value.0, chance.value())).collect();
        let best = by_chance.iter().map(|m| m.1).fold(f64::NEG_INFINITY, f64::max);
        // Where chances are alike, points decide.
        let equal: MoveValues = by_score
            .iter()
            .zip(&by_chance)
            .filter(|(_, (_, chance))| best - chance < EQUAL_CHANCE)
            .map(|(value, _)| *value)
            .collect();
        let stake_of = |values: &MoveValues| stake(values.iter().map(|value| value.1));
        let chosen = if player.skill.is_perfect() {
            best_of(&equal).0
        } else {
            let in_doubt = stake_of(&by_chance) >= EQUAL_CHANCE;
            let values = if in_doubt { &by_score } else { &equal };
            // Moves that lose points with any dice are not made, unless they are best.
            let roll = |left, roll| self.by_score.roll(left, roll);
            let seen = |_, value| value;
            let mut moves = candidates(solved.sheet(), position, values, EQUAL, roll, seen);
            if in_doubt {
                for (candidate, &(chosen, chance)) in moves.iter_mut().zip(&by_chance) {
                    let is_best = best - chance < EQUAL_CHANCE;
                    let kind = match (candidate.kind, chosen) {
                        (MoveKind::Dominated, Move::Keep(_)) if is_best => MoveKind::Throw,
                        (MoveKind::Dominated, _) if is_best => MoveKind::Settle,
                        (kind, _) => kind,
                    };
                    *candidate = Candidate::new(chance, kind);
                }
                rule_out(&mut moves, 0.0, 1.0, EQUAL_CHANCE);
            }
            let moment = draw::moment(position);
            values[player.skill.errors.choose(&moves, seed, moment).index].0
        };
        let top = by_score.iter().map(|m| m.1).fold(f64::NEG_INFINITY, f64::max);
        let value = by_score.iter().find(|m| m.0 == chosen).map_or(top, |m| m.1);
        // Errors are counted in games for points.
        let could_err = false;
        Decision { chosen, regret: top - value, stake: stake_of(&by_score), could_err }
    }
}

impl Player for ObjectivePlayer<'_> {
    fn take_turn(&self, solved: &SolvedSheet<'_>, position: &Position, seed: u64) -> PlayedTurn {
        if self.objective == Objective::ExpectedScore {
            return solved.play_turn(&self.skill, position, seed);
        }
        let mut turn = ObjectiveTurn::new(self, solved, position);
        solved.play_by(position, seed, |now| turn.choose(now, seed))
    }
}
