//! Reads and writes positions, moves and scores.

use dicepoker_engine::category::Category;
use dicepoker_engine::moves::{Move, RawMove};
use dicepoker_engine::position::{Position, RawPosition};
use dicepoker_engine::scorecard::Scorecard;
use dicepoker_engine::sheet::{Gain, Sheet};
use dicepoker_proto::v1 as pb;

use crate::error::Error;
use crate::wire::scorecard::read_scorecard;

/// Reads a position.
pub(super) fn read_position(position: pb::Position) -> RawPosition {
    RawPosition {
        dice: position.dice,
        rolls_left: position.rolls_left,
        scorecards: position.scorecards.into_iter().map(read_scorecard).collect(),
        to_move: position.to_move,
        full_throw: position.full_throw,
        announced: position.announced.map(|announced| (announced.category, announced.column)),
        kept: position.kept,
    }
}

/// Reads a move.
pub(super) fn read_move(chosen: Option<pb::Move>) -> Result<RawMove, Error> {
    use pb::r#move::Kind;
    match chosen.and_then(|chosen| chosen.kind) {
        Some(Kind::Keep(keep)) => Ok(RawMove::Keep(keep.dice)),
        Some(Kind::Record(record)) => Ok(RawMove::Record(record.category, record.column)),
        Some(Kind::Announce(announce)) => Ok(RawMove::Announce(announce.category, announce.column)),
        Some(Kind::Stop(_)) => Ok(RawMove::Stop),
        _ => Err(Error::invalid("move", "required: one of keep, record, announce, stop")),
    }
}

/// Writes a move.
pub(super) fn write_move(sheet: &Sheet, chosen: Move) -> pb::Move {
    use pb::r#move::Kind;
    let kind = match chosen {
        Move::Keep(keep) => {
            let dice = sheet.space().faces_of(keep).map(u32::from).collect();
            Kind::Keep(pb::KeepMove { dice, buys: false })
        }
        Move::Record(category) => {
            let column = sheet.column_id(category).to_owned();
            Kind::Record(pb::RecordMove { category: sheet.id(category).to_owned(), column })
        }
        Move::Announce(category) => Kind::Announce(write_announced(sheet, category)),
    };
    pb::Move { kind: Some(kind) }
}

fn write_announced(sheet: &Sheet, category: Category) -> pb::AnnounceMove {
    let column = sheet.column_id(category).to_owned();
    pb::AnnounceMove { category: sheet.id(category).to_owned(), column }
}

/// Writes a position.
pub(super) fn write_position(sheet: &Sheet, position: &Position) -> pb::Position {
    let space = sheet.space();
    let dice = position.dice().map(|roll| space.faces_of(space.as_keep(roll)));
    pb::Position {
        dice: dice.into_iter().flatten().map(u32::from).collect(),
        rolls_left: position.rolls_left().into(),
        scorecards: position.cards().iter().map(|card| write_scorecard(sheet, card)).collect(),
        to_move: position.to_move() as u32,
        full_throw: sheet.counts_full_throw().then(|| position.full_throw()),
        running_count: None,
        turns_ended: 0,
        announced: position.announced().map(|category| write_announced(sheet, category)),
        kept: space.faces_of(position.kept()).map(u32::from).collect(),
        showdown: None,
    }
}

fn write_scorecard(sheet: &Sheet, card: &Scorecard) -> pb::Scorecard {
    let mut entries: Vec<pb::scorecard::Entry> = Vec::new();
    for category in card.filled().iter() {
        let Some(points) = card.points(category).map(i32::from) else { continue };
        let (id, column) = (sheet.id(category), sheet.column_id(category));
        match entries.last_mut().filter(|last| last.category == id && last.column == column) {
            // Another entry of the row.
            Some(last) => last.points.push(points),
            None => entries.push(pb::scorecard::Entry {
                category: id.to_owned(),
                points: vec![points],
                column: column.to_owned(),
            }),
        }
    }
    pb::Scorecard {
        entries,
        five_alike_bonuses: card.five_alike_bonuses(),
        extra_throws: card.extra_throws().into(),
    }
}

/// Writes the sums of a card.
pub(super) fn write_totals(sheet: &Sheet, card: &Scorecard) -> pb::ScorecardTotals {
    let totals = card.totals(sheet);
    let columns = sheet.definition().columns.iter().enumerate().map(|(index, column)| {
        let totals = card.column_totals(sheet, index);
        pb::ColumnTotals {
            column: column.id.clone(),
            upper_subtotal: totals.upper,
            upper_bonus: totals.upper_bonus,
            lower_subtotal: totals.lower,
            other: totals.other,
            total: totals.grand_total(),
        }
    });
    pb::ScorecardTotals {
        upper_subtotal: totals.upper,
        upper_bonus: totals.upper_bonus,
        lower_subtotal: totals.lower,
        five_alike_bonus: totals.five_alike_bonus,
        grand_total: totals.grand_total(),
        other: totals.other,
        rows: Vec::new(),
        columns: columns.collect(),
    }
}

/// Writes the score of a roll in a category; `illegal` is the reason why it may not go there.
pub(super) fn write_gain(
    sheet: &Sheet,
    category: Category,
    gain: Gain,
    illegal: Option<pb::IllegalReason>,
) -> pb::CategoryScore {
    // A score that cannot be recorded has no bonus.
    let gain =
        if illegal.is_some() { Gain { points: gain.points, ..Gain::default() } } else { gain };
    pb::CategoryScore {
        category: sheet.id(category).to_owned(),
        points: gain.points.into(),
        bonus: gain.upper_bonus + gain.five_alike_bonus + gain.other,
        legal: illegal.is_none(),
        upper_bonus: gain.upper_bonus,
        five_alike_bonus: gain.five_alike_bonus,
        column: sheet.column_id(category).to_owned(),
        other_bonus: gain.other,
        illegal_reason: illegal.unwrap_or_default().into(),
        race: None,
    }
}
