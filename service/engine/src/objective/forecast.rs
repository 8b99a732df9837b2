//! The variance of the points still to be gained under best play: a second pass over the cards of a
//! solved sheet, with the square of the points beside the points. The policy is the solved one, so
//! deviations are exact where they are kept: for every set of filled categories at a few upper
//! totals, between which they are almost linear. The table of fifteen categories takes some seconds
//! of one processor and two megabytes, and only objectives and distributions of scores need it.

use arrayvec::ArrayVec;

use super::card_index::CardIndex;
use super::distribution::EndDistributions;
use super::shape::{Shape, Shapes};
use super::target::{PointDistributions, TargetChances};
use crate::category::CategorySet;
use crate::sheet::{CardState, Gain, Sheet};
use crate::solve::{cards_of_games, empty_card};
use crate::solved_sheet::{SolvedSheet, turn_of};
use crate::turn_solver::Value;

/// Points still to be gained, and their mean square about the value of the card, for several
/// independent cards at once.
#[derive(Clone, Copy, Debug)]
struct Moments<const CARDS: usize> {
    points: [f32; CARDS],
    square: [f32; CARDS],
}

impl<const CARDS: usize> Value for Moments<CARDS> {
    const WORST: Self = Self { points: [-1e30; CARDS], square: [0.0; CARDS] };
    const ZERO: Self = Self { points: [0.0; CARDS], square: [0.0; CARDS] };

    #[inline(always)]
    fn plus(mut self, weight: f64, other: Self) -> Self {
        let weight = weight as f32;
        for card in 0..CARDS {
            self.points[card] += weight * other.points[card];
            self.square[card] += weight * other.square[card];
        }
        self
    }

    #[inline(always)]
    fn best(mut self, other: Self) -> Self {
        for card in 0..CARDS {
            let better = other.points[card] > self.points[card];
            self.points[card] = if better { other.points[card] } else { self.points[card] };
            self.square[card] = if better { other.square[card] } else { self.square[card] };
        }
        self
    }
}

/// Upper totals of a set of filled categories for which a variance is kept: as many as one call
/// computes.
const KNOTS: usize = 8;

/// Games from which deviations of a sheet with too many cards are estimated, and those from which they
/// are where nothing is worked out.
const GAMES: u64 = 4_000;
const FEW_GAMES: u64 = 256;

/// Standard deviations of the points still to be gained.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    card_index: Option<CardIndex>,
    /// By place of the index.
    variances: Vec<f32>,
    all: CategorySet,
    /// By the number of open categories, for sheets without a table.
    rough: Vec<f64>,
    /// Shapes of distributions of final scores, where games were sampled for them.
    shapes: Shapes,
    /// The distributions of cards near their end, where they were worked out.
    ends: EndDistributions,
    /// The distributions of all cards, where they were worked out.
    distributions: Option<PointDistributions>,
    /// Chances to gain points, if they were asked for.
    target_chances: Option<TargetChances>,
}

impl Forecast {
    /// The deviations of every card of `game`, computed on so many threads. With more than 16
    /// categories there are too many cards, and the result is [`Forecast::sampled`].
    #[must_use]
    pub fn solve(solved: &SolvedSheet<'_>, threads: usize) -> Self {
        let Some(card_index) = CardIndex::new(solved, |_| KNOTS) else {
            return Self::sampled(solved);
        };
        let variances = vec![0.0; card_index.places()];
        let mut forecast =
            Self { card_index: Some(card_index.clone()), variances, ..Self::rough(solved) };
        // The fullest cards first; each layer needs the one before it.
        for filled in (0..solved.sheet().categories().len()).rev() {
            let done = &forecast;
            let cards = |states: &[CardState]| -> ArrayVec<f32, KNOTS> {
                match states {
                    [state] => ArrayVec::from_iter(done.of::<1>(solved, &[*state])),
                    _ => ArrayVec::from_iter(done.of::<KNOTS>(solved, states)),
                }
            };
            for (place, variance) in card_index.each(filled, threads, cards) {
                forecast.variances[place] = variance;
            }
        }
        forecast.ends = EndDistributions::solve(solved, threads);
        forecast.distributions = PointDistributions::solve(solved, &forecast, threads);
        forecast
    }

    /// The distributions of cards near their end, where they were worked out.
    pub(crate) fn end_distributions(&self) -> &EndDistributions {
        &self.ends
    }

    /// The probability of every number of points that a card in `state` still gains, from 0 on, if it was
    /// worked out.
    pub(crate) fn odds(&self, state: CardState) -> Option<Vec<f64>> {
        Some(self.distributions.as_ref()?.odds(state))
    }

