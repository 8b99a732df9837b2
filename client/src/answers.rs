//! What the service answers: what rolls are worth, advice, and the position after a move.

use serde::{Deserialize, Serialize};

use crate::{Dice, Explanation, Move, Position, Totals};

/// What a roll is worth and what a scorecard adds up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scores {
    /// Every category in the order of the score sheet, or the one asked for; none without dice.
    pub scores: Vec<CategoryScore>,
    /// The sums of the scorecard before the roll is written down.
    pub totals: Totals,
}

impl Scores {
    /// What the roll is worth in `category`.
    #[must_use]
    pub fn get(&self, category: &str) -> Option<&CategoryScore> {
        self.scores.iter().find(|score| score.category == category)
    }
}

/// What a roll is worth in one category.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CategoryScore {
    /// Id of the category.
    pub category: String,
    /// Points that would be written into it; where it is not legal, what the dice alone are worth.
    pub points: i32,
    /// Bonus points that recording it would bring on top, of all kinds together.
    pub bonus: i32,
    /// Whether the roll may be recorded there now.
    pub legal: bool,
    /// Upper bonus that recording it would bring.
    pub upper_bonus: i32,
    /// Bonus for a further roll of all dice alike that recording it would bring.
    pub five_alike_bonus: i32,
    /// Why it is not legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal_reason: Option<IllegalReason>,
    /// Only in the race: what the row's next cell asks, and what the dice are worth in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<RaceScore>,
}

/// What dice are worth in a row of the race, and what the row asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceScore {
    /// What the dice are worth thrown together ("de mão"), without any running count.
    pub full_throw_points: i32,
    /// What they are worth when some were held, without any running count.
    pub held_points: i32,
    /// The cell that recording fills, from 1 on the left; 0 if all are filled.
    pub cell: u32,
    /// The least points that cell accepts; 0 in rows without a minimum.
    pub minimum: i32,
}

/// Why a roll may not be recorded in a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum IllegalReason {
    /// The category is filled.
    #[serde(rename = "ILLEGAL_REASON_FILLED")]
    Filled,
    /// The roll is a joker and must go elsewhere.
    #[serde(rename = "ILLEGAL_REASON_JOKER_ELSEWHERE")]
    JokerElsewhere,
    /// The row is closed for everybody (race).
    #[serde(rename = "ILLEGAL_REASON_CLOSED")]
    Closed,
    /// The roll is worth less than the next cell needs (race).
    #[serde(rename = "ILLEGAL_REASON_BELOW_MINIMUM")]
    BelowMinimum,
    /// The dice do not show what the row needs (race).
    #[serde(rename = "ILLEGAL_REASON_NO_PATTERN")]
    NoPattern,
    /// The dice show it, but were not all thrown together (race).
    #[serde(rename = "ILLEGAL_REASON_NOT_FULL_THROW")]
    NotFullThrow,
    /// A reason that a newer service knows and this client does not.
    #[serde(other)]
    Other,
}

/// The best move, and what the others are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// The best move.
    #[serde(rename = "move")]
    pub best: Move,
    /// Expected final score of the scorecard with it and best play after it, in points. In the race:
    /// the probability to win; for a player alone the points expected at the end of the turn.
    pub expected_value: f64,
    /// Every legal move, best first, the best included; fewer if fewer were asked for.
    pub alternatives: Vec<Alternative>,
    /// What the opponent plays, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_move: Option<Move>,
    /// Whether the figures by which moves are ranked are exact. Expected scores are, and so are
    /// chances where few categories are open.
    pub exact: bool,
    /// The reasons for the best move, or for the opponent's if there is one, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

impl Advice {
    /// What `chosen` gives up against the best move; `None` if it is not among the alternatives.
    #[must_use]
    pub fn regret(&self, chosen: &Move) -> Option<f64> {
        self.alternatives.iter().find(|other| other.chosen == *chosen).map(|other| other.regret)
    }
}

/// A legal move and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: Move,
    /// Expected final score with it and best play after it, as in [`Advice::expected_value`].
    pub expected_value: f64,
    /// What it gives up against the best move, 0 or more: expected value, or probability where the
    /// objective is one.
    pub regret: f64,
    /// Only in the race of two or more: the expected final margin over the best of the others, in
    /// points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_margin: Option<f64>,
    /// Only with [`Objective::Win`](crate::Objective::Win) on a score sheet: how the game may end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chances: Option<Chances>,
    /// Only with [`Objective::ReachTarget`](crate::Objective::ReachTarget): probability to reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_probability: Option<f64>,
}

/// How a game may end for a player; the three add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chances {
    /// Probability to win alone.
    pub win: f64,
    /// Probability to share the win.
    pub draw: f64,
    /// Probability to lose.
    pub loss: f64,
}

/// The position after a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// The position after the move. When the game is over it has no dice and no throws left.
    pub position: Position,
    /// Faces that were thrown.
    pub thrown: Dice,
    /// What was recorded, if the move recorded something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<CategoryScore>,
    /// Whether the turn of the player who moved is over.
    pub turn_ended: bool,
    /// Whether the game is over.
    pub game_ended: bool,
    /// Only in the race: whether the move closed a row for everybody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub row_closed: bool,
    /// Only in the race: whether that row counts double for all who have something in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub row_doubled: bool,
    /// The sums of every player's card.
    pub totals: Vec<Totals>,
    /// When the game is over: the players with the most points; several if they tie.
    pub winners: Vec<u32>,
}

/// A turn that an opponent played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedTurn {
    /// The moves, in order, each with what it threw or recorded.
    pub steps: Vec<TurnStep>,
    /// The position after the turn.
    pub position: Position,
    /// Whether the game is over.
    pub game_ended: bool,
    /// The sums of every player's card.
    pub totals: Vec<Totals>,
    /// When the game is over: the players with the most points; several if they tie.
    pub winners: Vec<u32>,
}

/// A move of a turn that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnStep {
    /// Faces on the table before the move; none before the first throw of a turn.
    #[serde(default)]
    pub dice: Dice,
    /// The move.
    #[serde(rename = "move")]
    pub chosen: Move,
    /// Faces that it threw, in the order in which they fell.
    #[serde(default)]
    pub thrown: Dice,
    /// What it recorded, if it recorded something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<CategoryScore>,
}

/// What solving a sound ruleset takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validated {
    /// Name of what the ruleset says, titles left out: rulesets of the same key play alike.
    pub key: String,
    /// Scorecard states that have a value of their own.
    pub states: u64,
    /// Bytes of the solved table, which stay while it is kept.
    pub table_bytes: u64,
    /// Bytes more while solving.
    pub working_bytes: u64,
    /// Seconds that solving takes on one core, roughly.
    pub estimated_seconds: f64,
    /// Whether this service would solve it. If not, calls with it are refused with
    /// `ResourceExhausted`.
    pub accepted: bool,
}
