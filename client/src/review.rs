//! A game as it was played, and the study of it: what each move gave up, and what the dice brought.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Applied, Dice, Move, PlayedTurn, Position, Totals, TurnStep};

/// A game as it was played: every move of every player in the order of play, each with the faces
/// that it threw.
///
/// ```
/// # let server = dicepoker_client_testkit::Server::start();
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// # let client = dicepoker_client::Client::connect(server.url()).await?;
/// use dicepoker_client::{GameRecord, Opponent, Position};
///
/// let start = Position::start(1, 3);
/// let mut game = GameRecord::from_start(start.clone());
/// let turn = client.play_turn("yahtzee", start, Opponent::Level(2), 42).await?;
/// game.push_turn(&turn);
/// let review = client.review("yahtzee", game).await?;
/// let beginner = &review.players[0];
/// let told = beginner.start_value.unwrap() + beginner.luck - beginner.regret;
/// assert!((beginner.end_value.unwrap() - told).abs() < 1e-6);
/// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameRecord {
    /// Where the record begins; if left out, at the start of a game of one player, in the race of
    /// two.
    #[serde(rename = "position", skip_serializing_if = "Option::is_none")]
    pub start: Option<Position>,
    /// The moves.
    pub steps: Vec<TurnStep>,
}

impl GameRecord {
    /// A game that begins here, without moves.
    #[must_use]
    pub fn from_start(start: Position) -> Self {
        Self { start: Some(start), steps: Vec::new() }
    }

    /// Adds the move `chosen` in a position with `dice` on the table, of which came `applied`.
    pub fn push(&mut self, dice: Dice, chosen: Move, applied: &Applied) {
        let (thrown, recorded) = (applied.thrown.clone(), applied.recorded.clone());
        self.steps.push(TurnStep { dice, chosen, thrown, recorded });
    }

    /// Adds a turn that an opponent played.
    pub fn push_turn(&mut self, turn: &PlayedTurn) {
        self.steps.extend_from_slice(&turn.steps);
    }
}

/// The study of a game. Values are expected final scores under best play, in points; in the race
/// the probability to win.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// What is said of each step, in their order.
    pub steps: Vec<ReviewedStep>,
    /// What it comes to for each player.
    pub players: Vec<PlayerReview>,
    /// The position after the last step.
    pub position: Position,
    /// Whether the game is over.
    pub game_ended: bool,
    /// The sums of every player's card.
    pub totals: Vec<Totals>,
    /// When the game is over: the players with the most points.
    pub winners: Vec<u32>,
}

/// A step of a game under study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedStep {
    /// Who made it.
    pub player: u32,
    /// Faces on the table before it.
    pub dice: Dice,
    /// The move that was made.
    #[serde(rename = "move")]
    pub chosen: Move,
    /// The best move.
    #[serde(rename = "best_move")]
    pub best: Move,
    /// Value of the best move.
    pub best_value: f64,
    /// What the move made gave up against it, 0 or more.
    pub regret: f64,
    /// How good it was.
    pub grade: Grade,
    /// What the faces that it threw brought: the value after them minus the value of the move.
    pub luck: f64,
}

/// How good a move was, by what it gave up as a share of what an average turn is worth; in the race
/// by hundredths of probability to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Grade {
    /// The best move, or equal to it.
    #[serde(rename = "GRADE_BEST")]
    Best,
    /// As good as the best for all practical purposes.
    #[serde(rename = "GRADE_GOOD")]
    Good,
    /// Gave up something.
    #[serde(rename = "GRADE_INACCURACY")]
    Inaccuracy,
    /// Gave up much.
    #[serde(rename = "GRADE_MISTAKE")]
    Mistake,
    /// Threw a good part of a turn away.
    #[serde(rename = "GRADE_BLUNDER")]
    Blunder,
    /// A grade that a newer service knows and this client does not.
    #[serde(other)]
    Other,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::Other => "other",
        })
    }
}

/// What a game under study comes to for a player. On a score sheet `end_value` is exactly
/// `start_value` plus `luck` minus `regret`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerReview {
    /// Value before the first step; not in the race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_value: Option<f64>,
    /// Value after the last step, the final score of a finished game; not in the race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_value: Option<f64>,
    /// The sum of all luck.
    pub luck: f64,
    /// The sum of all regrets: what skill has left to gain.
    pub regret: f64,
    /// How many moves got each grade.
    pub grades: Vec<GradeCount>,
}

/// How many moves got a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeCount {
    /// The grade.
    pub grade: Grade,
    /// The number of moves.
    pub count: u32,
}
