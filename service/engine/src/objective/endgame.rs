//! The end of a game, worked out to its last throw: the chances of a card by the points on it, or of
//! two cards that play to win by the points between them.
//!
//! A node is a pair of cards, one to move, with every number of points that a game may reach there.
//! Nodes stand in layers by the rows still open on both cards. Going forward finds the nodes and
//! their points; going back solves a turn for each, for a vector of numbers of points at a time. The
//! plain recursion that says the same is in `plain.rs`, for tests.

mod card;
mod graph;
#[cfg(test)]
pub(super) mod plain;
mod points;
mod solve;
#[cfg(test)]
mod tests;

pub(super) use self::card::canonical;
use self::card::{Card, Sure};
use self::graph::{Graph, Layer, Node};
use self::solve::Solve;
use super::chances::Chances;
use super::final_score::Measure;
use super::rated::{AGAINST, ALONE, Rated};
use crate::category::Category;
use crate::sheet::{CardState, Gain, Sheet};
use crate::solve::Isa;
use crate::solved_sheet::SolvedSheet;

/// What the end of a game is worth, by points.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// By those of the one card that is not complete.
    Measure(Measure),
    /// By how many the player to move is ahead of the other one.
    Ahead,
}

impl End {
    fn chances(&self, points: i32) -> Chances {
        match self {
            Self::Measure(measure) => measure.of_total(points),
            Self::Ahead => match points.cmp(&0) {
                std::cmp::Ordering::Greater => Chances { win: 1.0, draw: 0.0 },
                std::cmp::Ordering::Equal => Chances { win: 0.0, draw: 1.0 },
                std::cmp::Ordering::Less => Chances { win: 0.0, draw: 0.0 },
            },
        }
    }
}

/// What a turn may end with.
pub(super) type Record = (Category, Gain);

/// The chances of all cards that a turn may lead to.
#[derive(Debug)]
pub(super) struct Endgame {
    nodes: Vec<Node>,
    /// Those after the turn.
    after: Layer,
    /// Their numbers, by the card that the player moving has then.
    cards: Vec<(CardState, usize)>,
    points: i32,
}

impl Endgame {
    /// The chances after each of `records` of a card in `state`, the player to move having so many points
    /// or being so many ahead. `other` is the card that moves next; a complete one if there is none.
    pub(super) fn new(
        solved: &SolvedSheet<'_>,
        (state, other): (CardState, CardState),
        points: i32,
        end: &End,
        records: impl IntoIterator<Item = Record>,
    ) -> Self {
        let sheet = solved.sheet();
        let [mover, other] = [state, other].map(|state| Card::new(solved, state));
        let least = match end {
            End::Measure(_) => points,
            End::Ahead => -(points.abs() + mover.most.max(other.most)),
        };
        let sure = Sure::of(end, points, mover.most);
        let mut graph = Graph { solved, nodes: Vec::new(), least, sure };
        let mut after = graph.layer_after(&other);
        let mut cards: Vec<(CardState, usize)> = Vec::new();
        for (category, gain) in records {
            let state = sheet.after(state, category, gain.points);
            let known = cards.iter().find(|card| card.0 == state).map(|card| card.1);
            let node = known.unwrap_or_else(|| {
                let node = graph.node(&mut after, state, other);
                cards.push((state, node));
                node
            });
            graph.nodes[node].reached.insert(points + gain.total());
        }
        let mut layers = Vec::new();
        let mut last = after.clone();
        while let Some(next) = graph.follow(&last) {
            layers.push(std::mem::replace(&mut last, next));
        }
        let mut nodes = graph.nodes;
        for node in &mut nodes[last.nodes] {
            let reached: Vec<i32> = node.reached.iter().collect();
            node.set_all(&reached, |points| {
                let chances = end.chances(points);
                Rated::new(chances, 0.0).against(0.0, chances)
            });
        }
        match end {
            End::Measure(_) => {
                Isa::best().run(Solve::<ALONE> { sheet, nodes: &mut nodes, layers: &layers });
            }
            End::Ahead => {
                Isa::best().run(Solve::<AGAINST> { sheet, nodes: &mut nodes, layers: &layers });
            }
        }
        Self { nodes, after, cards, points }
    }

    /// The chances after one of these records of the card in `state`.
    pub(super) fn after(&self, sheet: &Sheet, state: CardState, (category, gain): Record) -> Rated {
        let after = sheet.after(state, category, gain.points);
        let card = self.cards.iter().find(|card| card.0 == after);
        card.map_or(Rated::default(), |&(_, node)| {
            self.after.after(&self.nodes[node], self.points, gain.total())
        })
    }
}
