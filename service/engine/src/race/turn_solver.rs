//! One turn, solved: expectation over every throw, best choice after every throw, with up to three
//! throws and three records. A [`Model`] values the boards at the end of the turn; everything
//! before that is exact arithmetic over the dice.
//!
//! The value of a turn with `t` throws left and no dice is `U(t)`: `U(0)` is the model's, and
//! `U(t)` averages over the rolls the best of stopping, of recording (then `U(t - 1)` of the boards
//! after it) and of holding dice. Values of holds are averaged one die at a time, and the best hold
//! of a roll is found by removing one die at a time. [`Depth::Quick`] replaces the value of throws
//! after a record by a gain measured once for each row, which is exact for models that only add
//! points, and close for others.
//! models that only add points and close for others.

use super::position::RunningCount;
use super::row::{CELLS, ROWS, Row};
use super::rules::{RaceRules, THROWS};
use super::throws::{KEEPS, ROLLS, SLOTS, Tables, Throws, slot_points, tables};
use crate::turn_solver::Value;

/// The boards during a turn, as the player to move changes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<A> {
    /// Filled cells in each row of the player to move.
    pub(super) counts: [u8; ROWS],
    /// Rows that accept records, as bits.
    pub(super) open: u8,
    /// How many of the seven rows are closed.
    pub(super) closed: u8,
    /// The model's own state of the boards.
    pub(super) state: A,
}

impl<A> Node<A> {
    pub(super) fn is_open(&self, row: Row) -> bool {
        self.open & (1 << row.index()) != 0
    }

    pub(super) fn ended(&self) -> bool {
        usize::from(self.closed) >= super::board::ROWS_TO_END
    }

    fn accepts(&self, row: Row, points: u16) -> bool {
        self.is_open(row) && points > 0 && points >= row.minimum(self.counts[row.index()].into())
    }

    /// Whether filling one more cell of `row` would end the game.
    fn would_end(&self, row: Row) -> bool {
        row != Row::Poker
            && usize::from(self.counts[row.index()]) + 1 == CELLS
            && usize::from(self.closed) + 1 == super::board::ROWS_TO_END
    }
}

/// The value of boards to the player who ends a turn with them.
pub(super) trait Model {
    /// The value that is maximised.
    type Value: Value;
    /// The model's own state of the boards.
    type State: Copy;

    /// The rules of the game.
    fn rules(&self) -> &RaceRules;
    /// The state for these boards of the player to move and of the others.
    fn root(&self) -> Node<Self::State>;
    /// Called when a cell of `row` has been filled: `node` has its counts already, not its points.
    fn fill(&self, node: &mut Node<Self::State>, row: Row);
    /// Called with the points of the cell filled.
    fn add(&self, node: &mut Node<Self::State>, row: Row, points: u16);
    /// The value of ending the turn, or the game, with these boards.
    fn value(&self, node: &Node<Self::State>) -> Self::Value;
}

/// How throws after a record are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// For every record by itself.
    Exact,
    /// Once for each row.
    Quick,
}

/// A value for each row and slot of points.
pub(super) type Records<V> = [[V; SLOTS]; ROWS];

/// Values of holding dice and throwing the rest, with a number of throws left.
pub(super) struct Holds<V> {
    /// Holding some dice, by keep; element 0 is unused.
    hold: [V; KEEPS],
    /// The best of them for each roll.
    best: [V; ROLLS],
    /// Throwing all dice, any running count lost.
    all: V,
}

/// A solver of turns for one model.
pub(super) struct TurnSolver<'m, M: Model> {
    model: &'m M,
    tables: &'static Tables,
    depth: Depth,
    /// Whether a full throw after the first of a turn is de mão.
    later: bool,
}

/// A running count within the solver, and the value of recording its total.
type Run<'v, V> = Option<(RunningCount, &'v [V; RUN])>;

/// Totals of a count, from 0 to 30.
const RUN: usize = 31;

impl<'m, M: Model> TurnSolver<'m, M> {
    pub(super) fn new(model: &'m M, depth: Depth) -> Self {
        let later = model.rules().is_de_mao(true, THROWS - 2);
        Self { model, tables: tables(), depth, later }
    }

    /// The boards after recording.
    pub(super) fn child(&self, node: &Node<M::State>, row: Row, points: u16) -> Node<M::State> {
        let mut child = self.filled(node, row);
        self.model.add(&mut child, row, points);
        child
    }

    fn filled(&self, node: &Node<M::State>, row: Row) -> Node<M::State> {
        let mut child = *node;
        let count = &mut child.counts[row.index()];
        *count += 1;
        if usize::from(*count) == CELLS {
            child.open &= !(1 << row.index());
            child.closed += u8::from(row != Row::Poker);
        }
        self.model.fill(&mut child, row);
        child
    }

    /// `value` of the boards after each record among the slots wanted.
    fn records(
        &self,
        node: &Node<M::State>,
        wanted: &[u8; ROWS],
        mut value: impl FnMut(Row, &Node<M::State>) -> M::Value,
    ) -> Records<M::Value> {
        let mut records = [[M::Value::WORST; SLOTS]; ROWS];
        for row in Row::ALL {
            if !node.is_open(row) || wanted[row.index()] == 0 {
                continue;
            }
            let filled = self.filled(node, row);
            for (slot, record) in records[row.index()].iter_mut().enumerate() {
                if wanted[row.index()] & (1 << slot) == 0 {
                    continue;
                }
                let points = slot_points(self.model.rules(), row, slot);
                if node.accepts(row, points) {
                    let mut child = filled;
                    self.model.add(&mut child, row, points);
                    *record = value(row, &child);
                }
            }
        }
        records
    }

