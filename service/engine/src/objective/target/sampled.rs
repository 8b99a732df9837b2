//! The chances of a card by the number of its turns left, on the scale of its own mean and
//! deviation: the average over cards of games played for points. For sheets with too many cards for
//! a table.

use super::Lanes;
use super::curve::between;
use crate::objective::forecast::Forecast;
use crate::sheet::CardState;
use crate::solve::{cards_of_games, empty_card};
use crate::solved_sheet::{SolvedSheet, turn_of};

/// Numbers of points for which a chance is kept, evenly from so many deviations below the mean to
/// so many above it.
const LANES: usize = 48;
const FROM: f64 = -4.0;
const TO: f64 = 5.0;

/// Cards that the average for so many turns left is taken over.
const SAMPLES: u64 = 24;

/// The chances by turns left.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SampledCurves {
    /// `[turns left - 1]`: chances in parts of 65,535.
    rows: Vec<[u16; LANES]>,
}

impl SampledCurves {
    /// The chances of cards of `game`, with the deviations of `spread`.
    pub(super) fn sample(solved: &SolvedSheet<'_>, forecast: &Forecast) -> Self {
        let sheet = solved.sheet();
        let turns = sheet.categories().len();
        let games = cards_of_games(sheet, solved.values, empty_card(sheet), 0..SAMPLES);
        let mut shape = Self { rows: Vec::new() };
        for left in 1..=turns {
            let mut sums = [0.0; LANES];
            for cards in &games {
                let chances = shape.card(solved, forecast, cards[turns - left].0);
                sums.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += chance);
            }
            let of = |sum: f32| (sum / SAMPLES as f32).clamp(0.0, 1.0) * 65_535.0 + 0.5;
            shape.rows.push(sums.map(|sum| of(sum) as u16));
        }
        shape
    }

    /// The chances of one card, from those with a turn less.
    fn card(
        &self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        state: CardState,
    ) -> [f32; LANES] {
        let sheet = solved.sheet();
        let (mean, deviation) = scale(solved, forecast, state);
        let turn = turn_of(sheet, state, |category, gain| {
            let chance = self.chances(solved, forecast, sheet.after(state, category, gain.points));
            let needed = mean - f64::from(gain.total());
            let of = |lane| chance(needed + deviation * (FROM + lane as f64 * STEP)) as f32;
            Lanes::<LANES>(std::array::from_fn(of))
        });
        turn.start(sheet.lattice()).0
    }

    /// The chance of a card in `state` to gain so many points more.
    pub(super) fn chance(
        &self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        state: CardState,
        needed: f64,
    ) -> f64 {
        self.chances(solved, forecast, state)(needed)
    }

    /// The chances of a card in `state` to gain any number of points more.
    fn chances(
        &self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        state: CardState,
    ) -> impl Fn(f64) -> f64 + use<'_> {
        let open = solved.sheet().categories().without(state.filled).len();
        let row = open.checked_sub(1).map(|left| &self.rows[left]);
        let (mean, deviation) = scale(solved, forecast, state);
        move |needed| match row {
            _ if needed <= 0.0 => 1.0,
            None => 0.0,
            Some(row) => {
                let at = ((needed - mean) / deviation - FROM) / STEP;
                f64::from(between(row, at as f32)) / 65_535.0
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }
}

/// Deviations from lane to lane.
const STEP: f64 = (TO - FROM) / (LANES - 1) as f64;

/// The mean and the deviation of what a card still gains.
fn scale(solved: &SolvedSheet<'_>, forecast: &Forecast, state: CardState) -> (f64, f64) {
    (solved.values.value(state), forecast.variance(state).sqrt().max(f64::MIN_POSITIVE))
}
