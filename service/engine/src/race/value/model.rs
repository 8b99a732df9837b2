//! The network during a turn: hidden sums of the boards, updated by each record.

use std::marker::PhantomData;

use arrayvec::ArrayVec;

use super::batch::{AddRows, BOARDS, Batch, TERMS};
use super::features::{
    STAKE, at_stake_other, at_stake_own, lefts, margins, pair, second_margins, stage_of,
};
use super::net::{Net, WeightRow, add_row};
use super::view::{Side, View};
use crate::race::greedy::node_of;
use crate::race::position::RacePosition;
use crate::race::row::{CELLS, ROWS, Row};
use crate::race::rules::RaceRules;
use crate::race::turn_solver::{Laned, Model, Node};
use crate::solve::Isa;

/// What is maximised, and what goes with it.
pub(in crate::race) trait Readout: Laned {
    /// From the probability to win, or the worth of a game that has ended, and the figures.
    fn of(win: f32, plain: Plain) -> Self;
}

/// Other figures of some boards.
#[derive(Clone, Copy, Debug)]
pub(in crate::race) struct Plain {
    /// The expected final margin over the best of the others.
    pub(in crate::race) margin: f32,
    /// The points × multiplier of this turn.
    pub(in crate::race) gained: f32,
}

impl Readout for f32 {
    #[inline(always)]
    fn of(win: f32, _: Plain) -> f32 {
        win
    }
}

/// The model's state of the boards of a turn.
#[derive(Clone, Copy, Debug)]
pub(in crate::race) struct Sums {
    /// Hidden sums of all features but margins.
    hidden: WeightRow,
    /// Own points of each row.
    sums: [f32; ROWS],
    /// Own total, and the best and second of the others.
    own: f32,
    best: f32,
    second: f32,
    /// The scale of a margin.
    spread: f32,
    /// The features of cells left until the end, and the stage that goes with them.
    lefts: [usize; 3],
    stage: usize,
    /// The points × multiplier of this turn.
    gained: f32,
}

/// A network with the boards of one position.
pub(in crate::race) struct NetModel<'n, R> {
    net: &'n Net,
    view: View,
    leader: usize,
    root: Node<Sums>,
    goal: Goal,
    isa: Isa,
    readout: PhantomData<R>,
}

/// The value of a game that has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The share of the win: the game as it is.
    #[default]
    Win,
    /// A number from 0 to 1 that rises with the margin, not only with its sign: a player for the
    /// margin, for comparison.
    Margin,
}

impl Goal {
    /// The value of an end with this share of the win and this margin.
    #[must_use]
    pub fn worth(self, share: f32, margin: f32) -> f32 {
        match self {
            Goal::Win => share,
            Goal::Margin => (0.5 + margin / 2400.0).clamp(0.0, 1.0),
        }
    }
}

impl<'n, R: Readout> NetModel<'n, R> {
    /// The boards of `position` as the player to move sees them.
    pub(in crate::race) fn new(net: &'n Net, position: &RacePosition) -> Self {
        Self::with_goal(net, position, Goal::Win)
    }

    /// The same for players with another goal.
    pub(in crate::race) fn with_goal(net: &'n Net, position: &RacePosition, goal: Goal) -> Self {
        let view = View::new(position.rules(), position.boards(), position.to_move());
        let mut hidden = [0.0; super::net::ROW];
        view.plain_features(|(feature, value)| add_row(&mut hidden, &net.first[feature], value));
        let (own, others) = view.totals(&view.own, &view.closed, false);
        let (leader, best, second) = View::leaders(&others);
        let lefts = lefts(&view.own.counts, &view.most, &view.closed);
        let sums = Sums {
            hidden,
            sums: view.own.sums,
            own,
            best,
            second,
            spread: view.spread(&view.own.counts, &view.closed),
            stage: stage_of(&lefts),
            lefts,
            gained: 0.0,
        };
        let root = node_of(position, sums);
        Self { net, leader, root, view, goal, isa: Isa::best(), readout: PhantomData }
    }

    fn closed(&self, node: &Node<Sums>) -> [bool; ROWS] {
        let own = &node.counts;
        std::array::from_fn(|row| self.view.closed[row] || usize::from(own[row]) == CELLS)
    }

    fn end(&self, node: &Node<Sums>) -> R {
        let own = Side { counts: node.counts, sums: node.state.sums };
        let (own, others) = self.view.totals(&own, &self.closed(node), true);
        let best = others.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let tied = others.iter().filter(|&&other| other == own).count();
        let share = if own < best { 0.0 } else { 1.0 / (1 + tied) as f32 };
        let margin = if others.is_empty() { own } else { own - best };
        let plain = Plain { margin, gained: node.state.gained };
        R::of(self.goal.worth(share, margin), plain)
    }
}

