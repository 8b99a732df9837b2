//! Many games of the race between opponents.

use dicepoker_engine::race::opponent::{RaceSkill, simulate_race};
use dicepoker_engine::race::{MAX_PLAYERS, RacePosition, RaceRules};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::{opponent, required_position};
use crate::error::{Error, both};
use crate::progress::{self, Bounds, Progress, Seat, read_games};
use crate::runtime::LongWork;

/// Plays many games within `bounds`.
pub(super) fn simulate(
    long_work: &LongWork,
    rules: &RaceRules,
    request: pb::SimulateRequest,
    bounds: Bounds,
) -> Result<Progress<pb::SimulateResponse>, Error> {
    let games = read_games(request.games, bounds);
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let (players, (games, seed)) = both(read_players(&request.players), both(games, seed))?;
    let start = match request.position {
        None => RacePosition::start(*rules, players.len()),
        Some(position) => required_position(rules, Some(position))?,
    };
    if start.players() != players.len() {
        let wrong = format!("{} scorecards, but {} players", start.players(), players.len());
        return Err(Error::invalid("position.scorecards", wrong));
    }
    let seat = Seat { target: None, counts_regret: false, scored: true };
    progress::games(long_work, vec![seat; players.len()], games, bounds, move |numbers, watch| {
        Ok(simulate_race(&start, &players, numbers, seed, 1, watch))
    })
}

fn read_players(players: &[pb::SimulatedPlayer]) -> Result<Vec<RaceSkill>, Error> {
    if !(1..=MAX_PLAYERS).contains(&players.len()) {
        let wrong = format!("{} players: must be 1 to {MAX_PLAYERS}", players.len());
        return Err(Error::invalid("players", wrong));
    }
    let mut found = Violations::new();
    let mut skills = Vec::with_capacity(players.len());
    for (i, player) in players.iter().enumerate() {
        let skill = player.opponent.as_ref().map_or(Ok(RaceSkill::STRONGEST), opponent::read);
        let objective = opponent::read_objective(player.objective, player.target, players.len());
        match both(skill, objective) {
            Ok((skill, ())) => skills.push(skill),
            Err(error) => error.under(&format!("players[{i}]")).add_to(&mut found),
        }
    }
    found.or(skills).map_err(Error::Invalid)
}
