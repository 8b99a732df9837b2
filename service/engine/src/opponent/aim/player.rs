//! Players for an aim: one move, a turn or many games, with or without a temper.

use std::sync::{Arc, Mutex};

use arrayvec::ArrayVec;

use super::{Effort, Objective, Stakes, others};
use crate::advice::MAX_MOVES;
use crate::moves::Move;
use crate::opponent::choose::{Worths, best_of, moment};
use crate::opponent::endgame::Solo;
use crate::opponent::game::Game;
use crate::opponent::lot;
use crate::opponent::outcome::{EQUAL_CHANCE, Outlook};
use crate::opponent::play::PlayedTurn;
use crate::opponent::simulate::Player;
use crate::opponent::spread::Spread;
use crate::opponent::temper::Temper;
use crate::opponent::turn::Turn;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::sheet::CardState;

/// What an [`Aim`] works out where many games are played: for a target, whose chances it remembers,
/// and to win.
const REMEMBERED: Effort = Effort { own: 3, others: 0, last_round: false };
const WORKED_OUT: Effort = Effort { own: 1, others: 1, last_round: false };

/// The most cards remembered, some tens of megabytes.
const MOST_REMEMBERED: usize = 1 << 20;

/// A player that plays for an objective.
#[derive(Debug)]
pub struct Aim<'s> {
    objective: Objective,
    spread: &'s Spread,
    temper: Temper,
    /// Whether it works out as much as [`Game::aim`] does.
    thorough: bool,
    memory: Memory,
}

/// What an [`Aim`] at a target remembers from turn to turn: chances of cards near their end. A player
/// that goes on where another one stopped, for the same target at the same ruleset, can have its
/// memory; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// One for each thread that plays.
    of_threads: Arc<Mutex<Vec<Solo>>>,
}

impl<'s> Aim<'s> {
    /// A player for `objective` who makes no errors but those of haste: it is meant for many games.
    #[must_use]
    pub fn new(objective: Objective, spread: &'s Spread) -> Self {
        let (temper, thorough) = (Temper::PERFECT, false);
        Self { objective, spread, temper, thorough, memory: Memory::default() }
    }

    /// The same player with this memory.
    #[must_use]
    pub fn remembering(self, memory: Memory) -> Self {
        Self { memory, ..self }
    }

    /// The same player with a temper. It sees chances as they are, and errs the more the closer
    /// they lie, as the temper does where it plays for points: a chance counts as many points as
    /// it takes, in a game that can go either way, to come by it.
    #[must_use]
    pub fn with_temper(self, temper: Temper) -> Self {
        Self { temper, ..self }
    }

    /// The same player in no haste: it works out as much as [`Game::aim`] does, and without a
    /// temper makes the move that stands first there.
    #[must_use]
    pub fn thorough(self) -> Self {
        Self { thorough: true, ..self }
    }

    /// The move it makes in `position` by `seed`.
    ///
    /// # Panics
    /// If `position` is finished.
    #[must_use]
    pub fn choose(&self, game: &Game<'_>, position: &Position, seed: u64) -> Move {
        if self.objective == Objective::ExpectedScore {
            return game.choose(&self.temper, position, seed);
        }
        let mut study = Study::new(self, game, position);
        let chosen = study.choose(position, seed).0;
        self.remember(study.stakes);
        chosen
    }

    fn stakes(&self, game: &Game<'_>, position: &Position) -> Stakes {
        let for_target = matches!(self.objective, Objective::ReachTarget(_));
        if for_target
            && let Some(solo) = self.memory.of_threads.lock().ok().and_then(|mut m| m.pop())
        {
            return Stakes::Solo(solo);
        }
        let effort = match (self.thorough, for_target) {
            (true, _) => Effort::THOROUGH,
            (false, true) => REMEMBERED,
            (false, false) => WORKED_OUT,
        };
        game.stakes(self.spread, self.objective, position, effort)
    }

