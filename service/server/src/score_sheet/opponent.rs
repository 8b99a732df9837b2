//! Opponents and objectives of score sheets.

use dicepoker_engine::objective::Objective;
use dicepoker_engine::opponent::{Opponent, Profile};
use dicepoker_engine::violation::shorten;
use dicepoker_proto::v1 as pb;

use crate::error::Error;
use crate::wire::opponent as shared;

/// Reads the opponent of a score-sheet game.
pub(super) fn read(opponent: &pb::Opponent) -> Result<Opponent, Error> {
    match &opponent.kind {
        Some(pb::opponent::Kind::Level(level)) => shared::read_level(*level).map(Opponent::Level),
        Some(pb::opponent::Kind::Profile(id)) => {
            Profile::from_id(id).map(Opponent::Profile).ok_or_else(|| {
                let known = Profile::ALL.map(Profile::id).join(", ");
                Error::invalid(
                    "opponent.profile",
                    format!("\"{}\" is no profile: must be one of {known}", shorten(id)),
                )
            })
        }
        None => Err(Error::invalid("opponent", "required: a level or a profile")),
    }
}

/// The highest target, above the score of any card.
const MOST_TARGET: i32 = 100_000;

/// Reads the objective of a player of a score-sheet game.
pub(super) fn read_objective(objective: i32, target: i32) -> Result<Objective, Error> {
    let objective = shared::read_objective(objective)?;
    if objective == pb::Objective::ReachTarget {
        return match target {
            1..=MOST_TARGET => Ok(Objective::ReachTarget(target)),
            _ => Err(Error::invalid("target", format!("{target}: must be 1 to {MOST_TARGET}"))),
        };
    }
    if target != 0 {
        let wrong = format!(
            "must be left out unless the objective is {}",
            pb::Objective::ReachTarget.as_str_name()
        );
        return Err(Error::invalid("target", wrong));
    }
    Ok(match objective {
        pb::Objective::Win => Objective::Win,
        _ => Objective::ExpectedScore,
    })
}
