//! The greatest probability to gain so many points more, for every card of a sheet. It is the
//! exact recursion over cards and points still needed, on a grid: a few upper totals for each set
//! of filled categories, and some numbers of points around what the card is worth, smooth curves
//! in between. Playing each turn exactly with these chances at its end comes close to the best
//! play for a target, whatever the target.

use super::game::{Game, turn_of};
use super::grid::{Grid, MOST_KNOTS};
use super::turn::Worth;
use crate::category::CategorySet;
use crate::sheet::CardState;

/// Numbers of points for which a chance is kept.
const LANES: usize = 32;

/// Deviations of the rest of the game that the lanes reach to either side of its mean.
const REACH: f64 = 3.0;

/// Chances to gain points, a lane for each number of points.
#[derive(Clone, Copy, Debug)]
struct Lanes([f32; LANES]);

impl Worth for Lanes {
    const WORST: Self = Self([-1.0; LANES]);
    const ZERO: Self = Self([0.0; LANES]);

    fn key(self) -> f64 {
        self.0[LANES / 2].into()
    }

    #[inline(always)]
    fn plus(mut self, weight: f64, other: Self) -> Self {
        let weight = weight as f32;
        self.0.iter_mut().zip(&other.0).for_each(|(sum, other)| *sum += weight * other);
        self
    }

    /// Each lane plays for itself.
    #[inline(always)]
    fn best(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, &b)| *a = if b > *a { b } else { *a });
        self
    }
}

/// The chances of every card.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    grid: Grid,
    /// `[place on the grid][lane]`: chances in parts of 65,535.
    chances: Vec<u16>,
    /// Points between two lanes of a card with one category open; with more of them it grows with
    /// the square root.
    step: f64,
    all: CategorySet,
}

impl Reach {
    /// The chances of every card of `game`, worked out on so many threads; `None` with more than
    /// 16 categories, which would be too many cards. `deviation` is that of an empty card's final
    /// score.
    #[must_use]
    pub fn solve(game: &Game<'_>, deviation: f64, threads: usize) -> Option<Self> {
        let grid = Grid::new(game.sheet(), MOST_KNOTS)?;
        let all = game.sheet().categories();
        let step = 2.0 * REACH * deviation / (LANES - 1) as f64 / (all.len() as f64).sqrt();
        let chances = vec![0; grid.places() * LANES];
        let mut reach = Self { grid, chances, step, all };
        for filled in (0..all.len()).rev() {
            let done = &reach;
            let cards = |states: &[CardState]| -> Vec<[u16; LANES]> {
                states.iter().map(|&state| done.card(game, state)).collect()
            };
            let solved = done.grid.layer(filled, threads, cards);
            for (place, chances) in solved {
                reach.chances[place * LANES..][..LANES].copy_from_slice(&chances);
            }
        }
        Some(reach)
    }

    /// The first lane of a card that is worth `value`, and the points from lane to lane.
    fn lanes(&self, state: CardState, value: f64) -> (f64, f64) {
        let open = self.all.without(state.filled).len();
        let step = self.step * (open as f64).sqrt();
        (value - step * (LANES - 1) as f64 / 2.0, step)
    }

    fn card(&self, game: &Game<'_>, state: CardState) -> [u16; LANES] {
        let sheet = game.sheet();
        let (first, step) = self.lanes(state, game.values.value(state));
        let turn = turn_of(sheet, state, |category, gain| {
            let after = sheet.after(state, category, gain.points);
            let further = game.values.value(after);
            let needed = first - f64::from(gain.total());
            let mut lanes = Lanes::ZERO;
            self.add(after, further, needed, step, &mut lanes.0);
            lanes
        });
        let chances = turn.start(sheet.lattice()).0;
        chances.map(|chance| (chance.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16)
    }

    /// Adds to each lane the chance of a card worth `value` to gain `needed` points, `step` more
    /// from lane to lane.
    fn add(&self, state: CardState, value: f64, needed: f64, step: f64, lanes: &mut [f32]) {
        if state.filled == self.all {
            for (i, lane) in lanes.iter_mut().enumerate() {
                // Half a point of rounding for what is between whole numbers.
                *lane += f32::from(u8::from(needed + i as f64 * step <= 0.5));
            }
            return;
        }
        let (first, own_step) = self.lanes(state, value);
        let (from, by) = ((needed - first) / own_step, step / own_step);
        for (place, weight) in self.grid.places_of(state) {
            let row = &self.chances[place * LANES..][..LANES];
            let weight = weight as f32 / 65_535.0;
            for (i, lane) in lanes.iter_mut().enumerate() {
                *lane += weight * between(row, (from + i as f64 * by) as f32);
            }
        }
    }

    /// The chance of a card in `state`, whose rest is worth `value`, to gain so many points more.
    #[must_use]
    pub fn chance(&self, state: CardState, value: f64, needed: f64) -> f64 {
        let mut chance = [0.0];
        self.add(state, value, needed, 0.0, &mut chance);
        chance[0].into()
    }

    /// Bytes that the table takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.chances[..]) + self.grid.bytes()
    }
}

/// What lies at `at` between the lanes: on the cubic through the four around it. A straight line
/// would be off by more than moves differ, and by the same for all that lie in the middle.
#[inline(always)]
fn between(row: &[u16], at: f32) -> f32 {
    const SURE: f32 = 65_535.0;
    if at <= -1.0 {
        return SURE;
    }
    if at >= LANES as f32 {
        return 0.0;
    }
    let low = at.floor();
    let part = at - low;
    let low = low as i32;
    let lane = |offset: i32| match usize::try_from(low + offset) {
        Err(_) => SURE,
        Ok(lane) => row.get(lane).map_or(0.0, |&chance| f32::from(chance)),
    };
    let (a, b, c, d) = (lane(-1), lane(0), lane(1), lane(2));
    let bend = 2.0 * a - 5.0 * b + 4.0 * c - d + part * (3.0 * (b - c) + d - a);
    (b + 0.5 * part * (c - a + part * bend)).clamp(0.0, SURE)
}
