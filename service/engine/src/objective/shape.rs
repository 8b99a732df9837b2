//! The shape of the distribution of the points still to be gained: the deviation of games of
//! perfect play from their mean, in standard deviations. Bonuses and the row of all dice alike make
//! it skewed and give it several peaks, unlike a normal distribution.

use std::sync::Arc;

use super::forecast::Forecast;
use crate::sheet::{CardState, Sheet};
use crate::solve::{cards_of_games, empty_card};
use crate::solved_sheet::SolvedSheet;

/// Games that shapes are sampled from, always the same ones.
const GAMES: u64 = 4_000;

/// Standard scores that are kept of a distribution: its quantiles, evenly spaced.
const QUANTILES: usize = 256;

/// The fewest games that make a shape.
const LEAST_GAMES: usize = 200;

/// The quantiles of a distribution, ascending, in standard deviations from the mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape(Arc<[f32]>);

impl Shape {
    /// The share of the games that end below `z` deviations above the mean.
    pub(crate) fn below(&self, z: f64) -> f64 {
        let above = self.0.partition_point(|&quantile| f64::from(quantile) < z);
        let part = match (above.checked_sub(1).map(|i| self.0[i]), self.0.get(above)) {
            (Some(low), Some(&high)) if high > low => {
                (z - f64::from(low)) / f64::from(high - low) - 0.5
            }
            _ => 0.0,
        };
        ((above as f64 + part) / self.0.len() as f64).clamp(0.0, 1.0)
    }
}

/// Shapes by what distinguishes cards most: the number of open rows, and the state of the row of
/// all dice alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shapes(Vec<Option<Shape>>);

/// The row of all dice alike: open or missing, with points in it, crossed out.
const KINDS: usize = 3;

fn kind(sheet: &Sheet, state: CardState) -> usize {
    let open = sheet.categories().without(state.filled);
    let of_row = match sheet.alike_row() {
        Some(row) if !open.contains(row) => 1 + usize::from(!state.alike_scored),
        _ => 0,
    };
    open.len() * KINDS + of_row
}

impl Shapes {
    /// The shapes of `solved`, with the deviations of `forecast`.
    pub(super) fn sample(solved: &SolvedSheet<'_>, forecast: &Forecast) -> Self {
        let sheet = solved.sheet();
        let mut scores = vec![Vec::new(); (sheet.categories().len() + 1) * KINDS];
        for cards in cards_of_games(sheet, solved.values, empty_card(sheet), 0..GAMES) {
            let end = f64::from(cards.last().map_or(0, |card| card.1));
            for &(state, points) in &cards[..cards.len() - 1] {
                let mean = f64::from(points) + solved.values.value(state);
                let deviation = forecast.variance(state).sqrt().max(f64::MIN_POSITIVE);
                scores[kind(sheet, state)].push(((end - mean) / deviation) as f32);
            }
        }
        let shape = |mut scores: Vec<f32>| {
            scores.sort_unstable_by(f32::total_cmp);
            let quantile = |i: usize| scores[(2 * i + 1) * scores.len() / (2 * QUANTILES)];
            (scores.len() >= LEAST_GAMES).then(|| Shape((0..QUANTILES).map(quantile).collect()))
        };
        Self(scores.into_iter().map(shape).collect())
    }

    /// The shape of the points that a card in `state` still gains, if the games had such cards.
    pub(super) fn of(&self, sheet: &Sheet, state: CardState) -> Option<&Shape> {
        self.0.get(kind(sheet, state))?.as_ref()
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().flatten().count() * QUANTILES * size_of::<f32>()
    }
}
