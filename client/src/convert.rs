//! Between this crate's types and the messages of the contract: nothing is decided here, only
//! translated. What the service says that this client cannot understand is a [`Malformed`] answer.

mod answers;
mod ruleset;
mod studies;

use dicepoker_proto::v1 as pb;
use prost_types::value::Kind as ValueKind;
use prost_types::{ListValue, Struct, Value};

use crate::{
    Dice, Entry, Move, Objective, Opponent, OptionValue, Player, Position, RowTotal, Rules,
    RunningCount, Scorecard, Totals, TurnStep,
};

pub(crate) use answers::{
    read_advice, read_applied, read_moves, read_scores, read_turn, read_validated,
};
pub(crate) use ruleset::read_ruleset;
pub(crate) use studies::{read_review, read_statistics};

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
        Move::Keep { dice } => Kind::Keep(pb::KeepMove { dice: dice.into_inner() }),
        Move::Record { category } => Kind::Record(pb::RecordMove { category }),
        Move::Stop {} => Kind::Stop(pb::StopMove {}),
    };
    pb::Move { kind: Some(kind) }
}

fn read_move(chosen: Option<pb::Move>) -> Result<Move, Malformed> {
    use pb::r#move::Kind;
    match chosen.and_then(|chosen| chosen.kind).ok_or(Malformed("a move of no known kind"))? {
        Kind::Keep(keep) => Ok(Move::keep(keep.dice)),
        Kind::Record(record) => Ok(Move::record(record.category)),
        Kind::Stop(pb::StopMove {}) => Ok(Move::Stop {}),
    }
}

fn read_totals(totals: pb::ScorecardTotals) -> Totals {
    let row = |row: pb::RowTotal| RowTotal {
        category: row.category,
        points: row.points,
        closed: row.closed,
        doubled: row.doubled,
    };
    Totals {
        upper_subtotal: totals.upper_subtotal,
        upper_bonus: totals.upper_bonus,
        lower_subtotal: totals.lower_subtotal,
        five_alike_bonus: totals.five_alike_bonus,
        grand_total: totals.grand_total,
        rows: totals.rows.into_iter().map(row).collect(),
    }
}

pub(crate) fn write_opponent(opponent: Opponent) -> pb::Opponent {
    use pb::opponent::Kind;
    let kind = match opponent {
        Opponent::Level(level) => Kind::Level(level),
        Opponent::Profile(id) => Kind::Profile(id),
    };
    pb::Opponent { kind: Some(kind) }
}

/// The two fields by which a request names an objective.
pub(crate) fn write_objective(objective: Option<Objective>) -> (i32, i32) {
    let (objective, target) = match objective {
        None => (pb::Objective::Unspecified, 0),
        Some(Objective::ExpectedScore) => (pb::Objective::ExpectedScore, 0),
        Some(Objective::Win) => (pb::Objective::Win, 0),
        Some(Objective::ReachTarget(target)) => (pb::Objective::ReachTarget, target),
    };
    (objective.into(), target)
}

pub(crate) fn write_player(player: Player) -> pb::SimulatedPlayer {
    let (objective, target) = write_objective(player.objective);
    pb::SimulatedPlayer { opponent: player.opponent.map(write_opponent), objective, target }
}

pub(crate) fn write_step(step: TurnStep) -> pb::TurnStep {
    pb::TurnStep {
        dice: step.dice.into_inner(),
        r#move: Some(write_move(step.chosen)),
        thrown: step.thrown.into_inner(),
        // The service does not read it.
        recorded: None,
    }
}
