//! Many matches between opponents.

use std::sync::Arc;

use dicepoker_engine::showdown::{ShowdownOpponent, ShowdownPosition, simulate_showdown};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::{Table, opponent};
use crate::error::{Error, both};
use crate::progress::{self, Bounds, Progress, Seat, read_games};

/// Many matches, as many as `bounds` allow.
pub(super) async fn simulate(
    table: &Arc<Table>,
    request: pb::SimulateRequest,
    bounds: Bounds,
) -> Result<Progress<pb::SimulateResponse>, Error> {
    let game = &table.game;
    let games = read_games(request.games, bounds);
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let players = read_players(table, &request.players);
    let (players, (games, seed)) = both(players, both(games, seed))?;
    let start = match request.position {
        None => ShowdownPosition::start(game, players.len()),
        Some(position) => table.position(position)?,
    };
    if start.seats().len() != players.len() {
        let message =
            format!("{} players, but {} in the request", start.seats().len(), players.len());
        return Err(Error::invalid("position.showdown.players", message));
    }
    table.values(players.len()).await?;
    let seat = Seat { target: None, counts_regret: true, scored: game.definition().payout };
    let seats = vec![seat; players.len()];
    let at = Arc::clone(table);
    progress::games(&table.context.long_work, seats, games, bounds, move |numbers, progress| {
        let values = at.solved(players.len())?;
        Ok(simulate_showdown(&at.game, values, &start, &players, numbers, seed, 1, progress))
    })
}

fn read_players(
    table: &Table,
    players: &[pb::SimulatedPlayer],
) -> Result<Vec<ShowdownOpponent>, Error> {
    let allowed = table.game.players();
    if !allowed.contains(&players.len()) {
        let (few, many) = (allowed.start(), allowed.end());
        let valid = if few == many { few.to_string() } else { format!("{few} to {many}") };
        let message = format!("{} players: must be {valid}", players.len());
        return Err(Error::invalid("players", message));
    }
    let mut found = Violations::new();
    let mut read = Vec::with_capacity(players.len());
    for (i, player) in players.iter().enumerate() {
        let perfect = Ok(ShowdownOpponent::PERFECT);
        let opponent = player.opponent.as_ref().map_or(perfect, opponent::read);
        let objective = opponent::read_objective(player.objective, player.target);
        match both(opponent, objective) {
            Ok((opponent, ())) => read.push(opponent),
            Err(error) => error.under(&format!("players[{i}]")).add_to(&mut found),
        }
    }
    found.or(read).map_err(Error::Invalid)
}
