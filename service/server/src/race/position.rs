//! Reads and writes positions, moves and scores of the race.

use dicepoker_engine::race::{
    Board, IllegalMove, RaceMove, RacePosition, RaceRules, RawRacePosition, RawRunningCount,
    Recorded, Refusal, Row, RowScore, Total, is_closed, is_doubled, space,
};
use dicepoker_engine::violation::shorten;
use dicepoker_proto::v1 as pb;

use crate::error::Error;
use crate::wire::scorecard::{read_scorecard, write_scorecard};

/// Reads a position.
pub(super) fn read_position(position: pb::Position) -> RawRacePosition {
    RawRacePosition {
        dice: position.dice,
        rolls_left: position.rolls_left,
        full_throw: position.full_throw,
        scorecards: position.scorecards.into_iter().map(read_scorecard).collect(),
        to_move: position.to_move,
        running_count: position
            .running_count
            .map(|count| RawRunningCount { category: count.category, points: count.points }),
    }
}

/// Reads a move.
pub(super) fn read_move(rules: &RaceRules, chosen: Option<pb::Move>) -> Result<RaceMove, Error> {
    use pb::r#move::Kind;
    match chosen.and_then(|chosen| chosen.kind) {
        Some(Kind::Keep(keep)) => {
            let faces: Option<Vec<u8>> =
                keep.dice.iter().map(|&face| u8::try_from(face).ok()).collect();
            faces.and_then(|faces| RaceMove::keep_of(&faces)).ok_or_else(|| {
                Error::invalid("move.keep.dice", "must be at most four faces, each 1 to 6")
            })
        }
        Some(Kind::Record(record)) => Row::from_id(&record.category)
            .filter(|row| row.exists(rules))
            .map(RaceMove::Record)
            .ok_or_else(|| {
                Error::invalid("move.record.category", unknown_row(rules, &record.category))
            }),
        Some(Kind::Stop(_)) => Ok(RaceMove::Stop),
        Some(Kind::Announce(_)) => {
            Err(Error::invalid("move.announce", "must be left out: the race has no announced rows"))
        }
        _ => Err(Error::invalid("move", "required: one of keep, record, stop")),
    }
}

/// The message for an unknown row.
pub(super) fn unknown_row(rules: &RaceRules, id: &str) -> String {
    let ids: Vec<&str> = rows(rules).map(Row::id).collect();
    format!("\"{}\" is no row: must be one of {}", shorten(id), ids.join(", "))
}

pub(super) fn rows(rules: &RaceRules) -> impl Iterator<Item = Row> + '_ {
    Row::ALL.into_iter().filter(|row| row.exists(rules))
}

/// The error of a move that is not legal.
pub(super) fn illegal(chosen: RaceMove, reason: IllegalMove) -> Error {
    let field = match chosen {
        _ if reason == IllegalMove::Finished => return finished(),
        RaceMove::Keep(_) => "move.keep.dice",
        RaceMove::Record(_) => "move.record.category",
        RaceMove::Stop => "move.stop",
    };
    Error::invalid(field, reason.to_string())
}

/// The error of a game that is over.
pub(super) fn finished() -> Error {
    Error::GameFinished("six of the seven rows are closed".to_owned())
}

/// Writes a position after `turns_ended` turns.
pub(super) fn write_position(position: &RacePosition, turns_ended: u32) -> pb::Position {
    let raw = position.to_raw();
    pb::Position {
        full_throw: raw.full_throw.filter(|_| !raw.dice.is_empty()),
        dice: raw.dice,
        rolls_left: raw.rolls_left,
        scorecards: raw.scorecards.into_iter().map(write_scorecard).collect(),
        to_move: raw.to_move,
        running_count: raw
            .running_count
            .map(|count| pb::RunningCount { category: count.category, points: count.points }),
        turns_ended,
        ..Default::default()
    }
}

/// Writes a move.
pub(super) fn write_move(chosen: RaceMove) -> pb::Move {
    use pb::r#move::Kind;
    let kind = match chosen {
        RaceMove::Keep(keep) => {
            let dice = space().faces_of(keep).map(u32::from).collect();
            Kind::Keep(pb::KeepMove { dice, ..Default::default() })
        }
        RaceMove::Record(row) => {
            Kind::Record(pb::RecordMove { category: row.id().to_owned(), ..Default::default() })
        }
        RaceMove::Stop => Kind::Stop(pb::StopMove {}),
    };
    pb::Move { kind: Some(kind) }
}

/// Writes the score of the dice in a row.
pub(super) fn write_score(score: &RowScore) -> pb::CategoryScore {
    let reason = match score.refusal {
        None => pb::IllegalReason::Unspecified,
        Some(Refusal::Closed) => pb::IllegalReason::Closed,
        Some(Refusal::BelowMinimum { .. }) => pb::IllegalReason::BelowMinimum,
        Some(Refusal::DoesNotHold) => pb::IllegalReason::NoPattern,
        Some(Refusal::NotDeMao) => pb::IllegalReason::NotFullThrow,
    };
    pb::CategoryScore {
        category: score.row.id().to_owned(),
        points: score.points.into(),
        legal: score.legal(),
        illegal_reason: reason.into(),
        race: Some(pb::RaceScore {
            full_throw_points: score.de_mao.into(),
            held_points: score.held.into(),
            cell: score.cell.map_or(0, |cell| cell as u32 + 1),
            minimum: score.minimum.into(),
        }),
        ..Default::default()
    }
}

/// Writes the record of a move in `position`.
pub(super) fn write_recorded(position: &RacePosition, recorded: &Recorded) -> pb::CategoryScore {
    let scores = position.score();
    let score = scores.iter().find(|score| score.row == recorded.row);
    score.map(write_score).unwrap_or_default()
}

/// Writes the total of a player at a table of `boards`.
pub(super) fn write_total(
    rules: &RaceRules,
    boards: &[Board],
    total: &Total,
) -> pb::ScorecardTotals {
    pb::ScorecardTotals {
        grand_total: total.points as i32,
        rows: rows(rules)
            .map(|row| pb::RowTotal {
                category: row.id().to_owned(),
                points: total.rows[row] as i32,
                closed: is_closed(boards, row),
                doubled: is_doubled(rules, boards, row),
            })
            .collect(),
        ..Default::default()
    }
}
