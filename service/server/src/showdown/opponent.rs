//! Opponents and objectives of showdowns.

use dicepoker_engine::showdown::{ShowdownOpponent, ShowdownProfile, ShowdownSkill};
use dicepoker_engine::violation::{Violations, shorten};
use dicepoker_proto::v1 as pb;

use crate::error::Error;
use crate::wire::opponent as shared;

/// Reads an opponent.
pub(super) fn read(opponent: &pb::Opponent) -> Result<ShowdownOpponent, Error> {
    match &opponent.kind {
        Some(pb::opponent::Kind::Level(level)) => shared::read_level(*level)
            .map(|level| ShowdownOpponent::Skill(ShowdownSkill::level(level))),
        Some(pb::opponent::Kind::Profile(id)) => {
            ShowdownProfile::from_id(id).map(ShowdownOpponent::Profile).ok_or_else(|| {
                let known = ShowdownProfile::ALL.map(ShowdownProfile::id).join(", ");
                Error::invalid(
                    "opponent.profile",
                    format!("\"{}\" is no profile: must be one of {known}", shorten(id)),
                )
            })
        }
        None => Err(Error::invalid("opponent", "required: a level or a profile")),
    }
}

/// Reads the objective of a player: only to win is valid.
pub(super) fn read_objective(objective: i32, target: i32) -> Result<(), Error> {
    let mut found = Violations::new();
    match shared::read_objective(objective)? {
        pb::Objective::Unspecified | pb::Objective::Win => {}
        _ => {
            let message = format!("must be {} in a showdown", pb::Objective::Win.as_str_name());
            found.push("objective", message);
        }
    }
    if target != 0 {
        found.push("target", "must be left out: a showdown has no targets");
    }
    found.or(()).map_err(Error::Invalid)
}
