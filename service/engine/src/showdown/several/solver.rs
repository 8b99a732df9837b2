//! The recursion that solves a round, each state once.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::round::{Layout, Round};
use super::standing::{Known, Standing, Table};
use super::{Prize, Prizes, State};
use crate::showdown::check::MAX_PLAYERS;
use crate::showdown::definition::{Draws, Order};
use crate::showdown::game::Showdown;
use crate::showdown::turn::{self, Row};

impl Round {
    /// Solves the round of a state of the match with these prizes.
    pub(super) fn solve(game: &Showdown, state: &State, prizes: Prizes) -> Self {
        let layout = Layout::of(game, state.won.len());
        match layout.width() {
            ..=12 => Solver::<12>::settled(game, layout, state, &prizes),
            13..=20 => Solver::<20>::settled(game, layout, state, &prizes),
            21..=28 => Solver::<28>::settled(game, layout, state, &prizes),
            _ => Solver::<42>::settled(game, layout, state, &prizes),
        }
    }
}

/// Solves a round in rows of `N` numbers, of which the layout uses the first.
struct Solver<'a, const N: usize> {
    game: &'a Showdown,
    layout: Layout,
    places: ArrayVec<usize, MAX_PLAYERS>,
    /// The row of each end, by winners and lowest place.
    ends: HashMap<(u16, u8), Row<N>>,
    rows: HashMap<Known, Vec<Row<N>>>,
    rank: Vec<usize>,
}

impl<'a, const N: usize> Solver<'a, N> {
    /// Solves the round. What a tie of all is worth that is thrown again is found by repetition.
    fn settled(game: &'a Showdown, layout: Layout, state: &State, prizes: &Prizes) -> Round {
        let repeats = game.definition().draws == Draws::Again;
        let even = [1.0 / layout.players as f64, 1.0 / layout.players as f64, 0.0];
        let mut again: Prize = std::iter::repeat_n(even, layout.players).collect();
        for _ in 0..100 {
            let mut solver = Self::new(game, layout, state, prizes, &again);
            let start = solver.start();
            let all = start[layout.again()];
            let mut change = 0.0f64;
            for (place, known) in again.iter_mut().enumerate() {
                let seen = layout.seen(&start, place);
                for (i, known) in known.iter_mut().enumerate() {
                    let settled = (seen[i] - all * *known) / (1.0 - all);
                    change = change.max((settled - *known).abs());
                    *known = settled;
                }
            }
            if !repeats || change < 1e-14 || all == 0.0 {
                return solver.round(start);
            }
        }
        let mut solver = Self::new(game, layout, state, prizes, &again);
        let start = solver.start();
        solver.round(start)
    }

    fn new(
        game: &'a Showdown,
        layout: Layout,
        state: &State,
        prizes: &Prizes,
        again: &Prize,
    ) -> Self {
        let all = (state.active, 0);
        let mut ends = HashMap::new();
        let missing = (!prizes.0.contains_key(&all)).then_some((&all, again));
        for (&(winners, lowest), prize) in prizes.0.iter().chain(missing) {
            let mut row = [0.0; N];
            for (place, &[value, win, draw]) in prize.iter().enumerate() {
                let won = f64::from(winners == 1 << place);
                let tied = f64::from(winners >> place & 1 == 1) - won;
                let numbers = [value, win, draw, won, tied];
                let skipped = usize::from(layout.each == 3) * 2;
                row[layout.at(place)] = value;
                row[layout.at(place) + 1..][..layout.each - 1]
                    .copy_from_slice(&numbers[1 + skipped..]);
            }
            row[layout.again()] = f64::from(missing.is_some() && winners == state.active);
            ends.insert((winners, lowest as u8), row);
        }
        let rank = game.space().all_rolls().map(|roll| game.hands().rank(roll)).collect();
        Self { game, layout, places: state.places(), ends, rows: HashMap::new(), rank }
    }

