//! The way forward: the nodes that a game may come to, each with its numbers of points and where its
//! records lead.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::card::{Card, Sure};
use super::points::PointSet;
use crate::category::Category;
use crate::dice::Roll;
use crate::objective::rated::Rated;
use crate::sheet::{CardState, Gain};
use crate::solved_sheet::SolvedSheet;

/// Where a record leads: to a node of the next layer, with so many points more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    pub(super) node: u32,
    pub(super) gain: i32,
}

/// Where the records of a node lead, for one kind of rolls.
#[derive(Debug)]
pub(super) struct Leads {
    /// `[class of roll]`, of the open categories.
    pub(super) classes: Vec<Lead>,
    /// Records of rolls that are not recorded like any other of their class.
    pub(super) special: Vec<(Roll, Lead)>,
}

/// Two cards, one to move.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) mover: Card,
    pub(super) other: Card,
    /// Numbers of points that a game may reach here: those of the mover, or by how many it is ahead.
    pub(super) reached: PointSet,
    /// Those for which the chances are not sure.
    pub(super) open: PointSet,
    /// For rolls after the first of a turn, and where they differ for the first.
    pub(super) leads: ArrayVec<Leads, 2>,
    /// The least of the points reached.
    first: i32,
    /// From there on: the chances with so many points, where they are reached.
    chances: Vec<Rated>,
}

impl Node {
    /// Sets the chances for these numbers of points, the first and the last reached among them.
    pub(super) fn set_all(&mut self, points: &[i32], chances: impl Fn(i32) -> Rated) {
        let (Some(&first), Some(last)) = (points.first(), points.last()) else { return };
        self.first = first;
        self.chances = vec![Rated::default(); (last - first) as usize + 1];
        for &points in points {
            self.set(points, chances(points));
        }
    }

    /// Sets the chances for a number of points that is reached.
    pub(super) fn set(&mut self, points: i32, chances: Rated) {
        self.chances[(points - self.first) as usize] = chances;
    }

    fn at(&self, points: i32) -> Rated {
        self.chances[(points - self.first) as usize]
    }
}

/// The nodes that are so many records away.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) nodes: Range<usize>,
    /// Whether the cards have changed places since the layer before: the other one is to move.
    pub(super) turned: bool,
}

impl Layer {
    /// The chances of who moved before and gained so much, with that many points before it.
    #[inline(always)]
    pub(super) fn after(&self, node: &Node, points: i32, gain: i32) -> Rated {
        let points = points + gain;
        let at = if self.turned { node.at(-points).of_the_other() } else { node.at(points) };
        at.plus_points(gain)
    }
}

/// The nodes found so far.
pub(super) struct Graph<'a> {
    pub(super) solved: &'a SolvedSheet<'a>,
    pub(super) nodes: Vec<Node>,
    /// The least number of points at any node.
    pub(super) least: i32,
    pub(super) sure: Sure,
}

impl Graph<'_> {
    /// The layer after a turn beside `other`, without nodes yet.
    pub(super) fn layer_after(&self, other: &Card) -> Layer {
        let turned = !other.is_complete(self.solved.sheet());
        Layer { nodes: self.nodes.len()..self.nodes.len(), turned }
    }

    /// The node of `layer` after a turn that led to a card in `state`.
    pub(super) fn node(&mut self, layer: &mut Layer, state: CardState, other: Card) -> usize {
        let card = Card::new(self.solved, state);
        let (mover, other) = if layer.turned { (other, card) } else { (card, other) };
        let same = |node: &Node| node.mover.state == mover.state && node.other.state == other.state;
        if let Some(known) = self.nodes[layer.nodes.clone()].iter().position(same) {
            return layer.nodes.start + known;
        }
        self.nodes.push(Node {
            mover,
            other,
            reached: PointSet::new(self.least),
            open: PointSet::new(self.least),
            leads: ArrayVec::new(),
            first: 0,
            chances: Vec::new(),
        });
        layer.nodes.end = self.nodes.len();
        self.nodes.len() - 1
    }

    /// The layer after `layer`, whose points are known; `None` if its cards are complete.
    pub(super) fn follow(&mut self, layer: &Layer) -> Option<Layer> {
        let sheet = self.solved.sheet();
        if layer.turned {
            for node in &mut self.nodes[layer.nodes.clone()] {
                node.reached = node.reached.turned();
            }
        }
        let first = self.nodes[layer.nodes.clone()].first()?;
        if first.mover.is_complete(sheet) {
            return None;
        }
        let mut next = self.layer_after(&first.other);
        for index in layer.nodes.clone() {
            let sure = self.sure;
            let node = &mut self.nodes[index];
            let (mover, other) = (node.mover, node.other);
            let reached: Vec<i32> = node.reached.iter().collect();
            node.set_all(&reached, |points| {
                sure.chances(&mover, &other, points).unwrap_or_default()
            });
            node.open =
                node.reached.filter(|points| sure.chances(&mover, &other, points).is_none());
            if node.open.is_empty() {
                continue;
            }
            let open = node.open.clone();
            let kinds: &[bool] = if sheet.has_served() { &[false, true] } else { &[false] };
            for &served in kinds {
                let leads = self.leads(&mut next, (mover, other), &open, served);
                self.nodes[index].leads.push(leads);
            }
        }
        Some(next)
    }

    /// Where the records of a node lead, with its `points` noted there.
    fn leads(
        &mut self,
        next: &mut Layer,
        (mover, other): (Card, Card),
        points: &PointSet,
        served: bool,
    ) -> Leads {
        let (sheet, state) = (self.solved.sheet(), mover.state);
        let mut lead = |category: Category, gain: Gain, known: Option<u32>| {
            let node = known.unwrap_or_else(|| {
                let after = sheet.after(state, category, gain.points);
                self.node(next, after, other) as u32
            });
            self.nodes[node as usize].reached.add_raised(points, gain.total());
            Lead { node, gain: gain.total() }
        };
        let classes = sheet.classes(served);
        let mut leads =
            Leads { classes: vec![Lead::default(); classes.len()], special: Vec::new() };
        for category in sheet.categories().without(state.filled).iter() {
            let by_points = sheet.leads_by_points().contains(category);
            let mut known = None;
            for class in classes.of(category) {
                let gain = sheet.gain_of_points(state, category, classes.points(class));
                leads.classes[class] = lead(category, gain, known.filter(|_| !by_points));
                known = Some(leads.classes[class].node);
            }
        }
        for &roll in sheet.special_rolls() {
            for category in sheet.legal(state, roll).iter() {
                let gain = sheet.gain(state, roll, category, served);
                leads.special.push((roll, lead(category, gain, None)));
            }
        }
        leads
    }
}
