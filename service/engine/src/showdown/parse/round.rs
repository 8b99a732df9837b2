//! Whether the round is possible: who has thrown, what was kept or chosen, and the stakes.

use super::{RawShowdownPosition, RawStakes, Reader};
use crate::showdown::definition::Order;
use crate::showdown::position::{ShowdownPosition, Stakes};

impl Reader<'_> {
    /// The state of the round, at a table whose parts are possible by themselves.
    pub(super) fn round(&mut self, raw: &RawShowdownPosition, position: &mut ShowdownPosition) {
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
