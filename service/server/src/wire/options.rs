//! Options of a ruleset.

use std::collections::BTreeMap;

use dicepoker_engine::ruleset::{OptionKind, OptionValue, RuleOption};
use dicepoker_engine::violation::{Violations, shorten};
use dicepoker_proto::v1 as pb;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};

use crate::error::Error;

/// More options than any ruleset has.
const MAX_OPTIONS: usize = 32;

/// Reads the options of a request.
pub(crate) fn read(options: &Struct) -> Result<BTreeMap<String, OptionValue>, Error> {
    let mut found = Violations::new();
    let mut values = BTreeMap::new();
    for (id, value) in options.fields.iter().take(MAX_OPTIONS) {
        match read_value(value) {
            Some(value) => {
                values.insert(id.clone(), value);
            }
            None => found.push(
                format!("options.{}", shorten(id)),
                "must be a whole number, true, false, a word, or a list of words",
            ),
        }
    }
    if options.fields.len() > MAX_OPTIONS {
        found.push(
            "options",
            format!("{} options: must be at most {MAX_OPTIONS}", options.fields.len()),
        );
    }
    found.or(values).map_err(Error::Invalid)
}

fn read_value(value: &Value) -> Option<OptionValue> {
    match value.kind.as_ref()? {
        Kind::NumberValue(number) => {
            let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number);
            whole.then_some(OptionValue::Integer(*number as u32))
        }
        Kind::BoolValue(on) => Some(OptionValue::Boolean(*on)),
        Kind::StringValue(text) => Some(OptionValue::Text(text.clone())),
        Kind::ListValue(list) => list
            .values
            .iter()
            .map(|item| match item.kind.as_ref()? {
                Kind::StringValue(text) => Some(text.clone()),
                _ => None,
            })
            .collect::<Option<Vec<String>>>()
            .map(OptionValue::List),
        Kind::NullValue(_) | Kind::StructValue(_) => None,
    }
}

/// Writes an option with its default. `ids` are those that a list may have.
pub(crate) fn write(
    option: &RuleOption,
    default: OptionValue,
    ids: Vec<String>,
) -> pb::RulesetOption {
    let (kind, minimum, maximum, choices) = match &option.kind {
        OptionKind::Integer { min, max } => (pb::OptionType::Integer, *min, *max, Vec::new()),
        OptionKind::Boolean => (pb::OptionType::Boolean, 0, 0, Vec::new()),
        OptionKind::Choice(words) => (pb::OptionType::Choice, 0, 0, words.clone()),
        OptionKind::Variants(variants) => {
            let ids = variants.iter().map(|variant| variant.id.clone()).collect();
            (pb::OptionType::Choice, 0, 0, ids)
        }
        OptionKind::Categories => (pb::OptionType::Categories, 0, 0, ids),
    };
    pb::RulesetOption {
        id: option.id.clone(),
        title: option.title.clone(),
        description: one_line(&option.description),
        value_type: kind.into(),
        minimum: minimum as i32,
        maximum: maximum as i32,
        choices,
        default_value: Some(write_value(default)),
    }
}

/// The text on one line: data files break lines within sentences; clients wrap text for their screens.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes the value of an option.
pub(crate) fn write_value(value: OptionValue) -> Value {
    let kind = match value {
        OptionValue::Integer(number) => Kind::NumberValue(number.into()),
        OptionValue::Boolean(on) => Kind::BoolValue(on),
        OptionValue::Text(text) => Kind::StringValue(text),
        OptionValue::List(words) => Kind::ListValue(ListValue {
            values: words
                .into_iter()
                .map(|word| Value { kind: Some(Kind::StringValue(word)) })
                .collect(),
        }),
    };
    Value { kind: Some(kind) }
}
