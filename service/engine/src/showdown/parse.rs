//! Parses input into a [`ShowdownPosition`], or lists all violations in it, each with the path of
//! its field and what would be valid there.

use arrayvec::ArrayVec;

use super::check::MAX_PLAYERS;
use super::definition::{Draws, Order};
use super::game::Showdown;
use super::position::{Seat, ShowdownPosition, Stakes};
use crate::dice::{Keep, Roll};
use crate::violation::Violations;

/// A player as it arrives from outside.
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

/// A showdown position as it arrives from outside, not yet checked.
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

/// The most rounds that a position may have.
const MAX_ROUNDS: u32 = 1_000_000;

impl ShowdownPosition {
    /// Reads a position as it arrives from outside.
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

    /// The players, their dice and the match.
    fn table(&mut self, raw: &RawShowdownPosition) -> ShowdownPosition {
        let allowed = self.game.players();
        let seats = match raw.seats.len() {
            0 => vec![RawSeat::default(); *allowed.start()],
            count => {
                if !allowed.contains(&count) {
                    let valid = match (allowed.start(), allowed.end()) {
                        (one, same) if one == same => one.to_string(),
                        (few, many) => format!("{few} to {many}"),
                    };
                    self.note("players", format!("{count} players: must be {valid}"));
                }
                raw.seats.iter().take(MAX_PLAYERS).cloned().collect()
            }
        };
        let mut index = |field: &str, value: u32| {
            let last = seats.len() - 1;
            if value as usize > last {
                self.note(field, format!("{value} is no player: must be 0 to {last}"));
            }
            (value as usize).min(last)
        };
        let (to_move, first) = (index("to_move", raw.to_move), index("first", raw.first));
        let mut position = ShowdownPosition {
            seats: ArrayVec::new(),
            first,
            to_move,
            rolls_left: raw.rolls_left.min(u8::MAX.into()) as u8,
            held: Keep::EMPTY,
            first_throws: 0,
            choice: None,
            rounds_played: 0,
            stakes: Stakes::OPEN,
        };
        for (player, seat) in seats.iter().enumerate() {
            let seat = self.seat(player, seat);
            position.seats.push(seat);
        }
        self.mover_dice(raw, &mut position);
        self.match_score(raw, &mut position);
        self.sitting_out(&position);
        position
    }

