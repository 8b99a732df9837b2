//! The greatest probability to gain a number of points. It is the exact recursion over cards and
//! points still needed, on a grid: a [`Table`] of all sets of filled categories or, where there are
//! too many of them, the [`SampledCurves`] by turns left. Solving each turn exactly with these
//! chances at its end comes close to the best play for any target.

mod curve;
mod layout;
mod sampled;
mod successors;
mod table;
mod worker;

use self::layout::Goal;
use self::sampled::SampledCurves;
use self::table::Table;
use super::forecast::Forecast;
use crate::sheet::CardState;
use crate::solve::Isa;
use crate::solved_sheet::SolvedSheet;
use crate::turn_solver::Value;

/// The chances of every card.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetChances(Source);

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Table(Table),
    SampledCurves(SampledCurves),
}

impl TargetChances {
    /// The chances of every card of `game`, computed on so many threads; by the number of turns
    /// left alone with more than 16 categories, which have too many cards. `spread` has the range
    /// of uncertain targets.
    #[must_use]
    pub fn solve(solved: &SolvedSheet<'_>, forecast: &Forecast, threads: usize) -> Self {
        match Table::solve(solved, forecast, Goal::Chances, threads, Isa::best()) {
            Some(table) => Self(Source::Table(table)),
            None => Self::sampled(solved, forecast),
        }
    }

    /// The chances by the number of turns left, sampled from cards of games played for points,
    /// always the same ones, in about a second.
    #[must_use]
    pub fn sampled(solved: &SolvedSheet<'_>, forecast: &Forecast) -> Self {
        Self(Source::SampledCurves(SampledCurves::sample(solved, forecast)))
    }

    /// The chance of a card in `state` to gain so many points more.
    #[must_use]
    pub fn chance(
        &self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        state: CardState,
        needed: f64,
    ) -> f64 {
        match &self.0 {
            Source::Table(table) => table.chance(state, needed),
            Source::SampledCurves(shape) => shape.chance(solved, forecast, state, needed),
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Source::Table(table) => table.bytes(),
            Source::SampledCurves(shape) => shape.bytes(),
        }
    }
}

/// The distributions of what cards still gain under play for points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PointDistributions(Table);

impl PointDistributions {
    /// Those of `solved`, computed on so many threads; `None` with more than 16 categories. `forecast`
    /// has the range of uncertain points.
    pub(super) fn solve(
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        threads: usize,
    ) -> Option<Self> {
        Table::solve(solved, forecast, Goal::Points, threads, Isa::best()).map(Self)
    }

    /// The probability of every number of points that a card in `state` still gains, from 0 on.
    pub(crate) fn odds(&self, state: CardState) -> Vec<f64> {
        self.0.odds(state)
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Chances to gain points, a lane for each number of points.
#[derive(Clone, Copy, Debug)]
struct Lanes<const LANES: usize>([f32; LANES]);

impl<const LANES: usize> Value for Lanes<LANES> {
    const WORST: Self = Self([-1.0; LANES]);
    const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    fn plus(mut self, weight: f64, other: Self) -> Self {
        let weight = weight as f32;
        self.0.iter_mut().zip(&other.0).for_each(|(sum, other)| *sum += weight * other);
        self
    }

    /// Each lane is independent.
    #[inline(always)]
    fn best(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, &b)| *a = if b > *a { b } else { *a });
        self
    }
}
