//! Playing a move: from one position to the next.

use arrayvec::ArrayVec;

use crate::category::Category;
use crate::dice::{Keep, MAX_DICE, Roll};
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{Gain, Sheet};

/// What became of a position by a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position after it. If [`Played::game_over`], its dice are gone and no move is left.
    pub position: Position,
    /// What was recorded, and where.
    pub recorded: Option<(Category, Gain)>,
    /// Whether all cards are complete.
    pub game_over: bool,
}

/// Why a move was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// There are no dice on the table yet.
    #[error("no dice are on the table: the first move of a turn is to throw them all")]
    NotThrown,
    /// No throw is left this turn.
    #[error("no throw is left this turn: the roll must be recorded")]
    NoRollsLeft,
    /// The dice to keep are not all on the table.
    #[error("these dice are not all on the table")]
    NotOnTable,
    /// All dice were to be kept.
    #[error("keeping all dice throws nothing: record the roll instead")]
    KeepsAll,
    /// The category is filled.
    #[error("this category is already filled")]
    Filled,
    /// A joker must go elsewhere.
    #[error(
        "a joker goes into the upper row of its face, else into an open lower row, else into an \
         open upper row"
    )]
    JokerElsewhere,
    /// The dice thrown are not as many as the move throws.
    #[error("the move throws {expected} dice, {given} were given")]
    WrongThrow {
        /// Dice that the move throws.
        expected: usize,
        /// Dice that were given.
        given: usize,
    },
}

impl Position {
    /// Why `chosen` may not be played here; `None` if it may.
    #[must_use]
    pub fn why_illegal(&self, sheet: &Sheet, chosen: Move) -> Option<Illegal> {
        if self.is_legal(sheet, chosen) {
            return None;
        }
        Some(match (chosen, self.dice) {
            (_, None) => Illegal::NotThrown,
            (Move::Keep(_), Some(_)) if self.rolls_left == 0 => Illegal::NoRollsLeft,
            (Move::Keep(keep), Some(roll)) if keep == sheet.space().as_keep(roll) => {
                Illegal::KeepsAll
            }
            (Move::Keep(_), Some(_)) => Illegal::NotOnTable,
            (Move::Record(category), Some(_)) if self.card().filled().contains(category) => {
                Illegal::Filled
            }
            (Move::Record(_), Some(_)) => Illegal::JokerElsewhere,
        })
    }

    /// How many dice `chosen` throws.
    #[must_use]
    pub fn dice_thrown(&self, sheet: &Sheet, chosen: Move) -> usize {
        match chosen {
            Move::Keep(keep) => sheet.space().dice() - sheet.space().size(keep),
            Move::Record(_) => 0,
        }
    }

    /// Plays `chosen`; `thrown` are the faces of the dice that it throws, all of them faces of
    /// the game's dice.
    ///
    /// # Errors
    /// If the move is not legal here, or throws another number of dice.
    pub fn play(&self, sheet: &Sheet, chosen: Move, thrown: &[u8]) -> Result<Played, Illegal> {
        if let Some(reason) = self.why_illegal(sheet, chosen) {
            return Err(reason);
        }
        let expected = self.dice_thrown(sheet, chosen);
        if thrown.len() != expected {
            return Err(Illegal::WrongThrow { expected, given: thrown.len() });
        }
        Ok(match chosen {
            Move::Keep(keep) => self.throw(sheet, keep, thrown),
            Move::Record(category) => self.record(sheet, category),
        })
    }

    fn throw(&self, sheet: &Sheet, keep: Keep, thrown: &[u8]) -> Played {
        let space = sheet.space();
        let kept: ArrayVec<u8, MAX_DICE> =
            space.faces_of(keep).chain(thrown.iter().copied()).collect();
        let dice: Roll = space.roll_of(&kept).expect("kept and thrown dice make a roll");
        let position = Self { dice: Some(dice), rolls_left: self.rolls_left - 1, ..self.clone() };
        Played { position, recorded: None, game_over: false }
    }

    fn record(&self, sheet: &Sheet, category: Category) -> Played {
        let roll = self.dice.expect("recording is legal only with dice on the table");
        let state = self.card().state(sheet);
        let gain = sheet.gain(state, roll, category, self.is_served(sheet));
        let mut cards = self.cards.clone();
        cards[self.to_move] = cards[self.to_move].with(category, gain);
        let players = cards.len();
        // The next player in the round with a category left; players may have joined late.
        let next = (1..=players)
            .map(|step| (self.to_move + step) % players)
            .find(|&player| !cards[player].is_complete(sheet));
        let position = Self {
            to_move: next.unwrap_or(self.to_move),
            dice: None,
            rolls_left: if next.is_some() { sheet.rolls() } else { 0 },
            cards,
        };
        Played { position, recorded: Some((category, gain)), game_over: next.is_none() }
    }
}

/// The players with the most points; several if they tie.
#[must_use]
pub fn winners(totals: &[u32]) -> Vec<usize> {
    let most = totals.iter().max();
    (0..totals.len()).filter(|&player| Some(&totals[player]) == most).collect()
}