    fn seat(&mut self, player: usize, raw: &RawSeat) -> Seat {
        let dice = self.dice(&format!("players[{player}].dice"), &raw.dice);
        let limit = u32::from(self.game.definition().wins_needed);
        if raw.rounds_won > limit {
            self.note(
                format!("players[{player}].rounds_won"),
                format!("{}: the match is won by {limit}", raw.rounds_won),
            );
        }
        Seat { dice, rounds_won: raw.rounds_won.min(limit) as u8, sits_out: raw.sits_out }
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

    /// The dice of the player to move, which may be given in two places.
    fn mover_dice(&mut self, raw: &RawShowdownPosition, position: &mut ShowdownPosition) {
        let given = self.dice("dice", &raw.dice);
        let seat = &mut position.seats[position.to_move];
        if given.is_some() && seat.dice.is_some() && given != seat.dice {
            let message =
                format!("must be those of players[{}].dice, or left out", position.to_move);
            self.note("dice", message);
        }
        seat.dice = given.or(seat.dice);
    }

    fn match_score(&mut self, raw: &RawShowdownPosition, position: &mut ShowdownPosition) {
        let draws = self.game.definition().draws;
        let won = position.seats.iter().map(|seat| u32::from(seat.rounds_won));
        let sum: u32 = won.clone().sum();
        let fewest = match draws {
            // A round may count for several players.
            Draws::Split => won.max().unwrap_or_default(),
            _ => sum,
        };
        let rounds = raw.rounds_played.unwrap_or(fewest);
        let most = self.game.definition().most_rounds(position.seats.len());
        if rounds < fewest {
            self.note(
                "rounds_played",
                format!("{rounds}: must be {fewest} or more, as the rounds won by players say"),
            );
        } else if draws != Draws::Again && rounds > most {
            self.note("rounds_played", format!("{rounds}: a match has at most {most} rounds"));
        } else if draws == Draws::Split && rounds > sum {
            let message =
                format!("{rounds}: must be at most {sum}, as every round counts for a player");
            self.note("rounds_played", message);
        } else if rounds > MAX_ROUNDS {
            self.note("rounds_played", format!("{rounds}: must be at most {MAX_ROUNDS}"));
        }
        let needed = self.game.definition().wins_needed;
        let winners = position.seats.iter().filter(|seat| seat.rounds_won >= needed).count();
        if winners > 1 && draws != Draws::Split {
            self.note("players", format!("{winners} players have won the match: at most one can"));
        }
        position.rounds_played = rounds.min(MAX_ROUNDS);
    }

    fn sitting_out(&mut self, position: &ShowdownPosition) {
        let out = position.seats.iter().filter(|seat| seat.sits_out).count();
        if out == 0 {
            return;
        }
        if self.game.definition().draws != Draws::Again {
            for (i, _) in position.seats.iter().enumerate().filter(|(_, seat)| seat.sits_out) {
                self.note(
                    format!("players[{i}].sits_out"),
                    "must be false where draws are not thrown again",
                );
            }
            return;
        }
        if position.seats.len() - out < 2 || position.rounds_played == 0 {
            self.note(
                "players",
                "players sit out only while two or more others throw a tied round again",
            );
        }
        for (field, player) in [("first", position.first), ("to_move", position.to_move)] {
            if position.seats[player].sits_out {
                self.note(field, format!("player {player} sits out"));
            }
        }
        for (i, seat) in position.seats.iter().enumerate() {
            if seat.sits_out && seat.dice.is_some() {
                let path = format!("players[{i}].dice");
                self.note(path, "must be left out: the player sits out");
            }
        }
    }

    /// The state of the round, at a table whose parts are possible by themselves.
    fn round(&mut self, raw: &RawShowdownPosition, position: &mut ShowdownPosition) {
        let definition = self.game.definition();
        let order = position.turn_order();
        let at = order.iter().position(|&player| player == position.to_move).unwrap_or(0);
        let in_turn = definition.order == Order::InTurn;
        let all_thrown = !in_turn && position.all_thrown();
        for (place, &player) in order.iter().enumerate() {
            let path = || format!("players[{player}].dice");
            match position.seats[player].dice {
                None if place < at => {
                    self.note(path(), "must be given: the player has thrown in this round");
                }
                Some(_) if place > at && !all_thrown => {
                    let message = if in_turn {
                        "must be left out: the player throws after the one to move"
                    } else {
                        "must be left out: the players before it have not all thrown"
                    };
                    self.note(path(), message);
                }
                _ => {}
            }
        }
        self.first_throws(raw, position, in_turn && at > 0);
        let limit = match position.throw_limit(self.game) {
            0 => definition.throws(),
            limit => limit,
        };
        let thrown = position.dice().is_some();
        if thrown && raw.rolls_left >= limit.into() {
            let message =
                format!("{} with dice on the table: must be 0 to {}", raw.rolls_left, limit - 1);
            self.note("rolls_left", message);
        } else if !thrown && raw.rolls_left != limit.into() {
            self.note(
                "rolls_left",
                format!("{} before the first throw: must be {limit}", raw.rolls_left),
            );
        }
        if !self.found.is_empty() {
            return;
        }
        self.held(raw, position, limit);
        self.choice(raw, position);
        self.stakes(raw, position);
    }

    fn first_throws(
        &mut self,
        raw: &RawShowdownPosition,
        position: &mut ShowdownPosition,
        after_first: bool,
    ) {
        let definition = self.game.definition();
        let throws = u32::from(definition.throws());
        if !after_first {
            if raw.first_throws > 0 {
                self.note(
                    "first_throws",
                    "must be 0 or left out until the first player has thrown",
                );
            }
            return;
        }
        let valid = 1..=throws;
        if definition.first_sets_throws && !valid.contains(&raw.first_throws)
            || raw.first_throws > throws
        {
            self.note("first_throws", format!("{}: must be 1 to {throws}", raw.first_throws));
        }
        position.first_throws = match raw.first_throws.min(throws) as u8 {
            0 => definition.throws(),
            made => made,
        };
    }

    fn held(&mut self, raw: &RawShowdownPosition, position: &mut ShowdownPosition, limit: u8) {
        if raw.held.is_empty() {
            return;
        }
        let definition = self.game.definition();
        let rethrown = position.rolls_left + 1 < limit;
        if !definition.set_aside || definition.order != Order::InTurn || !rethrown {
            let message = if definition.set_aside && definition.order == Order::InTurn {
                "must be left out: nothing has been kept in this turn"
            } else {
                "must be left out: under these rules no dice are set aside"
            };
            self.note("held", message);
            return;
        }
        let Some(held) = self.faces("held", &raw.held) else {
            if self.found.is_empty() {
                let message = format!("{} dice: there are {}", raw.held.len(), definition.dice);
                self.note("held", message);
            }
            return;
        };
        let space = self.game.space();
        let within = position.dice().is_some_and(|roll| space.contains(space.as_keep(roll), held));
        if !within || space.as_roll(held).is_some() {
            self.note("held", "must be some of the dice of the player to move, not all");
        }
        position.held = held;
    }

    fn choice(&mut self, raw: &RawShowdownPosition, position: &mut ShowdownPosition) {
        let second = self.game.definition().order == Order::Simultaneous
            && position.all_thrown()
            && position.to_move != position.first;
        let Some(choice) = &raw.choice else {
            if second {
                self.note("choice", "must be given: the first player has chosen what to keep");
            }
            return;
        };
        if !second {
            self.note("choice", "must be left out: the first player has not chosen");
            return;
        }
        let space = self.game.space();
        let keep = self.faces("choice", choice);
        let first = position.seats[position.first].dice;
        let whole = first.map(|roll| space.as_keep(roll));
        match (keep, whole) {
            (Some(keep), Some(whole))
                if space.contains(whole, keep) && (position.rolls_left > 0 || keep == whole) =>
            {
                position.choice = Some(keep);
            }
            _ => {
                let path = format!("players[{}].dice", position.first);
                self.note("choice", format!("must be some or all of {path}"));
            }
        }
    }

    fn stakes(&mut self, raw: &RawShowdownPosition, position: &mut ShowdownPosition) {
        let limit = u32::from(self.game.definition().raises);
        let Some(raw) = &raw.stakes else { return };
        if limit == 0 {
            self.note("stakes", "must be left out: this game has no raises");
            return;
        }
        let RawStakes { stake, offered, raises_made, closed } = *raw;
        let stake = stake.max(1);
        let accepted = raises_made.saturating_sub(u32::from(offered > 0));
        if raises_made > 2 {
            self.note("stakes.raises_made", format!("{raises_made}: must be 0 to 2"));
        } else if offered > 0 && raises_made == 0 {
            self.note("stakes.raises_made", "must be 1 or 2: a raise is on offer");
        } else if !(1 + accepted..=1 + accepted * limit).contains(&stake) {
            self.note(
                "stakes.stake",
                format!(
                    "{stake}: must be {} to {} after {accepted} accepted raises of up to {limit}",
                    1 + accepted,
                    1 + accepted * limit
                ),
            );
        }
        if offered > limit {
            self.note("stakes.offered", format!("{offered}: a raise is at most {limit}"));
        }
        if closed && offered > 0 {
            self.note("stakes.offered", "must be 0: the stakes are closed");
        }
        let all_thrown = position.all_thrown();
        if !all_thrown && (closed || offered > 0 || raises_made > 0) {
            self.note("stakes", "must be left out until all players have thrown");
        } else if all_thrown && !closed && offered == 0 && raises_made > 0 {
            self.note("stakes.closed", "must be true: the raise was accepted");
        } else if all_thrown && !closed && position.rolls_left != 1 {
            self.note("rolls_left", "must be 1 while the stakes are settled");
        }
        position.stakes = Stakes {
            stake: stake.min(u16::MAX.into()) as u16,
            offered: offered.min(limit) as u16,
            raises_made: raises_made.min(2) as u8,
            closed,
        };
    }
}
