//! Opponents as requests ask for them.

use dicepoker_engine::opponent::{LEVELS, Profile, RaceTemper, Strength};
use dicepoker_proto::v1 as pb;

use crate::error::Error;

/// Reads the opponent of a score-sheet game.
pub(crate) fn read(opponent: &pb::Opponent) -> Result<Strength, Error> {
    match &opponent.strength {
        Some(pb::opponent::Strength::Level(level)) => read_level(*level).map(Strength::Level),
        Some(pb::opponent::Strength::Profile(id)) => {
            Profile::from_id(id).map(Strength::Profile).ok_or_else(|| {
                let known = Profile::ALL.map(Profile::id).join(", ");
                Error::invalid("opponent.profile", format!("must be one of {known}"))
            })
        }
        None => Err(Error::invalid("opponent", "required in it: a level or a profile")),
    }
}

/// Reads the opponent of the race.
pub(crate) fn read_race(opponent: &pb::Opponent) -> Result<RaceTemper, Error> {
    match &opponent.strength {
        Some(pb::opponent::Strength::Level(level)) => read_level(*level).map(RaceTemper::level),
        Some(pb::opponent::Strength::Profile(_)) => {
            Err(Error::invalid("opponent.profile", "the race has levels only"))
        }
        None => Err(Error::invalid("opponent", "required in it: a level")),
    }
}

fn read_level(level: u32) -> Result<u8, Error> {
    u8::try_from(level)
        .ok()
        .filter(|level| (1..=LEVELS).contains(level))
        .ok_or_else(|| Error::invalid("opponent.level", format!("must be 1 to {LEVELS}")))
}
