//! Whether the players, their dice and the score of the match are possible.

use arrayvec::ArrayVec;

use super::{RawSeat, RawShowdownPosition, Reader};
use crate::dice::Keep;
use crate::showdown::check::MAX_PLAYERS;
use crate::showdown::definition::Draws;
use crate::showdown::position::{Seat, ShowdownPosition, Stakes};

/// The most rounds that a position may have.
const MAX_ROUNDS: u32 = 1_000_000;

impl Reader<'_> {
    /// The players, their dice and the match.
    pub(super) fn table(&mut self, raw: &RawShowdownPosition) -> ShowdownPosition {
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
}
