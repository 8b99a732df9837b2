//! How widely the rest of a card's game is spread under best play. A second pass over the cards
//! of a solved sheet, with the square of the points next to the points: the policy is the solved
//! one, so deviations are exact where they are kept. They are kept for every set of filled
//! categories at a few upper totals, between which they hardly bend; the table of fifteen
//! categories takes some seconds of one processor to make and two megabytes to hold, and is wanted
//! only for aims and for the distribution of scores.

use super::game::{Game, turn_of};
use super::grid::Grid;
use super::reach::Reach;
use super::turn::Worth;
use crate::category::CategorySet;
use crate::sheet::CardState;
use crate::solve::Values;

/// Points still to be gained, and their square, on average.
#[derive(Clone, Copy, Debug)]
struct Moments {
    points: f64,
    square: f64,
}

impl Worth for Moments {
    const WORST: Self = Self { points: f64::NEG_INFINITY, square: 0.0 };
    const ZERO: Self = Self { points: 0.0, square: 0.0 };

    #[inline(always)]
    fn key(self) -> f64 {
        self.points
    }

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        Self {
            points: self.points + weight * other.points,
            square: self.square + weight * other.square,
        }
    }
}

/// Standard deviations of the points still to be gained.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    grid: Option<Grid>,
    /// By place on the grid.
    variances: Vec<f32>,
    all: CategorySet,
    /// Variance a turn, where no table was made.
    rough: f64,
    /// Chances to gain points, if they were asked for.
    reach: Option<Reach>,
}

impl Spread {
    /// The deviations of every card of `game`, worked out on so many threads. With more than 16
    /// categories there are too many cards, and the answer is [`Spread::rough`].
    #[must_use]
    pub fn solve<V: Values + Sync>(game: &Game<'_, V>, threads: usize) -> Self {
        let rough = Self::rough(game);
        let Some(grid) = Grid::new(game.sheet()) else { return rough };
        let variances = vec![0.0; grid.places()];
        let mut spread = Self { grid: Some(grid.clone()), variances, ..rough };
        // The fullest cards first; what a layer needs is done before it.
        for filled in (0..game.sheet().categories().len()).rev() {
            let done = &spread;
            for (place, variance) in grid.layer(filled, threads, |state| done.of(game, state)) {
                spread.variances[place] = variance as f32;
            }
        }
        spread
    }

    /// The same, with a table of the chances to reach any number of points, which makes play for
    /// a target much better; see [`Reach`] for what it costs.
    #[must_use]
    pub fn with_reach<V: Values + Sync>(self, game: &Game<'_, V>, threads: usize) -> Self {
        let deviation = self.variance(CardState::EMPTY).sqrt();
        Self { reach: Reach::solve(game, deviation, threads), ..self }
    }

    /// The table of chances to reach a number of points, if it was made.
    #[must_use]
    pub fn reach(&self) -> Option<&Reach> {
        self.reach.as_ref()
    }

    /// Deviations by the number of turns left alone, at no cost: what they are in the built-in
    /// rulesets, roughly, as a share of the points an average turn is worth.
    #[must_use]
    pub fn rough<V: Values>(game: &Game<'_, V>) -> Self {
        let deviation = 0.55 * game.points_a_turn();
        let all = game.sheet().categories();
        Self { grid: None, variances: Vec::new(), all, rough: deviation * deviation, reach: None }
    }

    /// The variance of one card from those of the cards it leads to.
    fn of<V: Values>(&self, game: &Game<'_, V>, state: CardState) -> f64 {
        let sheet = game.sheet();
        let turn = turn_of(sheet, state, |category, gain| {
            let after = sheet.after(state, category, gain.points);
            let further = game.values.value(after);
            let points = f64::from(gain.total()) + further;
            Moments { points, square: points * points + self.variance(after) }
        });
        let Moments { points, square } = turn.start(sheet.lattice());
        (square - points * points).max(0.0)
    }

    /// The variance of the points that a card in `state` still gains under best play.
    #[must_use]
    pub fn variance(&self, state: CardState) -> f64 {
        let Some(grid) = &self.grid else {
            return self.rough * self.all.without(state.filled).len() as f64;
        };
        let places = grid.places_of(state);
        places.iter().map(|&(place, part)| part * f64::from(self.variances[place])).sum()
    }

    /// Bytes that the table takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.variances[..]) + self.grid.as_ref().map_or(0, Grid::bytes)
    }
}
