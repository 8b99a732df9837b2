//! One turn, solved: expectation over every throw, best choice after every throw, with up to three
//! throws and three records. A [`Model`] values the boards at the end of the turn; everything
//! before that is exact arithmetic over the dice.
//!
//! The value of a turn with `t` throws left and no dice is `U(t)`: `U(0)` is the model's, and
//! `U(t)` averages over the rolls the best of stopping, of recording (then `U(t - 1)` of the boards
//! after it) and of holding dice. Values of holds are averaged one die at a time, and the best hold
//! of a roll is found by removing one die at a time, for several turns at a time. [`Depth::Quick`] replaces the value of throws
//! after a record by a gain measured once for each row, which is exact for models that only add
//! points, and close for others.

use arrayvec::ArrayVec;

use super::position::RunningCount;
use super::row::{CELLS, ROWS, Row};
use super::rules::{RaceRules, THROWS};
use super::throws::{KEEPS, SLOTS, Tables, slot_points, tables};
use crate::solve::Isa;
use crate::turn_solver::Value;
use lattice::{Once, mean_of_offers};

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
    type Value: Laned;
    /// The model's own state of the boards.
    type State: Copy;

    /// The rules of the game.
    fn rules(&self) -> &RaceRules;
    /// The state for these boards of the player to move and of the others.
    fn root(&self) -> Node<Self::State>;
    /// Called when a cell of `row` has been filled: `node` has its counts already, not its points.
    fn fill(&self, node: &mut Node<Self::State>, row: Row);
    /// Called with the points of a cell filled, perhaps after other cells have been filled.
    fn add(&self, node: &mut Node<Self::State>, row: Row, points: u16);
    /// The value of ending the turn, or the game, with these boards.
    fn value(&self, node: &Node<Self::State>) -> Self::Value;

    /// The values of boards that are `filled` and differ in the points of a cell in each of `rows`.
    fn values(
        &self,
        filled: &Node<Self::State>,
        rows: &[Row],
        points: &[[u16; 2]],
        values: &mut [Self::Value],
    ) {
        self.values_one_by_one(filled, rows, points, values);
    }

    /// [`Model::values`] by [`Model::value`].
    fn values_one_by_one(
        &self,
        filled: &Node<Self::State>,
        rows: &[Row],
        points: &[[u16; 2]],
        values: &mut [Self::Value],
    ) {
        for (points, value) in points.iter().zip(values) {
            let mut node = *filled;
            rows.iter().zip(points).for_each(|(&row, &points)| self.add(&mut node, row, points));
            *value = self.value(&node);
        }
    }
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
    /// Throwing all dice, any running count lost.
    all: V,
}

/// The values of a model for several turns.
type Lanes<M> = <<M as Model>::Value as Laned>::Lanes;

/// A solver of turns for one model.
pub(super) struct TurnSolver<'m, M: Model> {
    model: &'m M,
    tables: &'static Tables,
    depth: Depth,
    isa: Isa,
    /// Whether a full throw after the first of a turn is de mão.
    later: bool,
}

/// A running count, and the value of recording each total of it.
type Run<'v, V> = Option<(RunningCount, &'v [V; RUN])>;

/// Totals of a count, from 0 to 30.
const RUN: usize = 31;

