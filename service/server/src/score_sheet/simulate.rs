//! Many games between opponents.

use std::sync::Arc;

use dicepoker_engine::opponent::{self, Aim, Objective, Player, Simulation};
use dicepoker_engine::position::{MAX_PLAYERS, Position};
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::suggest::prepared;
use super::{Asked, parse_position};
use crate::error::{Error, both};
use crate::games::{Games, ScoreSheet};
use crate::simulation::{Progress, Seat, read_games, stream};

/// Many games, of which one call may ask for `most`.
pub(crate) async fn simulate(
    games: &Games,
    game: &Arc<ScoreSheet>,
    request: pb::SimulateRequest,
    most: u32,
) -> Result<Progress, Error> {
    let sheet = game.sheet();
    let number = read_games(request.games, most);
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let asked = read_players(&request.players);
    let (asked, (number, seed)) = both(asked, both(number, seed))?;
    let start = read_start(sheet, request.position, asked.len())?;
    let players = opponent::Game::new(sheet, game.solution().await?);
    let points_a_turn = players.points_a_turn();
    let tempers: Vec<_> =
        asked.iter().map(|asked| asked.temper(&request.ruleset, points_a_turn)).collect();
    let for_target = |asked: &Asked| matches!(asked.objective, Objective::ReachTarget(_));
    let by_chance = asked.iter().any(|asked| asked.objective != Objective::ExpectedScore);
    let reach = asked.iter().any(for_target);
    if by_chance {
        games.prepare_spread(game, reach).await?;
    }
    let seats = asked.iter().map(|asked| Seat {
        target: match asked.objective {
            Objective::ReachTarget(points) => Some(points),
            _ => None,
        },
        counts_regret: true,
    });
    let game = Arc::clone(game);
    Ok(stream(games.long_work(), seats.collect(), move |tell| {
        let rough;
        let (players, spread) = match prepared(&game, reach) {
            Ok(prepared) => prepared,
            // Nobody plays for chances: the table was not made, and is not looked at.
            Err(_) => {
                let solution = game.solved().expect("waited for");
                let players = opponent::Game::new(game.sheet(), solution);
                rough = opponent::Spread::rough(&players);
                (players, &rough)
            }
        };
        let aims: Vec<Aim<'_>> = asked
            .iter()
            .zip(&tempers)
            .map(|(asked, temper)| Aim::new(asked.objective, spread).with_temper(*temper))
            .collect();
        let seats: Vec<&dyn Player> = aims.iter().map(|aim| aim as _).collect();
        Simulation::new(players, start, seed).run(&seats, number, tell)
    }))
}

fn read_players(players: &[pb::SimulatedPlayer]) -> Result<Vec<Asked>, Error> {
    if !(1..=MAX_PLAYERS).contains(&players.len()) {
        let told = format!("{} players: must be 1 to {MAX_PLAYERS}", players.len());
        return Err(Error::invalid("players", told));
    }
    let mut found = Violations::new();
    let mut asked = Vec::with_capacity(players.len());
    for (i, player) in players.iter().enumerate() {
        let read = Asked::read(player.opponent.as_ref(), player.objective, player.target)
            .and_then(|asked| asked.among(players.len(), "objective").map(|()| asked));
        match read {
            Ok(player) => asked.push(player),
            Err(error) => error.under(&format!("players[{i}]")).add_to(&mut found),
        }
    }
    found.or(asked).map_err(Error::Invalid)
}

fn read_start(
    sheet: &Sheet,
    position: Option<pb::Position>,
    players: usize,
) -> Result<Position, Error> {
    let Some(position) = position else { return Ok(Position::start(sheet, players)) };
    let position = parse_position(sheet, position)?;
    if position.cards().len() != players {
        let told = format!("{} scorecards, but {players} players", position.cards().len());
        return Err(Error::invalid("position.scorecards", told));
    }
    Ok(position)
}
