//! Players for an aim: one move, a turn or many games, with or without a skill.

use std::sync::{Arc, Mutex};

use arrayvec::ArrayVec;

use super::Objective;
use super::chances::{EQUAL_CHANCE, Outcome};
use super::endgame::Solo;
use super::forecast::Forecast;
use super::solver::{ChanceSolver, ExactLimits, others};
use crate::advice::MAX_MOVES;
use crate::moves::Move;
use crate::opponent::PlayedTurn;
use crate::opponent::Skill;
use crate::opponent::draw;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::sheet::CardState;
use crate::solved_sheet::SolvedSheet;
use crate::solved_sheet::{MoveValues, best_of};
use crate::statistics::Player;
use crate::turn_solver::SolvedTurn;

/// What an [`ObjectivePlayer`] works out where many games are played: for a target, whose chances it remembers,
/// and to win.
const REMEMBERED: ExactLimits = ExactLimits { own: 3, others: 0, last_round: false };
const WORKED_OUT: ExactLimits = ExactLimits { own: 1, others: 1, last_round: false };

/// The most cards remembered, some tens of megabytes.
const MOST_REMEMBERED: usize = 1 << 20;

/// A player that plays for an objective.
#[derive(Debug)]
pub struct ObjectivePlayer<'s> {
    objective: Objective,
    forecast: &'s Forecast,
    skill: Skill,
    /// Whether it works out as much as [`Game::aim`] does.
    thorough: bool,
    memory: EndgameCache,
}

/// What an [`ObjectivePlayer`] at a target remembers from turn to turn: chances of cards near their end. A player
/// that goes on where another one stopped, for the same target at the same ruleset, can have its
/// memory; clones share it.
#[derive(Clone, Debug, Default)]
pub struct EndgameCache {
    /// One for each thread that plays.
    of_threads: Arc<Mutex<Vec<Solo>>>,
}

impl<'s> ObjectivePlayer<'s> {
    /// A player for `objective` who makes no errors but those of haste: it is meant for many games.
    #[must_use]
    pub fn new(objective: Objective, forecast: &'s Forecast) -> Self {
        let (skill, thorough) = (Skill::PERFECT, false);
        Self { objective, forecast, skill, thorough, memory: EndgameCache::default() }
    }

    /// The same player with this memory.
    #[must_use]
    pub fn with_cache(self, memory: EndgameCache) -> Self {
        Self { memory, ..self }
    }

    /// The same player with a skill. It sees chances as they are, and errs the more the closer
    /// they lie, as the skill does where it plays for points: a chance counts as many points as
    /// it takes, in a game that can go either way, to come by it.
    #[must_use]
    pub fn with_skill(self, skill: Skill) -> Self {
        Self { skill, ..self }
    }

    /// The same player in no haste: it works out as much as [`Game::aim`] does, and without a
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
        let mut study = Study::new(self, solved, position);
        let chosen = study.choose(position, seed).0;
        self.remember(study.solver);
        chosen
    }

    fn solver(&self, solved: &SolvedSheet<'_>, position: &Position) -> ChanceSolver {
        let for_target = matches!(self.objective, Objective::ReachTarget(_));
        if for_target
            && let Some(solo) = self.memory.of_threads.lock().ok().and_then(|mut m| m.pop())
        {
            return ChanceSolver::Solo(solo);
        }
        let effort = match (self.thorough, for_target) {
            (true, _) => ExactLimits::THOROUGH,
            (false, true) => REMEMBERED,
            (false, false) => WORKED_OUT,
        };
        solved.solver(self.forecast, self.objective, position, effort)
    }

    /// Puts back what is worth with_cache.
    fn remember(&self, solver: ChanceSolver) {
        if let (Objective::ReachTarget(_), ChanceSolver::Solo(solo)) = (self.objective, solver)
            && solo.known() < MOST_REMEMBERED
            && let Ok(mut memories) = self.memory.of_threads.lock()
        {
            memories.push(solo);
        }
    }

    /// How many points a chance of 1 is worth in a game that can go either way: the reciprocal of
    /// the density of a normal distribution at its middle. Near the end of a game a fifth of a turn
    /// is still open to doubt.
    fn points_a_chance(&self, solved: &SolvedSheet<'_>, position: &Position) -> f64 {
        let of = |card: &Scorecard| solved.expectation(self.forecast, card).variance;
        let theirs = match self.objective {
            Objective::Win => others(position).map(of).fold(0.0, f64::max),
            _ => 0.0,
        };
        let least = 0.2 * solved.points_a_turn();
        const ROOT_OF_TWO_PI: f64 = 2.506_628_274_631;
        (of(position.card()) + theirs).sqrt().max(least) * ROOT_OF_TWO_PI
    }
}

