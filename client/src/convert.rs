//! Between this crate's types and the messages of the contract: nothing is decided here, only
//! translated. What the service says that this client cannot understand is a [`Malformed`] answer.

mod ruleset;

use dicepoker_proto::v1 as pb;
use prost_types::value::Kind as ValueKind;
use prost_types::{ListValue, Struct, Value};

use crate::{
    Advice, Alternative, Applied, CategoryScore, Dice, Entry, IllegalReason, Move, OptionValue,
    Position, Rules, RunningCount, Scorecard, Scores, Totals,
};

pub(crate) use ruleset::read_ruleset;

/// Something that every answer must hold and this one did not.
#[derive(Debug)]
pub(crate) struct Malformed(pub(crate) &'static str);

/// The three fields by which every request names its rules.
pub(crate) type RulesFields = (String, Option<Struct>, Option<pb::RulesetDefinition>);

pub(crate) fn write_rules(rules: Rules) -> RulesFields {
    let fields: Vec<_> =
        rules.options.into_iter().map(|(id, value)| (id, write_value(value))).collect();
    let options = (!fields.is_empty()).then(|| Struct { fields: fields.into_iter().collect() });
    (rules.ruleset, options, rules.definition.map(ruleset::write_definition))
}

fn write_value(value: OptionValue) -> Value {
    let text = |text| Value { kind: Some(ValueKind::StringValue(text)) };
    match value {
        OptionValue::Boolean(on) => Value { kind: Some(ValueKind::BoolValue(on)) },
        OptionValue::Integer(number) => Value { kind: Some(ValueKind::NumberValue(number.into())) },
        OptionValue::Text(word) => text(word),
        OptionValue::List(words) => {
            let values = words.into_iter().map(text).collect();
            Value { kind: Some(ValueKind::ListValue(ListValue { values })) }
        }
    }
}

fn read_value(value: Value) -> Option<OptionValue> {
    Some(match value.kind? {
        ValueKind::BoolValue(on) => OptionValue::Boolean(on),
        ValueKind::NumberValue(number) => OptionValue::Integer(number as u32),
        ValueKind::StringValue(text) => OptionValue::Text(text),
        ValueKind::ListValue(list) => {
            let word = |value: Value| match value.kind? {
                ValueKind::StringValue(text) => Some(text),
                _ => None,
            };
            OptionValue::List(list.values.into_iter().map(word).collect::<Option<_>>()?)
        }
        ValueKind::NullValue(_) | ValueKind::StructValue(_) => return None,
    })
}

pub(crate) fn write_position(position: Position) -> pb::Position {
    pb::Position {
        dice: position.dice.into_inner(),
        rolls_left: position.rolls_left,
        scorecards: position.scorecards.into_iter().map(write_scorecard).collect(),
        to_move: position.to_move,
        full_throw: position.full_throw,
        running_count: position
            .running_count
            .map(|count| pb::RunningCount { category: count.category, points: count.points }),
        turns_ended: position.turns_ended,
    }
}

fn read_position(position: pb::Position) -> Position {
    Position {
        dice: Dice::from(position.dice),
        rolls_left: position.rolls_left,
        scorecards: position.scorecards.into_iter().map(read_scorecard).collect(),
        to_move: position.to_move,
        full_throw: position.full_throw,
        running_count: position
            .running_count
            .map(|count| RunningCount { category: count.category, points: count.points }),
        turns_ended: position.turns_ended,
    }
}

pub(crate) fn write_scorecard(card: Scorecard) -> pb::Scorecard {
    let entry =
        |entry: Entry| pb::scorecard::Entry { category: entry.category, points: entry.points };
    pb::Scorecard {
        entries: card.entries.into_iter().map(entry).collect(),
        five_alike_bonuses: card.five_alike_bonuses,
    }
}

fn read_scorecard(card: pb::Scorecard) -> Scorecard {
    let entry =
        |entry: pb::scorecard::Entry| Entry { category: entry.category, points: entry.points };
    Scorecard {
        entries: card.entries.into_iter().map(entry).collect(),
        five_alike_bonuses: card.five_alike_bonuses,
    }
}

pub(crate) fn write_move(chosen: Move) -> pb::Move {
    use pb::r#move::Kind;
    let kind = match chosen {
        Move::Keep { dice } => Kind::Keep(pb::Keep { dice: dice.into_inner() }),
        Move::Record { category } => Kind::Record(pb::Record { category }),
        Move::Stop {} => Kind::Stop(pb::Stop {}),
    };
    pb::Move { kind: Some(kind) }
}

fn read_move(chosen: Option<pb::Move>) -> Result<Move, Malformed> {
    use pb::r#move::Kind;
    match chosen.and_then(|chosen| chosen.kind).ok_or(Malformed("a move of no known kind"))? {
        Kind::Keep(keep) => Ok(Move::keep(keep.dice)),
        Kind::Record(record) => Ok(Move::record(record.category)),
        Kind::Stop(pb::Stop {}) => Ok(Move::Stop {}),
    }
}

fn read_totals(totals: pb::ScorecardTotals) -> Totals {
    Totals {
        upper_subtotal: totals.upper_subtotal,
        upper_bonus: totals.upper_bonus,
        lower_subtotal: totals.lower_subtotal,
        five_alike_bonus: totals.five_alike_bonus,
        grand_total: totals.grand_total,
    }
}

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

pub(crate) fn read_advice(answer: pb::SuggestResponse) -> Result<Advice, Malformed> {
    let alternative = |other: pb::Alternative| {
        Ok(Alternative {
            chosen: read_move(other.r#move)?,
            expected_value: other.expected_value,
            regret: other.regret,
        })
    };
    Ok(Advice {
        best: read_move(answer.r#move)?,
        expected_value: answer.expected_value,
        alternatives: answer.alternatives.into_iter().map(alternative).collect::<Result<_, _>>()?,
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
