//! The value of each move of one position; only what its dice can still lead to is computed.

use arrayvec::ArrayVec;

use super::twice::{Begun, Counts, Last};
use super::{Holds, KEEPS, Model, Node, ROWS, RUN, Row, TurnSolver};
use crate::dice::Keep;
use crate::race::moves::RaceMove;
use crate::race::position::{RacePosition, RunningCount};
use crate::turn_solver::Value;

/// Values of all moves of a position. Moves that are not legal have no meaning here.
pub(in crate::race) struct PositionValues<V> {
    pub(super) stop: V,
    pub(super) records: [V; ROWS],
    pub(super) hold: [V; KEEPS],
    pub(super) throw_all: V,
}

impl<V: Value> PositionValues<V> {
    /// The value of a move.
    pub(in crate::race) fn value(&self, chosen: RaceMove) -> V {
        match chosen {
            RaceMove::Stop => self.stop,
            RaceMove::Record(row) => self.records[row.index()],
            RaceMove::Keep(Keep::EMPTY) => self.throw_all,
            RaceMove::Keep(keep) => self.hold[keep.index()],
        }
    }
}

/// The counts with which one throw may be left.
const COUNTS: std::ops::RangeInclusive<usize> = 6..=20;

impl<M: Model> TurnSolver<'_, M> {
    /// The values of the moves of `position`, whose boards are `node`.
    pub(in crate::race) fn plan(
        &self,
        node: &Node<M::State>,
        position: &RacePosition,
    ) -> PositionValues<M::Value> {
        let stop = self.model.value(node);
        let worst = M::Value::WORST;
        let mut plan =
            PositionValues { stop, records: [worst; ROWS], hold: [worst; KEEPS], throw_all: worst };
        let left = position.rolls_left();
        let Some(roll) = position.dice() else {
            plan.throw_all = match left {
                0 => stop,
                1 => self.once(node),
                2 => self.twice(node),
                _ => self.start(node).value,
            };
            return plan;
        };
        let scores = position.score();
        let legal: ArrayVec<_, ROWS> = scores.iter().filter(|score| score.legal()).collect();
        let children: ArrayVec<Node<M::State>, ROWS> =
            legal.iter().map(|score| self.child(node, score.row, score.points)).collect();
        if left < 2 {
            for (score, child) in legal.iter().zip(&children) {
                plan.records[score.row.index()] = match left {
                    0 => self.model.value(child),
                    _ => self.once(child),
                };
            }
        }
        if left == 0 {
            return plan;
        }
        let running = position.running_count();
        let aside = position.running_after(roll, Keep::EMPTY);
        let holds = match left {
            1 => {
                let leaves = self.leaves(node, &self.slots_any());
                let totals = running.map(|run| self.leaf_totals(node, run.row));
                let run = running.zip(totals.as_ref());
                let mut holds = self.tables.last_holds(self.later, stop, &leaves, run);
                if let Some(count) = aside {
                    let totals = self.leaf_totals(node, count.row);
                    let throws = self.tables.throws(self.later);
                    let run = (count, &totals);
                    holds.all = self.tables.mean_with_count(throws, stop, &leaves, run);
                }
                holds
            }
            _ => {
                let mut turns = vec![self.begin(node, &self.slots_any())];
                let going_on = || legal.iter().zip(&children).filter(|(_, child)| !child.ended());
                turns.extend(going_on().map(|(_, child)| self.begin(child, self.slots_later())));
                let (twice, last) = self.twice_each(&turns);
                for (score, child) in legal.iter().zip(&children).filter(|(_, child)| child.ended())
                {
                    plan.records[score.row.index()] = self.model.value(child);
                }
                for ((score, _), &value) in going_on().zip(&twice[1..]) {
                    plan.records[score.row.index()] = value;
                }
                let counts = self.counts(&turns[0], last.holds.all);
                let mut holds = self.first_holds(&turns[0], &last, counts.as_deref(), twice[0]);
                if let Some(count) = aside {
                    let totals = self.totals(node, count.row, |child| self.once(child));
                    holds.all = self.counted_on(&turns[0], counts.as_deref(), (count, &totals));
                }
                holds
            }
        };
        plan.hold = holds.hold;
        plan.throw_all = holds.all;
        plan
    }

    /// The value of recording each total of a count in `row` at the end of a turn.
    pub(super) fn leaf_totals(&self, node: &Node<M::State>, row: Row) -> [M::Value; RUN] {
        if node.is_open(row) {
            self.totals(node, row, |child| self.model.value(child))
        } else {
            [M::Value::WORST; RUN]
        }
    }

    /// Values of a last throw of all dice with a running count, and `all` where there is none; nothing
    /// unless figures are summed.
    pub(super) fn counts(&self, turn: &Begun<M>, all: M::Value) -> Option<Box<Counts<M::Value>>> {
        if !self.model.rules().sum_of_figures {
            return None;
        }
        let mut counts = Box::new([[all; RUN]; 5]);
        let throws = self.tables.throws(self.later);
        for row in Row::FIGURES.into_iter().filter(|&row| turn.node.is_open(row)) {
            let totals = self.leaf_totals(&turn.node, row);
            for points in COUNTS {
                let run = (RunningCount { row, points: points as u16 }, &totals);
                let value = self.tables.mean_with_count(throws, turn.stop, &turn.leaves, run);
                counts[row.index()][points] = value;
            }
        }
        Some(counts)
    }

    /// Values of holding dice after the first throw of a turn; throwing all of them is worth `all`.
    pub(super) fn first_holds(
        &self,
        turn: &Begun<M>,
        last: &Last<M::Value>,
        counts: Option<&Counts<M::Value>>,
        all: M::Value,
    ) -> Holds<M::Value> {
        let held = self.tables.throws(false);
        let after = self.tables.with_one_left(held, turn.stop, &turn.second, last, counts, None);
        Holds { hold: self.tables.holds(&after), all }
    }

    /// Throwing all dice with a count running and two throws left.
    pub(super) fn counted_on(
        &self,
        turn: &Begun<M>,
        counts: Option<&Counts<M::Value>>,
        (count, totals): (RunningCount, &[M::Value; RUN]),
    ) -> M::Value {
        let leaf = self.leaf_totals(&turn.node, count.row);
        let run = Some((count, &leaf));
        let last = Last::new(self.tables, self.later, turn.stop, &turn.leaves, run);
        let throws = self.tables.throws(self.later);
        let run = Some((count, totals));
        let after = self.tables.with_one_left(throws, turn.stop, &turn.second, &last, counts, run);
        self.tables.mean(&after)
    }
}
