//! The review of a game: the regret of each move, and the luck of each throw. Regret is the difference to the
//! best move, luck the change in expected value by the faces that the move threw. For
//! each player the final score is the value of the card at the start, plus the luck, minus the
//! regrets.

use crate::dice::Roll;
use crate::moves::Move;
use crate::play::Illegal;
use crate::position::Position;
use crate::scorecard::Scorecard;
use crate::sheet::CardState;
use crate::solved_sheet::SolvedSheet;
use crate::solved_sheet::{MoveValues, best_of};
use crate::turn_solver::SolvedTurn;

/// The grade of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// The best move, or equal to it.
    Best,
    /// Almost as good as the best.
    Good,
    /// A small regret.
    Inaccuracy,
    /// A large regret.
    Mistake,
    /// A regret of a good part of a turn.
    Blunder,
}

/// Every grade, and its greatest regret as a share of the value of an average turn.
pub const GRADES: [(Grade, f64); 5] = [
    (Grade::Best, 0.0),
    (Grade::Good, 0.02),
    (Grade::Inaccuracy, 0.1),
    (Grade::Mistake, 0.3),
    (Grade::Blunder, f64::INFINITY),
];

impl Grade {
    /// The grade of a move with this regret in points where an average turn is worth
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

/// A move under review, with the faces that it threw. Values are expected final scores under best
/// play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReviewedStep {
    /// The player, an index of the cards.
    pub player: usize,
    /// The dice before it; none before the first throw of a turn.
    pub dice: Option<Roll>,
    /// The best move.
    pub best: Move,
    /// Its value.
    pub best_value: f64,
    /// The move made.
    pub chosen: Move,
    /// Its regret.
    pub regret: f64,
    /// Its grade.
    pub grade: Grade,
    /// Its luck: the value after the faces that it threw less that of the move; 0 if it threw none.
    pub luck: f64,
}

/// The sums of a review for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerReview {
    /// Expected final score before the first move.
    pub start_value: f64,
    /// Expected final score after the last move; the final score of a finished game. It is the
    /// value at the start plus the luck minus the regret.
    pub end_value: f64,
    /// The sum of all luck.
    pub luck: f64,
    /// The sum of all regrets.
    pub regret: f64,
    /// How many moves with dice on the table got each grade, in the order of [`GRADES`].
    pub grades: [u32; GRADES.len()],
}

/// The review of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The moves, in order.
    pub steps: Vec<ReviewedStep>,
    /// The sums for each player, in the order of the cards.
    pub players: Vec<PlayerReview>,
    /// The position after the last move.
    pub end: Position,
    /// Whether the game is over.
    pub game_over: bool,
}

/// Why a record is not one of a game: its first impossible move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {step}: {reason}")]
pub struct RecordError {
    /// Index of the move.
    pub step: usize,
    /// The reason.
    pub reason: RecordFault,
}

/// Why a move of a record is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The move was not legal, or threw another number of dice.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The game was over.
    #[error("the game was over before it")]
    Over,
}

impl SolvedSheet<'_> {
    /// Reviews a game: the moves of all players from `start` on, each with the faces that it threw.
    /// Takes some microseconds a turn.
    ///
    /// # Errors
    /// The first move that the rules do not allow.
    pub fn review<T: AsRef<[u8]>>(
        &self,
        start: &Position,
        moves: &[(Move, T)],
    ) -> Result<Review, RecordError> {
        let scale = self.points_a_turn();
        let player = |card| {
            let value = self.value_of(card);
            PlayerReview { start_value: value, end_value: value, ..PlayerReview::default() }
        };
        let mut review = Review {
            steps: Vec::with_capacity(moves.len()),
            players: start.cards().iter().map(player).collect(),
            end: start.clone(),
            game_over: false,
        };
        let mut turn = ReviewedTurn::new(*self, start);
        if start.dice().is_some() {
            // The luck of the dice on the table is not part of the record.
            let player = &mut review.players[start.to_move()];
            player.start_value = turn.best().1;
            player.end_value = player.start_value;
        }
        for (step, (chosen, thrown)) in moves.iter().enumerate() {
            let chosen = &review.end.next_entry(self.sheet, *chosen);
            let fault = |reason| RecordError { step, reason };
            if review.game_over {
                return Err(fault(RecordFault::Over));
            }
            let (player, dice) = (review.end.to_move(), review.end.dice());
            let played = review.end.play(self.sheet, *chosen, thrown.as_ref());
            let played = played.map_err(|illegal| fault(illegal.into()))?;
            let (best, best_value) = turn.best();
            let value = turn.value_of(*chosen);
            let regret = (best_value - value).max(0.0);
            if !played.game_over {
                turn.go_on(&played.position, played.recorded.is_some());
            }
            let luck = if thrown.as_ref().is_empty() { 0.0 } else { turn.best().1 - value };
            let grade = Grade::of(regret, scale);
            let chosen = *chosen;
            review.steps.push(ReviewedStep {
                player,
                dice,
                best,
                best_value,
                chosen,
                regret,
                grade,
                luck,
            });
            let of_player = &mut review.players[player];
            of_player.luck += luck;
            of_player.regret += regret;
            of_player.end_value = value + luck;
            if dice.is_some() {
                of_player.grades[grade as usize] += 1;
            }
            (review.end, review.game_over) = (played.position, played.game_over);
        }
        Ok(review)
    }

    /// Expected final score of a card at the start of a turn.
    fn value_of(&self, card: &Scorecard) -> f64 {
        let on_card = f64::from(card.totals(self.sheet).grand_total());
        on_card + self.value(card.state(self.sheet))
    }
}

/// The values of the moves of a position, updated move by move.
struct ReviewedTurn<'a> {
    solved: SolvedSheet<'a>,
    state: CardState,
    /// The turn at hand.
    turn: SolvedTurn<f64>,
    /// Points on the card.
    on_card: f64,
    /// Expected further points of each move.
    move_values: MoveValues,
}

impl<'a> ReviewedTurn<'a> {
    fn new(solved: SolvedSheet<'a>, position: &Position) -> Self {
        let card = position.card();
        let state = card.state(solved.sheet);
        let on_card = f64::from(card.totals(solved.sheet).grand_total());
        let (turn, move_values) = (solved.turn(state), MoveValues::new());
        let mut reviewed = Self { solved, state, turn, on_card, move_values };
        reviewed.look(position);
        reviewed
    }

    fn look(&mut self, position: &Position) {
        if position.dice().is_some() {
            self.move_values = self.solved.move_values(&self.turn, self.state, position);
        } else {
            // The only move throws all dice, and has the value of the card: the same figure with
            // which the turn before ended, so that sums over a game are exact.
            let throw = position.legal_moves(self.solved.sheet).next();
            let value = self.solved.value(self.state);
            self.move_values = throw.map(|chosen| (chosen, value)).into_iter().collect();
        }
    }

    fn go_on(&mut self, position: &Position, turn_ended: bool) {
        if turn_ended {
            *self = Self::new(self.solved, position);
        } else {
            self.look(position);
        }
    }

    /// The best move and its value.
    fn best(&self) -> (Move, f64) {
        let (best, worth) = best_of(&self.move_values);
        (best, self.on_card + worth)
    }

    /// The value of a legal move.
    fn value_of(&self, chosen: Move) -> f64 {
        let found = self.move_values.iter().find(|worth| worth.0 == chosen);
        self.on_card + found.expect("a legal move").1
    }
}
