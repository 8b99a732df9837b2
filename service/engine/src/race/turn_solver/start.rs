//! A whole turn from its start: the value before the first throw, and everything needed to play
//! the turn until something is recorded.

use super::{Depth, Holds, Model, Node, ROWS, Records, Row, THROWS, TurnSolver};
use crate::dice::Keep;
use crate::race::moves::RaceMove;
use crate::race::position::RunningCount;
use crate::race::throws::slot_points;
use crate::turn_solver::Value;

/// A turn solved from its start.
pub(in crate::race) struct TurnStart<V> {
    /// `U(3)`, the value before the first throw.
    pub(in crate::race) value: V,
    stop: V,
    /// Records with 0, 1 and 2 throws left after them.
    records: [Records<V>; 3],
    last: Holds<V>,
    first: Holds<V>,
}

impl<V: Value> TurnStart<V> {
    /// The value of a move after a throw of this turn, nothing recorded and no count running.
    /// `slot` returns the slot of the points that recording the roll in a row would write.
    pub(in crate::race) fn value_of(
        &self,
        left: u8,
        chosen: RaceMove,
        slot: impl Fn(Row) -> Option<usize>,
    ) -> V {
        let holds = if left == 2 { &self.first } else { &self.last };
        match chosen {
            RaceMove::Stop => self.stop,
            RaceMove::Record(row) => slot(row)
                .map_or(V::WORST, |slot| self.records[usize::from(left)][row.index()][slot]),
            RaceMove::Keep(Keep::EMPTY) => holds.all,
            RaceMove::Keep(keep) => holds.hold[keep.index()],
        }
    }
}

/// The gain of one more throw over ending the turn: for the boards as they are, after a record in
/// each row, and after two in the same row.
struct Gains<V> {
    none: V,
    one: [V; ROWS],
    two: [V; ROWS],
}

