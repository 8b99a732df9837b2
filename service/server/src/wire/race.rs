//! Positions, moves and rules of the race, and what is said about them.

use std::collections::BTreeMap;

use dicepoker_engine::check::shorten;
use dicepoker_engine::race::opponent::RaceCalibration;
use dicepoker_engine::race::{
    Board, CELLS, DeMao, IllegalMove, MAX_FULLEN_POINTS, MAX_PLAYERS, OPTIONS, RaceMove,
    RaceOption, RacePosition, RaceRules, RawRacePosition, RawRunningCount, Recorded, Refusal, Row,
    RowScore, THROWS, Total, face_label, face_name_pt, is_closed, is_doubled, space,
};
use dicepoker_engine::ruleset::OptionValue;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::options;
use super::position::{read_scorecard, write_raw_scorecard};
use crate::error::Error;

/// Id of the ruleset.
pub(crate) const ID: &str = "poquer-tradicional";

const TITLE: &str = "Póquer tradicional";

const DESCRIPTION: &str = "The traditional Portuguese race for two or more: seven rows of five \
    cells, up to three records a turn. Figures count 2 each and nines 1 of anything; what all five \
    dice show when thrown together (de mão) is doubled. Who fills a row closes it for everybody, \
    and it counts double if somebody has not opened it. The game ends when six rows are closed.";

const FACE_TITLES: [&str; 6] = ["nine", "ten", "jack", "queen", "king", "ace"];

/// Reads the options of a request.
pub(crate) fn read_rules(options: &prost_types::Struct) -> Result<RaceRules, Error> {
    let options: BTreeMap<String, OptionValue> = options::read(options)?;
    let mut rules = RaceRules::default();
    let mut found = Violations::new();
    for (id, value) in &options {
        let text = match value {
            OptionValue::Integer(number) => number.to_string(),
            OptionValue::Boolean(on) => on.to_string(),
            OptionValue::Text(text) => shorten(text),
            OptionValue::List(_) => "a list".to_owned(),
        };
        if let Err(why) = rules.set(id, &text) {
            found.push(format!("options.{}", shorten(id)), why);
        }
    }
    found.or(rules).map_err(Error::Invalid)
}

/// Reads a position.
pub(crate) fn read_position(position: pb::Position) -> RawRacePosition {
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
pub(crate) fn read_move(rules: &RaceRules, chosen: Option<pb::Move>) -> Result<RaceMove, Error> {
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
            .ok_or_else(|| Error::invalid("move.record.category", unknown_row(rules))),
        Some(Kind::Stop(_)) => Ok(RaceMove::Stop),
        Some(Kind::Announce(_)) => {
            Err(Error::invalid("move.announce", "nothing is announced in the race"))
        }
        None => Err(Error::invalid("move", "required: one of keep, record, stop")),
    }
}

/// Says which rows there are.
pub(crate) fn unknown_row(rules: &RaceRules) -> String {
    let ids: Vec<&str> = rows(rules).map(Row::id).collect();
    format!("no such row: must be one of {}", ids.join(", "))
}

fn rows(rules: &RaceRules) -> impl Iterator<Item = Row> + '_ {
    Row::ALL.into_iter().filter(|row| row.exists(rules))
}

/// The error of a move that is not legal.
pub(crate) fn illegal(chosen: RaceMove, reason: IllegalMove) -> Error {
    let field = match chosen {
        _ if reason == IllegalMove::Finished => return finished(),
        RaceMove::Keep(_) => "move.keep.dice",
        RaceMove::Record(_) => "move.record.category",
        RaceMove::Stop => "move.stop",
    };
    Error::invalid(field, reason.to_string())
}

/// The error of a game without a move.
pub(crate) fn finished() -> Error {
    Error::GameFinished("six of the seven rows are closed".to_owned())
}

/// Writes a position after `turns_ended` turns.
pub(crate) fn write_position(position: &RacePosition, turns_ended: u32) -> pb::Position {
    let raw = position.to_raw();
    pb::Position {
        full_throw: raw.full_throw.filter(|_| !raw.dice.is_empty()),
        dice: raw.dice,
        rolls_left: raw.rolls_left,
        scorecards: raw.scorecards.into_iter().map(write_raw_scorecard).collect(),
        to_move: raw.to_move,
        running_count: raw
            .running_count
            .map(|count| pb::RunningCount { category: count.category, points: count.points }),
        turns_ended,
        ..Default::default()
    }
}

/// Writes a move.
pub(crate) fn write_move(chosen: RaceMove) -> pb::Move {
    use pb::r#move::Kind;
    let kind = match chosen {
        RaceMove::Keep(keep) => Kind::Keep(pb::KeepMove {
            dice: space().faces_of(keep).map(u32::from).collect(),
            ..Default::default()
        }),
        RaceMove::Record(row) => {
            Kind::Record(pb::RecordMove { category: row.id().to_owned(), ..Default::default() })
        }
        RaceMove::Stop => Kind::Stop(pb::StopMove {}),
    };
    pb::Move { kind: Some(kind) }
}

