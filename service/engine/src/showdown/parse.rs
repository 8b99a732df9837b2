//! Parses input into a [`ShowdownPosition`], or lists all violations in it, each with the path of
//! its field and what is valid there.

mod round;
mod table;

use super::game::Showdown;
use super::position::ShowdownPosition;
use crate::dice::{Keep, Roll};
use crate::violation::Violations;

/// A player as a caller sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSeat {
    /// Faces of its dice; none before its first throw of the round.
    pub dice: Vec<u32>,
    /// Rounds won in this match.
    pub rounds_won: u32,
    /// Whether it waits while others throw a tied round again.
    pub sits_out: bool,
}

/// Stakes as they arrive from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawStakes {
    /// The stake of each player; 1 if left out.
    pub stake: u32,
    /// The raise to be answered; 0 for none.
    pub offered: u32,
    /// Raises made in this round.
    pub raises_made: u32,
    /// Whether the stakes are settled.
    pub closed: bool,
}

/// A showdown position as a caller sends it, not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawShowdownPosition {
    /// Faces of the dice of the player to move; may be left out if its seat has them.
    pub dice: Vec<u32>,
    /// Throws that the player to move has left.
    pub rolls_left: u32,
    /// Whose turn it is, an index of `seats`.
    pub to_move: u32,
    /// The players; none at all means the smallest number of players.
    pub seats: Vec<RawSeat>,
    /// The first player of this round.
    pub first: u32,
    /// Dice of the player to move that were set aside.
    pub held: Vec<u32>,
    /// Where players throw in turn: the number of throws of the first one.
    pub first_throws: u32,
    /// The keep of the first of two who choose at once, once chosen.
    pub choice: Option<Vec<u32>>,
    /// Rounds that are over; if left out, the fewest possible.
    pub rounds_played: Option<u32>,
    /// The stakes.
    pub stakes: Option<RawStakes>,
}

/// The reasons why an input is no [`ShowdownPosition`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShowdownRejection {
    /// No match can reach it; every violation.
    #[error("{0}")]
    Impossible(Violations),
    /// Everything is possible, but the match is over.
    #[error("the match is over")]
    Finished,
}

impl ShowdownPosition {
    /// Parses a position.
    ///
    /// # Errors
    /// [`ShowdownRejection::Impossible`] with everything that no match under these rules can reach;
    /// [`ShowdownRejection::Finished`] if all is possible but the match is over.
    pub fn parse(game: &Showdown, raw: &RawShowdownPosition) -> Result<Self, ShowdownRejection> {
        let mut reader = Reader { game, found: Violations::new() };
        let mut position = reader.table(raw);
        let finished = reader.found.is_empty() && position.match_winners(game).is_some();
        if !finished && reader.found.is_empty() {
            reader.round(raw, &mut position);
        }
        match (reader.found.is_empty(), finished) {
            (false, _) => Err(ShowdownRejection::Impossible(reader.found)),
            (true, true) => Err(ShowdownRejection::Finished),
            (true, false) => Ok(position),
        }
    }

    /// The input that parses to this position.
    #[must_use]
    pub fn to_raw(&self, game: &Showdown) -> RawShowdownPosition {
        let faces = |keep: Keep| game.space().faces_of(keep).map(u32::from).collect::<Vec<_>>();
        let dice = |roll: Option<Roll>| roll.map_or(Vec::new(), |r| faces(game.space().as_keep(r)));
        RawShowdownPosition {
            dice: dice(self.dice()),
            rolls_left: self.rolls_left.into(),
            to_move: self.to_move as u32,
            seats: self
                .seats
                .iter()
                .map(|seat| RawSeat {
                    dice: dice(seat.dice),
                    rounds_won: seat.rounds_won.into(),
                    sits_out: seat.sits_out,
                })
                .collect(),
            first: self.first as u32,
            held: faces(self.held),
            first_throws: self.first_throws.into(),
            choice: self.choice.map(faces),
            rounds_played: Some(self.rounds_played),
            stakes: (game.definition().raises > 0).then_some(RawStakes {
                stake: self.stakes.stake.into(),
                offered: self.stakes.offered.into(),
                raises_made: self.stakes.raises_made.into(),
                closed: self.stakes.closed,
            }),
        }
    }
}

struct Reader<'a> {
    game: &'a Showdown,
    found: Violations,
}

impl Reader<'_> {
    fn note(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(path, message);
    }

    /// All dice of a player, or none.
    fn dice(&mut self, path: &str, raw: &[u32]) -> Option<Roll> {
        let wanted = self.game.space().dice();
        if raw.len() != wanted && !raw.is_empty() {
            self.note(
                path,
                format!("{} dice: must be {wanted}, or none before the first throw", raw.len()),
            );
        }
        let faces = self.faces(path, raw);
        faces.and_then(|keep| self.game.space().as_roll(keep))
    }

    /// Any dice of a player.
    fn faces(&mut self, path: &str, raw: &[u32]) -> Option<Keep> {
        let most = self.game.space().faces();
        for (i, face) in raw.iter().enumerate() {
            if !(1..=most).contains(&(*face as usize)) {
                self.note(
                    format!("{path}[{i}]"),
                    format!("{face} is no face: must be 1 to {most}"),
                );
            }
        }
        let faces: Vec<u8> = raw.iter().map(|&face| face.min(255) as u8).collect();
        self.game.space().keep_of(&faces)
    }
}