    fn leaves(&self, node: &Node<M::State>, wanted: &[u8; ROWS]) -> Records<M::Value> {
        self.records(node, wanted, |_, child| self.model.value(child))
    }

    /// Slots of full throws after the first, of throws of fewer dice, and of both.
    fn slots_later(&self) -> &'static [u8; ROWS] {
        &self.tables.throws(self.later).slots
    }

    fn slots_any(&self) -> [u8; ROWS] {
        let held = &self.tables.throws(false).slots;
        let later = self.slots_later();
        std::array::from_fn(|row| held[row] | later[row])
    }

    /// The best of `stop` and the records of each offer, the row `without` left out.
    fn best_of_offers(
        throws: &Throws,
        stop: M::Value,
        records: &Records<M::Value>,
        without: Option<Row>,
    ) -> [M::Value; 64] {
        let mut best = [stop; 64];
        for (offer, best) in throws.offers.iter().zip(&mut best).skip(1) {
            for &(row, slot) in &offer.records {
                if without.is_none_or(|out| out as u8 != row) {
                    *best = best.best(records[usize::from(row)][usize::from(slot)]);
                }
            }
        }
        best
    }

    /// The best of stopping and recording for every roll.
    fn by_roll(
        &self,
        throws: &Throws,
        stop: M::Value,
        records: &Records<M::Value>,
        run: Run<'_, M::Value>,
    ) -> [M::Value; ROLLS] {
        let offers = Self::best_of_offers(throws, stop, records, run.map(|(count, _)| count.row));
        let mut best = [stop; ROLLS];
        for (best, &offer) in best.iter_mut().zip(&throws.of_roll) {
            *best = offers[usize::from(offer & 63)];
        }
        if let Some((RunningCount { row, points }, totals)) = run {
            for (best, &count) in best.iter_mut().zip(&self.tables.count[row.index()]) {
                *best = best.best(totals[(usize::from(points) + usize::from(count)).min(RUN - 1)]);
            }
        }
        best
    }

    /// The mean over a throw of all dice of the best of stopping and recording.
    fn mean_of_offers(
        &self,
        throws: &Throws,
        stop: M::Value,
        records: &Records<M::Value>,
        run: Run<'_, M::Value>,
    ) -> M::Value {
        let without = run.map(|(count, _)| count.row);
        let offers = Self::best_of_offers(throws, stop, records, without);
        let mut mean = M::Value::ZERO;
        if let Some((RunningCount { row, points }, totals)) = run {
            for &(offer, count, probability) in &throws.counted[row.index()] {
                let total = (usize::from(points) + usize::from(count)).min(RUN - 1);
                mean = mean
                    .plus(probability.into(), offers[usize::from(offer & 63)].best(totals[total]));
            }
        } else {
            for (offer, &best) in throws.offers.iter().zip(&offers) {
                mean = mean.plus(offer.probability.into(), best);
            }
        }
        mean
    }

    fn mean(&self, by_roll: &[M::Value; ROLLS]) -> M::Value {
        let weighted = by_roll.iter().zip(&self.tables.probability);
        weighted.fold(M::Value::ZERO, |mean, (&value, &p)| mean.plus(p.into(), value))
    }

    /// Values of holding dice when the roll that comes is worth `after`.
    fn holds(&self, after: &[M::Value; ROLLS], all: M::Value) -> Holds<M::Value> {
        let mut hold = [M::Value::ZERO; KEEPS + ROLLS];
        hold[KEEPS..].copy_from_slice(after);
        for keep in (1..KEEPS).rev() {
            let mut sum = M::Value::ZERO;
            for &more in &self.tables.add[keep] {
                sum = sum.plus(1.0 / 6.0, hold[usize::from(more)]);
            }
            hold[keep] = sum;
        }
        let mut best = [M::Value::WORST; KEEPS + ROLLS];
        best[1..7].copy_from_slice(&hold[1..7]);
        for keep in 7..KEEPS + ROLLS {
            let mut value = if keep < KEEPS { hold[keep] } else { M::Value::WORST };
            for &less in &self.tables.less[keep] {
                value = value.best(best[usize::from(less)]);
            }
            best[keep] = value;
        }
        Holds {
            hold: std::array::from_fn(|keep| hold[keep]),
            best: std::array::from_fn(|roll| best[KEEPS + roll]),
            all,
        }
    }

    /// The value of recording each total of a count in `row`.
    fn totals(
        &self,
        node: &Node<M::State>,
        row: Row,
        mut value: impl FnMut(&Node<M::State>) -> M::Value,
    ) -> [M::Value; RUN] {
        let filled = self.filled(node, row);
        std::array::from_fn(|points| {
            if node.accepts(row, points as u16) {
                let mut child = filled;
                self.model.add(&mut child, row, points as u16);
                value(&child)
            } else {
                M::Value::WORST
            }
        })
    }

    /// `U(1)`: one throw of all dice.
    fn once(&self, node: &Node<M::State>) -> M::Value {
        let stop = self.model.value(node);
        if node.ended() {
            return stop;
        }
        let leaves = self.leaves(node, self.slots_later());
        self.mean_of_offers(self.tables.throws(self.later), stop, &leaves, None)
    }
}

mod moves;
mod start;

pub(super) use moves::PositionValues;
pub(super) use start::TurnStart;

#[cfg(test)]
mod tests;