/// Writes what the dice are worth in a row.
pub(crate) fn write_score(score: &RowScore) -> pb::CategoryScore {
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

/// Writes what was recorded by a move in `position`.
pub(crate) fn write_recorded(position: &RacePosition, recorded: &Recorded) -> pb::CategoryScore {
    let scores = position.score();
    let score = scores.iter().find(|score| score.row == recorded.row);
    score.map(write_score).unwrap_or_default()
}

/// Writes the total of a player at a table of `boards`.
pub(crate) fn write_total(
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

/// Writes the ruleset under these rules.
pub(crate) fn write_ruleset(rules: &RaceRules) -> pb::Ruleset {
    let face = |value: u8| pb::Face {
        value: value.into(),
        label: face_label(value).unwrap_or_default().to_owned(),
        title: FACE_TITLES[usize::from(value) - 1].to_owned(),
        local_titles: face_name_pt(value)
            .map(|name| ("pt".to_owned(), name.to_owned()))
            .into_iter()
            .collect(),
    };
    pb::Ruleset {
        id: ID.to_owned(),
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
        family: pb::RulesetFamily::Race.into(),
        definition: Some(pb::RulesetDefinition {
            dice: 5,
            faces: 6,
            rolls: THROWS.into(),
            categories: rows(rules).map(|row| write_row(rules, row)).collect(),
            ..Default::default()
        }),
        options: OPTIONS.iter().map(write_option).collect(),
        faces: (1..=6).map(face).collect(),
        max_players: MAX_PLAYERS as u32,
        expected_score: None,
        levels: write_levels(rules),
        profiles: Vec::new(),
    }
}

/// What the levels win, by the default rules for which they were measured.
fn write_levels(rules: &RaceRules) -> Vec<pb::OpponentLevel> {
    if *rules != RaceRules::default() {
        return Vec::new();
    }
    let levels = RaceCalibration::built_in().levels.iter();
    levels
        .map(|level| pb::OpponentLevel {
            level: level.level.into(),
            mean_score: Some(level.mean),
            standard_deviation: None,
            regret_per_decision: None,
            beats_next: level.beats_next,
            beats_greedy: Some(level.beats_greedy),
        })
        .collect()
}

fn write_row(rules: &RaceRules, row: Row) -> pb::Category {
    pb::Category {
        id: row.id().to_owned(),
        title: row.title().to_owned(),
        local_titles: [("pt".to_owned(), row.title_pt().to_owned())].into(),
        section: pb::Section::Unspecified.into(),
        description: describe(rules, row),
        race_row: Some(pb::RaceRow {
            minimums: (0..CELLS).map(|cell| row.minimum(cell).into()).collect(),
            multiplier: row.multiplier(),
            counts_to_end: Row::SEVEN.contains(&row),
        }),
        ..Default::default()
    }
}

fn describe(rules: &RaceRules, row: Row) -> String {
    match row {
        Row::Sequences => "K-Q-J-10-9: 15; A-K-Q-J-10: 30; doubled de mão.".to_owned(),
        Row::Fullens => format!(
            "3 dice of one figure and 2 of another, or 5 alike figures: {}; doubled de mão.",
            rules.fullen_points
        ),
        Row::Poker => {
            "4 or more alike figures, de mão only: 100; 4 aces and a king: 200.".to_owned()
        }
        _ => format!(
            "Each {} 2, each nine 1; 5 alike 20, 5 nines 30, these two doubled de mão.",
            FACE_TITLES[usize::from(row.figure().unwrap_or(1)) - 1]
        ),
    }
}

fn write_option(option: &RaceOption) -> pb::RulesetOption {
    let (kind, value) = if option.id == "fullen_points" {
        let default = RaceRules::default().fullen_points;
        (pb::OptionType::Integer, OptionValue::Integer(default.into()))
    } else if option.id == "de_mao" {
        (pb::OptionType::Choice, OptionValue::Text(DeMao::default().id().to_owned()))
    } else {
        (pb::OptionType::Boolean, OptionValue::Boolean(option.default == "true"))
    };
    let integer = kind == pb::OptionType::Integer;
    let choices = if kind == pb::OptionType::Choice { option.values } else { &[] };
    pb::RulesetOption {
        id: option.id.to_owned(),
        title: sentence_case(option.id),
        description: option.description.to_owned(),
        value_type: kind.into(),
        minimum: i32::from(integer),
        maximum: if integer { MAX_FULLEN_POINTS.into() } else { 0 },
        choices: choices.iter().map(|&word| word.to_owned()).collect(),
        default_value: Some(options::write_value(value)),
    }
}

/// `de_mao` as `De mao`.
fn sentence_case(id: &str) -> String {
    let mut text = id.replace('_', " ");
    text[..1].make_ascii_uppercase();
    text
}
