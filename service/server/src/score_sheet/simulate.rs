//! Many games between opponents.

use std::sync::Arc;

use dicepoker_engine::objective::{Objective, ObjectivePlayer};
use dicepoker_engine::opponent::Skill;
use dicepoker_engine::position::{MAX_PLAYERS, Position};
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{Player, Simulation};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::{RequestedPlayer, ScoreSheet, parse_position};
use crate::error::{Error, both};
use crate::progress::{self, Bounds, Progress, Seat, read_games};

/// Plays many games within `bounds`.
pub(super) async fn simulate(
    rules: &Arc<ScoreSheet>,
    request: pb::SimulateRequest,
    bounds: Bounds,
) -> Result<Progress<pb::SimulateResponse>, Error> {
    let sheet = rules.sheet();
    let number = read_games(request.games, bounds);
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let requested = read_players(&request.players);
    let (requested, (number, seed)) = both(requested, both(number, seed))?;
    let start = read_start(sheet, request.position, requested.len())?;
    let points_a_turn = SolvedSheet::new(sheet, rules.solution().await?).points_a_turn();
    let players: Vec<Simulated> = requested
        .into_iter()
        .map(|player| Simulated {
            skill: player.skill(&request.ruleset, points_a_turn),
            objective: player.objective,
        })
        .collect();
    let with_targets = players.iter().any(|player| player.target().is_some());
    if players.iter().any(|player| player.objective != Objective::ExpectedScore) {
        rules.prepare_forecast(with_targets).await?;
    }
    let seats = players.iter().map(|player| Seat {
        target: player.target(),
        counts_regret: true,
        scored: true,
    });
    let rules = Arc::clone(rules);
    let long_work = rules.long_work().clone();
    progress::games(&long_work, seats.collect(), number, bounds, move |numbers, watch| {
        let game = rules.game()?;
        let at_table: Result<Vec<Box<dyn Player + '_>>, Error> =
            players.iter().map(|player| player.player(&rules, with_targets)).collect();
        let at_table = at_table?;
        let seats: Vec<&dyn Player> = at_table.iter().map(AsRef::as_ref).collect();
        Ok(Simulation::new(game, start.clone(), seed).run(&seats, numbers, watch))
    })
}

/// A player of many games.
struct Simulated {
    skill: Skill,
    objective: Objective,
}

impl Simulated {
    fn target(&self) -> Option<i32> {
        match self.objective {
            Objective::ReachTarget(points) => Some(points),
            _ => None,
        }
    }

    /// The player as the engine plays it.
    fn player<'r>(
        &self,
        rules: &'r ScoreSheet,
        with_targets: bool,
    ) -> Result<Box<dyn Player + 'r>, Error> {
        if self.objective == Objective::ExpectedScore {
            return Ok(Box::new(self.skill));
        }
        let player = ObjectivePlayer::new(self.objective, rules.made_forecast(with_targets)?);
        Ok(Box::new(player.with_skill(self.skill)))
    }
}

fn read_players(players: &[pb::SimulatedPlayer]) -> Result<Vec<RequestedPlayer>, Error> {
    if !(1..=MAX_PLAYERS).contains(&players.len()) {
        let wrong = format!("{} players: must be 1 to {MAX_PLAYERS}", players.len());
        return Err(Error::invalid("players", wrong));
    }
    let mut found = Violations::new();
    let mut requested = Vec::with_capacity(players.len());
    for (i, player) in players.iter().enumerate() {
        let read = RequestedPlayer::read(player.opponent.as_ref(), player.objective, player.target)
            .and_then(|player| player.check_rivals(players.len(), "objective").map(|()| player));
        match read {
            Ok(player) => requested.push(player),
            Err(error) => error.under(&format!("players[{i}]")).add_to(&mut found),
        }
    }
    found.or(requested).map_err(Error::Invalid)
}

fn read_start(
    sheet: &Sheet,
    position: Option<pb::Position>,
    players: usize,
) -> Result<Position, Error> {
    let Some(position) = position else { return Ok(Position::start(sheet, players)) };
    let position = parse_position(sheet, position)?;
    if position.cards().len() != players {
        let wrong = format!("{} scorecards, but {players} players", position.cards().len());
        return Err(Error::invalid("position.scorecards", wrong));
    }
    Ok(position)
}
