//! How chances are computed: alone against a measure, against one other card, or in the last round
//! of several.

use arrayvec::ArrayVec;

use super::Objective;
use super::chances::Chances;
use super::distribution::ScoreDistributions;
use super::endgame::{End, Endgame, Record};
use super::final_score::{Expectation, Final, Measure};
use super::forecast::Forecast;
use super::last_round::{LastRound, Seat};
use super::rated::Rated;
use super::turn_chances::chances_of_moves;
use crate::advice::MAX_MOVES;
use crate::moves::Move;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::sheet::{CardState, Sheet};
use crate::solved_sheet::SolvedSheet;

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
                let mut distributions = ScoreDistributions::new(forecast.end_distributions());
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

    /// The chances of every legal move of `position`, given in `further` with the points that it still
    /// gains on average.
    pub(super) fn chances_of_moves(
        &self,
        forecast: &Forecast,
        solver: &mut ChanceSolver,
        position: &Position,
        further: &[(Move, f64)],
    ) -> ArrayVec<Chances, MAX_MOVES> {
        let card = position.card();
        let own = (card.state(self.sheet), card.totals(self.sheet).grand_total());
        if self.sheet.is_plain() {
            let moves = further.iter().map(|&(chosen, _)| chosen);
            return chances_of_moves(self.sheet, position, moves, |category, gain| {
                solver.after(self, forecast, own, (category, gain))
            });
        }
        let Expectation { variance, .. } = self.expectation(forecast, card);
        let mean = |further: f64| f64::from(own.1) + further;
        let about = |&(_, further): &(Move, f64)| {
            solver.of_mean(Expectation { mean: mean(further), variance })
        };
        further.iter().map(about).collect()
    }

    /// How the chances of the player to move after this turn are worked out.
    pub(super) fn solver(
        &self,
        forecast: &Forecast,
        objective: Objective,
        position: &Position,
        effort: ExactLimits,
    ) -> ChanceSolver {
        if !self.sheet.is_plain() {
            return ChanceSolver::about(self.measure(forecast, objective, position, effort));
        }
        let own = position.card();
        let state = own.state(self.sheet);
        let points = |card: &Scorecard| card.totals(self.sheet).grand_total();
        let endgame = |other: CardState, points: i32, end: &End, certain: bool| {
            let records = records(self.sheet, position);
            let endgame = Endgame::new(self, (state, other), points, end, records);
            ChanceSolver::Endgame { endgame, certain }
        };
        if objective == Objective::Win {
            if let [a, b] = position.cards()
                && let other = if position.to_move() == 0 { b } else { a }
                && (1..=EXACT_AGAINST).contains(&self.open(other))
                && self.open(own) <= EXACT_AGAINST
            {
                let ahead = points(own) - points(other);
                return endgame(other.state(self.sheet), ahead, &End::Ahead, true);
            }
            if effort.last_round
                && let Some(round) = self.last_round(position)
            {
                return ChanceSolver::LastRound(Box::new(round));
            }
        }
        let measure = self.measure(forecast, objective, position, effort);
        if self.open(own) > effort.own + 1 {
            return ChanceSolver::about(measure);
        }
        let certain = measure.is_certain();
        let complete = CardState { filled: self.sheet.categories(), ..CardState::EMPTY };
        endgame(complete, points(own), &End::Measure(measure), certain)
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

/// Every record that the turn of `position` may end with.
fn records(sheet: &Sheet, position: &Position) -> Vec<Record> {
    let state = position.card().state(sheet);
    let at = |roll, category, throw| (category, sheet.gain(state, roll, category, throw));
    let mut records = Vec::new();
    if let Some(roll) = position.dice() {
        let throw = position.throw(sheet);
        let legal = position.records(sheet).iter();
        records.extend(legal.map(|category| at(roll, category, throw)));
    }
    if position.rolls_left() == 0 {
        return records;
    }
    let first_to_come = position.dice().is_none() && sheet.has_served();
    for served in [false, true].into_iter().take(if first_to_come { 2 } else { 1 }) {
        let classes = sheet.classes(served);
        for category in sheet.categories().without(state.filled).iter() {
            records.extend(classes.of(category).map(|class| {
                (category, sheet.gain_of_points(state, category, classes.points(class)))
            }));
        }
        for &roll in sheet.special_rolls() {
            let legal = sheet.legal(state, roll).iter();
            records.extend(legal.map(|category| at(roll, category, served.into())));
        }
    }
    records
}

/// The way in which the chances after a record are worked out.
#[derive(Debug)]
pub(super) enum ChanceSolver {
    /// From the mean and the deviation of what follows, or the table of a target. `last` is what the
    /// last card asked about still gains: most records of a row lead to the same card.
    About { measure: Measure, last: Option<(CardState, Expectation)> },
    /// To the last throw; `certain` unless what the others end with is estimated.
    Endgame { endgame: Endgame, certain: bool },
    /// In the last round with others.
    LastRound(Box<LastRound>),
}

impl ChanceSolver {
    fn about(measure: Measure) -> Self {
        Self::About { measure, last: None }
    }

    /// The chances after a record of a card in `state` with `points` on it, the one that it was made
    /// for.
    pub(super) fn after(
        &mut self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        (state, points): (CardState, i32),
        (category, gain): Record,
    ) -> Rated {
        let sheet = solved.sheet();
        match self {
            Self::Endgame { endgame, .. } => endgame.after(sheet, state, (category, gain)),
            Self::LastRound(round) => {
                let outcome = round.after(solved, category, gain);
                Rated::new(outcome.chances, outcome.points - f64::from(points))
            }
            Self::About { measure, last } => {
                let after = sheet.after(state, category, gain.points);
                let known = last.filter(|last| last.0 == after).map(|last| last.1);
                let rest = known.unwrap_or_else(|| Expectation {
                    mean: solved.value(after),
                    variance: forecast.variance(after),
                });
                *last = Some((after, rest));
                let further = f64::from(gain.total()) + rest.mean;
                let chances = match (&*measure, forecast.target_chances()) {
                    (Measure::Target(target), Some(reach)) => {
                        let needed = f64::from(*target) - f64::from(points + gain.total());
                        let win = reach.chance(solved, forecast, after, needed);
                        Chances { win, draw: 0.0 }
                    }
                    _ => {
                        let mean = f64::from(points) + further;
                        measure.of(Expectation { mean, ..rest })
                    }
                };
                Rated::new(chances, further)
            }
        }
    }

    /// The chances of a move after which `further` points are still gained on average, as of a normal
    /// distribution: what is known where the turns of a sheet are not plain.
    pub(super) fn of_mean(&self, own: Expectation) -> Chances {
        match self {
            Self::About { measure, .. } => measure.of(own),
            Self::Endgame { .. } | Self::LastRound(_) => Chances::default(),
        }
    }

    /// Whether they are exact.
    pub(super) fn is_exact(&self) -> bool {
        match self {
            Self::About { .. } => false,
            Self::Endgame { certain, .. } => *certain,
            Self::LastRound(_) => true,
        }
    }
}