impl<R: Readout> Model for NetModel<'_, R> {
    type Value = R;
    type State = Sums;

    fn rules(&self) -> &RaceRules {
        &self.view.rules
    }

    fn root(&self) -> Node<Sums> {
        self.root
    }

    fn fill(&self, node: &mut Node<Sums>, row: Row) {
        let i = row.index();
        let count = node.counts[i];
        let closes = usize::from(count) == CELLS;
        let (most, unopened) = (self.view.most[i], self.view.unopened[i]);
        let first = &self.net.first;
        let closed = self.closed(node);
        let state = &mut node.state;
        let mut rows = ArrayVec::<(&WeightRow, f32), 10>::new();
        rows.push((&first[pair(i, count - 1, most, unopened)], -1.0));
        rows.push((&first[pair(i, count, most, unopened)], 1.0));
        let after = lefts(&node.counts, &self.view.most, &closed);
        for (before, after) in state.lefts.into_iter().zip(after) {
            if before != after {
                rows.push((&first[before], -1.0));
                rows.push((&first[after], 1.0));
            }
        }
        if self.view.rules.double_unopened {
            self.unstake(state, row, count, closes, |feature, points| {
                rows.push((&first[feature], -points));
            });
        }
        self.isa.run(AddRows { sums: &mut state.hidden, rows: &rows });
        state.lefts = after;
        state.stage = stage_of(&after);
        state.spread = self.view.spread(&node.counts, &closed);
        if closes && self.view.rules.double_unopened && unopened {
            let own = Side { counts: node.counts, sums: state.sums };
            let (total, others) = self.view.totals(&own, &closed, false);
            let (_, best, second) = View::leaders(&others);
            (state.own, state.best, state.second) = (total, best, second);
        }
    }

    fn add(&self, node: &mut Node<Sums>, row: Row, points: u16) {
        let i = row.index();
        let points = f32::from(points);
        node.state.sums[i] += points;
        node.state.own += points * self.weight(node, row);
        node.state.gained += points * row.multiplier() as f32;
        if self.is_staked(node, row) {
            let stake = points * row.multiplier() as f32 * STAKE;
            add_row(&mut node.state.hidden, &self.net.first[at_stake_own(i)], stake);
        }
    }

    fn value(&self, node: &Node<Sums>) -> R {
        let state = &node.state;
        if node.ended() {
            return self.end(node);
        }
        let mut value = [R::ZERO];
        if state.stage == 0 {
            let mut hidden = state.hidden;
            let (own, margin) = ((&node.counts, &state.sums), state.own - state.best);
            self.view.closings(own, &self.closed(node), self.leader, margin, |feature| {
                add_row(&mut hidden, &self.net.first[feature], 1.0);
            });
            self.read(node, &hidden, &[], &[[0; 2]], &mut value);
        } else {
            self.read(node, &state.hidden, &[], &[[0; 2]], &mut value);
        }
        value[0]
    }

    fn values(&self, node: &Node<Sums>, rows: &[Row], points: &[[u16; 2]], values: &mut [R]) {
        // At an end, and in the last stage, more depends on the points than margins and stakes.
        if node.ended() || node.state.stage == 0 {
            return self.values_one_by_one(node, rows, points, values);
        }
        self.read(node, &node.state.hidden, rows, points, values);
    }
}

