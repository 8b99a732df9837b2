//! Why a move is the best one, in figures and in a sentence.

use serde::{Deserialize, Serialize};

use crate::Move;

/// Why a move is the best one, or what it gives up. All figures are of best play for points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The plan in one plain sentence.
    pub plan: String,
    /// For every open category, in the order of the score sheet, how the turn may end.
    pub category_chances: Vec<CategoryChance>,
    /// The best of the other moves, if there is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<RunnerUp>,
    /// The final score of the card.
    pub score: ScoreDistribution,
}

/// What the turn may bring to a category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CategoryChance {
    /// Id of the category.
    pub category: String,
    /// Probability that the turn ends by recording in it.
    pub recorded: f64,
    /// Probability that the dice at the end of the turn pay something in it, wherever they are
    /// recorded.
    pub made: f64,
}

/// The best of the other moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunnerUp {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: Move,
    /// Points that it gives up against the move explained; below 0 if it is better.
    pub regret: f64,
}

/// How a final score is spread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreDistribution {
    /// Mean, in points.
    pub mean: f64,
    /// Standard deviation, in points.
    pub standard_deviation: f64,
    /// Scores that certain shares of the games stay at or below, lowest first.
    pub percentiles: Vec<Percentile>,
}

/// A score that a share of the games stays at or below.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Percentile {
    /// The share, of 100.
    pub percent: u32,
    /// The score.
    pub score: f64,
}
