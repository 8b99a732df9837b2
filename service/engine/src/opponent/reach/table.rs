//! The chances of every card of a sheet with not too many categories: for a few upper totals of
//! each set of filled categories, and some numbers of points from where there is no doubt that
//! the card gains as many to where there is none that it does not, smooth curves in between.

use super::{Lanes, Worth, between};
use crate::category::CategorySet;
use crate::opponent::game::{Game, turn_of};
use crate::opponent::grid::Grid;
use crate::opponent::spread::Spread;
use crate::sheet::CardState;

/// Categories a card may have open and still be kept finely: its chances go in steps.
const FEW: usize = 5;

/// Numbers of points for which the chance of a card with few open categories is kept, and of one
/// with more.
const FINE: usize = 128;
const COARSE: usize = 36;

/// Upper totals that have a place in the table, by how many upper rows are open: with one or two
/// the bonus comes in steps too.
fn knots(open: usize) -> usize {
    if open <= 2 { 24 } else { 12 }
}

/// Deviations below and above the mean of what a card still gains at which there is no doubt left.
const BELOW: f64 = 4.0;
const ABOVE: f64 = 5.0;

/// The numbers of points for which the chances of one card are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    /// Where its chances are.
    start: u32,
    /// The fewest points.
    first: u16,
    /// Points from one to the next.
    step: u16,
}

/// The chances of every card.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    grid: Grid,
    /// By place on the grid.
    rows: Vec<Row>,
    /// Chances in parts of 65,535.
    chances: Vec<u16>,
    all: CategorySet,
}

impl Table {
    /// The chances of every card of `game`, worked out on so many threads; `None` with more than
    /// 16 categories, which would be too many cards. `spread` tells what is in doubt.
    pub(super) fn solve(game: &Game<'_>, spread: &Spread, threads: usize) -> Option<Self> {
        let grid = Grid::new(game, knots)?;
        let all = game.sheet().categories();
        let none = Row { start: 0, first: 0, step: 0 };
        let rows = vec![none; grid.places()];
        let mut table = Self { grid, rows, chances: Vec::new(), all };
        for filled in (0..all.len()).rev() {
            let row = |states: &[CardState]| -> Vec<Row> {
                states.iter().map(|&state| table.row(game, spread, state)).collect()
            };
            for (place, row) in table.grid.layer(filled, 1, row) {
                let start = table.chances.len();
                table.rows[place] = Row { start: start as u32, ..row };
                table.chances.resize(start + lanes(all.len() - filled), 0);
            }
            let done = &table;
            let cards = |states: &[CardState]| -> Vec<Vec<u16>> {
                let of = |&state: &CardState| match lanes(all.len() - filled) {
                    FINE => done.card::<FINE>(game, state),
                    _ => done.card::<COARSE>(game, state),
                };
                states.iter().map(of).collect()
            };
            let solved = done.grid.layer(filled, threads, cards);
            for (place, chances) in solved {
                let start = table.rows[place].start as usize;
                table.chances[start..][..chances.len()].copy_from_slice(&chances);
            }
        }
        Some(table)
    }

    /// The points for which the chances of a card are kept.
    fn row(&self, game: &Game<'_>, spread: &Spread, state: CardState) -> Row {
        let sheet = game.sheet();
        let open = self.all.without(state.filled);
        let most = |category| sheet.possible_points(category).last().copied().unwrap_or(0);
        let bonus =
            sheet.upper_bonus(sheet.upper_cap().into()) - sheet.upper_bonus(state.upper.into());
        let endless = sheet.definition().five_alike_bonus > 0;
        let most: f64 = open.iter().map(most).map(f64::from).sum::<f64>() + f64::from(bonus);
        let mean = game.values.value(state);
        let deviation = spread.variance(state).sqrt();
        let first = (mean - BELOW * deviation).max(0.0).floor();
        let lanes = lanes(open.len());
        let last = (mean + ABOVE * deviation).max(first + lanes as f64);
        let last = if endless { last } else { last.min(most) };
        let step = ((last - first) / (lanes - 1) as f64).ceil().max(1.0);
        Row { start: 0, first: first as u16, step: step as u16 }
    }

