//! Advice: every legal move ranked, the move that an opponent makes, and the reason for it.

use std::sync::Arc;

use dicepoker_engine::explain::Language;
use dicepoker_engine::showdown::{
    Chances, ShowdownAdvice, ShowdownOpponent, ShowdownPosition, ShowdownRanking, plan, rank,
};
use dicepoker_proto::v1 as pb;

use super::position::{read_move, write_move};
use super::{Table, opponent};
use crate::error::{Error, both};
use crate::wire::{self, language::read_language};

/// Every legal move ranked.
pub(super) async fn suggest(
    table: &Arc<Table>,
    request: pb::SuggestRequest,
) -> Result<pb::SuggestResponse, Error> {
    let opponent = request.opponent.as_ref().map(opponent::read).transpose();
    let language = request.explain.as_ref().map(read_language).transpose();
    let objective = opponent::read_objective(request.objective, request.target);
    let position = table.required_position(request.position);
    let game = &table.game;
    let explained = match request.explain.and_then(|explain| explain.r#move) {
        None => Ok(None),
        given => read_move(game, given).map(Some).map_err(|error| error.under("explain")),
    };
    let (position, (opponent, (language, (explained, ())))) =
        both(position, both(opponent, both(language, both(explained, objective))))?;
    let values = table.values(position.seats().len()).await?;
    let ranking = rank(game, values, &position);
    // Where best play is mixed, the seed draws the move even without an opponent.
    let player = opponent.unwrap_or(ShowdownOpponent::PERFECT);
    let chosen = player.choose(game, values, &position, request.seed).chosen;
    let best = ranking.moves.iter().find(|advice| advice.chosen == chosen);
    let best = best.or(ranking.moves.first()).ok_or(Error::Internal("a position without moves"))?;
    let explained = match explained {
        None => best,
        Some(given) => {
            ranking.moves.iter().find(|advice| advice.chosen == given).ok_or_else(|| {
                Error::invalid("explain.move", "must be one of the legal moves of the position")
            })?
        }
    };
    let max_alternatives = wire::max_alternatives(request.max_alternatives);
    Ok(pb::SuggestResponse {
        r#move: Some(write_move(game, best.chosen)),
        expected_value: best.value,
        alternatives: ranking
            .moves
            .iter()
            .take(max_alternatives)
            .map(|a| write(table, a))
            .collect(),
        exact: ranking.exact,
        explanation: language
            .map(|language| explain(table, &position, &ranking, explained, language)),
    })
}

fn write(table: &Table, advice: &ShowdownAdvice) -> pb::Alternative {
    let chances =
        |chances: Chances| pb::Chances { win: chances.win, draw: chances.draw, loss: chances.loss };
    pb::Alternative {
        r#move: Some(write_move(&table.game, advice.chosen)),
        expected_value: advice.value,
        regret: advice.regret,
        chances: advice.game.map(chances),
        round_chances: advice.round.map(chances),
        probability: advice.probability,
        ..Default::default()
    }
}

fn explain(
    table: &Table,
    position: &ShowdownPosition,
    ranking: &ShowdownRanking,
    chosen: &ShowdownAdvice,
    language: Language,
) -> pb::Explanation {
    let other = ranking.moves.iter().find(|advice| advice.chosen != chosen.chosen);
    let regret = other.map(|other| chosen.value - other.value);
    pb::Explanation {
        plan: plan(&table.game, position, chosen, regret, table.names, language),
        runner_up: other.zip(regret).map(|(other, regret)| pb::RunnerUp {
            r#move: Some(write_move(&table.game, other.chosen)),
            regret,
        }),
        ..Default::default()
    }
}