    /// Puts back what is worth remembering.
    fn remember(&self, stakes: Stakes) {
        if let (Objective::ReachTarget(_), Stakes::Solo(solo)) = (self.objective, stakes)
            && solo.known() < MOST_REMEMBERED
            && let Ok(mut memories) = self.memory.of_threads.lock()
        {
            memories.push(solo);
        }
    }

    /// How many points a chance of 1 is worth in a game that can go either way: the reciprocal of
    /// the density of a normal distribution at its middle. Near the end of a game a fifth of a turn
    /// is still open to doubt.
    fn points_a_chance(&self, game: &Game<'_>, position: &Position) -> f64 {
        let of = |card: &Scorecard| game.expectation(self.spread, card).variance;
        let theirs = match self.objective {
            Objective::Win => others(position).map(of).fold(0.0, f64::max),
            _ => 0.0,
        };
        let least = 0.2 * game.points_a_turn();
        const ROOT_OF_TWO_PI: f64 = 2.506_628_274_631;
        (of(position.card()) + theirs).sqrt().max(least) * ROOT_OF_TWO_PI
    }
}

/// A turn that an [`Aim`] is about to play, or in.
struct Study<'a> {
    aim: &'a Aim<'a>,
    game: &'a Game<'a>,
    stakes: Stakes,
    state: CardState,
    points: u32,
    by_chance: Turn<Outlook>,
    by_score: Turn<f64>,
    points_a_chance: f64,
}

impl<'a> Study<'a> {
    fn new(aim: &'a Aim<'a>, game: &'a Game<'a>, position: &Position) -> Self {
        let state = position.card().state(game.sheet());
        let points = position.card().totals(game.sheet()).grand_total();
        let mut stakes = aim.stakes(game, position);
        let by_chance = stakes.turn(game, aim.spread, state, points);
        let by_score = game.turn(state);
        let points_a_chance = aim.points_a_chance(game, position);
        Self { aim, game, stakes, state, points, by_chance, by_score, points_a_chance }
    }

    /// The move made in `position`, a moment of the turn, and the expected points it gives up.
    fn choose(&mut self, position: &Position, seed: u64) -> (Move, f64) {
        let (aim, game) = (self.aim, self.game);
        let worths = game.worths(&self.by_score, self.state, position);
        let top = worths.iter().map(|w| w.1).fold(f64::NEG_INFINITY, f64::max);
        let mut chances: ArrayVec<f64, MAX_MOVES> = ArrayVec::new();
        for &(chosen, _) in &worths {
            let mut record = |category, gain| {
                self.stakes.after(game, aim.spread, self.state, self.points, category, gain)
            };
            let outlook = game.worth_of(&self.by_chance, position, chosen, &mut record);
            chances.push(outlook.prospect.worth());
        }
        let best = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if worths.len() > 1 && !aim.temper.is_perfect() && aim.temper.temperature > 0.0 {
            let weight = |chance: &f64| match (best - chance) * self.points_a_chance {
                lost if lost > aim.temper.cap => 0.0,
                lost => lot::decay(lost / aim.temper.temperature),
            };
            let weights: ArrayVec<f64, MAX_MOVES> = chances.iter().map(weight).collect();
            let (chosen, worth) = worths[lot::select(&weights, lot::draw(seed, moment(position)))];
            return (chosen, top - worth);
        }
        let equal: Worths = worths
            .iter()
            .zip(&chances)
            .filter(|(_, chance)| best - **chance < EQUAL_CHANCE)
            .map(|(worth, _)| *worth)
            .collect();
        let chosen = best_of(&equal).0;
        let worth = worths.iter().find(|w| w.0 == chosen).map_or(top, |w| w.1);
        (chosen, top - worth)
    }
}

impl Player for Aim<'_> {
    fn take_turn(&self, game: &Game<'_>, position: &Position, seed: u64) -> PlayedTurn {
        if self.objective == Objective::ExpectedScore {
            return game.play_turn(&self.temper, position, seed);
        }
        let mut study = Study::new(self, game, position);
        let played = game.play_by(position, seed, |now| study.choose(now, seed));
        self.remember(study.stakes);
        played
    }
}
