//! The study of a game that was played: what each decision gave up against the best one, and what
//! each throw brought. Luck is the change in expected value by a throw, regret the loss by a
//! move, and they account for the whole game: the final score is the value of the card at the
//! start, plus the luck, minus the regrets.

use arrayvec::ArrayVec;

use super::choose::best_of;
use super::game::Game;
use crate::check::MAX_ROLLS;
use crate::dice::{Keep, Roll};
use crate::moves::Move;
use crate::play::Illegal;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::solve::Values;

/// The record of one player: the turns it took, on the card it began with.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRecord {
    /// The card before the first of the turns; usually empty.
    pub start: Scorecard,
    /// The turns, in order. The last may stop short.
    pub turns: Vec<TurnRecord>,
}

/// A turn: every roll that lay on the table and what was done with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnRecord {
    /// The dice after each throw, with the move then made. All but the last move of a complete
    /// turn are keeps.
    pub steps: Vec<(Roll, Move)>,
}

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// The best move, or equal to it.
    Best,
    /// As good as the best for all practical purposes.
    Good,
    /// Gave up something.
    Inaccuracy,
    /// Gave up much.
    Mistake,
    /// Threw a good part of a turn away.
    Blunder,
}

/// Every grade, and the most points it gives up, as a share of what an average turn is worth.
pub const GRADES: [(Grade, f64); 5] = [
    (Grade::Best, 0.0),
    (Grade::Good, 0.02),
    (Grade::Inaccuracy, 0.1),
    (Grade::Mistake, 0.3),
    (Grade::Blunder, f64::INFINITY),
];

impl Grade {
    /// The grade of a move that gives up `regret` points where an average turn is worth
    /// `points_a_turn`.
    #[must_use]
    pub fn of(regret: f64, points_a_turn: f64) -> Self {
        let within =
            |&&(_, most): &&(Self, f64)| regret <= most * points_a_turn + crate::advice::EQUAL;
        GRADES.iter().find(within).map_or(Self::Blunder, |&(grade, _)| grade)
    }

    /// The stable name of the grade.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// A throw and the decision after it. Values are expected final scores under best play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The dice.
    pub dice: Roll,
    /// Throws that were left.
    pub rolls_left: u8,
    /// What the throw brought: the value after it less the value before it.
    pub luck: f64,
    /// The best move.
    pub best: Move,
    /// Its value.
    pub best_value: f64,
    /// The move made.
    pub chosen: Move,
    /// What it gave up.
    pub regret: f64,
    /// How good it was.
    pub grade: Grade,
}

/// A turn of a game under review.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnReview {
    /// Its throws and decisions, in order.
    pub decisions: ArrayVec<Decision, { MAX_ROLLS as usize }>,
}

/// The review of one player's game.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The turns, in order.
    pub turns: Vec<TurnReview>,
    /// Expected final score of the card before the first turn.
    pub start_value: f64,
    /// Expected final score after the last decision; the final score of a finished game.
    pub end_value: f64,
    /// The sum of all luck.
    pub luck: f64,
    /// The sum of all regrets: what skill has left to gain.
    pub regret: f64,
    /// How many decisions got each grade, in the order of [`GRADES`].
    pub grades: [u32; GRADES.len()],
    /// The card after the last decision.
    pub end: Scorecard,
}

/// Why a record is not one of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("turns[{turn}].steps[{step}]: {reason}")]
pub struct RecordError {
    /// Index of the turn.
    pub turn: usize,
    /// Index of the step in it.
    pub step: usize,
    /// What is wrong with it.
    pub reason: RecordFault,
}

/// What can be wrong with a step of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The move was not legal.
    #[error(transparent)]
    Illegal(Illegal),
    /// The dice are not those kept and others.
    #[error("the dice do not contain those that were kept")]
    NotKept,
    /// The turn went on after its record, or the game after its last turn.
    #[error("nothing can follow: the turn or the game has ended")]
    Ended,
    /// A turn that is not the last one has no record at its end.
    #[error("the turn does not end by recording, and is not the last one")]
    Unfinished,
}

