//! The greatest probability to gain so many points more. It is the exact recursion over cards and
//! points still needed, on a grid: a [`Table`] of all sets of filled categories, or where there
//! are too many of them the [`Shape`] that chances have with so many turns left. Playing each turn
//! exactly with these chances at its end comes close to the best play for a target, whatever the
//! target.

mod curve;
mod futures;
mod layout;
mod shape;
mod table;
mod worker;

use self::shape::Shape;
use self::table::Table;
use super::game::Game;
use super::spread::Spread;
use super::turn::Worth;
use crate::sheet::CardState;
use crate::solve::Isa;

/// The chances of every card.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach(Kept);

#[derive(Clone, Debug, PartialEq)]
enum Kept {
    Table(Table),
    Shape(Shape),
}

impl Reach {
    /// The chances of every card of `game`, worked out on so many threads; by the number of turns
    /// left alone with more than 16 categories, which would be too many cards. `spread` tells what
    /// is in doubt.
    #[must_use]
    pub fn solve(game: &Game<'_>, spread: &Spread, threads: usize) -> Self {
        match Table::solve(game, spread, threads, Isa::best()) {
            Some(table) => Self(Kept::Table(table)),
            None => Self::sampled(game, spread),
        }
    }

    /// The chances by the number of turns left, as they are on cards of some games played for
    /// points, always the same ones: in about a second.
    #[must_use]
    pub fn sampled(game: &Game<'_>, spread: &Spread) -> Self {
        Self(Kept::Shape(Shape::sample(game, spread)))
    }

    /// The chance of a card in `state` to gain so many points more.
    #[must_use]
    pub fn chance(&self, game: &Game<'_>, spread: &Spread, state: CardState, needed: f64) -> f64 {
        match &self.0 {
            Kept::Table(table) => table.chance(state, needed),
            Kept::Shape(shape) => shape.chance(game, spread, state, needed),
        }
    }

    /// Bytes that they take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Kept::Table(table) => table.bytes(),
            Kept::Shape(shape) => shape.bytes(),
        }
    }
}

/// Chances to gain points, a lane for each number of points.
#[derive(Clone, Copy, Debug)]
struct Lanes<const LANES: usize>([f32; LANES]);

impl<const LANES: usize> Worth for Lanes<LANES> {
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