impl<R: Readout> NetModel<'_, R> {
    /// Own points in `row` that would double if it closed count as a feature.
    fn is_staked(&self, node: &Node<Sums>, row: Row) -> bool {
        node.is_open(row) && self.view.unopened[row.index()] && self.view.rules.double_unopened
    }

    /// The factor of a point in `row`, in which `node` has a cell.
    fn weight(&self, node: &Node<Sums>, row: Row) -> f32 {
        let count = node.counts[row.index()];
        self.view.weight(row, count, usize::from(count) == CELLS)
    }

    /// Values of boards that have the sums `shared`, with `points` added in `rows`.
    fn read(
        &self,
        node: &Node<Sums>,
        shared: &WeightRow,
        rows: &[Row],
        points: &[[u16; 2]],
        values: &mut [R],
    ) {
        let state = &node.state;
        let weights: ArrayVec<f32, 2> = rows.iter().map(|&row| self.weight(node, row)).collect();
        for (points, values) in points.chunks(BOARDS).zip(values.chunks_mut(BOARDS)) {
            let mut own = [state.own; BOARDS];
            for (own, points) in own.iter_mut().zip(points) {
                for (weight, &points) in weights.iter().zip(points) {
                    *own += f32::from(points) * weight;
                }
            }
            let term = |feature: usize| (&self.net.first[feature], [0.0; BOARDS]);
            let mut terms = ArrayVec::<_, TERMS>::new();
            terms.extend(margins(0.0, 1.0, state.stage).map(|(feature, _)| term(feature)));
            for (board, own) in own.iter().enumerate() {
                let features = margins(own - state.best, state.spread, state.stage);
                for (term, (_, value)) in terms.iter_mut().zip(features) {
                    term.1[board] = value;
                }
            }
            if self.view.others.len() > 1 {
                let first = terms.len();
                terms.extend(second_margins(0.0, 1.0).map(|(feature, _)| term(feature)));
                for (board, own) in own.iter().enumerate() {
                    let features = second_margins(own - state.second, state.spread);
                    for (term, (_, value)) in terms[first..].iter_mut().zip(features) {
                        term.1[board] = value;
                    }
                }
            }
            for (place, &row) in
                rows.iter().enumerate().filter(|(_, row)| self.is_staked(node, **row))
            {
                let mut staked = term(at_stake_own(row.index()));
                for (stake, points) in staked.1.iter_mut().zip(points) {
                    *stake = f32::from(points[place]) * row.multiplier() as f32 * STAKE;
                }
                terms.push(staked);
            }
            let len = points.len();
            let found =
                self.isa.run(Batch { net: self.net, stage: state.stage, shared, terms, len });
            for (board, value) in values.iter_mut().enumerate() {
                let gained = rows.iter().zip(points[board]);
                let gained =
                    gained.map(|(row, points)| f32::from(points) * row.multiplier() as f32);
                let plain = Plain {
                    margin: own[board] - state.best + found.growth[board],
                    gained: state.gained + gained.sum::<f32>(),
                };
                *value = R::of(found.win[board], plain);
            }
        }
    }

    /// Calls `each` with features and points that are no longer at stake in `row` after its cells
    /// became `count`.
    fn unstake(
        &self,
        state: &Sums,
        row: Row,
        count: u8,
        closes: bool,
        mut each: impl FnMut(usize, f32),
    ) {
        let i = row.index();
        let scale = row.multiplier() as f32 * STAKE;
        if closes && self.view.unopened[i] {
            each(at_stake_own(i), state.sums[i] * scale);
        }
        let before = self.view.other_at_stake(row, self.leader, count - 1);
        let after = !closes && self.view.other_at_stake(row, self.leader, count);
        if before && !after {
            each(at_stake_other(i), self.view.others[self.leader].sums[i] * scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::net::logistic;
    use super::*;
    use crate::race::moves::RaceMove;
    use crate::race::turn_solver::{Depth, TurnSolver};

    /// Sums updated over a turn equal those of the boards after it computed from scratch.
    #[test]
    fn updates_agree_with_features_from_nothing() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut net = Net::zero();
        for number in net.numbers_mut() {
            *number = rng.random::<f32>() - 0.5;
        }
        let rules = RaceRules { poker_row: true, ..RaceRules::default() };
        for (players, doubled) in [(2, true), (2, false), (3, false), (5, false)] {
            let rules = RaceRules { double_unopened: doubled, ..rules };
            let mut position = RacePosition::start(rules, players);
            let mut compared = 0;
            loop {
                let moves = position.legal_moves();
                for score in position.score().iter().filter(|score| score.legal()) {
                    let model = NetModel::<f32>::new(&net, &position);
                    let turn = TurnSolver::new(&model, Depth::Exact);
                    let node = turn.child(&model.root(), score.row, score.points);
                    let found = model.value(&node);
                    let applied = position.apply(RaceMove::Record(score.row), &[]).unwrap();
                    let boards = applied.position.boards();
                    let wanted = match applied.end {
                        Some(end) if end.winners.contains(&position.to_move()) => {
                            1.0 / end.winners.len() as f32
                        }
                        Some(_) => 0.0,
                        None => {
                            let view = View::new(&rules, boards, position.to_move());
                            logistic(net.log_odds(&net.sum(&view.features()), view.stage()))
                        }
                    };
                    assert!((found - wanted).abs() < 1e-4, "{found}, not {wanted}");
                    compared += 1;
                }
                let records = moves.iter().filter(|m| matches!(m, RaceMove::Record(_))).count();
                let chosen = moves[rng.random_range(0..records.max(1))];
                let thrown = crate::race::training::throw(&mut rng, chosen);
                let applied = position.apply(chosen, &thrown).unwrap();
                if applied.end.is_some() {
                    break;
                }
                position = applied.position;
            }
            assert!(compared > 50);
        }
    }
}
