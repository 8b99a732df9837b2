//! The moves of a showdown: keep some dice and throw the others, stop, or settle the stakes.
//!
//! Before the first throw of a round keeping nothing is the only move. A stop ends the turn; where
//! all throws lie open it keeps all dice until the next lap.

use super::game::Showdown;
use super::position::ShowdownPosition;
use crate::dice::{Keep, Roll};

/// A move of a showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShowdownMove {
    /// Keep all dice and end the turn.
    Stop,
    /// Keep these dice and throw the others; [`Keep::EMPTY`] throws all.
    Keep(Keep),
    /// Agree to the raise on offer or, where there is none, to the stakes as they are.
    Accept,
    /// Raise the stakes by so many.
    Raise(u16),
    /// Give up the round.
    GiveUp,
}

/// The reasons why a move is not legal in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The round has not begun for this player.
    #[error("the first throw is of all dice: keep no dice")]
    BeforeFirstThrow,
    /// All throws have been made.
    #[error("no throw is left in this turn: stop")]
    NoThrowLeft,
    /// Some of the dice to keep are not on the table.
    #[error("the dice to keep are not all on the table")]
    NotOnTable,
    /// All dice are kept.
    #[error("keeping all dice throws nothing: keep fewer, or stop")]
    NothingToThrow,
    /// Dice that were set aside would be thrown.
    #[error("dice that were set aside stay: keep at least those of position.kept")]
    SetAside,
    /// The stakes are to be settled first.
    #[error("the stakes are not settled: accept, raise or give up")]
    StakesFirst,
    /// The stakes are already settled.
    #[error("stakes are settled between the first throws and the second: keep dice, or stop")]
    NoStakes,
    /// The game has no raises.
    #[error("this game has no raises: keep dice, or stop")]
    NoRaises,
    /// The raise is too small or too large.
    #[error("a raise of {amount}: must be 1 to {limit}")]
    RaiseLimit {
        /// The amount.
        amount: u16,
        /// The most that it may be.
        limit: u16,
    },
    /// Both players have raised.
    #[error("the raise has been raised already: accept or give up")]
    NoMoreRaises,
    /// There is no raise to give up to.
    #[error("no raise is on offer: accept or raise")]
    NothingOffered,
}

impl ShowdownPosition {
    /// Every legal move, each once, in the order in which equal ones are preferred: stop; keeps of
    /// more dice before fewer, then those of higher faces; accept; raises from low to high; give up.
    #[must_use]
    pub fn legal_moves(&self, game: &Showdown) -> Vec<ShowdownMove> {
        let Some(roll) = self.dice() else { return vec![ShowdownMove::Keep(Keep::EMPTY)] };
        if self.is_betting(game) {
            let mut moves = vec![ShowdownMove::Accept];
            if self.stakes.raises_made < 2 {
                moves.extend((1..=game.definition().raises).map(ShowdownMove::Raise));
            }
            if self.stakes.offered > 0 {
                moves.push(ShowdownMove::GiveUp);
            }
            return moves;
        }
        let mut moves = vec![ShowdownMove::Stop];
        if self.rolls_left > 0 {
            moves.extend(keeps(game, roll, self.held).into_iter().map(ShowdownMove::Keep));
        }
        moves
    }

    /// Whether `chosen` may be played.
    ///
    /// # Errors
    /// The reason why it may not.
    pub fn check(&self, game: &Showdown, chosen: ShowdownMove) -> Result<(), IllegalMove> {
        let Some(roll) = self.dice() else {
            return match chosen {
                ShowdownMove::Keep(Keep::EMPTY) => Ok(()),
                _ => Err(IllegalMove::BeforeFirstThrow),
            };
        };
        let (limit, betting) = (game.definition().raises, self.is_betting(game));
        match chosen {
            ShowdownMove::Stop | ShowdownMove::Keep(_) if betting => Err(IllegalMove::StakesFirst),
            ShowdownMove::Stop => Ok(()),
            ShowdownMove::Keep(_) if self.rolls_left == 0 => Err(IllegalMove::NoThrowLeft),
            ShowdownMove::Keep(keep) => {
                let space = game.space();
                if !space.contains(space.as_keep(roll), keep) {
                    Err(IllegalMove::NotOnTable)
                } else if space.as_roll(keep).is_some() {
                    Err(IllegalMove::NothingToThrow)
                } else if !space.contains(keep, self.held) {
                    Err(IllegalMove::SetAside)
                } else {
                    Ok(())
                }
            }
            _ if limit == 0 => Err(IllegalMove::NoRaises),
            _ if !betting => Err(IllegalMove::NoStakes),
            ShowdownMove::Accept => Ok(()),
            ShowdownMove::Raise(_) if self.stakes.raises_made >= 2 => {
                Err(IllegalMove::NoMoreRaises)
            }
            ShowdownMove::Raise(amount) if !(1..=limit).contains(&amount) => {
                Err(IllegalMove::RaiseLimit { amount, limit })
            }
            ShowdownMove::Raise(_) => Ok(()),
            ShowdownMove::GiveUp if self.stakes.offered == 0 => Err(IllegalMove::NothingOffered),
            ShowdownMove::GiveUp => Ok(()),
        }
    }

    /// Number of dice that `chosen` throws. Where both choose at once nothing is thrown until the
    /// second has chosen, and then for both.
    #[must_use]
    pub fn dice_to_throw(&self, game: &Showdown, chosen: ShowdownMove) -> usize {
        let dice = game.space().dice();
        let own = match chosen {
            ShowdownMove::Keep(keep) => dice - game.space().size(keep),
            _ => 0,
        };
        match self.choice {
            Some(choice) => dice - game.space().size(choice) + own,
            None if self.chooses_first(game) => 0,
            None => own,
        }
    }

    /// Whether the player to move is the first of two who choose at once.
    pub(super) fn chooses_first(&self, game: &Showdown) -> bool {
        game.definition().order == super::definition::Order::Simultaneous
            && self.all_thrown()
            && self.to_move == self.first
    }
}

/// The keeps of `roll` besides all of it, `held` at least: more dice before fewer, then higher
/// faces.
pub(super) fn keeps(game: &Showdown, roll: Roll, held: Keep) -> Vec<Keep> {
    let space = game.space();
    let mut keeps: Vec<Keep> =
        space.keeps_of(roll).filter(|&keep| space.contains(keep, held)).collect();
    // Keeps are numbered with fewer dice first and, among those of one size, low faces first.
    keeps.sort_unstable_by(|a, b| b.cmp(a));
    keeps
}
