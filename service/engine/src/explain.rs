//! Why a move is the best one: figures about the turn and the final score, and a plan in one
//! sentence.

mod explanation;
mod plan;
mod turn_endings;

pub use self::explanation::{CategoryChance, Explanation, PERCENTILES, ScoreDistribution};
pub use self::plan::Language;
