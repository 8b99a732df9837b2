//! What a player plays for: the most points on average, to win, or to reach a number of points.
//! Every move is told with its chances, and whether they are exact. How the chances come about is
//! told in `OPPONENTS.md`; in short, the turn at hand is always worked out exactly, and what comes
//! after it exactly where few categories are open, and otherwise from the mean and the deviation
//! of a game played for points.

mod player;

pub use self::player::{Aim, Memory};
use super::choose::place;
use super::endgame::{Duel, Solo};
use super::finish::Finishes;
use super::game::{Game, turn_of};
use super::last_round::{LastRound, Seat};
use super::outcome::{EQUAL_CHANCE, Expectation, Final, Measure, Outlook, Prospect};
use super::spread::Spread;
use super::turn::Turn;
use crate::advice::EQUAL;
use crate::category::Category;
use crate::moves::Move;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::sheet::{CardState, Gain};

/// What a player plays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The greatest expected final score.
    #[default]
    ExpectedScore,
    /// The greatest probability to beat every other card of the position; a draw counts half.
    Win,
    /// The greatest probability of this many points or more.
    ReachTarget(u32),
}

/// A move with its chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimedMove {
    /// The move.
    pub chosen: Move,
    /// What it leads to, if all that follows is played for the same objective.
    pub prospect: Prospect,
    /// Expected final score with this move and play for points after it.
    pub expected: f64,
    /// What the move gives up against the best one, in [`Prospect::worth`].
    pub regret: f64,
}

/// Every legal move of a position with its chances.
#[derive(Clone, Debug, PartialEq)]
pub struct Aimed {
    /// The moves, best first; equal ones by expected score and then as in advice.
    pub moves: Vec<AimedMove>,
    /// Whether the chances are exact, and not worked out from means and deviations.
    pub exact: bool,
}

/// Categories a card may have open, the one of this turn included, to be worked out to the end
/// for one answer: some milliseconds at most.
pub const EXACT_ALONE: usize = 4;

/// How much of the rest of a game is worked out.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Categories that the player's own card may have open after this turn.
    own: usize,
    /// Categories that another card may have open for its final score to be known as it is.
    others: usize,
    /// Whether a last round of several is played out for all of them.
    last_round: bool,
}

impl Effort {
    /// For one answer.
    const THOROUGH: Self = Self { own: EXACT_ALONE - 1, others: 3, last_round: true };
}

/// Categories that either of two cards may have open to be worked out against each other.
pub const EXACT_AGAINST: usize = 2;