impl<'m, M: Model> TurnSolver<'m, M> {
    pub(super) fn new(model: &'m M, depth: Depth) -> Self {
        let later = model.rules().is_de_mao(true, THROWS - 2);
        Self { model, tables: tables(), depth, isa: Isa::best(), later }
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

    /// The slots of `row` among the `wanted` ones whose points `node` accepts, with these points.
    fn accepted(
        &self,
        node: &Node<M::State>,
        row: Row,
        wanted: u8,
    ) -> ArrayVec<(usize, u16), SLOTS> {
        let rules = self.model.rules();
        let slots = (0..SLOTS).filter(|slot| wanted & (1 << slot) != 0);
        slots
            .map(|slot| (slot, slot_points(rules, row, slot)))
            .filter(|&(_, points)| node.accepts(row, points))
            .collect()
    }

    /// The values of the boards after each record among the slots wanted.
    fn leaves(&self, node: &Node<M::State>, wanted: &[u8; ROWS]) -> Records<M::Value> {
        let mut leaves = [[M::Value::WORST; SLOTS]; ROWS];
        for row in Row::ALL {
            let slots = self.accepted(node, row, wanted[row.index()]);
            if slots.is_empty() {
                continue;
            }
            let points: ArrayVec<[u16; 2], SLOTS> = slots.iter().map(|slot| [slot.1, 0]).collect();
            let mut values = [M::Value::WORST; SLOTS];
            self.model.values(
                &self.filled(node, row),
                &[row],
                &points,
                &mut values[..points.len()],
            );
            for (&(slot, _), value) in slots.iter().zip(values) {
                leaves[row.index()][slot] = value;
            }
        }
        leaves
    }

    /// The values of one more throw of all dice after each record among the slots wanted, given
    /// those of no throw more. Boards are the same whichever of two records comes first.
    fn once_after_records(
        &self,
        node: &Node<M::State>,
        wanted: &[u8; ROWS],
        leaves: &Records<M::Value>,
    ) -> Records<M::Value> {
        let later = self.tables.throws(self.later);
        let is_later = |row: Row, slot: usize| later.slots[row.index()] & (1 << slot) != 0;
        let firsts: ArrayVec<_, ROWS> = Row::ALL
            .into_iter()
            .map(|row| (row, self.accepted(node, row, wanted[row.index()])))
            .filter(|(_, slots)| !slots.is_empty())
            .map(|(row, slots)| (row, slots, self.filled(node, row)))
            .collect();
        // For each first row the records of the second one, a lane for each slot of the first.
        let mut after = [[[Lanes::<M>::WORST; SLOTS]; ROWS]; ROWS];
        for (place, (row, slots, filled)) in firsts.iter().enumerate() {
            for (next, next_slots, next_filled) in &firsts[place..] {
                let in_order = !filled.ended();
                let reversed = !next_filled.ended() && row != next;
                let again;
                let next_slots = if row == next {
                    again = self.accepted(filled, *row, later.slots[row.index()]);
                    &again
                } else {
                    next_slots
                };
                let pairs: ArrayVec<_, { SLOTS * SLOTS }> = slots
                    .iter()
                    .flat_map(|slot| next_slots.iter().map(move |next_slot| (slot, next_slot)))
                    .filter(|&(slot, next_slot)| {
                        (in_order && is_later(*next, next_slot.0))
                            || (reversed && is_later(*row, slot.0))
                    })
                    .collect();
                if pairs.is_empty() {
                    continue;
                }
                let both = match in_order {
                    true => self.filled(filled, *next),
                    false => self.filled(next_filled, *row),
                };
                let points: ArrayVec<[u16; 2], { SLOTS * SLOTS }> =
                    pairs.iter().map(|(slot, next_slot)| [slot.1, next_slot.1]).collect();
                let mut values = [M::Value::WORST; SLOTS * SLOTS];
                self.model.values(&both, &[*row, *next], &points, &mut values[..points.len()]);
                for (&(&(slot, _), &(next_slot, _)), value) in pairs.iter().zip(values) {
                    if in_order {
                        value.set_lane(&mut after[row.index()][next.index()][next_slot], slot);
                    }
                    if reversed {
                        value.set_lane(&mut after[next.index()][row.index()][slot], next_slot);
                    }
                }
            }
        }
        let mut once = [[M::Value::WORST; SLOTS]; ROWS];
        for (row, slots, filled) in firsts {
            let leaves = &leaves[row.index()];
            let once = &mut once[row.index()];
            if filled.ended() {
                *once = *leaves;
                continue;
            }
            let stop = M::Value::lanes(*leaves);
            let records = &after[row.index()];
            let found = self.isa.run(Once { throws: later, stop, records });
            slots.iter().for_each(|&(slot, _)| once[slot] = M::Value::lane(&found, slot));
        }
        once
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
        mean_of_offers(self.tables.throws(self.later), stop, &leaves)
    }
}

mod lanes;
mod lattice;
mod moves;
mod start;
mod twice;

pub(super) use lanes::{LANES, Laned};
pub(super) use moves::PositionValues;
pub(super) use start::TurnStart;

#[cfg(test)]
mod tests;
