//! Advice: every legal move ranked by an objective, the move that an opponent makes, and the
//! explanation of it.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::sync::Arc;

use dicepoker_engine::advice::{Advisor, Ranked};
use dicepoker_engine::explain::{Explanation, Language, PERCENTILES, ScoreDistribution};
use dicepoker_engine::moves::Move;
use dicepoker_engine::objective::{
    EXACT_ALONE, MoveChances, Objective, ObjectivePlayer, RankedByChances,
};
use dicepoker_engine::position::Position;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Values as _;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_proto::v1 as pb;

use super::position::{read_move, write_move};
use super::{RequestedPlayer, ScoreSheet, illegal, required_position};
use crate::error::{Error, both};
use crate::wire::{self, language::read_language};

/// The most ranges of a histogram.
const RANGES: u32 = 64;

/// The most keeps of dice with which the last turns of two cards are solved in less than a millisecond.
const MOST_KEEPS: usize = 1000;

thread_local! {
    /// The memory that ranking moves needs, reused between calls.
    static ADVISOR: RefCell<Advisor> = RefCell::new(Advisor::new());
}

/// Every legal move ranked.
pub(super) async fn suggest(
    rules: &Arc<ScoreSheet>,
    request: pb::SuggestRequest,
) -> Result<pb::SuggestResponse, Error> {
    let sheet = rules.sheet();
    let player =
        RequestedPlayer::read(request.opponent.as_ref(), request.objective, request.target);
    let explain = request.explain.map(|explain| read_explain(sheet, explain)).transpose();
    let (position, (player, explain)) =
        both(required_position(sheet, request.position), both(player, explain))?;
    if let Some((_, Some(chosen))) = explain
        && let Some(reason) = position.why_illegal(sheet, chosen)
    {
        return Err(illegal(chosen, reason, "dice").under("explain"));
    }
    player.check_rivals(position.cards().len(), "objective")?;
    let max_alternatives = wire::max_alternatives(request.max_alternatives);
    let solution = rules.solution().await?;
    let solved = SolvedSheet::new(sheet, solution);
    let skill = player.skill(&request.ruleset, solved.points_a_turn());
    let (chosen, mut response) = if player.objective == Objective::ExpectedScore {
        let played = player.opponent.map(|_| solved.choose(&skill, &position, request.seed));
        ADVISOR.with_borrow_mut(|advisor| {
            write_advice(
                sheet,
                advisor.rank(sheet, solution, &position),
                &position,
                played,
                max_alternatives,
            )
        })?
    } else {
        let for_target = matches!(player.objective, Objective::ReachTarget(_));
        if player.opponent.is_some() {
            // A move chosen by a seed is repeatable, so it must not depend on which tables are made already.
            rules.prepare_forecast(for_target).await?;
        }
        let rank = {
            let (position, seed) = (position.clone(), request.seed);
            move |rules: &ScoreSheet| {
                let (solved, forecast) = (rules.game()?, rules.forecast_now(for_target)?);
                let ranked = solved.rank_by_chances(forecast, player.objective, &position);
                let engine_player = ObjectivePlayer::new(player.objective, forecast);
                let engine_player = engine_player.with_skill(skill).thorough();
                let played =
                    player.opponent.map(|_| engine_player.choose(&solved, &position, seed));
                Ok::<_, Error>((ranked, played))
            }
        };
        let open = position.cards().iter().map(|c| sheet.categories().len() - c.filled().len());
        let near_the_end = open.min().is_some_and(|open| open <= EXACT_ALONE);
        let many = position.cards().len() > 2 || sheet.space().keeps() > MOST_KEEPS;
        let (ranked, played) = match near_the_end && many {
            // Solving a card to its last throw takes milliseconds.
            true => rules.work(rank).await??,
            false => rank(rules)?,
        };
        rules.make_forecast_in_background(for_target);
        write_by_chances(sheet, &ranked, player.objective, played, max_alternatives)
            .ok_or_else(|| Error::complete(position.to_move()))?
    };
    // Learned values are estimates, and so is everything computed from them.
    response.exact &= solution.is_exact();
    if let Some((language, explained)) = explain {
        let chosen = explained.unwrap_or(chosen);
        let explanation = solved.explain(rules.forecast_now(false)?, &position, Some(chosen));
        rules.make_forecast_in_background(false);
        response.explanation = explanation.map(|found| write_explanation(sheet, &found, language));
    }
    Ok(response)
}