impl Game<'_> {
    /// Every legal move of `position` with its chances by `objective`. For
    /// [`Objective::ExpectedScore`] the chances are those to win, and moves stand by score.
    ///
    /// Others are taken to play for points, except where all are played out against each other to
    /// the end: two cards, or the last round of up to four who are still to move.
    #[must_use]
    pub fn aim(&self, spread: &Spread, objective: Objective, position: &Position) -> Aimed {
        let mut stakes = self.stakes(spread, objective, position, Effort::THOROUGH);
        let card = position.card();
        if card.is_complete(self.sheet) {
            return Aimed { moves: Vec::new(), exact: true };
        }
        let state = card.state(self.sheet);
        let on_card = card.totals(self.sheet).grand_total();
        let turn = stakes.turn(self, spread, state, on_card);
        let worths = self.worths(&self.turn(state), state, position);
        let mut moves: Vec<AimedMove> = worths
            .iter()
            .map(|&(chosen, further)| AimedMove {
                chosen,
                prospect: self
                    .worth_of(&turn, position, chosen, &mut |category, gain| {
                        stakes.after(self, spread, state, on_card, category, gain)
                    })
                    .prospect,
                expected: f64::from(on_card) + further,
                regret: 0.0,
            })
            .collect();
        let by_score = objective == Objective::ExpectedScore;
        // In grains, so that the order is one even where chances differ by rounding alone.
        let grains = |m: &AimedMove| (m.prospect.worth() / EQUAL_CHANCE).round() as i64;
        let points = |m: &AimedMove| (m.expected / EQUAL).round() as i64;
        moves.sort_by_key(|m| {
            let chance = if by_score { 0 } else { -grains(m) };
            (chance, -points(m), place(m.chosen))
        });
        let best = moves.iter().map(|m| m.prospect.worth()).fold(f64::NEG_INFINITY, f64::max);
        moves.iter_mut().for_each(|m| m.regret = (best - m.prospect.worth()).max(0.0));
        let open = self.sheet.categories().without(state.filled).len();
        Aimed { moves, exact: !by_score && stakes.are_exact(open) }
    }

    /// What `objective` measures a final score of the player to move against.
    fn measure(
        &self,
        spread: &Spread,
        objective: Objective,
        position: &Position,
        effort: Effort,
    ) -> Measure {
        match objective {
            Objective::ReachTarget(points) => Measure::Target(points),
            Objective::ExpectedScore | Objective::Win => {
                let mut finishes = Finishes::default();
                let mut rival = |card: &Scorecard| {
                    if (1..=effort.others).contains(&self.open(card)) {
                        let points = card.totals(self.sheet).grand_total();
                        Final::known(points, &finishes.of(self, card.state(self.sheet)))
                    } else {
                        Final::About(self.expectation(spread, card))
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

    /// What a card ends with if it is played for points.
    pub(super) fn expectation(&self, spread: &Spread, card: &Scorecard) -> Expectation {
        let on_card = f64::from(card.totals(self.sheet).grand_total());
        if card.is_complete(self.sheet) {
            return Expectation { mean: on_card, variance: 0.0 };
        }
        let state = card.state(self.sheet);
        let mean = on_card + self.values.value(state);
        Expectation { mean, variance: spread.variance(state) }
    }

    /// How the chances of the player to move are worked out.
    fn stakes(
        &self,
        spread: &Spread,
        objective: Objective,
        position: &Position,
        effort: Effort,
    ) -> Stakes {
        if objective == Objective::Win {
            if let [a, b] = position.cards()
                && let other = if position.to_move() == 0 { b } else { a }
                && (1..=EXACT_AGAINST).contains(&self.open(other))
                && self.open(position.card()) <= EXACT_AGAINST
            {
                let against = i64::from(other.totals(self.sheet).grand_total());
                return Stakes::Duel(Duel::default(), other.state(self.sheet), against);
            }
            if effort.last_round
                && let Some(round) = self.last_round(position)
            {
                return Stakes::LastRound(round);
            }
        }
        Stakes::Solo(Solo::new(self.measure(spread, objective, position, effort), effort.own))
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
fn others(position: &Position) -> impl Iterator<Item = &Scorecard> {
    let cards = position.cards().iter().enumerate();
    cards.filter(|(player, _)| *player != position.to_move()).map(|(_, card)| card)
}

/// The way in which chances are worked out.
#[derive(Debug)]
enum Stakes {
    /// The player's card alone, against a measure.
    Solo(Solo),
    /// Against one other card, which has so many points.
    Duel(Duel, CardState, i64),
    /// In the last round with others.
    LastRound(LastRound),
}

impl Stakes {
    /// The turn of a card in `state` with `points` on it.
    fn turn(
        &mut self,
        game: &Game<'_>,
        spread: &Spread,
        state: CardState,
        points: u32,
    ) -> Turn<Outlook> {
        turn_of(game.sheet(), state, |category, gain| {
            self.after(game, spread, state, points, category, gain)
        })
    }

    /// The chances after a record.
    fn after(
        &mut self,
        game: &Game<'_>,
        spread: &Spread,
        state: CardState,
        points: u32,
        category: Category,
        gain: Gain,
    ) -> Outlook {
        let after = game.sheet().after(state, category, gain.points);
        let points = points + gain.total();
        match self {
            Self::Solo(solo) => solo.card(game, spread, after, points),
            Self::LastRound(round) => round.after(game, category, gain),
            Self::Duel(duel, other, against) => {
                let found = duel.cards(game, *other, after, *against - i64::from(points));
                let found = found.of_the_other();
                Outlook { points: found.points + f64::from(gain.total()), ..found }
            }
        }
    }

    /// Whether they are exact for a card with so many open categories.
    fn are_exact(&self, open: usize) -> bool {
        match self {
            Self::Solo(solo) => solo.is_exact(open - 1),
            Self::Duel(..) | Self::LastRound(_) => true,
        }
    }
}
