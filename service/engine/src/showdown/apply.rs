//! Plays a move: from one position, with the dice that were thrown, to the next; ends turns, rounds
//! and matches.

use super::definition::{Draws, NextFirst, Order};
use super::game::Showdown;
use super::moves::{IllegalMove, ShowdownMove};
use super::position::{ShowdownPosition, Stakes};
use crate::dice::{Keep, Roll};
use crate::violation::Violations;

/// The end of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundEnd {
    /// All players' dice; none of a player who sat out.
    pub dice: Vec<Option<Roll>>,
    /// The players with the best hand; several if they tie.
    pub winners: Vec<usize>,
    /// The player who gave it up.
    pub gave_up: Option<usize>,
    /// What each player had put in.
    pub stake: u16,
    /// Whether the winners throw a new round among themselves.
    pub again: bool,
    /// With a pay table: what the hand pays less what its throws cost, in stakes.
    pub paid: Option<i32>,
}

/// The result of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowdownApplied {
    /// The position after it. After the end of a match the dice still lie there.
    pub position: ShowdownPosition,
    /// Whether the player's turn ended.
    pub turn_ended: bool,
    /// How the round ended, if it did.
    pub round: Option<RoundEnd>,
    /// The winners of the match, if it ended; several if they share it.
    pub winners: Option<Vec<usize>>,
}

/// The reasons why a move was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShowdownApplyError {
    /// It is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The dice thrown do not fit it; paths start at the field of the dice thrown.
    #[error("dice thrown: {0}")]
    Thrown(Violations),
}

impl ShowdownPosition {
    /// Plays `chosen`. `thrown` are the faces of the dice thrown, as many as
    /// [`dice_to_throw`](Self::dice_to_throw) says; where both chose at once those of the first
    /// player come first.
    ///
    /// # Errors
    /// If the move is not legal or the dice thrown do not fit it.
    pub fn apply(
        &self,
        game: &Showdown,
        chosen: ShowdownMove,
        thrown: &[u8],
    ) -> Result<ShowdownApplied, ShowdownApplyError> {
        self.check(game, chosen)?;
        check_thrown(game, self.dice_to_throw(game, chosen), thrown)?;
        let mut next = self.clone();
        if self.is_betting(game) {
            return Ok(next.speak(game, chosen));
        }
        let all = |roll: Option<Roll>| roll.map_or(Keep::EMPTY, |roll| game.space().as_keep(roll));
        let keep = match chosen {
            ShowdownMove::Keep(keep) => keep,
            _ => all(self.dice()),
        };
        if self.chooses_first(game) {
            next.choice = Some(keep);
            next.to_move = self.other();
            return Ok(applied(next, true));
        }
        let mut thrown = thrown.iter().copied();
        let mut throw = |keep: Keep| {
            let missing = game.space().dice() - game.space().size(keep);
            let full = thrown.by_ref().take(missing).try_fold(keep, |k, f| game.space().add(k, f));
            full.and_then(|full| game.space().as_roll(full))
        };
        if let Some(choice) = self.choice {
            next.seats[self.first].dice = throw(choice);
            next.choice = None;
        }
        next.seats[self.to_move].dice = throw(keep);
        next.rolls_left = self.rolls_left.saturating_sub(1);
        if game.definition().order == Order::InTurn {
            if chosen != ShowdownMove::Stop && next.rolls_left > 0 {
                next.held = if game.definition().set_aside { keep } else { Keep::EMPTY };
                return Ok(applied(next, false));
            }
            if self.to_move == self.first {
                let after =
                    if chosen == ShowdownMove::Stop { self.rolls_left } else { next.rolls_left };
                next.first_throws = game.definition().throws() - after;
            }
        }
        Ok(next.end_turn(game, self.rolls_left))
    }

    /// The other one of two players.
    fn other(&self) -> usize {
        1 - self.to_move.min(1)
    }

    /// A move about the stakes was made.
    fn speak(mut self, game: &Showdown, chosen: ShowdownMove) -> ShowdownApplied {
        let stakes = self.stakes;
        match chosen {
            ShowdownMove::Raise(amount) => {
                self.stakes.stake += stakes.offered;
                self.stakes.offered = amount;
                self.stakes.raises_made += 1;
                self.to_move = self.other();
            }
            ShowdownMove::GiveUp => {
                let winner = self.other();
                let gave_up = Some(self.to_move);
                return self.end_round(game, vec![winner], gave_up);
            }
            // The first player had nothing to add: the second one may.
            _ if stakes.offered == 0 && self.to_move == self.first => self.to_move = self.other(),
            _ => {
                self.stakes = Stakes {
                    stake: stakes.stake + stakes.offered,
                    offered: 0,
                    closed: true,
                    ..stakes
                };
                self.to_move = self.first;
            }
        }
        applied(self, true)
    }

