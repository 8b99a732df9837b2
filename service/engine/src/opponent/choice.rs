//! One decision of a player: how the moves look to it, and which one it makes.

use arrayvec::ArrayVec;

use crate::advice::MAX_MOVES;
use crate::category::{Category, CategorySet};
use crate::moves::Move;
use crate::opponent::draw;
use crate::opponent::skill::Skill;
use crate::position::Position;
use crate::sheet::{CardState, Gain};
use crate::solved_sheet::{MoveValues, SolvedSheet, best_of, turn_of};
use crate::turn_solver::SolvedTurn;

/// A player in the middle of a turn: the turn solved as it is, and as it looks to the player.
#[derive(Clone, Debug)]
pub struct PlayerTurn<'a> {
    solved: SolvedSheet<'a>,
    skill: Skill,
    favourites: CategorySet,
    state: CardState,
    turn: SolvedTurn<f64>,
    /// The turn as the player sees it, if it does not see it as it is.
    felt: Option<SolvedTurn<f64>>,
}

impl<'a> PlayerTurn<'a> {
    /// A player of this skill about to play, or in, a turn of a card in `state`.
    ///
    /// # Panics
    /// If the card is complete.
    #[must_use]
    pub fn new(solved: SolvedSheet<'a>, skill: &Skill, state: CardState) -> Self {
        let favourites = skill.favourite.rows(solved.sheet);
        let turn = solved.turn(state);
        let mut mind = Self { solved, skill: *skill, favourites, state, turn, felt: None };
        let plain = solved.sheet.is_plain();
        if plain && !skill.is_perfect() && (skill.foresight != 1.0 || skill.fondness != 0.0) {
            let felt = turn_of(solved.sheet, state, |category, gain| mind.felt(category, gain));
            mind.felt = Some(felt);
        }
        mind
    }

    /// What recording seems to be worth.
    fn felt(&self, category: Category, gain: Gain) -> f64 {
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

    /// Every legal move of `position` with the points it will still gain on average.
    pub(crate) fn move_values(&self, position: &Position) -> MoveValues {
        let solved = self.solved;
        solved.move_values(&self.turn, self.state, position)
    }

    /// The move the player makes in `position`, a moment of the turn it was made for, by `seed`.
    ///
    /// # Panics
    /// If `position` has no legal move, or is one of another turn.
    #[must_use]
    pub fn choose(&self, position: &Position, seed: u64) -> Move {
        self.choose_with_regret(position, seed).0
    }

    /// The same, with the points that the move gives up.
    #[must_use]
    pub fn choose_with_regret(&self, position: &Position, seed: u64) -> (Move, f64) {
        assert_eq!(position.card().state(self.solved.sheet), self.state, "another turn");
        let move_values = self.move_values(position);
        let best = best_of(&move_values);
        if move_values.len() == 1 || self.skill.is_perfect() {
            return (best.0, 0.0);
        }
        let top = move_values.iter().map(|w| w.1).fold(f64::NEG_INFINITY, f64::max);
        let mut allowed = MoveValues::new();
        let mut regrets: ArrayVec<f64, MAX_MOVES> = ArrayVec::new();
        for &(chosen, worth) in move_values.iter().filter(|w| top - w.1 <= self.skill.cap) {
            allowed.push((chosen, self.looks(position, chosen, worth)));
            regrets.push(top - worth);
        }
        let at = self.select(&allowed, position, seed);
        (allowed[at].0, regrets[at])
    }

    /// How a move looks that is worth `worth`.
    fn looks(&self, position: &Position, chosen: Move, worth: f64) -> f64 {
        let looks = match &self.felt {
            None => worth,
            Some(felt) => {
                self.solved.value_of_move(felt, position, chosen, &mut |category, gain| {
                    self.felt(category, gain)
                })
            }
        };
        match chosen {
            Move::Keep(_) => looks - self.skill.caution,
            Move::Record(_) | Move::Announce(_) => looks,
        }
    }

    fn select(&self, moves: &MoveValues, position: &Position, seed: u64) -> usize {
        let best = best_of(moves);
        if self.skill.temperature <= 0.0 {
            return moves.iter().position(|m| m.0 == best.0).expect("it is among them");
        }
        let weights: ArrayVec<f64, MAX_MOVES> = moves
            .iter()
            .map(|m| draw::decay((best.1 - m.1).max(0.0) / self.skill.temperature))
            .collect();
        draw::select(&weights, draw::uniform(seed, draw::moment(position)))
    }
}

impl SolvedSheet<'_> {
    /// The move that a player of this skill makes in `position` by `seed`: the same one on every
    /// platform and in every release with the same calibration.
    ///
    /// # Panics
    /// If `position` is finished.
    #[must_use]
    pub fn choose(&self, skill: &Skill, position: &Position, seed: u64) -> Move {
        PlayerTurn::new(*self, skill, position.card().state(self.sheet)).choose(position, seed)
    }
}
