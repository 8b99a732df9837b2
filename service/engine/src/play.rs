//! Plays a move: from one position to the next.

use arrayvec::ArrayVec;

use crate::category::Category;
use crate::dice::{Keep, MAX_DICE, Roll};
use crate::moves::Move;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::sheet::{Gain, Sheet};

/// The result of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position after it. If [`Played::game_over`], it has no dice and no legal move.
    pub position: Position,
    /// The record, and its category.
    pub recorded: Option<(Category, Gain)>,
    /// Whether all cards are complete.
    pub game_over: bool,
}

/// Why a move is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// There are no dice on the table yet.
    #[error("no dice are on the table: the first move of a turn is to throw them all")]
    NotThrown,
    /// No throw is left this turn.
    #[error("no throw is left this turn: the roll must be recorded")]
    NoRollsLeft,
    /// Only announced columns have open rows, and none is announced.
    #[error("only announced columns have open rows: announce one of them first")]
    AnnounceFirst,
    /// Dice that were kept must stay.
    #[error("dice that were kept in this turn stay on the table: keep them too")]
    KeptDiceStay,
    /// The category is not open yet.
    #[error("this category is not open yet: others come before it")]
    NotOpen,
    /// The turn's category is announced.
    #[error("another category is announced for this turn")]
    AnnouncedElsewhere,
    /// The category is of an announced column, but not announced.
    #[error(
        "a category of an announced column must be announced after the first throw of the turn"
    )]
    NotAnnounced,
    /// Nothing can be announced here.
    #[error(
        "this cannot be announced: only open categories of announced columns, once, after the first throw of a turn"
    )]
    NotAnnounceable,
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
    /// The reason why `chosen` may not be played here; `None` if it may.
    #[must_use]
    pub fn why_illegal(&self, sheet: &Sheet, chosen: Move) -> Option<Illegal> {
        if self.is_legal(sheet, chosen) {
            return None;
        }
        Some(match (chosen, self.dice) {
            (_, None) => Illegal::NotThrown,
            (Move::Keep(_), Some(_)) if self.rolls_left == 0 && !self.may_buy(sheet) => {
                Illegal::NoRollsLeft
            }
            (Move::Keep(_), Some(_)) if !self.may_throw(sheet) => Illegal::AnnounceFirst,
            (Move::Keep(keep), Some(roll)) if keep == sheet.space().as_keep(roll) => {
                Illegal::KeepsAll
            }
            (Move::Keep(keep), Some(roll)) => {
                let space = sheet.space();
                let on_table = space.contains(space.as_keep(roll), keep);
                if on_table { Illegal::KeptDiceStay } else { Illegal::NotOnTable }
            }
            (Move::Announce(_), Some(_)) => Illegal::NotAnnounceable,
            (Move::Record(category), Some(_)) if self.card().filled().contains(category) => {
                Illegal::Filled
            }
            (Move::Record(_), Some(_)) if self.announced.is_some() => Illegal::AnnouncedElsewhere,
            (Move::Record(category), Some(_))
                if !sheet.open(self.state(sheet)).contains(category) =>
            {
                Illegal::NotOpen
            }
            (Move::Record(category), Some(_)) if sheet.cells().announced().contains(category) => {
                Illegal::NotAnnounced
            }
            (Move::Record(_), Some(_)) => Illegal::JokerElsewhere,
        })
    }

    /// How many dice `chosen` throws.
    #[must_use]
    pub fn dice_thrown(&self, sheet: &Sheet, chosen: Move) -> usize {
        match chosen {
            Move::Keep(keep) => sheet.space().dice() - sheet.space().size(keep),
            Move::Record(_) | Move::Announce(_) => 0,
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
            Move::Keep(keep) => self.throw_dice(sheet, keep, thrown),
            Move::Record(category) => self.record(sheet, category),
            Move::Announce(category) => Played {
                position: Self { announced: Some(category), ..self.clone() },
                recorded: None,
                game_over: false,
            },
        })
    }

    fn throw_dice(&self, sheet: &Sheet, keep: Keep, thrown: &[u8]) -> Played {
        let space = sheet.space();
        let kept: ArrayVec<u8, MAX_DICE> =
            space.faces_of(keep).chain(thrown.iter().copied()).collect();
        let dice: Roll = space.roll_of(&kept).expect("kept and thrown dice make a roll");
        let mut position = Self { dice: Some(dice), ..self.clone() };
        position.full_throw = sheet.counts_full_throw() && keep == Keep::EMPTY;
        if sheet.definition().kept_dice_stay {
            position.kept = keep;
        }
        match self.rolls_left.checked_sub(1) {
            Some(left) => position.rolls_left = left,
            None => {
                let card = &mut position.cards[self.to_move];
                *card = card.with_extra_throws(card.extra_throws() + 1);
            }
        }
        position.full_throw |= position.is_first_roll(sheet);
        Played { position, recorded: None, game_over: false }
    }

    fn record(&self, sheet: &Sheet, category: Category) -> Played {
        let roll = self.dice.expect("recording is legal only with dice on the table");
        let state = self.card().state(sheet);
        let gain = sheet.gain(state, roll, category, self.throw(sheet));
        let mut cards = self.cards.clone();
        cards[self.to_move] = cards[self.to_move].with(sheet, category, gain);
        if sheet.saves_throws() {
            cards[self.to_move] = cards[self.to_move].with_extra_throws(self.rolls_left);
        }
        let won = cards[self.to_move].has_won();
        let players = cards.len();
        // The next player in the round with a category left; players may have joined late.
        let next = (1..=players)
            .map(|step| (self.to_move + step) % players)
            .find(|&player| !won && !cards[player].is_complete(sheet));
        let position = Self {
            to_move: next.unwrap_or(self.to_move),
            dice: None,
            rolls_left: next.map_or(0, |player| cards[player].throws(sheet)),
            full_throw: false,
            announced: None,
            kept: Keep::EMPTY,
            cards,
        };
        Played { position, recorded: Some((category, gain)), game_over: next.is_none() }
    }
}

impl Position {
    /// The winners if the game is over: the player with a winning roll, or else those with the most
    /// points.
    #[must_use]
    pub fn winners(&self, sheet: &Sheet) -> Vec<usize> {
        if let Some(winner) = self.cards().iter().position(Scorecard::has_won) {
            return vec![winner];
        }
        let totals = self.cards().iter().map(|card| card.totals(sheet).grand_total());
        winners(&totals.collect::<Vec<_>>())
    }
}

/// The players with the most points; several if they tie.
#[must_use]
pub fn winners(totals: &[i32]) -> Vec<usize> {
    let most = totals.iter().max();
    (0..totals.len()).filter(|&player| Some(&totals[player]) == most).collect()
}
