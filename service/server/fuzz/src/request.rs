//! Requests that are nearly valid: about a game, with some fields left out, changed or added.
//! Fields are filled by their names and types in the contract.

use arbitrary::{Result, Unstructured};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage, Value,
};

use crate::MOST_GAMES;

/// The deepest nesting of messages.
const DEEPEST: u32 = 6;

/// Words for fields of text.
const WORDS: [&str; 12] = [
    "ones",
    "sixes",
    "pair",
    "two_pairs",
    "full_house",
    "five_alike",
    "chance",
    "gambler",
    "dice-poker-15",
    "upper_bonus_threshold",
    "",
    "\u{1F3B2}\0ü",
];

/// Numbers at which behaviour may change.
const NUMBERS: [u64; 14] =
    [0, 1, 2, 3, 5, 6, 7, 13, 50, 255, 256, 65_536, u32::MAX as u64, u64::MAX];

/// The game that requests are about.
#[derive(Debug)]
pub struct Game {
    /// The id of its ruleset.
    pub ruleset: &'static str,
    /// Its definition; nothing for the race.
    pub definition: Option<DynamicMessage>,
    /// The ids of its categories.
    pub categories: Vec<String>,
    /// Its first position.
    pub start: DynamicMessage,
    /// The moves since.
    pub steps: Vec<DynamicMessage>,
    /// Its current position.
    pub position: DynamicMessage,
    /// The legal moves there.
    pub moves: Vec<DynamicMessage>,
}

impl Game {
    /// A message of this kind about the game.
    ///
    /// # Errors
    /// If the fuzzer's input is used up.
    pub fn message(
        &self,
        u: &mut Unstructured<'_>,
        kind: &MessageDescriptor,
        depth: u32,
    ) -> Result<DynamicMessage> {
        let mut message = match kind.name() {
            "Position" => self.position.clone(),
            "Move" if !self.moves.is_empty() => u.choose(&self.moves)?.clone(),
            "RulesetDefinition" if self.definition.is_some() => {
                self.definition.clone().unwrap_or_else(|| DynamicMessage::new(kind.clone()))
            }
            _ => {
                let mut message = DynamicMessage::new(kind.clone());
                if depth < DEEPEST {
                    self.fill(u, &mut message, depth)?;
                }
                message
            }
        };
        if u.ratio(1, 8)? {
            self.change(u, &mut message, depth)?;
        }
        Ok(message)
    }

