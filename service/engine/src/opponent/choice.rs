//! One decision of a player at a score sheet: its view of the moves, and its choice.

use super::dominated::dominated;
use super::draw;
use super::errors::{Candidate, Choice, MoveKind, stake};
use super::skill::Skill;
use crate::advice::EQUAL;
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{CardState, Gain, Sheet};
use crate::solved_sheet::{MoveValues, SolvedSheet, best_of, turn_of};
use crate::turn_solver::SolvedTurn;

/// A player in the middle of a turn: the turn as solved, and as the player sees it.
#[derive(Clone, Debug)]
pub struct PlayerTurn<'a> {
    solved: SolvedSheet<'a>,
    skill: Skill,
    favourites: CategorySet,
    state: CardState,
    turn: SolvedTurn<f64>,
    /// The turn as the player sees it, if that differs.
    apparent: Option<SolvedTurn<f64>>,
}

/// A move that a player made, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The move.
    pub chosen: Move,
    /// Regret against the best move.
    pub regret: f64,
    /// What was at stake, see [`stake`], among all legal moves for a player who makes no errors; 0 if
    /// there was no choice.
    pub stake: f64,
    /// Whether the player might have chosen an error, see [`Choice`].
    pub could_err: bool,
}

impl<'a> PlayerTurn<'a> {
    /// A player of this skill in a turn of a card in `state`.
    ///
    /// # Panics
    /// If the card is complete.
    #[must_use]
    pub fn new(solved: SolvedSheet<'a>, skill: &Skill, state: CardState) -> Self {
        let favourites = skill.favourite.rows(solved.sheet);
        let turn = solved.turn(state);
        let mut player = Self { solved, skill: *skill, favourites, state, turn, apparent: None };
        if solved.sheet.is_plain() && !skill.is_perfect() && !skill.sees_clearly() {
            let apparent =
                turn_of(solved.sheet, state, |category, gain| player.apparent(category, gain));
            player.apparent = Some(apparent);
        }
        player
    }

    /// The value of recording as the player sees it.
    fn apparent(&self, category: Category, gain: Gain) -> f64 {
        let now = f64::from(gain.total());
        let scored = gain.points > 0 && self.favourites.contains(category);
        let fondness = if scored { self.skill.fondness } else { 0.0 };
        now + fondness
            + self.skill.foresight * (self.solved.further(self.state, category, gain) - now)
    }

    /// The turn solved as it is.
    #[must_use]
    pub fn turn(&self) -> &SolvedTurn<f64> {
        &self.turn
    }

    /// The move the player makes in `position`, a moment of the turn it was made for, by `seed`.
    ///
    /// # Panics
    /// If `position` has no legal move, or is one of another turn.
    #[must_use]
    pub fn choose(&self, position: &Position, seed: u64) -> Decision {
        assert_eq!(position.card().filled(), self.state.filled, "another turn");
        let values = self.solved.move_values(&self.turn, self.state, position);
        let best = best_of(&values);
        if values.len() == 1 || self.skill.is_perfect() {
            let stake = stake(values.iter().map(|value| value.1));
            return Decision { chosen: best.0, regret: 0.0, stake, could_err: false };
        }
        let apparent = |chosen, value| match &self.apparent {
            None => value,
            Some(turn) => {
                self.solved.value_of_move(turn, position, chosen, &mut |category, gain| {
                    self.apparent(category, gain)
                })
            }
        };
        let roll = |left, roll| self.turn.roll(left, roll);
        let candidates = candidates(self.solved.sheet, position, &values, EQUAL, roll, apparent);
        let Choice { index, stake, could_err } =
            self.skill.errors.choose(&candidates, seed, draw::moment(position));
        let (chosen, value) = values[index];
        Decision { chosen, regret: (best.1 - value).max(0.0), stake, could_err }
    }
}

/// The moves of `position` as the player may choose them, given their `values`, what they seem to be
/// worth, and what each roll is worth with a throw less left. Values closer than `equal` are the
/// same.
pub(crate) fn candidates(
    sheet: &Sheet,
    position: &Position,
    values: &MoveValues,
    equal: f64,
    roll: impl Fn(u8, Roll) -> f64,
    apparent: impl Fn(Move, f64) -> f64,
) -> Vec<Candidate> {
    let beaten = dominated(sheet, position, values, equal, roll);
    let kind = |chosen, beaten| match chosen {
        _ if beaten => MoveKind::Dominated,
        Move::Keep(_) => MoveKind::Throw,
        Move::Record(_) | Move::Announce(_) => MoveKind::Settle,
    };
    let candidate = |(&(chosen, value), beaten): (&(Move, f64), bool)| Candidate {
        value,
        apparent: apparent(chosen, value),
        kind: kind(chosen, beaten),
    };
    values.iter().zip(beaten).map(candidate).collect()
}

impl SolvedSheet<'_> {
    /// The move that a player of this skill makes in `position` by `seed`: the same one on every
    /// platform and in every release with the same calibration.
    ///
    /// # Panics
    /// If `position` is finished.
    #[must_use]
    pub fn choose(&self, skill: &Skill, position: &Position, seed: u64) -> Move {
        PlayerTurn::new(*self, skill, position.card().state(self.sheet))
            .choose(position, seed)
            .chosen
    }
}
