//! Parts of opponents and objectives that families share.

use dicepoker_engine::opponent::LEVELS;
use dicepoker_proto::v1 as pb;

use crate::error::Error;

/// Reads an objective.
pub(crate) fn read_objective(objective: i32) -> Result<pb::Objective, Error> {
    pb::Objective::try_from(objective).map_err(|_| {
        let known = [pb::Objective::ExpectedScore, pb::Objective::Win, pb::Objective::ReachTarget];
        let known = known.map(|objective| objective.as_str_name()).join(", ");
        Error::invalid("objective", format!("{objective}: must be one of {known}"))
    })
}

/// Reads a level.
pub(crate) fn read_level(level: u32) -> Result<u8, Error> {
    u8::try_from(level)
        .ok()
        .filter(|level| (1..=LEVELS).contains(level))
        .ok_or_else(|| Error::invalid("opponent.level", format!("{level}: must be 1 to {LEVELS}")))
}
