//! One decision of a player of the race.

use arrayvec::ArrayVec;

use super::skill::RaceSkill;
use crate::opponent::{Candidate, Choice, MoveKind, rule_out, stake};
use crate::race::{
    MAX_MOVES, RaceAdvice, RaceMove, RacePosition, advise, turn_greedy, turn_points,
};

/// A move that a player made. Values are probabilities to win; for a player alone, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceDecision {
    /// The move.
    pub chosen: RaceMove,
    /// Its regret; 0 for [`RaceSkill::GREEDY`], which computes no chances.
    pub regret: f64,
    /// Its stake, see [`stake`]: of the margin where no chances are at stake; 0 if there was no choice.
    pub stake: f64,
    /// Whether the player might have chosen an error, see [`Choice`].
    pub could_err: bool,
}

/// Differences of learned chances below this are noise, and a decision about less is one about points.
const EQUAL_CHANCE: f64 = 1e-5;

impl RaceSkill {
    /// The move of this player in `position` by `seed`; `turns_ended` tells the turns of a game
    /// apart. `None` if the game has ended.
    #[must_use]
    pub fn choose(
        &self,
        position: &RacePosition,
        turns_ended: u32,
        seed: u64,
    ) -> Option<RaceDecision> {
        let moves = position.legal_moves();
        let free = |chosen| RaceDecision { chosen, regret: 0.0, stake: 0.0, could_err: false };
        if moves.len() <= 1 {
            return moves.first().copied().map(free);
        }
        if *self == Self::GREEDY {
            return turn_greedy(position).map(free);
        }
        let advice = advise(position);
        let worth = |advice: &RaceAdvice| match position.players() {
            1 => advice.margin,
            _ => advice.win_probability,
        };
        let choice = match *self {
            Self::STRONGEST => {
                let stake = stake(advice.iter().map(worth));
                Choice { index: 0, stake, could_err: false }
            }
            _ => {
                let moment = race_moment(position, turns_ended);
                self.errors.choose(&self.candidates(position, &advice), seed, moment)
            }
        };
        let Choice { index, stake, could_err } = choice;
        let RaceAdvice { chosen, regret, .. } = advice[index];
        Some(RaceDecision { chosen, regret, stake, could_err })
    }

    /// The moves of `advice` as the player may choose them.
    fn candidates(
        &self,
        position: &RacePosition,
        advice: &[RaceAdvice],
    ) -> ArrayVec<Candidate, MAX_MOVES> {
        let wins = advice.iter().map(|advice| advice.win_probability);
        let to_win = position.players() > 1 && stake(wins.clone()) > EQUAL_CHANCE;
        let value = |advice: &RaceAdvice| match to_win {
            true => advice.win_probability,
            false => advice.margin,
        };
        let kind = |chosen| match chosen {
            RaceMove::Keep(_) => MoveKind::Throw,
            RaceMove::Record(_) | RaceMove::Stop => MoveKind::Settle,
        };
        let mut candidates: ArrayVec<Candidate, MAX_MOVES> =
            advice.iter().map(|one| Candidate::new(value(one), kind(one.chosen))).collect();
        if to_win {
            rule_out(&mut candidates, 0.0, 1.0, EQUAL_CHANCE);
            if self.foresight < 1.0 {
                self.look_at_points(position, advice, &mut candidates);
            }
        }
        // A player who throws once more may stop after it, so stopping cannot be better.
        let best = candidates.iter().map(|c| c.value).fold(f64::NEG_INFINITY, f64::max);
        let stops = candidates.iter_mut().zip(advice).filter(|(candidate, advice)| {
            advice.chosen == RaceMove::Stop
                && position.rolls_left() > 0
                && candidate.value < best - EQUAL_CHANCE
        });
        stops.for_each(|(candidate, _)| candidate.kind = MoveKind::Dominated);
        candidates
    }

    /// Mixes the points of this turn into the apparent values of moves.
    fn look_at_points(
        &self,
        position: &RacePosition,
        advice: &[RaceAdvice],
        candidates: &mut [Candidate],
    ) {
        let points = turn_points(position);
        let of_turn = |chosen| points.iter().find(|m| m.0 == chosen).map_or(0.0, |m| m.1.into());
        let points: ArrayVec<f64, MAX_MOVES> = advice.iter().map(|m| of_turn(m.chosen)).collect();
        let at_stake = stake(candidates.iter().map(|candidate| candidate.value));
        let points_at_stake = stake(points.iter().copied()).max(1e-3);
        for (candidate, points) in candidates.iter_mut().zip(&points) {
            candidate.apparent = self.foresight * candidate.value / at_stake
                + (1.0 - self.foresight) * points / points_at_stake;
        }
    }
}

/// The stream of a throw in a game, distinct for all throws.
#[must_use]
pub fn race_moment(position: &RacePosition, turns_ended: u32) -> u64 {
    u64::from(turns_ended) << 16
        | (position.to_move() as u64) << 8
        | u64::from(position.rolls_left())
}
