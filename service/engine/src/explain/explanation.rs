//! The explanation of a move in figures: the likely ends of the turn and the dice there, the value of the next
//! best move, and the distribution of the final score, all for best play for points.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::moves::Move;
use crate::objective::{Expectation, Final, Forecast, ScoreDistributions};
use crate::position::Position;
use crate::sheet::{CardState, Throw};
use crate::solved_sheet::SolvedSheet;
use crate::solved_sheet::best_of;
use crate::turn_solver::SolvedTurn;

/// The explanation of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The move.
    pub chosen: Move,
    /// Regret: points less than the best move; 0 if it is the best.
    pub regret: f64,
    /// The best of the other moves, and how many points it is worth less than this one: below 0 if
    /// it is better. None if there is no other.
    pub runner_up: Option<(Move, f64)>,
    /// For every open category, in the order of the sheet, how the turn ends.
    pub chances: Vec<CategoryChance>,
    /// The final score of the card.
    pub score: ScoreDistribution,
}

/// The chances of a category in the rest of the turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CategoryChance {
    /// The category.
    pub category: Category,
    /// Probability that the turn ends by recording in it.
    pub recorded: f64,
    /// Probability that the turn ends by recording points in it; the rest of `recorded` crosses it
    /// out.
    pub scored: f64,
    /// Probability that the dice at the end of the turn pay something in it, wherever they are
    /// recorded.
    pub made: f64,
}

/// The distribution of a final score under best play.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreDistribution {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// The possible scores after this turn, and their probabilities.
    parts: Vec<(f64, Final)>,
}

/// The most categories open after this turn with which the final score is computed exactly.
const FINISHED: usize = 2;

/// The percentiles that are reported of a [`ScoreDistribution`].
pub const PERCENTILES: [u8; 5] = [5, 25, 50, 75, 95];

/// The share of the games on each side that share the outermost range of a histogram.
const TAIL: f64 = 0.001;

impl ScoreDistribution {
    /// The mixture of distributions with these probabilities.
    fn new(parts: Vec<(f64, Final)>) -> Self {
        let each = parts.iter().map(|(odds, part)| (odds, part.expectation()));
        let mean = each.clone().map(|(odds, part)| odds * part.mean).sum::<f64>();
        let square = |part: Expectation| (part.mean - mean).powi(2) + part.variance;
        let variance = each.map(|(odds, part)| odds * square(part)).sum::<f64>();
        Self { mean, deviation: variance.max(0.0).sqrt(), parts }
    }

    /// The probability of at least this many points.
    #[must_use]
    pub fn at_least(&self, points: i32) -> f64 {
        self.parts.iter().map(|(odds, part)| odds * part.at_least(points)).sum()
    }

