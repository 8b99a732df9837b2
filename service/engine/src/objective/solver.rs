//! How chances are computed: alone against a measure, against one other card, or in the last round
//! of several.

use super::Objective;
use super::chances::{Chances, Outcome};
use super::distribution::ScoreDistributions;
use super::endgame::{Duel, Solo};
use super::final_score::{Expectation, Final, Measure};
use super::forecast::Forecast;
use super::last_round::{LastRound, Seat};
use crate::category::Category;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::sheet::{CardState, Gain};
use crate::solved_sheet::{SolvedSheet, turn_of};
use crate::turn_solver::SolvedTurn;

/// The most categories of a card, the one of this turn included, for which one answer solves to the
/// end, in some milliseconds.
pub const EXACT_ALONE: usize = 4;

/// The part of a game that is solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactLimits {
    /// Categories that the player's own card may have open after this turn.
    pub(super) own: usize,
    /// Categories that another card may have open for its final score to be known as it is.
    pub(super) others: usize,
    /// Whether a last round of several players is solved for all of them.
    pub(super) last_round: bool,
}

impl ExactLimits {
    /// For one answer.
    pub(super) const THOROUGH: Self = Self { own: EXACT_ALONE - 1, others: 3, last_round: true };
}

/// The most open categories of either of two cards that are solved against each other.
pub const EXACT_AGAINST: usize = 2;

impl SolvedSheet<'_> {
    /// The measure of a final score of the player to move, by `objective`.
    fn measure(
        &self,
        forecast: &Forecast,
        objective: Objective,
        position: &Position,
        effort: ExactLimits,
    ) -> Measure {
        match objective {
            Objective::ReachTarget(points) => Measure::Target(points),
            Objective::ExpectedScore | Objective::Win => {
                let mut distributions = ScoreDistributions::default();
                let mut rival = |card: &Scorecard| {
                    let few = (1..=effort.others).contains(&self.open(card));
                    if few && self.sheet.is_plain() {
                        let points = card.totals(self.sheet).grand_total();
                        Final::known(points, &distributions.of(self, card.state(self.sheet)))
                    } else {
                        Final::About(self.expectation(forecast, card), None)
                    }
                };
                Measure::Others(others(position).map(&mut rival).collect())
            }
        }
    }

    /// How many categories of a card are open.
    fn open(&self, card: &Scorecard) -> usize {
        self.sheet.categories().without(card.filled()).len()
    }

    /// The final score of a card that is played for points.
    pub(super) fn expectation(&self, forecast: &Forecast, card: &Scorecard) -> Expectation {
        let on_card = f64::from(card.totals(self.sheet).grand_total());
        if card.is_complete(self.sheet) {
            return Expectation { mean: on_card, variance: 0.0 };
        }
        let state = card.state(self.sheet);
        let mean = on_card + self.value(state);
        Expectation { mean, variance: forecast.variance(state) }
    }

    /// The chances of a move after which so many points are still gained on average, as of a normal
    /// distribution: what there is to say where the turns of a sheet are not plain.
    pub(super) fn rough_chances(
        &self,
        forecast: &Forecast,
        objective: Objective,
        position: &Position,
        further: f64,
    ) -> Chances {
        let measure = self.measure(forecast, objective, position, ExactLimits::THOROUGH);
        let card = self.expectation(forecast, position.card());
        let on_card = f64::from(position.card().totals(self.sheet).grand_total());
        measure.of(Expectation { mean: on_card + further, variance: card.variance })
    }

    /// How the chances of the player to move are worked out.
    pub(super) fn solver(
        &self,
        forecast: &Forecast,
        objective: Objective,
        position: &Position,
        effort: ExactLimits,
    ) -> ChanceSolver {
        if objective == Objective::Win && self.sheet.is_plain() {
            if let [a, b] = position.cards()
                && let other = if position.to_move() == 0 { b } else { a }
                && (1..=EXACT_AGAINST).contains(&self.open(other))
                && self.open(position.card()) <= EXACT_AGAINST
            {
                let against = i64::from(other.totals(self.sheet).grand_total());
                return ChanceSolver::Duel(Duel::default(), other.state(self.sheet), against);
            }
            if effort.last_round
                && let Some(round) = self.last_round(position)
            {
                return ChanceSolver::LastRound(Box::new(round));
            }
        }
        ChanceSolver::Solo(Solo::new(
            self.measure(forecast, objective, position, effort),
            effort.own,
        ))
    }

    /// The last round of a game, if `position` is in it and others are still to move.
    fn last_round(&self, position: &Position) -> Option<LastRound> {
        let cards = position.cards();
        let in_order = (0..cards.len()).map(|i| &cards[(position.to_move() + i) % cards.len()]);
        let (done, to_move): (Vec<&Scorecard>, Vec<&Scorecard>) =
            in_order.partition(|card| self.open(card) == 0);
        let points = |card: &Scorecard| card.totals(self.sheet).grand_total();
        let seats: Vec<Seat> =
            to_move.iter().map(|card| (card.state(self.sheet), points(card))).collect();
        if seats.len() < 2 || to_move.iter().any(|card| self.open(card) > 1) {
            return None;
        }
        LastRound::new(&seats, done.into_iter().map(points).max())
    }
}

/// The cards of the players who are not to move.
pub(super) fn others(position: &Position) -> impl Iterator<Item = &Scorecard> {
    let cards = position.cards().iter().enumerate();
    cards.filter(|(player, _)| *player != position.to_move()).map(|(_, card)| card)
}

/// The way in which chances are worked out.
#[derive(Debug)]
pub(super) enum ChanceSolver {
    /// The player's card alone, against a measure.
    Solo(Solo),
    /// Against one other card, which has so many points.
    Duel(Duel, CardState, i64),
    /// In the last round with others.
    LastRound(Box<LastRound>),
}

impl ChanceSolver {
    /// The turn of a card in `state` with `points` on it.
    pub(super) fn turn(
        &mut self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        state: CardState,
        points: i32,
    ) -> SolvedTurn<Outcome> {
        turn_of(solved.sheet(), state, |category, gain| {
            self.after(solved, forecast, state, points, category, gain)
        })
    }

    /// The chances after a record.
    pub(super) fn after(
        &mut self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        state: CardState,
        points: i32,
        category: Category,
        gain: Gain,
    ) -> Outcome {
        let after = solved.sheet().after(state, category, gain.points);
        let points = points + gain.total();
        match self {
            Self::Solo(solo) => solo.card(solved, forecast, after, points),
            Self::LastRound(round) => round.after(solved, category, gain),
            Self::Duel(duel, other, against) => {
                let found = duel.cards(solved, *other, after, *against - i64::from(points));
                let found = found.of_the_other();
                Outcome { points: found.points + f64::from(gain.total()), ..found }
            }
        }
    }

    /// Whether they are exact for a card with so many open categories.
    pub(super) fn are_exact(&self, open: usize) -> bool {
        match self {
            Self::Solo(solo) => solo.is_exact(open - 1),
            Self::Duel(..) | Self::LastRound(_) => true,
        }
    }
}
