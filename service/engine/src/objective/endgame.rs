//! The end of a game, worked out to its last throw: the chances of a card by the points on it, or of
//! two cards that play to win by the points between them.
//!
//! A node is a pair of cards, one to move, with every number of points that a game may reach there.
//! Nodes stand in layers by the rows still open on both cards. Going forward finds the nodes and
//! their points; going back solves a turn for each, for a vector of numbers of points at a time. The
//! plain recursion that says the same is in `plain.rs`, for tests.

#[cfg(test)]
pub(super) mod plain;
mod points;
mod solve;

use std::ops::Range;

use arrayvec::ArrayVec;

use self::points::PointSet;
use self::solve::Solve;
use super::chances::Chances;
use super::final_score::Measure;
use super::turn_chances::Rated;
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::sheet::{CardState, Gain, Sheet};
use crate::solve::Isa;

/// Chances closer to 0 or 1 than this are held sure, and nothing is worked out for them.
const SURE: f64 = 1e-12;

/// What the end of a game is worth, by points.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// By those of the one card that is not complete.
    Measure(Measure),
    /// By how many the player to move is ahead of the other one.
    Ahead,
}

impl End {
    fn of(&self, points: i32) -> Rated {
        match self {
            Self::Measure(measure) => measure.of_total(points).into(),
            Self::Ahead => match points.cmp(&0) {
                std::cmp::Ordering::Greater => Rated { value: 1.0, draw: 0.0 },
                std::cmp::Ordering::Equal => Rated { value: 0.5, draw: 1.0 },
                std::cmp::Ordering::Less => Rated { value: 0.0, draw: 0.0 },
            },
        }
    }
}

/// A card and the most points that it may still gain.
#[derive(Clone, Copy, Debug)]
struct Card {
    state: CardState,
    most: i32,
}

/// The most points that `rows` pay.
fn most_points(sheet: &Sheet, rows: CategorySet) -> i32 {
    let highest = |category| sheet.possible_points(category).last().copied().unwrap_or(0);
    rows.iter().map(|category| i32::from(highest(category))).sum()
}

/// A state that is worth the same as `state`, one for all such: what is in the upper section counts only
/// while a bonus may still come of it.
pub(super) fn canonical(sheet: &Sheet, mut state: CardState) -> CardState {
    let open = sheet.categories().without(state.filled);
    let most = most_points(sheet, open.and(sheet.upper()));
    let bonus = |upper: i32| sheet.upper_bonus(upper);
    let upper = i32::from(state.upper);
    if bonus(upper) == bonus(sheet.upper_cap().into()) {
        state.upper = sheet.upper_cap();
    } else if bonus(upper + most) == bonus(upper) && bonus(most) == bonus(0) {
        state.upper = 0;
    }
    state
}

impl Card {
    /// A card in `state` or in one that is worth the same.
    fn new(sheet: &Sheet, state: CardState) -> Self {
        let open = sheet.categories().without(state.filled);
        let bonus = i32::from(sheet.upper_bonus(sheet.upper_cap().into()));
        let upper = if open.and(sheet.upper()).is_empty() { 0 } else { bonus };
        let alike = open.len() as i32 * i32::from(sheet.definition().five_alike_bonus);
        Self { state: canonical(sheet, state), most: most_points(sheet, open) + upper + alike }
    }

    fn is_complete(&self, sheet: &Sheet) -> bool {
        self.state.filled == sheet.categories()
    }
}

/// Where a record leads: to a node of the next layer, with so many points more.
#[derive(Clone, Copy, Debug, Default)]
struct Lead {
    node: u32,
    gain: i32,
}

/// Where the records of a node lead, for one kind of rolls.
#[derive(Debug)]
struct Leads {
    /// `[class of roll]`, of the open categories.
    classes: Vec<Lead>,
    /// Records of rolls that are not recorded like any other of their class.
    special: Vec<(Roll, Lead)>,
}

/// Two cards, one to move.
#[derive(Debug)]
struct Node {
    mover: Card,
    other: Card,
    /// Numbers of points that a game may reach here: those of the mover, or by how many it is ahead.
    reached: PointSet,
    /// Those for which the chances are not sure.
    open: PointSet,
    /// For rolls after the first of a turn, and where they differ for the first.
    leads: ArrayVec<Leads, 2>,
    /// The least of the points reached.
    first: i32,
    /// From there on: the chances with so many points, where they are reached.
    chances: Vec<Rated>,
}

impl Node {
    fn at(&self, points: i32) -> Rated {
        self.chances[(points - self.first) as usize]
    }
}

/// The nodes that are so many records away.
#[derive(Clone, Debug)]
struct Layer {
    nodes: Range<usize>,
    /// Whether the cards have changed places since the layer before: the other one is to move.
    turned: bool,
}

impl Layer {
    /// The chances of who moved before.
    fn at(&self, node: &Node, points: i32) -> Rated {
        if self.turned { node.at(-points).of_the_other() } else { node.at(points) }
    }
}

