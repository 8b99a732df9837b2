//! How widely the rest of a card's game is spread under best play. A second pass over the cards
//! of a solved sheet, with the square of the points next to the points: the policy is the solved
//! one, so deviations are exact where they are kept. They are kept for every set of filled
//! categories at a few upper totals, between which they hardly bend; the table of fifteen
//! categories takes some seconds of one processor to make and two megabytes to hold, and is wanted
//! only for aims and for the distribution of scores.

use arrayvec::ArrayVec;

use super::game::{Game, turn_of};
use super::grid::Grid;
use super::reach::Reach;
use super::simulate::Simulation;
use super::temper::Temper;
use super::turn::Worth;
use crate::category::CategorySet;
use crate::position::Position;
use crate::sheet::{CardState, Gain};

/// Points still to be gained, and their square about what the card is worth, on average: for
/// several cards at once, each of which plays for itself.
#[derive(Clone, Copy, Debug)]
struct Moments<const CARDS: usize> {
    points: [f32; CARDS],
    square: [f32; CARDS],
}

impl<const CARDS: usize> Worth for Moments<CARDS> {
    const WORST: Self = Self { points: [-1e30; CARDS], square: [0.0; CARDS] };
    const ZERO: Self = Self { points: [0.0; CARDS], square: [0.0; CARDS] };

    #[inline(always)]
    fn key(self) -> f64 {
        self.points[0].into()
    }

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

/// Upper totals of a set of filled categories for which a variance is kept: as many as are worked
/// out in one go.
const KNOTS: usize = 8;

/// Games that tell the deviations of a sheet of too many cards.
const SAMPLES: u64 = 1_000;

/// Standard deviations of the points still to be gained.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    grid: Option<Grid>,
    /// By place on the grid.
    variances: Vec<f32>,
    all: CategorySet,
    /// By the number of open categories, where no table was made.
    rough: Vec<f64>,
    /// Chances to gain points, if they were asked for.
    reach: Option<Reach>,
}

impl Spread {
    /// The deviations of every card of `game`, worked out on so many threads. With more than 16
    /// categories there are too many cards, and the answer is [`Spread::sampled`].
    #[must_use]
    pub fn solve(game: &Game<'_>, threads: usize) -> Self {
        let Some(grid) = Grid::new(game, |_| KNOTS) else { return Self::sampled(game) };
        let variances = vec![0.0; grid.places()];
        let mut spread = Self { grid: Some(grid.clone()), variances, ..Self::rough(game) };
        // The fullest cards first; what a layer needs is done before it.
        for filled in (0..game.sheet().categories().len()).rev() {
            let done = &spread;
            let cards = |states: &[CardState]| -> ArrayVec<f32, KNOTS> {
                match states {
                    [state] => ArrayVec::from_iter(done.of::<1>(game, &[*state])),
                    _ => ArrayVec::from_iter(done.of::<KNOTS>(game, states)),
                }
            };
            for (place, variance) in grid.each(filled, threads, cards) {
                spread.variances[place] = variance;
            }
        }
        spread
    }

    /// The same, with the chances to reach any number of points, which makes play for a target
    /// much better; see [`Reach`] for what they cost.
    #[must_use]
    pub fn with_reach(self, game: &Game<'_>, threads: usize) -> Self {
        Self { reach: Some(Reach::solve(game, &self, threads)), ..self }
    }

    /// The same, with those chances by the number of turns left alone; see [`Reach::sampled`].
    #[must_use]
    pub fn with_sampled_reach(self, game: &Game<'_>) -> Self {
        Self { reach: Some(Reach::sampled(game, &self)), ..self }
    }

    /// The chances to reach a number of points, if they were worked out.
    #[must_use]
    pub fn reach(&self) -> Option<&Reach> {
        self.reach.as_ref()
    }

    /// Deviations by the number of turns left alone, at no cost: what they are in the built-in
    /// rulesets, roughly, as a share of the points an average turn is worth.
    #[must_use]
    pub fn rough(game: &Game<'_>) -> Self {
        let turn = (0.55 * game.points_a_turn()).powi(2);
        let all = game.sheet().categories();
        let rough = (0..=all.len()).map(|open| open as f64 * turn).collect();
        Self { grid: None, variances: Vec::new(), all, rough, reach: None }
    }

    /// Deviations by the number of turns left alone, as they come out in a thousand games played
    /// for points; the games and so the deviations are always the same. For sheets with too many
    /// cards to keep anything for each.
    #[must_use]
    pub fn sampled(game: &Game<'_>) -> Self {
        let turns = game.sheet().categories().len();
        let mut rough = vec![0.0; turns + 1];
        for number in 0..SAMPLES {
            for (turn, square) in squares_off(game, number).enumerate() {
                rough[turns - turn] += square / SAMPLES as f64;
            }
        }
        Self { rough, ..Self::rough(game) }
    }

    /// The variances of cards that differ in their upper total alone, `CARDS` of them at most,
    /// from those of the cards they lead to.
    fn of<const CARDS: usize>(
        &self,
        game: &Game<'_>,
        states: &[CardState],
    ) -> impl Iterator<Item = f32> + use<CARDS> {
        let sheet = game.sheet();
        let worths: ArrayVec<f64, KNOTS> =
            states.iter().map(|&state| game.values.value(state)).collect();
        let turn = turn_of(sheet, states[0], |category, gain| {
            let mut moments = Moments::<CARDS>::ZERO;
            for (card, (&state, &worth)) in states.iter().zip(&worths).enumerate() {
                let after = sheet.after(state, category, gain.points);
                let upper_bonus = sheet.upper_bonus_gain(state, category, gain.points);
                let gained = Gain { upper_bonus, ..gain }.total();
                let points = f64::from(gained) + game.values.value(after);
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
        let Some(grid) = &self.grid else {
            return self.rough[self.all.without(state.filled).len()];
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

/// For each turn of a game played for points, how far what was gained from there on was off what
/// the card was worth, squared.
fn squares_off(game: &Game<'_>, number: u64) -> impl Iterator<Item = f64> {
    let all = game.sheet().categories();
    let cards = cards_of_a_game(game, number);
    let end = f64::from(cards.last().map_or(0, |card| card.1));
    let worth =
        move |(state, points): (CardState, u32)| f64::from(points) + game.values.value(state);
    let open = cards.into_iter().filter(move |(state, _)| state.filled != all);
    open.map(move |card| (end - worth(card)).powi(2))
}

/// The card of a player alone who plays for points, before each turn and at the end, with the
/// points on it. The same number is the same game.
pub(super) fn cards_of_a_game(game: &Game<'_>, number: u64) -> Vec<(CardState, u32)> {
    let sheet = game.sheet();
    let start = Position::start(sheet, 1);
    let turns = Simulation::new(*game, start.clone(), 0).record(&[&Temper::PERFECT], number);
    let positions = std::iter::once(start).chain(turns.into_iter().map(|(_, turn)| turn.end));
    let card = |position: Position| {
        let card = position.card();
        (card.state(sheet), card.totals(sheet).grand_total())
    };
    positions.map(card).collect()
}
