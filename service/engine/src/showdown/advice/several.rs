//! Advice for three or more players whose match is solved whole.

use super::{Table, Worth, kept};
use crate::dice::Roll;
use crate::showdown::definition::Order;
use crate::showdown::moves::ShowdownMove;
use crate::showdown::several::{Seen, Several};
use crate::showdown::turn;

impl Table<'_> {
    /// What each of the moves leads to, and whether that is exact.
    pub(super) fn several(&self, several: &Several, moves: &[ShowdownMove]) -> (Vec<Worth>, bool) {
        let (game, position) = (self.game, self.position);
        let rethrows = game.definition().rethrows;
        let Some(round) = several.round(game, position) else {
            return (self.unknown(moves), false);
        };
        let order = position.turn_order();
        let dice: Vec<Roll> =
            order.iter().filter_map(|&player| position.seats()[player].dice).collect();
        let thrown = self.place();
        let of = |[value, win, draw, won, tied]: Seen| -> Worth {
            let round = Some([won + tied, won, tied]);
            (value, round, Some([value, win, draw]), None)
        };
        let in_turn = game.definition().order == Order::InTurn;
        let left = position.rolls_left();
        let seen: Vec<Seen> = if !in_turn && dice.is_empty() {
            vec![round.start_of(0); moves.len()]
        } else if !in_turn && !position.all_thrown() {
            return (self.unknown(moves), false);
        } else if !in_turn && left == 0 {
            vec![round.as_it_lies(game, thrown, &dice); moves.len()]
        } else if !in_turn {
            let stops = round.stops_open(game, rethrows - left, thrown, &dice);
            self.one_throw(&stops, self.own(), moves)
        } else {
            let rank = |roll: Roll| game.hands().rank(roll);
            let ranks: Vec<usize> = dice[..thrown].iter().map(|&roll| rank(roll)).collect();
            let limit = |left: u8| match thrown {
                0 if game.definition().first_sets_throws => rethrows + 1 - left,
                _ => position.throw_limit(game),
            };
            let stops = |left: u8| -> Vec<Seen> {
                let by_rank = round.stops_in_turn(game, limit(left), &ranks);
                game.space().all_rolls().map(|roll| by_rank[rank(roll)]).collect()
            };
            let keeps = left.checked_sub(1).map(|left| turn::solve(game, left, 0.0, stops));
            let keeps = keeps.and_then(|levels| levels.into_iter().next_back());
            let stop = position.dice().map(|roll| stops(left)[roll.index()]);
            let of = |&chosen: &ShowdownMove| match (kept(chosen), &keeps) {
                (Some(keep), Some(keeps)) => Some(keeps[keep.index()]),
                _ => stop,
            };
            moves.iter().filter_map(of).collect()
        };
        (seen.into_iter().map(of).collect(), true)
    }
}
