//! What each move is worth in the round, by the tables of one round.

use super::{Table, Worth, kept};
use crate::dice::Roll;
use crate::showdown::contest::Ahead;
use crate::showdown::in_turn::{Chance, InTurn, Turn};
use crate::showdown::moves::ShowdownMove;
use crate::showdown::open::{Open, compare, flip};
use crate::showdown::open_table::last_lap;
use crate::showdown::simultaneous::Simultaneous;
use crate::showdown::stakes::{StakesRound, mirrored};
use crate::showdown::turn::{self, Row};

impl Table<'_> {
    /// The choices of a player who chooses at once with the other one.
    pub(super) fn at_once(
        &self,
        round: &Simultaneous,
        first: bool,
        moves: &[ShowdownMove],
        ahead: Option<Ahead>,
    ) -> Vec<Worth> {
        let own = self.own();
        let left = self.position.rolls_left();
        let choices = round.choices(self.game, own, self.other(), left, first);
        let whole = self.game.space().as_keep(own);
        let worth = |&chosen: &ShowdownMove| {
            let keep = kept(chosen).unwrap_or(whole);
            let choice = choices.iter().find(|choice| choice.keep == keep);
            let choice = choice.expect("every legal move is a choice");
            let mut worth = self.in_match(vec![choice.chance], ahead)[0];
            worth.3 = Some(choice.probability);
            worth
        };
        moves.iter().map(worth).collect()
    }

    pub(super) fn in_turn(&self, round: &InTurn, moves: &[ShowdownMove]) -> Vec<Chance> {
        let position = self.position;
        let limit = position.throw_limit(self.game);
        let turn = Turn { place: self.place(), limit, to_beat: self.to_beat() };
        let keeps =
            position.rolls_left().checked_sub(1).map(|left| round.keeps(self.game, turn, left));
        moves
            .iter()
            .map(|&chosen| match (kept(chosen), &keeps) {
                (Some(keep), Some(keeps)) => keeps[keep.index()],
                _ => {
                    let rank = self.game.hands().rank(self.own());
                    round.stop(self.game, turn, limit - position.rolls_left(), rank)
                }
            })
            .collect()
    }

    pub(super) fn open(&self, round: &Open, moves: &[ShowdownMove]) -> Vec<Chance> {
        let position = self.position;
        if !position.all_thrown() {
            let order = position.turn_order();
            let first = order.first().and_then(|&first| position.seats()[first].dice);
            let chance = first.map_or(round.start(), |roll| flip(round.opening(roll)));
            return vec![chance; moves.len()];
        }
        let (own, other) = (self.own(), self.other());
        let rethrows = self.game.definition().rethrows;
        let left = position.rolls_left();
        let throw = 2 * usize::from(rethrows - left) + self.place();
        let stops = if left == 0 { None } else { round.left_at(throw, other) };
        let rank = |roll| self.game.hands().rank(roll);
        let tie = if self.place() == 0 { round.tie() } else { 1.0 - round.tie() };
        let compared: Vec<Chance>;
        let stops = match stops {
            Some(stops) => stops,
            None => {
                let rolls = self.game.space().all_rolls();
                compared = rolls.map(|roll| compare(rank(roll), rank(other), tie)).collect();
                &compared
            }
        };
        self.one_throw(stops, own, moves)
    }

    /// The moves of a player whose throw ends at one of these `stops`.
    pub(super) fn one_throw<const N: usize>(
        &self,
        stops: &[Row<N>],
        own: Roll,
        moves: &[ShowdownMove],
    ) -> Vec<Row<N>> {
        let keeps = match moves {
            [_] => Vec::new(),
            _ => turn::expect(self.game.space(), stops),
        };
        let of = |&chosen: &ShowdownMove| match kept(chosen) {
            Some(keep) => keeps[keep.index()],
            None => stops[own.index()],
        };
        moves.iter().map(of).collect()
    }

    /// Among three or more players who see all throws, before the last lap.
    pub(super) fn before_last_lap(&self, moves: &[ShowdownMove]) -> Vec<Chance> {
        let (place, left) = (self.place(), self.position.rolls_left());
        let players = self.position.turn_order().into_iter().enumerate();
        // Those before this player have thrown in this lap.
        let other = |(at, player): (usize, usize)| {
            let roll = self.position.seats()[player].dice?;
            (at != place).then_some((roll, if at < place { left - 1 } else { left }))
        };
        let others: Vec<(Roll, u8)> = players.filter_map(other).collect();
        let stops = self.values.replies().estimate(self.game, &others, left - 1);
        self.one_throw(&stops, self.own(), moves)
    }

    /// Among three or more players who see all throws, in the last lap.
    pub(super) fn last_lap(&self, moves: &[ShowdownMove]) -> Vec<Chance> {
        let position = self.position;
        let order = position.turn_order();
        let roll = |&player: &usize| position.seats()[player].dice;
        let rolls: Vec<Roll> = order.iter().skip(self.place()).filter_map(roll).collect();
        let stops = if position.rolls_left() == 1 {
            last_lap(self.game, &rolls, self.to_beat(), self.active)
        } else {
            let ranks: Vec<usize> =
                order.iter().filter_map(roll).map(|roll| self.game.hands().rank(roll)).collect();
            let best = ranks.iter().copied().max().unwrap_or_default();
            let holders = ranks.iter().filter(|&&rank| rank == best).count();
            let own = |roll: Roll| match self.game.hands().rank(roll) == best {
                true if holders == 1 => [1.0, 1.0, 0.0],
                true => [1.0 / holders as f64, 0.0, 1.0],
                false => [0.0; 3],
            };
            self.game.space().all_rolls().map(own).collect()
        };
        self.one_throw(&stops, self.own(), moves)
    }

    pub(super) fn payout(&self, levels: &[Vec<Row<1>>], moves: &[ShowdownMove]) -> Vec<Worth> {
        let definition = self.game.definition();
        let left = usize::from(self.position.rolls_left());
        let cost = match self.position.dice() {
            Some(_) => f64::from(definition.rethrow_cost),
            None => 0.0,
        };
        moves
            .iter()
            .map(|&chosen| {
                let value = match kept(chosen) {
                    Some(keep) => levels[left - 1][keep.index()][0] - cost,
                    None => {
                        let hand = self.game.hands().hand(self.own());
                        f64::from(definition.hands[hand].pays)
                    }
                };
                (value, None, None, None)
            })
            .collect()
    }

    pub(super) fn stakes(&self, stakes: &StakesRound, moves: &[ShowdownMove]) -> Vec<Worth> {
        let position = self.position;
        let worth = |[value, win, draw]: Chance| (value, Some([value, win, draw]), None, None);
        let stake = f64::from(position.stakes().stake);
        let first = position.seats()[position.first()].dice;
        if !position.all_thrown() {
            let chance = first.map_or(stakes.start(), |roll| mirrored(stakes.opening(roll)));
            return vec![worth(chance); moves.len()];
        }
        if !position.is_betting(self.game) {
            let chances = self.open(stakes.open(), moves);
            return chances
                .into_iter()
                .map(|[value, win, draw]| worth([stake * (2.0 * value - 1.0), win, draw]))
                .collect();
        }
        let is_first = self.place() == 0;
        let (own, other) = (self.own(), self.other());
        let (first, second) = if is_first { (own, other) } else { (other, own) };
        let bets = stakes.bets(self.game, first, second);
        moves.iter().map(|&chosen| worth(bets.after(position.stakes(), is_first, chosen))).collect()
    }
}
