//! Opponents as requests ask for them.

use dicepoker_engine::objective::Objective;
use dicepoker_engine::opponent::{LEVELS, Opponent, Profile};
use dicepoker_engine::race::opponent::RaceSkill;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::error::Error;

/// Reads the opponent of a score-sheet game.
pub(crate) fn read(opponent: &pb::Opponent) -> Result<Opponent, Error> {
    match &opponent.kind {
        Some(pb::opponent::Kind::Level(level)) => read_level(*level).map(Opponent::Level),
        Some(pb::opponent::Kind::Profile(id)) => {
            Profile::from_id(id).map(Opponent::Profile).ok_or_else(|| {
                let known = Profile::ALL.map(Profile::id).join(", ");
                Error::invalid("opponent.profile", format!("must be one of {known}"))
            })
        }
        None => Err(Error::invalid("opponent", "required in it: a level or a profile")),
    }
}

/// Reads the opponent of the race.
pub(crate) fn read_race(opponent: &pb::Opponent) -> Result<RaceSkill, Error> {
    match &opponent.kind {
        Some(pb::opponent::Kind::Level(level)) => read_level(*level).map(RaceSkill::level),
        Some(pb::opponent::Kind::Profile(_)) => {
            Err(Error::invalid("opponent.profile", "the race has levels only"))
        }
        None => Err(Error::invalid("opponent", "required in it: a level")),
    }
}

/// The highest target; no card of any ruleset comes to more.
const MOST_TARGET: i32 = 100_000;

/// Reads what a player of a score-sheet game plays for.
pub(crate) fn read_objective(objective: i32, target: i32) -> Result<Objective, Error> {
    let objective = known(objective)?;
    if objective == pb::Objective::ReachTarget {
        return match target {
            1..=MOST_TARGET => Ok(Objective::ReachTarget(target)),
            _ => Err(Error::invalid("target", format!("{target}: must be 1 to {MOST_TARGET}"))),
        };
    }
    if target != 0 {
        let told =
            format!("must be left out but with {}", pb::Objective::ReachTarget.as_str_name());
        return Err(Error::invalid("target", told));
    }
    Ok(match objective {
        pb::Objective::Win => Objective::Win,
        _ => Objective::ExpectedScore,
    })
}

/// Reads what one of `players` players of the race plays for: there is but one thing.
pub(crate) fn read_race_objective(
    objective: i32,
    target: i32,
    players: usize,
) -> Result<(), Error> {
    let mut found = Violations::new();
    match known(objective)? {
        pb::Objective::Unspecified => {}
        pb::Objective::Win if players > 1 => {}
        pb::Objective::Win => found.push("objective", "a player alone has nobody to beat"),
        pb::Objective::ExpectedScore | pb::Objective::ReachTarget => {
            let told = format!("must be {} in the race", pb::Objective::Win.as_str_name());
            found.push("objective", told);
        }
    }
    if target != 0 {
        found.push("target", "must be left out: the race has no targets");
    }
    found.or(()).map_err(Error::Invalid)
}

fn known(objective: i32) -> Result<pb::Objective, Error> {
    pb::Objective::try_from(objective).map_err(|_| {
        let known = [pb::Objective::ExpectedScore, pb::Objective::Win, pb::Objective::ReachTarget];
        let known = known.map(|objective| objective.as_str_name()).join(", ");
        Error::invalid("objective", format!("{objective}: must be one of {known}"))
    })
}

fn read_level(level: u32) -> Result<u8, Error> {
    u8::try_from(level)
        .ok()
        .filter(|level| (1..=LEVELS).contains(level))
        .ok_or_else(|| Error::invalid("opponent.level", format!("must be 1 to {LEVELS}")))
}