    /// The turn of the player to move is over, before which it had so many rolls left.
    fn end_turn(mut self, game: &Showdown, rolls_left: u8) -> ShowdownApplied {
        let in_turn = game.definition().order == Order::InTurn;
        self.held = Keep::EMPTY;
        let order = self.turn_order();
        let next = order.iter().skip_while(|&&player| player != self.to_move).nth(1);
        if let Some(&next) = next {
            self.to_move = next;
            self.rolls_left = if in_turn { self.throw_limit(game) } else { rolls_left };
            return applied(self, true);
        }
        if !in_turn && self.rolls_left > 0 {
            self.to_move = self.first;
            return applied(self, true);
        }
        let rank = |player: &usize| {
            self.seats[*player].dice.map(|roll| game.hands().rank(roll)).unwrap_or_default()
        };
        let best = order.iter().map(&rank).max().unwrap_or_default();
        let mut winners: Vec<usize> =
            order.iter().copied().filter(|player| rank(player) == best).collect();
        winners.sort_unstable();
        self.end_round(game, winners, None)
    }

    fn end_round(
        mut self,
        game: &Showdown,
        winners: Vec<usize>,
        gave_up: Option<usize>,
    ) -> ShowdownApplied {
        let definition = game.definition();
        let paid = self.seats[0].dice.filter(|_| definition.payout).map(|roll| {
            let pays = definition.hands[game.hands().hand(roll)].pays;
            let rethrows = i32::from(self.first_throws.max(1)) - 1;
            i32::from(pays) - rethrows * i32::from(definition.rethrow_cost)
        });
        let tied = winners.len() > 1;
        let again = tied && definition.draws == Draws::Again;
        let counts = !definition.payout && (!tied || definition.draws == Draws::Split);
        let round = RoundEnd {
            dice: self.seats.iter().map(|seat| seat.dice).collect(),
            winners,
            gave_up,
            stake: self.stakes.stake,
            again,
            paid,
        };
        if counts {
            round.winners.iter().for_each(|&winner| self.seats[winner].rounds_won += 1);
        }
        self.rounds_played = self.rounds_played.saturating_add(1);
        let winners = match self.match_winners(game) {
            _ if definition.payout => Some(Vec::new()),
            // One round is the whole match, so players who tie in it share the match.
            Some(_) if definition.wins_needed == 1 => Some(round.winners.clone()),
            winners => winners,
        };
        if winners.is_some() {
            self.rolls_left = 0;
            self.first_throws = 0;
        } else {
            self.deal(game, &round, tied);
        }
        ShowdownApplied { position: self, turn_ended: true, round: Some(round), winners }
    }

    /// The winners of the match; `None` while it goes on.
    pub(super) fn match_winners(&self, game: &Showdown) -> Option<Vec<usize>> {
        let definition = game.definition();
        let most = self.seats.iter().map(|seat| seat.rounds_won).max().unwrap_or_default();
        let out_of_rounds = definition.draws != Draws::Again
            && self.rounds_played >= definition.most_rounds(self.seats.len());
        (most >= definition.wins_needed || out_of_rounds)
            .then(|| (0..self.seats.len()).filter(|&p| self.seats[p].rounds_won == most).collect())
    }

    /// Clears the table for the next round.
    fn deal(&mut self, game: &Showdown, round: &RoundEnd, tied: bool) {
        let players = self.seats.len();
        if round.again {
            (0..players).for_each(|p| self.seats[p].sits_out = !round.winners.contains(&p));
            while self.seats[self.first].sits_out {
                self.first = (self.first + 1) % players;
            }
        } else {
            let order = self.turn_order();
            self.seats.iter_mut().for_each(|seat| seat.sits_out = false);
            self.first = match game.definition().next_first {
                NextFirst::Alternating => (self.first + 1) % players,
                NextFirst::Loser if tied => self.first,
                NextFirst::Loser => round.gave_up.unwrap_or_else(|| {
                    let rank = |&p: &usize| round.dice[p].map(|roll| game.hands().rank(roll));
                    order.iter().copied().min_by_key(rank).unwrap_or(self.first)
                }),
            };
        }
        self.seats.iter_mut().for_each(|seat| seat.dice = None);
        self.to_move = self.first;
        self.rolls_left = game.definition().throws();
        self.first_throws = 0;
        self.choice = None;
        self.stakes = Stakes::OPEN;
    }
}

fn applied(position: ShowdownPosition, turn_ended: bool) -> ShowdownApplied {
    ShowdownApplied { position, turn_ended, round: None, winners: None }
}

fn check_thrown(game: &Showdown, wanted: usize, thrown: &[u8]) -> Result<(), ShowdownApplyError> {
    let faces = game.space().faces();
    let mut found = Violations::new();
    if thrown.len() != wanted {
        found.push("", format!("{} dice: must be {wanted}", thrown.len()));
    }
    for (i, &face) in thrown.iter().enumerate() {
        if !(1..=faces).contains(&usize::from(face)) {
            found.push(format!("[{i}]"), format!("{face} is no face: must be 1 to {faces}"));
        }
    }
    found.or(()).map_err(ShowdownApplyError::Thrown)
}
