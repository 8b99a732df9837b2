//! Opponents and objectives of the race.

use dicepoker_engine::race::opponent::RaceSkill;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::error::Error;
use crate::wire::opponent as shared;

/// Reads the opponent of the race.
pub(super) fn read(opponent: &pb::Opponent) -> Result<RaceSkill, Error> {
    match &opponent.kind {
        Some(pb::opponent::Kind::Level(level)) => shared::read_level(*level).map(RaceSkill::level),
        Some(pb::opponent::Kind::Profile(_)) => {
            Err(Error::invalid("opponent.profile", "must be left out: the race has levels only"))
        }
        None => Err(Error::invalid("opponent", "required: a level")),
    }
}

/// Reads the objective of one of `players` players of the race: only one is valid.
pub(super) fn read_objective(objective: i32, target: i32, players: usize) -> Result<(), Error> {
    let mut found = Violations::new();
    match shared::read_objective(objective)? {
        pb::Objective::Unspecified => {}
        pb::Objective::Win if players > 1 => {}
        pb::Objective::Win => {
            found.push("objective", "must be left out: a single player has no rivals")
        }
        pb::Objective::ExpectedScore | pb::Objective::ReachTarget => {
            let wrong = format!("must be {} in the race", pb::Objective::Win.as_str_name());
            found.push("objective", wrong);
        }
    }
    if target != 0 {
        found.push("target", "must be left out: the race has no targets");
    }
    found.or(()).map_err(Error::Invalid)
}