    fn round(self, start: Row<N>) -> Round {
        let width = self.layout.width();
        let flat = |rows: &[Row<N>]| -> Box<[f64]> {
            rows.iter().flat_map(|row| row[..width].iter().copied()).collect()
        };
        Round {
            layout: self.layout,
            start: start[..width].to_vec(),
            rows: self.rows.iter().map(|(&known, rows)| (known, flat(rows))).collect(),
            ends: self.ends.iter().map(|(&end, row)| (end, flat(&[*row]))).collect(),
            places: self.places,
        }
    }

    fn start(&mut self) -> Row<N> {
        match self.game.definition().order {
            Order::InTurn => self.start_in_turn(),
            _ => {
                let table = Table::new(self.game, self.places.len(), 0, 0, None, &[]);
                self.start_open(table, 0)
            }
        }
    }

    fn own(&self, place: usize, mut row: Row<N>) -> Row<N> {
        row[0] = row[self.layout.at(place)];
        row
    }

    fn start_in_turn(&mut self) -> Row<N> {
        let throws = self.game.definition().throws();
        let limited = self.game.definition().first_sets_throws;
        let stops: Vec<Vec<Row<N>>> = (0..throws)
            .map(|left| self.stops(if limited { throws - left } else { throws }, 0, None))
            .collect();
        let levels =
            turn::solve(self.game, throws - 1, 0.0, |left| stops[usize::from(left)].clone());
        levels[usize::from(throws) - 1][0]
    }

    /// What each roll is worth to stop at for the player whom so many have thrown before.
    fn stops(&mut self, limit: u8, thrown: usize, standing: Option<Standing>) -> Vec<Row<N>> {
        let place = self.places[thrown];
        let by_rank: Vec<Row<N>> = (0..self.game.hands().ranks())
            .map(|rank| {
                let standing = Standing::with(self.game, standing, place, rank);
                let row = self.before(limit, thrown + 1, standing);
                self.own(place, row)
            })
            .collect();
        self.rank.iter().map(|&rank| by_rank[rank]).collect()
    }

    /// The row before the next player of a round in turn throws.
    fn before(&mut self, limit: u8, thrown: usize, standing: Standing) -> Row<N> {
        if thrown == self.places.len() {
            return self.ends[&(standing.holders, standing.lowest)];
        }
        let known = Known::in_turn(limit, thrown, standing);
        if let Some(rows) = self.rows.get(&known) {
            return rows[0];
        }
        let stops = self.stops(limit, thrown, Some(standing));
        let levels = turn::solve(self.game, limit - 1, 0.0, |_| stops.clone());
        let row = levels[usize::from(limit) - 1][0];
        self.rows.insert(known, vec![row]);
        row
    }

    /// The row of an open round in which so many have made their first throw.
    fn start_open(&mut self, table: Table, dealt: usize) -> Row<N> {
        if dealt == self.places.len() {
            return self.open(table);
        }
        let mut sum = [0.0; N];
        for roll in self.game.space().all_rolls() {
            let mut table = table;
            table.dice[dealt] = roll.index() as u16;
            let row = self.start_open(table, dealt + 1);
            let chance = self.game.space().probability(roll);
            (0..N).for_each(|i| sum[i] += chance * row[i]);
        }
        sum
    }

    /// The row before the player to move of an open round throws.
    fn open(&mut self, table: Table) -> Row<N> {
        if table.is_over(self.game) {
            let standing = table.standing.expect("all have thrown");
            return self.ends[&(standing.holders, standing.lowest)];
        }
        let (known, own) = table.known();
        if let Some(rows) = self.rows.get(&known) {
            return rows[own];
        }
        let place = self.places[table.thrown];
        let stops: Vec<Row<N>> = self
            .game
            .space()
            .all_rolls()
            .map(|roll| {
                let row = self.open(table.after(self.game, place, roll));
                self.own(place, row)
            })
            .collect();
        let space = self.game.space();
        let rows = match self.game.definition().rethrows {
            0 => stops,
            _ => turn::best_of_keeps(space, turn::expect(space, &stops), &stops),
        };
        let row = rows[own];
        self.rows.insert(known, rows);
        row
    }
}