/// Reads the language of the explanation, and the move to explain.
fn read_explain(sheet: &Sheet, explain: pb::Explain) -> Result<(Language, Option<Move>), Error> {
    let chosen = explain.r#move.clone().map(|chosen| {
        read_move(Some(chosen))
            .and_then(|sent| {
                Move::parse(sheet, &sent).map_err(|found| Error::invalid_under("move", found))
            })
            .map_err(|error| error.under("explain"))
    });
    both(read_language(&explain), chosen.transpose())
}

fn write_advice(
    sheet: &Sheet,
    ranked: &[Ranked],
    position: &Position,
    played: Option<Move>,
    max_alternatives: usize,
) -> Result<(Move, pb::SuggestResponse), Error> {
    let played = ranked.iter().find(|ranked| Some(ranked.chosen) == played);
    let Some(best) = played.or(ranked.first()) else {
        return Err(Error::complete(position.to_move()));
    };
    let alternative = |ranked: &Ranked| pb::Alternative {
        r#move: Some(write_move(sheet, ranked.chosen)),
        expected_value: ranked.expected,
        regret: ranked.regret,
        ..Default::default()
    };
    let response = pb::SuggestResponse {
        r#move: Some(write_move(sheet, best.chosen)),
        expected_value: best.expected,
        alternatives: ranked.iter().take(max_alternatives).map(alternative).collect(),
        exact: true,
        explanation: None,
    };
    Ok((best.chosen, response))
}

/// Writes moves ranked by their chances; `None` if no move is legal.
fn write_by_chances(
    sheet: &Sheet,
    ranked: &RankedByChances,
    objective: Objective,
    played: Option<Move>,
    max_alternatives: usize,
) -> Option<(Move, pb::SuggestResponse)> {
    let played = ranked.moves.iter().find(|ranked| Some(ranked.chosen) == played);
    let best = played.or(ranked.moves.first())?;
    let to_win = objective == Objective::Win;
    let alternative = |ranked: &MoveChances| pb::Alternative {
        r#move: Some(write_move(sheet, ranked.chosen)),
        expected_value: ranked.expected,
        regret: ranked.regret,
        expected_margin: None,
        chances: to_win.then(|| pb::Chances {
            win: ranked.chances.win,
            draw: ranked.chances.draw,
            loss: ranked.chances.loss(),
        }),
        target_probability: (!to_win).then_some(ranked.chances.win),
        round_chances: None,
        probability: None,
    };
    let response = pb::SuggestResponse {
        r#move: Some(write_move(sheet, best.chosen)),
        expected_value: best.expected,
        alternatives: ranked.moves.iter().take(max_alternatives).map(alternative).collect(),
        exact: ranked.exact,
        explanation: None,
    };
    Some((best.chosen, response))
}

fn write_explanation(
    sheet: &Sheet,
    explanation: &Explanation,
    language: Language,
) -> pb::Explanation {
    pb::Explanation {
        plan: explanation.plan(sheet, language),
        category_chances: explanation
            .chances
            .iter()
            .map(|chance| pb::CategoryChance {
                category: sheet.id(chance.category).to_owned(),
                recorded: chance.recorded,
                made: chance.made,
            })
            .collect(),
        runner_up: explanation.runner_up.map(|(chosen, regret)| pb::RunnerUp {
            r#move: Some(write_move(sheet, chosen)),
            regret,
        }),
        score: Some(write_distribution(&explanation.score)),
    }
}

fn write_distribution(score: &ScoreDistribution) -> pb::ScoreDistribution {
    let percentile = |percent: u8| pb::Percentile {
        percent: percent.into(),
        score: score.percentile(f64::from(percent) / 100.0).into(),
    };
    let range = |(range, probability): (RangeInclusive<i32>, f64)| pb::ScoreRange {
        minimum: *range.start(),
        maximum: *range.end(),
        probability,
    };
    pb::ScoreDistribution {
        mean: score.mean,
        standard_deviation: score.deviation,
        percentiles: PERCENTILES.map(percentile).to_vec(),
        histogram: score.histogram(RANGES).into_iter().map(range).collect(),
    }
}
