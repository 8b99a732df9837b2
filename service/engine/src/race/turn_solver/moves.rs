//! The value of each move of one position; only what its dice can still lead to is computed.

use super::{Holds, KEEPS, Model, Node, ROLLS, ROWS, RUN, Records, Row, Run, TurnSolver};
use crate::dice::Keep;
use crate::race::moves::RaceMove;
use crate::race::position::{RacePosition, RunningCount};
use crate::race::throws::Throws;
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

/// Values of throwing all dice once more with a running count: by figure row and count.
pub(super) type Counts<V> = [[V; RUN]; 5];

/// The counts with which one throw may be left.
pub(super) const COUNTS: std::ops::RangeInclusive<usize> = 6..=20;

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
        for score in position.score().iter().filter(|score| score.legal()) {
            let child = self.child(node, score.row, score.points);
            plan.records[score.row.index()] = match left {
                0 => self.model.value(&child),
                1 => self.once(&child),
                _ => self.twice(&child),
            };
        }
        if left == 0 {
            return plan;
        }
        let running = position.running_count();
        let aside = position.running_after(roll, Keep::EMPTY);
        let leaves = self.leaves(node, &self.slots_any());
        let holds = match left {
            1 => {
                let totals = running.map(|run| self.leaf_totals(node, run.row));
                let run = running.zip(totals.as_ref());
                if let Some(count) = aside {
                    let totals = self.leaf_totals(node, count.row);
                    let throws = self.tables.throws(self.later);
                    plan.throw_all =
                        self.mean_of_offers(throws, stop, &leaves, Some((count, &totals)));
                }
                self.last_holds(stop, &leaves, run)
            }
            _ => {
                let second = self.records(node, &self.slots_any(), |_, child| self.once(child));
                let counts = self.counts(node, stop, &leaves);
                if let Some(count) = aside {
                    let totals = self.totals(node, count.row, |child| self.once(child));
                    plan.throw_all =
                        self.counted_on(node, stop, &leaves, &second, &counts, (count, &totals));
                }
                self.first_holds(node, stop, &leaves, &second, &counts)
            }
        };
        if aside.is_none() {
            plan.throw_all = holds.all;
        }
        plan.hold = holds.hold;
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

    /// Values of holding dice for the last throw of a turn.
    pub(super) fn last_holds(
        &self,
        stop: M::Value,
        leaves: &Records<M::Value>,
        run: Run<'_, M::Value>,
    ) -> Holds<M::Value> {
        let after = self.by_roll(self.tables.throws(false), stop, leaves, run);
        let all = self.mean_of_offers(self.tables.throws(self.later), stop, leaves, None);
        self.holds(&after, all)
    }

    /// Values of a last throw of all dice with a running count; empty unless figures are summed.
    pub(super) fn counts(
        &self,
        node: &Node<M::State>,
        stop: M::Value,
        leaves: &Records<M::Value>,
    ) -> Option<Box<Counts<M::Value>>> {
        if !self.model.rules().sum_of_figures {
            return None;
        }
        let mut counts = Box::new([[M::Value::WORST; RUN]; 5]);
        for row in Row::FIGURES.into_iter().filter(|&row| node.is_open(row)) {
            let totals = self.leaf_totals(node, row);
            for points in COUNTS {
                let run = Some((RunningCount { row, points: points as u16 }, &totals));
                let throws = self.tables.throws(self.later);
                counts[row.index()][points] = self.mean_of_offers(throws, stop, leaves, run);
            }
        }
        Some(counts)
    }

    /// For every roll with one throw left, the best of all moves.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn with_one_left(
        &self,
        node: &Node<M::State>,
        throws: &Throws,
        stop: M::Value,
        second: &Records<M::Value>,
        last: &Holds<M::Value>,
        counts: Option<&Counts<M::Value>>,
        run: Run<'_, M::Value>,
    ) -> [M::Value; ROLLS] {
        let mut best = self.by_roll(throws, stop, second, run);
        for (roll, best) in best.iter_mut().enumerate() {
            let mut all = last.all;
            if let Some(counts) = counts
                && let Some(aside) = self.aside(node, run.map(|(count, _)| count), roll)
            {
                all = counts[aside.row.index()][usize::from(aside.points).min(RUN - 1)];
            }
            *best = best.best(last.best[roll]).best(all);
        }
        best
    }

    /// The count that a roll leaves when it is put aside.
    fn aside(
        &self,
        node: &Node<M::State>,
        running: Option<RunningCount>,
        roll: usize,
    ) -> Option<RunningCount> {
        let only = usize::from(self.tables.only[roll]);
        let counted = |row: Row, points: u16| RunningCount {
            row,
            points: points + u16::from(self.tables.count[row.index()][roll]),
        };
        let aside = match (running, only) {
            (_, 6) => None,
            (Some(run), 5) => Some(counted(run.row, run.points)),
            (None, 5) => None,
            (Some(run), only) if run.row.index() == only => Some(counted(run.row, run.points)),
            (_, only) => Some(counted(Row::FIGURES[only], 0)),
        };
        aside.filter(|count| node.is_open(count.row))
    }

    /// Values of holding dice after the first throw of a turn.
    fn first_holds(
        &self,
        node: &Node<M::State>,
        stop: M::Value,
        leaves: &Records<M::Value>,
        second: &Records<M::Value>,
        counts: &Option<Box<Counts<M::Value>>>,
    ) -> Holds<M::Value> {
        let last = self.last_holds(stop, leaves, None);
        let after = |de_mao: bool| {
            let throws = self.tables.throws(de_mao);
            self.with_one_left(node, throws, stop, second, &last, counts.as_deref(), None)
        };
        let all = self.mean(&after(self.later));
        self.holds(&after(false), all)
    }

    /// Throwing all dice with a count running and two throws left.
    pub(super) fn counted_on(
        &self,
        node: &Node<M::State>,
        stop: M::Value,
        leaves: &Records<M::Value>,
        second: &Records<M::Value>,
        counts: &Option<Box<Counts<M::Value>>>,
        (count, totals): (RunningCount, &[M::Value; RUN]),
    ) -> M::Value {
        let leaf = self.leaf_totals(node, count.row);
        let last = self.last_holds(stop, leaves, Some((count, &leaf)));
        let throws = self.tables.throws(self.later);
        let run = Some((count, totals));
        self.mean(&self.with_one_left(node, throws, stop, second, &last, counts.as_deref(), run))
    }

    /// `U(2)`: two throws, the first of all dice.
    pub(super) fn twice(&self, node: &Node<M::State>) -> M::Value {
        let stop = self.model.value(node);
        if node.ended() {
            return stop;
        }
        let leaves = self.leaves(node, &self.slots_any());
        let second = self.records(node, self.slots_later(), |_, child| self.once(child));
        self.twice_from(node, stop, &leaves, &second)
    }

    /// [`Turn::twice`] with the values of records known.
    pub(super) fn twice_from(
        &self,
        node: &Node<M::State>,
        stop: M::Value,
        leaves: &Records<M::Value>,
        second: &Records<M::Value>,
    ) -> M::Value {
        let last = self.last_holds(stop, leaves, None);
        let counts = self.counts(node, stop, leaves);
        let throws = self.tables.throws(self.later);
        self.mean(&self.with_one_left(node, throws, stop, second, &last, counts.as_deref(), None))
    }
}
