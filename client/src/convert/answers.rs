//! What the service answers, read into this crate's types.

use dicepoker_proto::v1 as pb;

use super::studies::read_explanation;
use super::{Malformed, read_move, read_position, read_totals};
use crate::{
    Advice, Alternative, Applied, CategoryScore, Chances, Dice, IllegalReason, Move, PlayedTurn,
    RaceScore, Scores, TurnStep, Validated,
};

fn read_category_score(score: pb::CategoryScore) -> CategoryScore {
    use pb::IllegalReason as Reason;
    let illegal_reason = match score.illegal_reason() {
        Reason::Unspecified if score.legal => None,
        Reason::Unspecified => Some(IllegalReason::Other),
        Reason::Filled => Some(IllegalReason::Filled),
        Reason::JokerElsewhere => Some(IllegalReason::JokerElsewhere),
        Reason::Closed => Some(IllegalReason::Closed),
        Reason::BelowMinimum => Some(IllegalReason::BelowMinimum),
        Reason::NoPattern => Some(IllegalReason::NoPattern),
        Reason::NotFullThrow => Some(IllegalReason::NotFullThrow),
    };
    CategoryScore {
        category: score.category,
        points: score.points,
        bonus: score.bonus,
        legal: score.legal,
        upper_bonus: score.upper_bonus,
        five_alike_bonus: score.five_alike_bonus,
        illegal_reason,
        race: score.race.map(|race| RaceScore {
            full_throw_points: race.full_throw_points,
            held_points: race.held_points,
            cell: race.cell,
            minimum: race.minimum,
        }),
    }
}

pub(crate) fn read_scores(answer: pb::ScoreResponse) -> Result<Scores, Malformed> {
    Ok(Scores {
        scores: answer.scores.into_iter().map(read_category_score).collect(),
        totals: read_totals(answer.totals.ok_or(Malformed("no totals"))?),
    })
}

pub(crate) fn read_moves(answer: pb::LegalMovesResponse) -> Result<Vec<Move>, Malformed> {
    answer.moves.into_iter().map(|chosen| read_move(Some(chosen))).collect()
}

/// Reads advice; `of_opponent` if the move is the one that an opponent makes, which may not be the
/// best.
pub(crate) fn read_advice(
    answer: pb::SuggestResponse,
    of_opponent: bool,
) -> Result<Advice, Malformed> {
    let alternative = |other: pb::Alternative| {
        Ok(Alternative {
            chosen: read_move(other.r#move)?,
            expected_value: other.expected_value,
            regret: other.regret,
            expected_margin: other.expected_margin,
            chances: other.chances.map(|chances| Chances {
                win: chances.win,
                draw: chances.draw,
                loss: chances.loss,
            }),
            target_probability: other.target_probability,
        })
    };
    let alternatives: Vec<Alternative> =
        answer.alternatives.into_iter().map(alternative).collect::<Result<_, _>>()?;
    let played = read_move(answer.r#move)?;
    let (best, opponent_move) = if of_opponent {
        let best = alternatives.first().ok_or(Malformed("no alternatives"))?;
        (best.chosen.clone(), Some(played))
    } else {
        (played, None)
    };
    Ok(Advice {
        best,
        expected_value: answer.expected_value,
        alternatives,
        opponent_move,
        exact: answer.exact,
        explanation: answer.explanation.map(read_explanation).transpose()?,
    })
}

pub(crate) fn read_applied(answer: pb::ApplyResponse) -> Result<Applied, Malformed> {
    Ok(Applied {
        position: read_position(answer.position.ok_or(Malformed("no position"))?),
        thrown: Dice::from(answer.thrown),
        recorded: answer.recorded.map(read_category_score),
        turn_ended: answer.turn_ended,
        game_ended: answer.game_ended,
        row_closed: answer.row_closed,
        row_doubled: answer.row_doubled,
        totals: answer.totals.into_iter().map(read_totals).collect(),
        winners: answer.winners,
    })
}

pub(crate) fn read_turn(answer: pb::PlayTurnResponse) -> Result<PlayedTurn, Malformed> {
    let step = |step: pb::TurnStep| {
        Ok(TurnStep {
            dice: Dice::from(step.dice),
            chosen: read_move(step.r#move)?,
            thrown: Dice::from(step.thrown),
            recorded: step.recorded.map(read_category_score),
        })
    };
    Ok(PlayedTurn {
        steps: answer.steps.into_iter().map(step).collect::<Result<_, _>>()?,
        position: read_position(answer.position.ok_or(Malformed("no position"))?),
        game_ended: answer.game_ended,
        totals: answer.totals.into_iter().map(read_totals).collect(),
        winners: answer.winners,
    })
}

pub(crate) fn read_validated(answer: pb::ValidateRulesetResponse) -> Validated {
    Validated {
        key: answer.key,
        states: answer.states,
        table_bytes: answer.table_bytes,
        working_bytes: answer.working_bytes,
        estimated_seconds: answer.estimated_seconds,
        accepted: answer.accepted,
    }
}