impl<V: Values> Game<'_, V> {
    /// Reviews the game of one player. Takes a turn's solution for each turn, some microseconds.
    ///
    /// # Errors
    /// The first step that the rules do not allow.
    pub fn review(&self, record: &PlayerRecord) -> Result<Review, RecordError> {
        let scale = self.points_a_turn();
        let mut card = record.start;
        let start_value = self.value_of(&card);
        let mut review = Review {
            turns: Vec::with_capacity(record.turns.len()),
            start_value,
            end_value: start_value,
            luck: 0.0,
            regret: 0.0,
            grades: [0; GRADES.len()],
            end: card,
        };
        for (index, turn) in record.turns.iter().enumerate() {
            let reviewed = self
                .review_turn(&mut card, turn, review.end_value, scale)
                .map_err(|(step, reason)| RecordError { turn: index, step, reason })?;
            for decision in &reviewed.decisions {
                review.luck += decision.luck;
                review.regret += decision.regret;
                review.grades[decision.grade as usize] += 1;
                review.end_value = decision.best_value - decision.regret;
            }
            let complete = turn.steps.last().is_some_and(|s| matches!(s.1, Move::Record(_)));
            if !complete && index + 1 < record.turns.len() {
                let reason = RecordFault::Unfinished;
                return Err(RecordError { turn: index, step: turn.steps.len(), reason });
            }
            review.turns.push(reviewed);
        }
        review.end = card;
        Ok(review)
    }

    /// Expected final score of a card at the start of a turn.
    fn value_of(&self, card: &Scorecard) -> f64 {
        let on_card = f64::from(card.totals(self.sheet).grand_total());
        on_card + self.values.value(card.state(self.sheet))
    }

    fn review_turn(
        &self,
        card: &mut Scorecard,
        record: &TurnRecord,
        mut value: f64,
        scale: f64,
    ) -> Result<TurnReview, (usize, RecordFault)> {
        if record.steps.is_empty() {
            return Ok(TurnReview::default());
        }
        if card.is_complete(self.sheet) {
            return Err((0, RecordFault::Ended));
        }
        let state = card.state(self.sheet);
        let on_card = f64::from(card.totals(self.sheet).grand_total());
        let turn = self.turn(state);
        let mut review = TurnReview::default();
        let mut position =
            Position { cards: vec![*card], to_move: 0, dice: None, rolls_left: self.sheet.rolls() };
        let mut kept = Keep::EMPTY;
        let space = self.sheet.space();
        for (step, &(dice, chosen)) in record.steps.iter().enumerate() {
            if !space.contains(space.as_keep(dice), kept) {
                return Err((step, RecordFault::NotKept));
            }
            // Each keep was found legal, so there was a throw for it.
            position.rolls_left -= 1;
            position.dice = Some(dice);
            if let Some(illegal) = position.why_illegal(self.sheet, chosen) {
                return Err((step, RecordFault::Illegal(illegal)));
            }
            let worths = self.worths(&turn, state, &position);
            let (best, best_worth) = best_of(&worths);
            let worth = worths.iter().find(|w| w.0 == chosen).map_or(best_worth, |w| w.1);
            let best_value = on_card + best_worth;
            let regret = best_worth - worth;
            review.decisions.push(Decision {
                dice,
                rolls_left: position.rolls_left,
                luck: best_value - value,
                best,
                best_value,
                chosen,
                regret,
                grade: Grade::of(regret, scale),
            });
            value = on_card + worth;
            match chosen {
                Move::Keep(keep) => kept = keep,
                Move::Record(_) => {
                    let played =
                        position.play(self.sheet, chosen, &[]).expect("the move was found legal");
                    *card = played.position.cards()[0];
                    if step + 1 < record.steps.len() {
                        return Err((step + 1, RecordFault::Ended));
                    }
                }
            }
        }
        Ok(review)
    }
}
