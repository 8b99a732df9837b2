//! A whole turn from its start: the value before the first throw, and everything needed to play
//! the turn until something is recorded.

use super::lattice::mean_of_offers;
use super::twice::{Begun, Last};
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

/// A turn with one throw less than at its start.
struct Rerolls<M: Model> {
    turn: Begun<M>,
    /// Records with two throws left after them.
    third: Records<M::Value>,
    /// The value of throwing all dice.
    all: M::Value,
    last: Last<M::Value>,
}

impl<M: Model> TurnSolver<'_, M> {
    /// Solves a turn from its start.
    pub(in crate::race) fn start(&self, node: &Node<M::State>) -> TurnStart<M::Value> {
        let throws = self.tables.throws(self.model.rules().is_de_mao(true, THROWS - 1));
        let any = self.slots_any();
        let stop = self.model.value(node);
        let wanted = std::array::from_fn(|row| any[row] | throws.slots[row]);
        let leaves = self.leaves(node, &wanted);
        let Rerolls { turn, third, all, last } = match self.depth {
            Depth::Exact => {
                let second = self.once_after_records(node, &any, &leaves);
                let third = self.records(node, &throws.slots, |_, child| self.twice(child));
                let turn = [Begun { node: *node, stop, leaves, second }];
                let (twice, last) = self.twice_each(&turn);
                let [turn] = turn;
                Rerolls { turn, third, all: twice[0], last }
            }
            Depth::Quick => self.by_gains(node, stop, leaves),
        };
        let counts = self.counts(&turn, last.holds.all);
        let first = self.first_holds(&turn, &last, counts.as_deref(), all);
        let mut best = self.tables.by_roll(throws, stop, &third, None);
        let holds = self.tables.best_holds(&first.hold);
        for (roll, best) in best.iter_mut().enumerate() {
            *best = best.best(holds[roll]);
            let only = usize::from(self.tables.only[roll]);
            let mut value = all;
            if counts.is_some() && only < 5 && node.is_open(Row::FIGURES[only]) {
                let row = Row::FIGURES[only];
                let points = u16::from(self.tables.count[only][roll]);
                let totals = match self.depth {
                    Depth::Exact => self.totals(node, row, |child| self.once(child)),
                    Depth::Quick => {
                        let gain = self.gain_of(&turn, row);
                        self.leaf_totals(node, row).map(|value| value.plus(1.0, gain))
                    }
                };
                let count = RunningCount { row, points };
                value = self.counted_on(&turn, counts.as_deref(), (count, &totals));
            }
            *best = best.best(value);
        }
        let value = if node.ended() { stop } else { self.tables.mean(&best) };
        let Begun { leaves, second, .. } = turn;
        TurnStart { value, stop, records: [leaves, second, third], last: last.holds, first }
    }

    /// The gain of recording in `row` with one throw left over ending the turn with it.
    fn gain_of(&self, turn: &Begun<M>, row: Row) -> M::Value {
        turn.second[row.index()][3].plus(-1.0, turn.leaves[row.index()][3])
    }

    /// The turn by gains measured once for each row.
    fn by_gains(
        &self,
        node: &Node<M::State>,
        stop: M::Value,
        leaves: Records<M::Value>,
    ) -> Rerolls<M> {
        let zero = M::Value::ZERO;
        let later = self.tables.throws(self.later);
        let gain = |stop: M::Value, leaves: &Records<M::Value>| {
            mean_of_offers(later, stop, leaves).plus(-1.0, stop)
        };
        let none = gain(stop, &leaves);
        let (mut one, mut two) = ([zero; ROWS], [zero; ROWS]);
        // The boards after a typical record in each row, their value and that of their records.
        let mut typical = Vec::with_capacity(ROWS);
        for row in Row::ALL.into_iter().filter(|&row| node.is_open(row)) {
            let child = self.child(node, row, self.typical(row));
            if child.ended() {
                continue;
            }
            let value = self.model.value(&child);
            let leaves = self.common_leaves(&child);
            one[row.index()] = gain(value, &leaves);
            if child.is_open(row) && !child.would_end(row) {
                let child = self.child(&child, row, self.typical(row));
                two[row.index()] = gain(self.model.value(&child), &self.common_leaves(&child));
            }
            typical.push((row, child, value, leaves));
        }
        let second = shifted(&leaves, |row| one[row]);
        let mut turns = Vec::with_capacity(1 + typical.len());
        turns.push(Begun { node: *node, stop, leaves, second });
        let rows: Vec<Row> = typical.iter().map(|typical| typical.0).collect();
        turns.extend(typical.into_iter().map(|(row, node, stop, leaves)| {
            let second = shifted(&leaves, |other| {
                if node.would_end(Row::ALL[other]) {
                    zero
                } else if other == row.index() {
                    two[other]
                } else {
                    one[other].plus(1.0, one[row.index()]).plus(-1.0, none)
                }
            });
            Begun { node, stop, leaves, second }
        }));
        let (values, last) = self.twice_each(&turns);
        let mut after = [zero; ROWS];
        for (row, (turn, value)) in rows.into_iter().zip(turns.iter().zip(&values).skip(1)) {
            after[row.index()] = value.plus(-1.0, turn.stop);
        }
        let third = shifted(&turns[0].leaves, |row| after[row]);
        Rerolls { turn: turns.swap_remove(0), third, all: values[0], last }
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