    /// The shape of the distribution of what a card in `state` still gains, if it is known.
    pub(crate) fn shape(&self, sheet: &Sheet, state: CardState) -> Option<Shape> {
        self.shapes.of(sheet, state).cloned()
    }

    /// The same, with the chances to reach any number of points, for better play for a target; see
    /// [`TargetChances`] for their cost.
    #[must_use]
    pub fn with_target_chances(self, solved: &SolvedSheet<'_>, threads: usize) -> Self {
        if !solved.sheet().is_plain() {
            return self;
        }
        Self { target_chances: Some(TargetChances::solve(solved, &self, threads)), ..self }
    }

    /// The same, with those chances by the number of turns left alone; see [`TargetChances::sampled`].
    #[must_use]
    pub fn with_sampled_target_chances(self, solved: &SolvedSheet<'_>) -> Self {
        if !solved.sheet().is_plain() {
            return self;
        }
        Self { target_chances: Some(TargetChances::sampled(solved, &self)), ..self }
    }

    /// The chances to reach a number of points, if they were computed.
    #[must_use]
    pub fn target_chances(&self) -> Option<&TargetChances> {
        self.target_chances.as_ref()
    }

    /// Deviations by the number of turns left alone, from some games played for points, always the
    /// same ones. It takes a few milliseconds.
    #[must_use]
    pub fn rough(solved: &SolvedSheet<'_>) -> Self {
        Self::of_games(solved, FEW_GAMES)
    }

    /// The same from more games, with the shapes of distributions. For sheets with too many cards for a
    /// table.
    #[must_use]
    pub fn sampled(solved: &SolvedSheet<'_>) -> Self {
        let forecast = Self::of_games(solved, GAMES);
        Self { shapes: Shapes::sample(solved, &forecast), ..forecast }
    }

    fn of_games(solved: &SolvedSheet<'_>, games: u64) -> Self {
        let sheet = solved.sheet();
        let all = sheet.categories();
        let mut rough = vec![0.0; all.len() + 1];
        for cards in cards_of_games(sheet, solved.values, empty_card(sheet), 0..games) {
            let end = f64::from(cards.last().map_or(0, |card| card.1));
            for (turn, &(state, points)) in cards[..cards.len() - 1].iter().enumerate() {
                let square = (end - f64::from(points) - solved.value(state)).powi(2);
                rough[all.len() - turn] += square / games as f64;
            }
        }
        Self {
            card_index: None,
            variances: Vec::new(),
            all,
            rough,
            shapes: Shapes::default(),
            ends: EndDistributions::default(),
            distributions: None,
            target_chances: None,
        }
    }

    /// The variances of cards that differ only in their upper total, `CARDS` of them at most, from
    /// those of the cards they lead to.
    fn of<const CARDS: usize>(
        &self,
        solved: &SolvedSheet<'_>,
        states: &[CardState],
    ) -> impl Iterator<Item = f32> + use<CARDS> {
        let sheet = solved.sheet();
        let move_values: ArrayVec<f64, KNOTS> =
            states.iter().map(|&state| solved.values.value(state)).collect();
        let turn = turn_of(sheet, states[0], |category, gain| {
            let mut moments = Moments::<CARDS>::ZERO;
            for (card, (&state, &worth)) in states.iter().zip(&move_values).enumerate() {
                let after = sheet.after(state, category, gain.points);
                let upper_bonus = sheet.upper_bonus_gain(state, category, gain.points);
                let gained = Gain { upper_bonus, ..gain }.total();
                let points = f64::from(gained) + solved.values.value(after);
                moments.points[card] = points as f32;
                let variance = self.variance(after);
                moments.square[card] = ((points - worth).powi(2) + variance) as f32;
            }
            moments
        });
        let Moments { square, .. } = turn.start(sheet.lattice());
        square.into_iter().take(states.len())
    }

    /// The variance of the points that a card in `state` still gains under best play.
    #[must_use]
    pub fn variance(&self, state: CardState) -> f64 {
        let Some(card_index) = &self.card_index else {
            return self.rough[self.all.without(state.filled).len()];
        };
        let places = card_index.places_of(state);
        places.iter().map(|&(place, part)| part * f64::from(self.variances[place])).sum()
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.variances[..])
            + self.shapes.bytes()
            + self.ends.bytes()
            + self.distributions.as_ref().map_or(0, PointDistributions::bytes)
            + self.card_index.as_ref().map_or(0, CardIndex::bytes)
    }
}