    fn card<const LANES: usize>(&self, game: &Game<'_>, state: CardState) -> Vec<u16> {
        let sheet = game.sheet();
        let [(place, _)] = self.grid.places_of(state)[..] else { unreachable!() };
        let Row { first, step, .. } = self.rows[place];
        let turn = turn_of(sheet, state, |category, gain| {
            let after = sheet.after(state, category, gain.points);
            let needed = f64::from(first) - f64::from(gain.total());
            let mut lanes = Lanes::<LANES>::ZERO;
            self.add(after, needed, step.into(), &mut lanes.0);
            lanes
        });
        let chances = turn.start(sheet.lattice()).0;
        chances.iter().map(|chance| (chance.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16).collect()
    }

    /// Adds to each lane the chance of a card to gain `needed` points, `step` more
    /// from lane to lane.
    fn add(&self, state: CardState, needed: f64, step: f64, lanes: &mut [f32]) {
        if state.filled == self.all {
            for (i, lane) in lanes.iter_mut().enumerate() {
                *lane += f32::from(u8::from(needed + i as f64 * step <= 0.0));
            }
            return;
        }
        let count = self::lanes(self.all.without(state.filled).len());
        for (place, weight) in self.grid.places_of(state) {
            let row = self.rows[place];
            let (from, by) =
                ((needed - f64::from(row.first)) / f64::from(row.step), step / f64::from(row.step));
            let row = &self.chances[row.start as usize..][..count];
            let weight = weight as f32 / 65_535.0;
            for (i, lane) in lanes.iter_mut().enumerate() {
                *lane += weight * between(row, (from + i as f64 * by) as f32);
            }
        }
    }

    /// The chance of a card in `state` to gain so many points more.
    pub(super) fn chance(&self, state: CardState, needed: f64) -> f64 {
        let mut chance = [0.0];
        self.add(state, needed, 0.0, &mut chance);
        chance[0].into()
    }

    /// Bytes that the table takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.chances[..]) + size_of_val(&self.rows[..]) + self.grid.bytes()
    }
}

/// Numbers of points that are kept for a card with so many open categories.
fn lanes(open: usize) -> usize {
    if open <= FEW { FINE } else { COARSE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponent::endgame::Solo;
    use crate::opponent::outcome::Measure;
    use crate::ruleset::Ruleset;
    use crate::sheet::Sheet;
    use crate::solve::Solution;

    /// Cards with five open rows, one of which the table cannot yet keep step by step, against the
    /// exact recursion over cards and points.
    #[test]
    fn chances_are_near_the_exact_ones() {
        for (id, open, upper) in [
            (
                "dice-poker-13",
                &["sixes", "four_alike", "full_house", "five_alike", "chance"][..],
                0,
            ),
            (
                "dice-poker-13",
                &["small_straight", "large_straight", "five_alike", "ones", "twos"],
                0,
            ),
            ("yatzy", &["fives", "sixes", "two_pairs", "large_straight", "five_alike"], 31),
        ] {
            let rulesets = Ruleset::built_in();
            let ruleset = rulesets.into_iter().find(|ruleset| ruleset.id == id).expect("built in");
            let sheet = Sheet::new(ruleset.definition).expect("sound");
            let values = Solution::solve(&sheet, 2).expect("within the budget");
            let game = Game::new(&sheet, &values);
            let spread = Spread::solve(&game, 2);
            let table = Table::solve(&game, &spread, 2).expect("few categories");
            let open: CategorySet =
                open.iter().map(|id| sheet.category(id).expect("a row")).collect();
            let filled = sheet.categories().without(open);
            let state = CardState { filled, upper, alike_scored: false };
            let (mut off, mut most) = (0.0, 0.0f64);
            let targets: Vec<u32> = (8..160).step_by(8).collect();
            for &target in &targets {
                let mut exact = Solo::new(Measure::Target(target), open.len());
                let exact = exact.card(&game, &spread, state, 0).prospect.win;
                let told = table.chance(state, target.into());
                off += (told - exact).abs() / targets.len() as f64;
                most = most.max((told - exact).abs());
            }
            assert!(most < 0.015 && off < 0.002, "{id}: {most} at most, {off} on average");
        }
    }
}