    /// The score that this share of the games, from 0 to 1, does not exceed. The current turn and
    /// the last two of a game are exact; the turns between them are interpolated or, on sheets without
    /// tables, have the shape of games.
    #[must_use]
    pub fn percentile(&self, share: f64) -> i32 {
        let each = self.parts.iter().map(|(_, part)| part.expectation());
        let most = each.map(|part| part.mean + 6.0 * part.variance.sqrt());
        let most = most.fold(0.0, f64::max).ceil() as i32 + 1;
        // The least score with no more than the rest of the games above it.
        let each = self.parts.iter().map(|(_, part)| part.expectation());
        let least = each.map(|part| part.mean - 6.0 * part.variance.sqrt());
        let (mut low, mut high) = (least.fold(0.0, f64::min).floor() as i32, most);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at_least(middle + 1) <= 1.0 - share + 1e-9 {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Probabilities of ranges of equal width that follow each other, at most `most`. The first and
    /// the last also count the scores beyond them, which are one in a thousand each.
    #[must_use]
    pub fn histogram(&self, most: u32) -> Vec<(RangeInclusive<i32>, f64)> {
        let (low, high) = (self.percentile(TAIL), self.percentile(1.0 - TAIL));
        let width = (high - low + 1).unsigned_abs().div_ceil(most.max(1)).cast_signed();
        let mut above = 1.0;
        (low..=high)
            .step_by(width as usize)
            .map(|least| {
                let next = least + width;
                let rest = if next > high { 0.0 } else { self.at_least(next) };
                let probability = above - rest;
                above = rest;
                (least..=next - 1, probability)
            })
            .collect()
    }
}

impl SolvedSheet<'_> {
    /// The explanation of `chosen` in `position`, or for the best move if none is given; `None` if
    /// the position is finished, or the move not legal.
    #[must_use]
    pub fn explain(
        &self,
        forecast: &Forecast,
        position: &Position,
        chosen: Option<Move>,
    ) -> Option<Explanation> {
        let card = position.card();
        if card.is_complete(self.sheet) {
            return None;
        }
        let state = card.state(self.sheet);
        let turn = self.turn(state);
        let move_values = self.move_values(&turn, state, position);
        let (best, best_worth) = best_of(&move_values);
        let chosen = chosen.unwrap_or(best);
        let worth = move_values.iter().find(|w| w.0 == chosen)?.1;
        let others: Vec<_> = move_values.iter().copied().filter(|w| w.0 != chosen).collect();
        let runner_up = (!others.is_empty()).then(|| {
            let (other, _) = best_of(&others);
            let of_other = others.iter().find(|w| w.0 == other).map_or(worth, |w| w.1);
            (other, worth - of_other)
        });
        let ends = self.ends(&turn, state, position, chosen);
        let on_card = card.totals(self.sheet).grand_total();
        // Many rolls have the same record.
        let mut records = BTreeMap::new();
        for end in &ends {
            *records.entry((end.category, end.points, end.gained)).or_insert(0.0) += end.odds;
        }
        let mut distributions = ScoreDistributions::new(forecast.end_distributions());
        // Most records of a row lead to the same card.
        let mut known: HashMap<CardState, Option<Vec<f64>>> = HashMap::new();
        let score = records.into_iter().map(|((category, points, gained), odds)| {
            let after = self.sheet.after(state, category, points);
            let on_card = on_card + gained;
            let open = self.sheet.categories().without(after.filled).len();
            let mean = f64::from(on_card) + self.value(after);
            let rest = || Expectation { mean, variance: forecast.variance(after) };
            let part = if (1..=FINISHED).contains(&open) && self.sheet.is_plain() {
                Final::known(on_card, &distributions.of(self, after))
            } else if open > 0
                && let Some(odds) = known.entry(after).or_insert_with(|| forecast.odds(after))
            {
                Final::interpolated(on_card, odds, rest())
            } else {
                Final::About(rest(), forecast.shape(self.sheet, after))
            };
            (odds, part)
        });
        let score = ScoreDistribution::new(score.collect());
        Some(Explanation {
            chosen,
            regret: (best_worth - worth).max(0.0),
            runner_up,
            chances: self.chances(state, &ends),
            score,
        })
    }

    /// The possible ends of the turn after `chosen` under best play, with their rolls and records.
    fn ends(
        &self,
        turn: &SolvedTurn<f64>,
        state: CardState,
        position: &Position,
        chosen: Move,
    ) -> Vec<End> {
        let sheet = self.sheet;
        let mut ends = Vec::new();
        if !sheet.is_plain() {
            self.ways_of_position(position, chosen, |position, category, odds| {
                let Some(roll) = position.dice() else { return };
                let state = position.card().state(sheet);
                ends.push(self.end(state, position.throw(sheet), roll, category, odds));
            });
            return ends;
        }
        let keep = match (chosen, position.dice()) {
            (Move::Keep(keep), _) => keep,
            (Move::Record(category), Some(roll)) => {
                ends.push(self.end(
                    state,
                    position.is_first_roll(sheet).into(),
                    roll,
                    category,
                    1.0,
                ));
                return ends;
            }
            (Move::Record(_), None) | (Move::Announce(_), _) => return ends,
        };
        self.for_each_ending(
            turn,
            state,
            keep,
            position.rolls_left(),
            |(roll, category, served, odds)| {
                ends.push(self.end(state, served.into(), roll, category, odds));
            },
        );
        ends
    }

    fn end(
        &self,
        state: CardState,
        throw: Throw,
        roll: Roll,
        category: Category,
        odds: f64,
    ) -> End {
        let sheet = self.sheet;
        let gain = sheet.gain(state, roll, category, throw);
        let open = sheet.categories().without(state.filled);
        let pays = |c: &Category| sheet.points(state, roll, *c, throw) > 0;
        let made = open.iter().filter(pays).collect();
        End { category, points: gain.points, gained: gain.total(), odds, made }
    }

    fn chances(&self, state: CardState, ends: &[End]) -> Vec<CategoryChance> {
        let sum = |ends: &mut dyn Iterator<Item = &End>| {
            // Rounding must not take a certain end beyond 1.
            ends.map(|end| end.odds).sum::<f64>().min(1.0)
        };
        self.sheet
            .categories()
            .without(state.filled)
            .iter()
            .map(|category| CategoryChance {
                category,
                recorded: sum(&mut ends.iter().filter(|end| end.category == category)),
                scored: sum(&mut ends.iter().filter(|e| e.category == category && e.points > 0)),
                made: sum(&mut ends.iter().filter(|end| end.made.contains(category))),
            })
            .collect()
    }
}

/// A possible end of a turn.
#[derive(Clone, Copy, Debug)]
struct End {
    category: Category,
    points: i16,
    /// Points with bonuses.
    gained: i32,
    odds: f64,
    /// The open categories that the dice pay.
    made: CategorySet,
}
