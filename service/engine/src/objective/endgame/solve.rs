//! The way back: the turns of all nodes, from the last layer to the first.

use arrayvec::ArrayVec;
use pulp::{Simd, WithSimd};

use super::graph::{Layer, Lead, Node};
use crate::dice::Roll;
use crate::objective::rated::{Lanes, RatedLanes};
use crate::sheet::Sheet;
use crate::solve::kernel;

/// The most lanes of a vector of doubles.
const MOST_LANES: usize = 8;

/// The turns of all nodes of `layers`; those of the layer after the last one are known.
pub(super) struct Solve<'a, const NUMBERS: usize> {
    pub(super) sheet: &'a Sheet,
    pub(super) nodes: &'a mut [Node],
    pub(super) layers: &'a [Layer],
}

/// A node with a number of points for which its chances are not sure.
#[derive(Clone, Copy, Debug)]
struct Case {
    node: usize,
    points: i32,
}

impl<const NUMBERS: usize> WithSimd for Solve<'_, NUMBERS> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sheet, nodes, layers } = self;
        let mut turn = Turn::<S, NUMBERS>::new(RatedLanes(simd), sheet);
        let mut turned = false;
        for layer in layers.iter().rev() {
            let (nodes, done) = nodes.split_at_mut(layer.nodes.end);
            let next = Layer { nodes: layer.nodes.end..layer.nodes.end + done.len(), turned };
            // Nodes with the same rows open have the same turn, and share vectors.
            let kind = |node: usize| {
                let state = nodes[node].mover.state;
                (state.filled, state.alike_scored)
            };
            let mut order: Vec<_> = layer.nodes.clone().map(|node| (kind(node), node)).collect();
            order.sort_unstable();
            for alike in order.chunk_by(|a, b| a.0 == b.0) {
                let cases = alike.iter().flat_map(|&(_, node)| {
                    nodes[node].open.iter().map(move |points| Case { node, points })
                });
                let cases: Vec<Case> = cases.collect();
                turn.solve(nodes, &cases, &next, done);
            }
            turned = layer.turned;
        }
    }
}

/// The memory of a turn, used again for every vector.
struct Turn<'a, S: Simd, const NUMBERS: usize> {
    with: RatedLanes<S, NUMBERS>,
    sheet: &'a Sheet,
    /// A row for each keep and roll.
    rows: Vec<Lanes<S, NUMBERS>>,
    /// What recording each roll is worth on the first roll of a turn, where that differs.
    served_rows: Vec<Lanes<S, NUMBERS>>,
    /// `[class of roll]`: chances after recording.
    values: Vec<Lanes<S, NUMBERS>>,
    special: Vec<(Roll, Lanes<S, NUMBERS>)>,
}

impl<'a, S: Simd, const NUMBERS: usize> Turn<'a, S, NUMBERS> {
    fn new(with: RatedLanes<S, NUMBERS>, sheet: &'a Sheet) -> Self {
        let (lattice, zero) = (sheet.lattice(), kernel::Arithmetic::splat(with, 0.0));
        let classes = sheet.classes(false).len().max(sheet.classes(true).len());
        Self {
            with,
            sheet,
            rows: vec![zero; lattice.keeps + lattice.rolls],
            served_rows: vec![zero; if sheet.has_served() { lattice.rolls } else { 0 }],
            values: vec![zero; classes],
            special: Vec::new(),
        }
    }

    /// Solves the turns of `cases`, at nodes with the same rows open.
    #[inline(always)]
    fn solve(&mut self, nodes: &mut [Node], cases: &[Case], next: &Layer, done: &[Node]) {
        for cases in cases.chunks(S::F64_LANES) {
            let found = self.turn(nodes, cases, next, done);
            for (lane, case) in cases.iter().enumerate() {
                nodes[case.node].set(case.points, self.with.lane(&found, lane));
            }
        }
    }

    #[inline(always)]
    fn turn(
        &mut self,
        nodes: &[Node],
        cases: &[Case],
        next: &Layer,
        done: &[Node],
    ) -> Lanes<S, NUMBERS> {
        let (with, lattice, throws) = (self.with, self.sheet.lattice(), self.sheet.rolls());
        // Beyond the last case, lanes repeat it.
        let case = |lane: usize| cases[lane.min(cases.len() - 1)];
        let lanes: ArrayVec<(&Node, i32), MOST_LANES> =
            (0..S::F64_LANES).map(|lane| (&nodes[case(lane).node], case(lane).points)).collect();
        let open = self.sheet.categories().without(lanes[0].0.mover.state.filled);
        for (kind, served) in (0..lanes[0].0.leads.len()).zip([false, true]) {
            let classes = self.sheet.classes(served);
            let after = |lane: usize, lead: Lead| {
                let to = &done[lead.node as usize - next.nodes.start];
                next.after(to, lanes[lane].1, lead.gain)
            };
            let leads = |lane: usize| &lanes[lane].0.leads[kind];
            // No closure does arithmetic: it would not be compiled for the vectors of the processor.
            for category in open.iter() {
                for class in classes.of(category) {
                    self.values[class] =
                        with.gather(|lane| after(lane, leads(lane).classes[class]));
                }
            }
            self.special.clear();
            for (at, &(roll, _)) in leads(0).special.iter().enumerate() {
                let value = with.gather(|lane| after(lane, leads(lane).special[at].1));
                self.special.push((roll, value));
            }
            let rolls =
                if served { &mut self.served_rows[..] } else { &mut self.rows[lattice.keeps..] };
            with.record_rolls(classes, open, &self.values, &self.special, rolls);
        }
        if !self.served_rows.is_empty() && throws == 1 {
            self.rows[lattice.keeps..].copy_from_slice(&self.served_rows);
        }
        let served = Some(&self.served_rows[..]).filter(|rows| !rows.is_empty());
        kernel::turn(with, lattice, throws, &mut self.rows, served)
    }
}
