//! Scorecards as messages carry them.

use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_proto::v1 as pb;

/// Reads a scorecard.
pub(crate) fn read_scorecard(card: pb::Scorecard) -> RawScorecard {
    RawScorecard {
        entries: card
            .entries
            .into_iter()
            .map(|entry| RawEntry {
                category: entry.category,
                column: entry.column,
                points: entry.points,
            })
            .collect(),
        five_alike_bonuses: card.five_alike_bonuses,
        extra_throws: card.extra_throws,
    }
}

/// Writes a scorecard.
pub(crate) fn write_scorecard(card: RawScorecard) -> pb::Scorecard {
    let entry = |entry: RawEntry| pb::scorecard::Entry {
        category: entry.category,
        points: entry.points,
        column: entry.column,
    };
    pb::Scorecard {
        entries: card.entries.into_iter().map(entry).collect(),
        five_alike_bonuses: card.five_alike_bonuses,
        extra_throws: card.extra_throws,
    }
}
