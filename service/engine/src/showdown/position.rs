//! A moment in a showdown: all players' dice, whose turn it is, rounds won and stakes. It is legal
//! by construction: [`ShowdownPosition::parse`] and [`ShowdownPosition::apply`] make no other.

use arrayvec::ArrayVec;

use super::check::MAX_PLAYERS;
use super::definition::Order;
use super::game::Showdown;
use crate::dice::{Keep, Roll};

/// A player at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seat {
    /// The player's dice; none before its first throw of the round.
    pub dice: Option<Roll>,
    /// Rounds won in this match.
    pub rounds_won: u8,
    /// Whether the player waits while others throw a tied round again.
    pub sits_out: bool,
}

/// The stakes of a round, and the raises so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// The stake of each player, accepted raises included; 1 at first.
    pub stake: u16,
    /// The raise that the player to move has to answer; 0 for none.
    pub offered: u16,
    /// Raises made in this round.
    pub raises_made: u8,
    /// Whether the stakes are settled and the players throw.
    pub closed: bool,
}

impl Stakes {
    /// Before any raise.
    pub const OPEN: Self = Self { stake: 1, offered: 0, raises_made: 0, closed: false };
}

/// A moment in a showdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowdownPosition {
    pub(super) seats: ArrayVec<Seat, MAX_PLAYERS>,
    pub(super) first: usize,
    pub(super) to_move: usize,
    pub(super) rolls_left: u8,
    pub(super) held: Keep,
    pub(super) first_throws: u8,
    pub(super) choice: Option<Keep>,
    pub(super) rounds_played: u32,
    pub(super) stakes: Stakes,
}

impl ShowdownPosition {
    /// The start of a match between so many players, the first of whom throws first.
    ///
    /// # Panics
    /// If the rules are not for so many players.
    #[must_use]
    pub fn start(game: &Showdown, players: usize) -> Self {
        assert!(game.players().contains(&players), "{players} players");
        Self {
            seats: std::iter::repeat_n(Seat::default(), players).collect(),
            first: 0,
            to_move: 0,
            rolls_left: game.definition().throws(),
            held: Keep::EMPTY,
            first_throws: 0,
            choice: None,
            rounds_played: 0,
            stakes: Stakes::OPEN,
        }
    }

    /// The players, in the order of the table.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The first player of this round.
    #[must_use]
    pub fn first(&self) -> usize {
        self.first
    }

    /// Whose turn it is.
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// The dice of the player to move.
    #[must_use]
    pub fn dice(&self) -> Option<Roll> {
        self.seats[self.to_move].dice
    }

    /// Throws that the player to move has left in this round.
    #[must_use]
    pub fn rolls_left(&self) -> u8 {
        self.rolls_left
    }

    /// Dice of the player to move that must stay, where kept dice are set aside.
    #[must_use]
    pub fn held(&self) -> Keep {
        self.held
    }

    /// Where players throw in turn: the number of throws of the first one; 0 while it throws.
    #[must_use]
    pub fn first_throws(&self) -> u8 {
        self.first_throws
    }

    /// Where both choose at once: the keep of the first player, all dice included, once chosen. It
    /// is hidden from the other one.
    #[must_use]
    pub fn choice(&self) -> Option<Keep> {
        self.choice
    }

    /// Rounds of this match that are over, tied ones included.
    #[must_use]
    pub fn rounds_played(&self) -> u32 {
        self.rounds_played
    }

    /// The stakes of the round.
    #[must_use]
    pub fn stakes(&self) -> Stakes {
        self.stakes
    }

    /// The players of this round, from the first one on.
    #[must_use]
    pub fn turn_order(&self) -> ArrayVec<usize, MAX_PLAYERS> {
        let players = self.seats.len();
        (0..players)
            .map(|i| (self.first + i) % players)
            .filter(|&player| !self.seats[player].sits_out)
            .collect()
    }

    /// The most throws of the player to move.
    pub(super) fn throw_limit(&self, game: &Showdown) -> u8 {
        if game.definition().first_sets_throws && self.to_move != self.first {
            self.first_throws
        } else {
            game.definition().throws()
        }
    }

    /// Whether all players' first throws lie on the table.
    #[must_use]
    pub fn all_thrown(&self) -> bool {
        self.seats.iter().all(|seat| seat.sits_out || seat.dice.is_some())
    }

    /// Whether the player to move settles the stakes and throws no dice.
    #[must_use]
    pub fn is_betting(&self, game: &Showdown) -> bool {
        game.definition().raises > 0
            && game.definition().order == Order::Open
            && !self.stakes.closed
            && self.rolls_left > 0
            && self.all_thrown()
    }

    /// The stream of a throw or decision in a match, distinct for all of them.
    #[must_use]
    pub fn moment(&self) -> u64 {
        let said = if self.stakes.closed {
            0
        } else {
            u64::from(self.stakes.raises_made) << 1 | u64::from(self.stakes.offered > 0)
        };
        u64::from(self.rounds_played) << 24
            | (self.to_move as u64) << 16
            | u64::from(self.rolls_left) << 8
            | said
    }
}