impl<M: Model> TurnSolver<'_, M> {
    /// Solves a turn from its start.
    pub(in crate::race) fn start(&self, node: &Node<M::State>) -> TurnStart<M::Value> {
        let stop = self.model.value(node);
        let first_slots = &self.tables.throws(self.model.rules().is_de_mao(true, THROWS - 1)).slots;
        let any = self.slots_any();
        let wanted = std::array::from_fn(|row| any[row] | first_slots[row]);
        let leaves = self.leaves(node, &wanted);
        let (second, third) = match self.depth {
            Depth::Exact => (
                self.records(node, &any, |_, child| self.once(child)),
                self.records(node, first_slots, |_, child| self.twice(child)),
            ),
            Depth::Quick => self.by_gains(node, stop, &leaves),
        };
        let last = self.last_holds(stop, &leaves, None);
        let counts = self.counts(node, stop, &leaves);
        let after = |de_mao: bool| {
            let throws = self.tables.throws(de_mao);
            self.with_one_left(node, throws, stop, &second, &last, counts.as_deref(), None)
        };
        let all = self.mean(&after(self.later));
        let first = self.holds(&after(false), all);
        let throws = self.tables.throws(self.model.rules().is_de_mao(true, THROWS - 1));
        let mut best = self.by_roll(throws, stop, &third, None);
        for (roll, best) in best.iter_mut().enumerate() {
            *best = best.best(first.best[roll]);
            let only = usize::from(self.tables.only[roll]);
            let mut value = all;
            if counts.is_some() && only < 5 && node.is_open(Row::FIGURES[only]) {
                let row = Row::FIGURES[only];
                let points = u16::from(self.tables.count[only][roll]);
                let mut totals = self.leaf_totals(node, row);
                let gain = match self.depth {
                    Depth::Exact => {
                        totals = self.totals(node, row, |child| self.once(child));
                        M::Value::ZERO
                    }
                    Depth::Quick => self.gain_of(&leaves, &second, row),
                };
                totals = totals.map(|value| value.plus(1.0, gain));
                let count = RunningCount { row, points };
                value = self.counted_on(node, stop, &leaves, &second, &counts, (count, &totals));
            }
            *best = best.best(value);
        }
        let value = if node.ended() { stop } else { self.mean(&best) };
        TurnStart { value, stop, records: [leaves, second, third], last, first }
    }

    /// The gain of recording in `row` with one throw left over ending the turn with it.
    fn gain_of(
        &self,
        leaves: &Records<M::Value>,
        second: &Records<M::Value>,
        row: Row,
    ) -> M::Value {
        second[row.index()][3].plus(-1.0, leaves[row.index()][3])
    }

    /// Values of records with one and two throws left, by gains measured once for each row.
    fn by_gains(
        &self,
        node: &Node<M::State>,
        stop: M::Value,
        leaves: &Records<M::Value>,
    ) -> (Records<M::Value>, Records<M::Value>) {
        let zero = M::Value::ZERO;
        let later = self.tables.throws(self.later);
        let none = self.mean_of_offers(later, stop, leaves, None).plus(-1.0, stop);
        let mut gains = Gains { none, one: [zero; ROWS], two: [zero; ROWS] };
        let rows: Vec<Row> = Row::ALL.into_iter().filter(|&row| node.is_open(row)).collect();
        // The boards after a typical record in each row, their value and that of their records.
        let mut typical = Vec::with_capacity(rows.len());
        for &row in &rows {
            let child = self.child(node, row, self.typical(row));
            let value = self.model.value(&child);
            let leaves = self.common_leaves(&child);
            if !child.ended() {
                let throw = self.mean_of_offers(later, value, &leaves, None);
                gains.one[row.index()] = throw.plus(-1.0, value);
                if child.is_open(row) && !child.would_end(row) {
                    let child = self.child(&child, row, self.typical(row));
                    let value = self.model.value(&child);
                    let throw =
                        self.mean_of_offers(later, value, &self.common_leaves(&child), None);
                    gains.two[row.index()] = throw.plus(-1.0, value);
                }
            }
            typical.push((row, child, value, leaves));
        }
        let second = shifted(leaves, |row| gains.one[row]);
        let mut after = [zero; ROWS];
        for (row, child, value, leaves) in &typical {
            if child.ended() {
                continue;
            }
            let again = shifted(leaves, |other| {
                if child.would_end(Row::ALL[other]) {
                    zero
                } else if other == row.index() {
                    gains.two[other]
                } else {
                    gains.one[other].plus(1.0, gains.one[row.index()]).plus(-1.0, gains.none)
                }
            });
            after[row.index()] = self.twice_from(child, *value, leaves, &again).plus(-1.0, *value);
        }
        (second, shifted(leaves, |row| after[row]))
    }

    /// Values of ending the turn after each record; five alike of more than 20 points are so rare
    /// that here they count as 20.
    fn common_leaves(&self, node: &Node<M::State>) -> Records<M::Value> {
        const TWENTY: usize = 4;
        let mut wanted = self.slots_any();
        for row in Row::FIGURES {
            wanted[row.index()] = 0b1_1111;
        }
        let mut leaves = self.leaves(node, &wanted);
        for row in Row::FIGURES {
            let leaves = &mut leaves[row.index()];
            let twenty = leaves[TWENTY];
            leaves[TWENTY + 1..].fill(twenty);
        }
        leaves
    }

    /// Usual points of a record in `row`.
    fn typical(&self, row: Row) -> u16 {
        let slot = match row {
            Row::Sequences => 1,
            Row::Fullens => usize::from(self.later),
            Row::Poker => 0,
            _ => 2,
        };
        slot_points(self.model.rules(), row, slot)
    }
}

/// `records` with the gain of each row added.
fn shifted<V: Value>(records: &Records<V>, gain: impl Fn(usize) -> V) -> Records<V> {
    std::array::from_fn(|row| records[row].map(|value| value.plus(1.0, gain(row))))
}
