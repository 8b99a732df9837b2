//! Turns with two throws left, the first of all dice, several of them at a time.

use pulp::{Simd, WithSimd};

use super::lattice::mean_of_offers;
use super::{
    Holds, LANES, Laned, Lanes, Model, Node, ROWS, RUN, Records, Row, Run, SLOTS, TurnSolver,
};
use crate::race::position::RunningCount;
use crate::race::throws::{ROLLS, Tables, Throws};
use crate::turn_solver::Value;

/// A turn with two throws left and the values of its records.
pub(super) struct Begun<M: Model> {
    pub(super) node: Node<M::State>,
    pub(super) stop: M::Value,
    /// Records with no throw left after them.
    pub(super) leaves: Records<M::Value>,
    /// Records with one throw left after them.
    pub(super) second: Records<M::Value>,
}

/// Values of throwing all dice once more with a running count: by figure row and count.
pub(super) type Counts<V> = [[V; RUN]; 5];

/// The last throw of a turn.
pub(super) struct Last<V> {
    pub(super) holds: Holds<V>,
    /// The best of holding some dice of each roll.
    pub(super) best: [V; ROLLS],
}

/// Several turns to solve, a lane for each, by the vectors of this processor.
struct Twice<'a, L> {
    tables: &'static Tables,
    later: bool,
    stop: L,
    leaves: &'a Records<L>,
    second: &'a Records<L>,
    counts: Option<&'a Counts<L>>,
}

impl<L: Value> WithSimd for Twice<'_, L> {
    type Output = (L, Last<L>);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (L, Last<L>) {
        let throws = self.tables.throws(self.later);
        let last = Last::new(self.tables, self.later, self.stop, self.leaves, None);
        let after =
            self.tables.with_one_left(throws, self.stop, self.second, &last, self.counts, None);
        (self.tables.mean(&after), last)
    }
}

impl<V: Value> Last<V> {
    #[inline(always)]
    pub(super) fn new(
        tables: &Tables,
        later: bool,
        stop: V,
        leaves: &Records<V>,
        run: Run<'_, V>,
    ) -> Self {
        let holds = tables.last_holds(later, stop, leaves, run);
        Self { best: tables.best_holds(&holds.hold), holds }
    }
}

impl Tables {
    /// Values of holding dice for the last throw of a turn.
    #[inline(always)]
    pub(super) fn last_holds<V: Value>(
        &self,
        later: bool,
        stop: V,
        leaves: &Records<V>,
        run: Run<'_, V>,
    ) -> Holds<V> {
        let hold = self.holds(&self.by_roll(self.throws(false), stop, leaves, run));
        Holds { hold, all: mean_of_offers(self.throws(later), stop, leaves) }
    }

    /// For every roll with one throw left, the best of all moves.
    #[inline(always)]
    pub(super) fn with_one_left<V: Value>(
        &self,
        throws: &Throws,
        stop: V,
        second: &Records<V>,
        last: &Last<V>,
        counts: Option<&Counts<V>>,
        run: Run<'_, V>,
    ) -> [V; ROLLS] {
        let mut best = self.by_roll(throws, stop, second, run);
        for (roll, best) in best.iter_mut().enumerate() {
            let aside = counts.and_then(|counts| {
                let aside = self.aside(run.map(|(count, _)| count), roll)?;
                Some(counts[aside.row.index()][usize::from(aside.points).min(RUN - 1)])
            });
            *best = best.best(last.best[roll]).best(aside.unwrap_or(last.holds.all));
        }
        best
    }

    /// The count that a roll leaves when it is put aside.
    fn aside(&self, running: Option<RunningCount>, roll: usize) -> Option<RunningCount> {
        let only = usize::from(self.only[roll]);
        let counted = |row: Row, points: u16| RunningCount {
            row,
            points: points + u16::from(self.count[row.index()][roll]),
        };
        match (running, only) {
            (_, 6) => None,
            (Some(run), 5) => Some(counted(run.row, run.points)),
            (None, 5) => None,
            (Some(run), only) if run.row.index() == only => Some(counted(run.row, run.points)),
            (_, only) => Some(counted(Row::FIGURES[only], 0)),
        }
    }
}

impl<M: Model> TurnSolver<'_, M> {
    /// The turn of `node`, with the values of records in the slots `second` for one throw more.
    pub(super) fn begin(&self, node: &Node<M::State>, second: &[u8; ROWS]) -> Begun<M> {
        let leaves = self.leaves(node, &self.slots_any());
        let second = self.once_after_records(node, second, &leaves);
        Begun { node: *node, stop: self.model.value(node), leaves, second }
    }

    /// `U(2)`: two throws, the first of all dice.
    pub(super) fn twice(&self, node: &Node<M::State>) -> M::Value {
        if node.ended() {
            return self.model.value(node);
        }
        self.twice_each(&[self.begin(node, self.slots_later())]).0[0]
    }

    /// `U(2)` of several turns, and the last throw of the first of them.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn twice_each(&self, turns: &[Begun<M>]) -> (Vec<M::Value>, Last<M::Value>) {
        let mut values = Vec::with_capacity(turns.len());
        let mut first = None;
        for turns in turns.chunks(LANES) {
            let stop = M::Value::lanes(turns.iter().map(|turn| turn.stop));
            let leaves = lanes_of::<M>(turns, |turn| &turn.leaves);
            let second = lanes_of::<M>(turns, |turn| &turn.second);
            let counts = self.counts_each(turns, stop, &leaves);
            let (found, last) = self.isa.run(Twice {
                tables: self.tables,
                later: self.later,
                stop,
                leaves: &leaves,
                second: &second,
                counts: counts.as_deref(),
            });
            values.extend((0..turns.len()).map(|lane| M::Value::lane(&found, lane)));
            first.get_or_insert_with(|| Last {
                holds: Holds {
                    hold: std::array::from_fn(|keep| M::Value::lane(&last.holds.hold[keep], 0)),
                    all: M::Value::lane(&last.holds.all, 0),
                },
                best: std::array::from_fn(|roll| M::Value::lane(&last.best[roll], 0)),
            });
        }
        (values, first.expect("a turn"))
    }

    /// [`TurnSolver::counts`] of several turns.
    fn counts_each(
        &self,
        turns: &[Begun<M>],
        stop: Lanes<M>,
        leaves: &Records<Lanes<M>>,
    ) -> Option<Box<Counts<Lanes<M>>>> {
        if !self.model.rules().sum_of_figures {
            return None;
        }
        let all = mean_of_offers(self.tables.throws(self.later), stop, leaves);
        let mut lanes = Box::new([[all; RUN]; 5]);
        for (lane, turn) in turns.iter().enumerate() {
            let counts = self.counts(turn, M::Value::lane(&all, lane))?;
            for (lanes, counts) in lanes.iter_mut().flatten().zip(counts.iter().flatten()) {
                counts.set_lane(lanes, lane);
            }
        }
        Some(lanes)
    }
}

/// The same records of several turns.
fn lanes_of<M: Model>(
    turns: &[Begun<M>],
    records: impl Fn(&Begun<M>) -> &Records<M::Value>,
) -> Records<Lanes<M>> {
    let mut lanes = [[Lanes::<M>::WORST; SLOTS]; ROWS];
    for (lane, turn) in turns.iter().enumerate() {
        for (lanes, values) in lanes.iter_mut().flatten().zip(records(turn).iter().flatten()) {
            values.set_lane(lanes, lane);
        }
    }
    lanes
}
