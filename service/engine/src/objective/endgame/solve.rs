//! The way back: the turns of all nodes, from the last layer to the first.

use pulp::{Simd, WithSimd};

use super::{Layer, Lead, Node};
use crate::dice::Roll;
use crate::objective::turn_chances::{Lanes, RatedLanes};
use crate::sheet::Sheet;
use crate::solve::kernel;

/// The turns of all nodes of `layers`; those of the layer after the last one are known.
pub(super) struct Solve<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) nodes: &'a mut [Node],
    pub(super) layers: &'a [Layer],
}

impl WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sheet, nodes, layers } = self;
        let mut turn = Turn::new(RatedLanes(simd), sheet);
        let mut turned = false;
        for layer in layers.iter().rev() {
            let (nodes, done) = nodes.split_at_mut(layer.nodes.end);
            let next = Layer { nodes: layer.nodes.end..layer.nodes.end + done.len(), turned };
            for node in &mut nodes[layer.nodes.clone()] {
                turn.solve(node, &next, done);
            }
            turned = layer.turned;
        }
    }
}

/// The memory of a turn, used again for every vector.
struct Turn<'a, S: Simd> {
    with: RatedLanes<S>,
    sheet: &'a Sheet,
    /// A row for each keep and roll.
    rows: Vec<Lanes<S>>,
    /// What recording each roll is worth on the first roll of a turn, where that differs.
    served_rows: Vec<Lanes<S>>,
    /// `[class of roll]`: chances after recording.
    values: Vec<Lanes<S>>,
    special: Vec<(Roll, Lanes<S>)>,
}

impl<'a, S: Simd> Turn<'a, S> {
    fn new(with: RatedLanes<S>, sheet: &'a Sheet) -> Self {
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

    /// Solves the turns of `node` for all points for which its chances are not sure.
    #[inline(always)]
    fn solve(&mut self, node: &mut Node, next: &Layer, done: &[Node]) {
        let points: Vec<i32> = node.open.iter().collect();
        for points in points.chunks(S::F64_LANES) {
            let found = self.turn(node, points, next, done);
            for (lane, points) in points.iter().enumerate() {
                node.chances[(points - node.first) as usize] = self.with.lane(&found, lane);
            }
        }
    }

    #[inline(always)]
    fn turn(&mut self, node: &Node, points: &[i32], next: &Layer, done: &[Node]) -> Lanes<S> {
        let (lattice, throws) = (self.sheet.lattice(), self.sheet.rolls());
        let open = self.sheet.categories().without(node.mover.state.filled);
        for (leads, served) in node.leads.iter().zip([false, true]) {
            let classes = self.sheet.classes(served);
            let with = self.with;
            // No closure does arithmetic: it would not be compiled for the vectors of the processor.
            for category in open.iter() {
                for class in classes.of(category) {
                    self.values[class] = look_up(with, leads.classes[class], points, next, done);
                }
            }
            self.special.clear();
            for &(roll, lead) in &leads.special {
                self.special.push((roll, look_up(with, lead, points, next, done)));
            }
            let rolls =
                if served { &mut self.served_rows[..] } else { &mut self.rows[lattice.keeps..] };
            with.record_rolls(classes, open, &self.values, &self.special, rolls);
        }
        if !self.served_rows.is_empty() && throws == 1 {
            self.rows[lattice.keeps..].copy_from_slice(&self.served_rows);
        }
        let served = Some(&self.served_rows[..]).filter(|rows| !rows.is_empty());
        kernel::turn(self.with, lattice, throws, &mut self.rows, served)
    }
}

/// What a record is worth with each of these numbers of points.
#[inline(always)]
fn look_up<S: Simd>(
    with: RatedLanes<S>,
    lead: Lead,
    points: &[i32],
    next: &Layer,
    done: &[Node],
) -> Lanes<S> {
    let to = &done[lead.node as usize - next.nodes.start];
    with.gather(|lane| next.at(to, points[lane.min(points.len() - 1)] + lead.gain))
}
