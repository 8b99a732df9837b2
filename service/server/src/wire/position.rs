//! Positions, moves and what is said about them.

use dicepoker_engine::category::Category;
use dicepoker_engine::moves::{Move, RawMove};
use dicepoker_engine::position::{Position, RawPosition};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard, Scorecard, Totals};
use dicepoker_engine::sheet::{Gain, Sheet};
use dicepoker_proto::v1 as pb;

use crate::error::Error;

/// Reads a scorecard.
pub(crate) fn read_scorecard(card: pb::Scorecard) -> RawScorecard {
    RawScorecard {
        entries: card
            .entries
            .into_iter()
            .map(|entry| RawEntry { category: entry.category, points: entry.points })
            .collect(),
        five_alike_bonuses: card.five_alike_bonuses,
    }
}

/// Reads a position.
pub(crate) fn read_position(position: pb::Position) -> RawPosition {
    RawPosition {
        dice: position.dice,
        rolls_left: position.rolls_left,
        scorecards: position.scorecards.into_iter().map(read_scorecard).collect(),
        to_move: position.to_move,
    }
}

/// Reads a move.
pub(crate) fn read_move(chosen: Option<pb::Move>) -> Result<RawMove, Error> {
    use pb::r#move::Kind;
    match chosen.and_then(|chosen| chosen.kind) {
        Some(Kind::Keep(keep)) => Ok(RawMove::Keep(keep.dice)),
        Some(Kind::Record(record)) => Ok(RawMove::Record(record.category)),
        Some(Kind::Stop(_)) => Ok(RawMove::Stop),
        None => Err(Error::invalid("move", "required: one of keep, record, stop")),
    }
}

/// Writes a move.
pub(crate) fn write_move(sheet: &Sheet, chosen: Move) -> pb::Move {
    use pb::r#move::Kind;
    let kind = match chosen {
        Move::Keep(keep) => {
            Kind::Keep(pb::KeepMove { dice: sheet.space().faces_of(keep).map(u32::from).collect() })
        }
        Move::Record(category) => {
            Kind::Record(pb::RecordMove { category: sheet.id(category).to_owned() })
        }
    };
    pb::Move { kind: Some(kind) }
}

/// Writes a position.
pub(crate) fn write_position(sheet: &Sheet, position: &Position) -> pb::Position {
    let space = sheet.space();
    let dice = position.dice().map(|roll| space.faces_of(space.as_keep(roll)));
    pb::Position {
        dice: dice.into_iter().flatten().map(u32::from).collect(),
        rolls_left: position.rolls_left().into(),
        scorecards: position.cards().iter().map(|card| write_scorecard(sheet, card)).collect(),
        to_move: position.to_move() as u32,
        full_throw: None,
        running_count: None,
        turns_ended: 0,
    }
}

fn write_scorecard(sheet: &Sheet, card: &Scorecard) -> pb::Scorecard {
    let entry = |category| {
        card.points(category).map(|points| pb::scorecard::Entry {
            category: sheet.id(category).to_owned(),
            points: vec![points.into()],
        })
    };
    pb::Scorecard {
        entries: card.filled().iter().filter_map(entry).collect(),
        five_alike_bonuses: card.five_alike_bonuses(),
    }
}

/// Writes a card of cells, as the race has it.
pub(crate) fn write_raw_scorecard(card: RawScorecard) -> pb::Scorecard {
    let entry =
        |entry: RawEntry| pb::scorecard::Entry { category: entry.category, points: entry.points };
    pb::Scorecard {
        entries: card.entries.into_iter().map(entry).collect(),
        five_alike_bonuses: card.five_alike_bonuses,
    }
}

/// Writes the sums of a card.
pub(crate) fn write_totals(totals: &Totals) -> pb::ScorecardTotals {
    pb::ScorecardTotals {
        upper_subtotal: totals.upper as i32,
        upper_bonus: totals.upper_bonus as i32,
        lower_subtotal: totals.lower as i32,
        five_alike_bonus: totals.five_alike_bonus as i32,
        grand_total: totals.grand_total() as i32,
        rows: Vec::new(),
    }
}

/// Writes what a roll is worth in a category; `illegal` says why it may not go there.
pub(crate) fn write_gain(
    sheet: &Sheet,
    category: Category,
    gain: Gain,
    illegal: Option<pb::IllegalReason>,
) -> pb::CategoryScore {
    // What cannot be recorded brings no bonus.
    let gain =
        if illegal.is_some() { Gain { points: gain.points, ..Gain::default() } } else { gain };
    pb::CategoryScore {
        category: sheet.id(category).to_owned(),
        points: gain.points.into(),
        bonus: i32::from(gain.upper_bonus) + i32::from(gain.five_alike_bonus),
        legal: illegal.is_none(),
        upper_bonus: gain.upper_bonus.into(),
        five_alike_bonus: gain.five_alike_bonus.into(),
        illegal_reason: illegal.unwrap_or_default().into(),
        race: None,
    }
}
