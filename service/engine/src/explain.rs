//! Explanations of moves: figures about the turn and the final score, and the plan as a sentence.

mod explanation;
mod plan;
mod turn_endings;

pub use self::explanation::{CategoryChance, Explanation, PERCENTILES, ScoreDistribution};
pub use self::plan::Language;
