//! One decision of a player: how the moves look to it, and which one it makes.

use arrayvec::ArrayVec;

use super::game::{Game, turn_of};
use super::lot;
use super::temper::Temper;
use super::turn::Turn;
use crate::advice::{EQUAL, MAX_MOVES};
use crate::category::{Category, CategorySet};
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{CardState, Gain};

/// Moves with what they are worth: points still to be gained.
pub(super) type Worths = ArrayVec<(Move, f64), MAX_MOVES>;

/// A player in the middle of a turn: the turn solved as it is, and as it looks to the player.
#[derive(Clone, Debug)]
pub struct Mind<'a> {
    game: Game<'a>,
    temper: Temper,
    favourites: CategorySet,
    state: CardState,
    turn: Turn<f64>,
    /// The turn as the player sees it, if it does not see it as it is.
    felt: Option<Turn<f64>>,
}

impl<'a> Mind<'a> {
    /// A player of this temper about to play, or in, a turn of a card in `state`.
    ///
    /// # Panics
    /// If the card is complete.
    #[must_use]
    pub fn new(game: Game<'a>, temper: &Temper, state: CardState) -> Self {
        let favourites = temper.favourite.rows(game.sheet);
        let turn = game.turn(state);
        let mut mind = Self { game, temper: *temper, favourites, state, turn, felt: None };
        if !temper.is_perfect() && (temper.foresight != 1.0 || temper.fondness != 0.0) {
            let felt = turn_of(game.sheet, state, |category, gain| mind.felt(category, gain));
            mind.felt = Some(felt);
        }
        mind
    }

    /// What recording seems to be worth.
    fn felt(&self, category: Category, gain: Gain) -> f64 {
        let now = f64::from(gain.total());
        let scored = gain.points > 0 && self.favourites.contains(category);
        let fondness = if scored { self.temper.fondness } else { 0.0 };
        now + fondness
            + self.temper.foresight * (self.game.further(self.state, category, gain) - now)
    }

    /// The turn solved as it is.
    #[must_use]
    pub fn turn(&self) -> &Turn<f64> {
        &self.turn
    }

    /// Every legal move of `position` with the points it will still gain on average.
    pub(super) fn worths(&self, position: &Position) -> Worths {
        let game = self.game;
        game.worths(&self.turn, self.state, position)
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
        assert_eq!(position.card().state(self.game.sheet), self.state, "another turn");
        let worths = self.worths(position);
        let best = best_of(&worths);
        if worths.len() == 1 || self.temper.is_perfect() {
            return (best.0, 0.0);
        }
        let top = worths.iter().map(|w| w.1).fold(f64::NEG_INFINITY, f64::max);
        let mut allowed = Worths::new();
        let mut regrets: ArrayVec<f64, MAX_MOVES> = ArrayVec::new();
        for &(chosen, worth) in worths.iter().filter(|w| top - w.1 <= self.temper.cap) {
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
            Some(felt) => self
                .game
                .worth_of(felt, position, chosen, &mut |category, gain| self.felt(category, gain)),
        };
        match chosen {
            Move::Keep(_) => looks - self.temper.caution,
            Move::Record(_) => looks,
        }
    }

    fn select(&self, moves: &Worths, position: &Position, seed: u64) -> usize {
        let best = best_of(moves);
        if self.temper.temperature <= 0.0 {
            return moves.iter().position(|m| m.0 == best.0).expect("it is among them");
        }
        let weights: ArrayVec<f64, MAX_MOVES> = moves
            .iter()
            .map(|m| lot::decay((best.1 - m.1).max(0.0) / self.temper.temperature))
            .collect();
        lot::select(&weights, lot::draw(seed, moment(position)))
    }
}

/// The moment of a game that a position is: the categories filled, whose turn it is, and the
/// throws left. The same numbers select the dice of a seed.
pub(super) fn moment(position: &Position) -> u64 {
    let filled: u64 = position.cards().iter().map(|card| card.filled().len() as u64).sum();
    filled << 16 | (position.to_move() as u64) << 8 | u64::from(position.rolls_left())
}

/// The best of `moves`; among equal ones ([`EQUAL`]) recording before keeping, categories in the
/// order of the sheet, keeps of more dice before fewer, then those of the higher faces, which is
/// the order of advice.
pub(super) fn best_of(moves: &[(Move, f64)]) -> (Move, f64) {
    let best = moves.iter().map(|m| m.1).fold(f64::NEG_INFINITY, f64::max);
    let equal = moves.iter().filter(|m| best - m.1 < EQUAL);
    let first = equal.min_by_key(|m| place(m.0)).expect("a position has a legal move");
    (first.0, best)
}

/// The order of equal moves, least first.
pub(super) fn place(chosen: Move) -> usize {
    match chosen {
        Move::Record(category) => category.index(),
        // Keeps are numbered with fewer dice first and, among those of one size, low faces first.
        Move::Keep(keep) => usize::MAX - keep.index(),
    }
}

impl Game<'_> {
    /// Every legal move of `position` with the points it will still gain on average.
    pub(super) fn worths(&self, turn: &Turn<f64>, state: CardState, position: &Position) -> Worths {
        let mut record = |category, gain| self.further(state, category, gain);
        position
            .legal_moves(self.sheet)
            .map(|chosen| (chosen, self.worth_of(turn, position, chosen, &mut record)))
            .collect()
    }

    /// The move that a player of this temper makes in `position` by `seed`: the same one on every
    /// platform and in every release with the same calibration.
    ///
    /// # Panics
    /// If `position` is finished.
    #[must_use]
    pub fn choose(&self, temper: &Temper, position: &Position, seed: u64) -> Move {
        Mind::new(*self, temper, position.card().state(self.sheet)).choose(position, seed)
    }
}