/// A turn that an [`ObjectivePlayer`] is about to play, or in.
struct Study<'a> {
    aim: &'a ObjectivePlayer<'a>,
    solved: &'a SolvedSheet<'a>,
    solver: ChanceSolver,
    state: CardState,
    points: i32,
    by_chance: SolvedTurn<Outcome>,
    by_score: SolvedTurn<f64>,
    points_a_chance: f64,
}

impl<'a> Study<'a> {
    fn new(aim: &'a ObjectivePlayer<'a>, solved: &'a SolvedSheet<'a>, position: &Position) -> Self {
        let state = position.card().state(solved.sheet());
        let points = position.card().totals(solved.sheet()).grand_total();
        let mut solver = aim.solver(solved, position);
        let by_chance = if solved.sheet().is_plain() {
            solver.turn(solved, aim.forecast, state, points)
        } else {
            SolvedTurn::other()
        };
        let by_score = solved.turn(state);
        let points_a_chance = aim.points_a_chance(solved, position);
        Self { aim, solved, solver, state, points, by_chance, by_score, points_a_chance }
    }

    /// The move made in `position`, a moment of the turn, and the expected points it gives up.
    fn choose(&mut self, position: &Position, seed: u64) -> (Move, f64) {
        let (aim, solved) = (self.aim, self.solved);
        let move_values = solved.move_values(&self.by_score, self.state, position);
        let top = move_values.iter().map(|w| w.1).fold(f64::NEG_INFINITY, f64::max);
        let mut chances: ArrayVec<f64, MAX_MOVES> = ArrayVec::new();
        for &(chosen, further) in &move_values {
            if !solved.sheet().is_plain() {
                let rough = solved.rough_chances(aim.forecast, aim.objective, position, further);
                chances.push(rough.value());
                continue;
            }
            let mut record = |category, gain| {
                self.solver.after(solved, aim.forecast, self.state, self.points, category, gain)
            };
            let outcome = solved.value_of_move(&self.by_chance, position, chosen, &mut record);
            chances.push(outcome.chances.value());
        }
        let best = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if move_values.len() > 1 && !aim.skill.is_perfect() && aim.skill.temperature > 0.0 {
            let weight = |chance: &f64| match (best - chance) * self.points_a_chance {
                lost if lost > aim.skill.cap => 0.0,
                lost => draw::decay(lost / aim.skill.temperature),
            };
            let weights: ArrayVec<f64, MAX_MOVES> = chances.iter().map(weight).collect();
            let (chosen, worth) =
                move_values[draw::select(&weights, draw::uniform(seed, draw::moment(position)))];
            return (chosen, top - worth);
        }
        let equal: MoveValues = move_values
            .iter()
            .zip(&chances)
            .filter(|(_, chance)| best - **chance < EQUAL_CHANCE)
            .map(|(worth, _)| *worth)
            .collect();
        let chosen = best_of(&equal).0;
        let worth = move_values.iter().find(|w| w.0 == chosen).map_or(top, |w| w.1);
        (chosen, top - worth)
    }
}

impl Player for ObjectivePlayer<'_> {
    fn take_turn(&self, solved: &SolvedSheet<'_>, position: &Position, seed: u64) -> PlayedTurn {
        if self.objective == Objective::ExpectedScore {
            return solved.play_turn(&self.skill, position, seed);
        }
        let mut study = Study::new(self, solved, position);
        let played = solved.play_by(position, seed, |now| study.choose(now, seed));
        self.remember(study.solver);
        played
    }
}