/// The chances of all cards that a turn may lead to.
#[derive(Debug)]
pub(super) struct Endgame {
    nodes: Vec<Node>,
    /// Those after the turn.
    after: Layer,
    points: i32,
}

/// What a turn may end with.
pub(super) type Record = (Category, Gain);

impl Endgame {
    /// The chances after each of `records` of a card in `state`, the player to move having so many points
    /// or being so many ahead. `other` is the card that moves next; a complete one if there is none.
    pub(super) fn new(
        sheet: &Sheet,
        (state, other): (CardState, CardState),
        points: i32,
        end: &End,
        records: impl IntoIterator<Item = Record>,
    ) -> Self {
        let [mover, other] = [state, other].map(|state| Card::new(sheet, state));
        let least = match end {
            End::Measure(_) => points,
            End::Ahead => -(points.abs() + mover.most.max(other.most)),
        };
        let mut graph =
            Graph { sheet, nodes: Vec::new(), least, sure: Sure::of(end, points, mover.most) };
        let mut after = graph.layer_after(&other);
        for (category, gain) in records {
            let state = sheet.after(mover.state, category, gain.points);
            let node = graph.node(&mut after, Card::new(sheet, state), other);
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
            node.set(&reached, |points| end.of(points));
        }
        Isa::best().run(Solve { sheet, nodes: &mut nodes, layers: &layers });
        Self { nodes, after, points }
    }

    /// The chances after one of these records of the card in `state`.
    pub(super) fn after(
        &self,
        sheet: &Sheet,
        state: CardState,
        (category, gain): Record,
    ) -> Chances {
        let after = Card::new(sheet, sheet.after(state, category, gain.points)).state;
        let card = |node: &&Node| if self.after.turned { node.other } else { node.mover };
        let nodes = self.nodes[self.after.nodes.clone()].iter();
        let node = nodes.clone().find(|node| card(node).state == after);
        let points = self.points + gain.total();
        node.map_or(Chances::default(), |node| self.after.at(node, points).into())
    }
}

impl Node {
    /// Sets the chances for these numbers of points, the first and the last reached among them.
    fn set(&mut self, points: &[i32], chances: impl Fn(i32) -> Rated) {
        let (Some(&first), Some(last)) = (points.first(), points.last()) else { return };
        self.first = first;
        self.chances = vec![Rated::default(); (last - first) as usize + 1];
        for &points in points {
            self.chances[(points - first) as usize] = chances(points);
        }
    }
}

/// Between which numbers of points the end of a game is in doubt.
#[derive(Clone, Copy, Debug)]
struct Sure {
    /// The least that win for certain.
    won_from: i32,
    /// The most that lose for certain.
    lost_to: i32,
}

impl Sure {
    /// For a card that has so many `points` and may gain so many more.
    fn of(end: &End, points: i32, most: i32) -> Self {
        if let End::Ahead = end {
            return Self { won_from: 1, lost_to: -1 };
        }
        // Chances never fall as points rise.
        let first = |holds: &dyn Fn(f64) -> bool| {
            let (mut low, mut high) = (points, points + most + 1);
            while low < high {
                let middle = low + (high - low) / 2;
                if holds(end.of(middle).value) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            low
        };
        Self {
            won_from: first(&|value| value >= 1.0 - SURE),
            lost_to: first(&|value| value > SURE) - 1,
        }
    }

    /// The chances with so many points at a node, if they are sure.
    fn chances(self, mover: &Card, other: &Card, points: i32) -> Option<Rated> {
        if points - other.most >= self.won_from {
            return Some(Rated { value: 1.0, draw: 0.0 });
        }
        (points + mover.most <= self.lost_to).then_some(Rated { value: 0.0, draw: 0.0 })
    }
}

/// The nodes found so far.
struct Graph<'a> {
    sheet: &'a Sheet,
    nodes: Vec<Node>,
    /// The least number of points at any node.
    least: i32,
    sure: Sure,
}