    fn fill(
        &self,
        u: &mut Unstructured<'_>,
        message: &mut DynamicMessage,
        depth: u32,
    ) -> Result<()> {
        let kind = message.descriptor();
        let one_of = |field: &FieldDescriptor| {
            field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic())
        };
        for field in kind.fields().filter(|field| !one_of(field)) {
            // Exactly one field names the rules, mostly by id; the other fields are set or not.
            let there = match field.name() {
                "ruleset" | "position" | "move" | "requests" | "steps" => u.ratio(15, 16)?,
                "definition" | "options" => u.ratio(1, 16)?,
                _ => u.arbitrary()?,
            };
            if there {
                // The record of a game begins with its first position.
                let value = match field.name() {
                    "steps" => {
                        Value::List(self.steps.iter().cloned().map(Value::Message).collect())
                    }
                    "position" if kind.get_field_by_name("steps").is_some() => {
                        Value::Message(self.start.clone())
                    }
                    _ => self.value(u, &field, depth)?,
                };
                message.set_field(&field, value);
            }
        }
        for oneof in kind.oneofs().filter(|oneof| !oneof.is_synthetic()) {
            let fields: Vec<_> = oneof.fields().collect();
            let field = u.choose(&fields)?;
            let value = self.value(u, field, depth)?;
            message.set_field(field, value);
        }
        Ok(())
    }

    /// Changes something in a message or its submessages.
    fn change(
        &self,
        u: &mut Unstructured<'_>,
        message: &mut DynamicMessage,
        depth: u32,
    ) -> Result<()> {
        let fields: Vec<_> = message.descriptor().fields().collect();
        if fields.is_empty() {
            return Ok(());
        }
        let field = u.choose(&fields)?.clone();
        let inner = message.has_field(&field) && depth < DEEPEST && u.ratio(3, 4)?;
        match message.get_field_mut(&field) {
            Value::Message(held) if inner => return self.change(u, held, depth + 1),
            Value::List(held) if inner && !held.is_empty() => {
                let at = u.choose_index(held.len())?;
                match &mut held[at] {
                    Value::Message(held) if u.ratio(3, 4)? => {
                        return self.change(u, held, depth + 1);
                    }
                    _ => {}
                }
                match u.int_in_range(0..=2)? {
                    0 => drop(held.remove(at)),
                    1 => held.push(held[at].clone()),
                    _ => held[at] = self.single(u, &field, depth + 1)?,
                }
                return Ok(());
            }
            _ => {}
        }
        if u.ratio(1, 4)? {
            message.clear_field(&field);
        } else {
            let value = self.value(u, &field, depth + 1)?;
            message.set_field(&field, value);
        }
        Ok(())
    }

    fn value(
        &self,
        u: &mut Unstructured<'_>,
        field: &FieldDescriptor,
        depth: u32,
    ) -> Result<Value> {
        if field.is_map() {
            let key = MapKey::String((*u.choose(&WORDS)?).to_owned());
            let Kind::Message(entry) = field.kind() else { unreachable!("maps have entries") };
            let value = self.single(u, &entry.map_entry_value_field(), depth)?;
            return Ok(Value::Map([(key, value)].into()));
        }
        if !field.is_list() {
            return self.single(u, field, depth);
        }
        let most = if field.name() == "requests" { 3 } else { 6 };
        let count =
            if field.name() == "dice" && u.ratio(7, 8)? { 5 } else { u.int_in_range(0..=most)? };
        Ok(Value::List((0..count).map(|_| self.single(u, field, depth)).collect::<Result<_>>()?))
    }

    fn single(
        &self,
        u: &mut Unstructured<'_>,
        field: &FieldDescriptor,
        depth: u32,
    ) -> Result<Value> {
        Ok(match field.kind() {
            Kind::Message(kind) => Value::Message(self.message(u, &kind, depth + 1)?),
            Kind::String => Value::String(self.text(u, field.name())?),
            Kind::Bool => Value::Bool(u.arbitrary()?),
            Kind::Enum(kind) => {
                let numbers: Vec<i32> = kind.values().map(|value| value.number()).collect();
                Value::EnumNumber(if u.ratio(15, 16)? {
                    *u.choose(&numbers)?
                } else {
                    u.arbitrary()?
                })
            }
            Kind::Double => Value::F64(u.arbitrary()?),
            Kind::Float => Value::F32(u.arbitrary()?),
            Kind::Bytes => Value::Bytes(u.arbitrary::<Vec<u8>>()?.into()),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                Value::I32(number(u, field.name())? as i32)
            }
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                Value::I64(number(u, field.name())? as i64)
            }
            Kind::Uint32 | Kind::Fixed32 => Value::U32(number(u, field.name())? as u32),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(number(u, field.name())?),
        })
    }

    fn text(&self, u: &mut Unstructured<'_>, field: &str) -> Result<String> {
        Ok(match field {
            "ruleset" if u.ratio(15, 16)? => self.ruleset.to_owned(),
            "category" if !self.categories.is_empty() && u.ratio(15, 16)? => {
                u.choose(&self.categories)?.clone()
            }
            _ if u.ratio(1, 16)? => u.arbitrary()?,
            _ => (*u.choose(&WORDS)?).to_owned(),
        })
    }
}

fn number(u: &mut Unstructured<'_>, field: &str) -> Result<u64> {
    Ok(match field {
        "dice" | "faces" if u.ratio(31, 32)? => u.int_in_range(1..=6)?,
        "level" if u.ratio(15, 16)? => u.int_in_range(1..=10)?,
        "games" if u.ratio(15, 16)? => u.int_in_range(1..=MOST_GAMES.into())?,
        "to_move" if u.ratio(15, 16)? => 0,
        _ if u.ratio(1, 4)? => u.arbitrary()?,
        _ => *u.choose(&NUMBERS)?,
    })
}