impl Graph<'_> {
    /// The layer after a turn beside `other`, without nodes yet.
    fn layer_after(&self, other: &Card) -> Layer {
        let turned = !other.is_complete(self.sheet);
        Layer { nodes: self.nodes.len()..self.nodes.len(), turned }
    }

    /// The node of `layer` after a turn that led to `card`.
    fn node(&mut self, layer: &mut Layer, card: Card, other: Card) -> usize {
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
    fn follow(&mut self, layer: &Layer) -> Option<Layer> {
        if layer.turned {
            for node in &mut self.nodes[layer.nodes.clone()] {
                node.reached = node.reached.turned();
            }
        }
        let first = self.nodes[layer.nodes.clone()].first()?;
        if first.mover.is_complete(self.sheet) {
            return None;
        }
        let mut next = self.layer_after(&first.other);
        for index in layer.nodes.clone() {
            let sure = self.sure;
            let node = &mut self.nodes[index];
            let (mover, other) = (node.mover, node.other);
            let reached: Vec<i32> = node.reached.iter().collect();
            node.set(&reached, |points| sure.chances(&mover, &other, points).unwrap_or_default());
            node.open =
                node.reached.filter(|points| sure.chances(&mover, &other, points).is_none());
            if node.open.is_empty() {
                continue;
            }
            let open = node.open.clone();
            let kinds: &[bool] = if self.sheet.has_served() { &[false, true] } else { &[false] };
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
        let (sheet, state) = (self.sheet, mover.state);
        let mut lead = |category: Category, gain: Gain, known: Option<u32>| {
            let node = known.unwrap_or_else(|| {
                let after = Card::new(sheet, sheet.after(state, category, gain.points));
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

#[cfg(test)]
mod tests {
    use super::plain::{Duel, Solo, of_the_other};
    use super::*;
    use crate::objective::{Forecast, Objective};
    use crate::opponent::Skill;
    use crate::position::Position;
    use crate::ruleset::Ruleset;
    use crate::scorecard::Scorecard;
    use crate::solve::Solution;
    use crate::solved_sheet::{SolvedSheet, turn_of};

    /// Every move of positions near the end, against the plain recursions: sheets with bonuses, jokers,
    /// points that are paid on the first roll only and a flag for all dice alike.
    #[test]
    fn chances_are_those_of_plain_recursion() {
        for id in ["dice-poker-15", "yahtzee", "yahtzee-free-joker", "generala", "kniffel"] {
            let rulesets = Ruleset::built_in();
            let ruleset = rulesets.into_iter().find(|ruleset| ruleset.id == id).expect("built in");
            let sheet = Sheet::new(ruleset.definition).expect("sound");
            let values = Solution::solve(&sheet, 1).expect("within the budget");
            let solved = SolvedSheet::new(&sheet, &values);
            let forecast = Forecast::rough(&solved);
            let rows = sheet.categories().len();
            for seed in 0..2 {
                let mut position = Position::start(&sheet, 2);
                for turn in 0..2 * rows as u64 {
                    position = solved.play_turn(&Skill::PERFECT, &position, 100 * seed + turn).end;
                    if turn as usize + 6 > 2 * rows {
                        compare(&solved, &forecast, &position);
                    }
                }
            }
        }
    }

    /// Compares the moves before a turn, and those at some moments of it.
    fn compare(solved: &SolvedSheet<'_>, forecast: &Forecast, start: &Position) {
        let sheet = solved.sheet();
        if start.card().is_complete(sheet) {
            return;
        }
        let other = &start.cards()[1 - start.to_move()];
        let open = |card: &Scorecard| sheet.categories().len() - card.filled().len();
        let points = |card: &Scorecard| card.totals(sheet).grand_total();
        let (state, on_card) = (start.card().state(sheet), points(start.card()));
        let target = on_card + 20 * open(start.card()) as i32;
        let mut moments = vec![start.clone()];
        for faces in [[1, 1, 3, 4, 6], [5, 5, 5, 5, 5], [2, 3, 4, 5, 6]] {
            let throw = start.legal_moves(sheet).next().expect("the throw of all dice");
            let thrown = start.play(sheet, throw, &faces).expect("legal").position;
            let keep = thrown.legal_moves(sheet).next().expect("a move");
            let again = thrown.play(sheet, keep, &faces).expect("legal").position;
            moments.extend([
                thrown,
                again.clone(),
                again.play(sheet, keep, &faces).expect("legal").position,
            ]);
        }
        let (mut duel, mut solo) = (Duel::default(), Solo::new(Measure::Target(target)));
        let both = (other.state(sheet), on_card - points(other));
        let mut in_duel = |category, gain: Gain| {
            let after = sheet.after(state, category, gain.points);
            of_the_other(duel.cards(solved, both.0, after, -(both.1 + gain.total())))
        };
        let mut alone = |category, gain: Gain| {
            solo.card(solved, sheet.after(state, category, gain.points), on_card + gain.total())
        };
        let plays_duel = open(other) > 0 && open(other).max(open(start.card())) <= 2;
        for position in &moments {
            same(solved, forecast, position, Objective::ReachTarget(target), &mut alone);
            if plays_duel {
                same(solved, forecast, position, Objective::Win, &mut in_duel);
            }
        }
    }

    fn same(
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        position: &Position,
        objective: Objective,
        after: &mut impl FnMut(Category, Gain) -> Chances,
    ) {
        let state = position.card().state(solved.sheet());
        let turn = turn_of(solved.sheet(), state, &mut *after);
        let ranked = solved.rank_by_chances(forecast, objective, position);
        assert!(ranked.exact);
        for found in ranked.moves {
            let plain = solved.value_of_move(&turn, position, found.chosen, after);
            let off = (found.chances.value() - plain.value()).abs();
            assert!(off < 1e-9, "{objective:?} {position:?}: {found:?}, not {plain:?}");
        }
    }
}
