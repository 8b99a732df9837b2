//! The JSON documents that commands write for each other: proto3 JSON of the contract's messages,
//! with the rules and the position before a move beside them.

use std::path::Path;
use std::sync::LazyLock;

use dicepoker_client::{
    GameRecord, Json, Move, Position, Rules, RulesetDefinition, TurnStep, proto,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::failure::Failure;

/// Rules as fields of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct WrittenRules {
    #[serde(skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    options: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<Json<RulesetDefinition>>,
}

impl From<&Rules> for WrittenRules {
    fn from(rules: &Rules) -> Self {
        let fields = rules.options().map(|options| options.fields.iter()).into_iter().flatten();
        Self {
            ruleset: rules.id().map(str::to_owned),
            options: fields.map(|(id, value)| (id.clone(), to_json(value))).collect(),
            definition: rules.definition().cloned().map(Json),
        }
    }
}

impl WrittenRules {
    /// The rules, if there are any.
    pub(crate) fn read(self) -> Option<Rules> {
        let rules = match (self.ruleset, self.definition) {
            (Some(id), _) => Rules::named(id),
            (None, Some(Json(definition))) => Rules::defined(definition),
            (None, None) => return None,
        };
        let options = self.options.into_iter();
        Some(options.fold(rules, |rules, (id, value)| rules.option(id, from_json(value))))
    }
}

/// A move or a turn as played: the rules, the position before it, and the response with the position after
/// it.
#[derive(Debug, Serialize)]
pub(crate) struct Played<T> {
    #[serde(flatten)]
    rules: WrittenRules,
    start: Json<Position>,
    #[serde(flatten)]
    pub(crate) answer: T,
}

impl<T> Played<T> {
    pub(crate) fn new(rules: &Rules, start: Position, answer: T) -> Self {
        Self { rules: rules.into(), start: Json(start), answer }
    }
}

/// A whole game, as `dicepoker play --save` writes it.
#[derive(Debug, Serialize)]
pub(crate) struct SavedGame {
    #[serde(flatten)]
    rules: WrittenRules,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Json<Position>>,
    steps: Vec<Json<TurnStep>>,
}

impl SavedGame {
    pub(crate) fn new(rules: &Rules, game: GameRecord) -> Self {
        Self {
            rules: rules.into(),
            position: game.start.map(Json),
            steps: game.steps.into_iter().map(Json).collect(),
        }
    }
}

/// A game or a part of one: a [`SavedGame`], something [`Played`], or the responses that another program
/// saved.
#[derive(Debug, Deserialize)]
struct Part {
    #[serde(flatten)]
    rules: WrittenRules,
    start: Option<Json<Position>>,
    /// The position at the end if there is a `start`, else that at the start.
    position: Option<Json<Position>>,
    #[serde(default)]
    steps: Vec<Json<TurnStep>>,
    /// The move of a part without steps.
    #[serde(rename = "move")]
    chosen: Option<Json<proto::Move>>,
    #[serde(default)]
    thrown: Vec<u32>,
    /// Only advice has them; its move was not played.
    alternatives: Option<IgnoredAny>,
}

/// Reads a game: one JSON document, or several that follow each other. Advice among them is skipped.
///
/// # Errors
/// If a document is malformed or does not follow the one before it.
pub(crate) fn read_game(text: &str) -> Result<(Option<Rules>, GameRecord), String> {
    let mut rules = None;
    let mut game = GameRecord::default();
    let mut end = None;
    let parts = serde_json::Deserializer::from_str(text).into_iter::<Part>();
    let parts = parts.filter(|part| !matches!(part, Ok(part) if part.alternatives.is_some()));
    for (number, part) in parts.enumerate() {
        let part = part.map_err(|error| error.to_string())?;
        let (start, after) = match part.start {
            Some(start) => (Some(start), part.position),
            None => (part.position, None),
        };
        if number == 0 {
            (rules, game.start) = (Some(part.rules), start.clone().map(|Json(start)| start));
        } else if rules != Some(part.rules) || start.is_none() || start != end {
            return Err(format!("part {} does not follow the one before it", number + 1));
        }
        game.steps.extend(part.steps.into_iter().map(|Json(step)| step));
        if let Some(Json(chosen)) = part.chosen {
            let dice = start.map(|Json(start)| start.dice).unwrap_or_default();
            let (r#move, thrown) = (Some(chosen), part.thrown);
            game.steps.push(TurnStep { dice, r#move, thrown, recorded: None });
        }
        end = after;
    }
    let rules = rules.ok_or("no game: neither steps nor a move")?;
    Ok((rules.read(), game))
}

/// Reads a position from a file: a document of its own, or that of a command's output, with the
/// rules written beside it.
pub(crate) fn read_position(file: &Path) -> Result<(Option<Rules>, Position), Failure> {
    #[derive(Deserialize)]
    struct Printed {
        #[serde(flatten)]
        rules: WrittenRules,
        position: Json<Position>,
    }
    let document: Value = read_json(file)?;
    if document.get("position").is_none() {
        return Ok((None, read_message(file)?));
    }
    let Printed { rules, position: Json(position) } = read_json(file)?;
    Ok((rules.read(), position))
}

/// Reads a move from a file: a document of its own, or that of a command's output.
pub(crate) fn read_move(file: &Path) -> Result<Move, Failure> {
    let document: Value = read_json(file)?;
    let chosen = document.get("move").unwrap_or(&document);
    let invalid =
        |error: &dyn std::fmt::Display| Failure::in_file(file, format!("no move: {error}"));
    let Json(chosen) = Json::<proto::Move>::deserialize(chosen).map_err(|error| invalid(&error))?;
    chosen.try_into().map_err(|error| invalid(&error))
}

/// Reads a message in its JSON form from a file, or from standard input if its name is `-`.
pub(crate) fn read_message<M>(file: &Path) -> Result<M, Failure>
where
    Json<M>: DeserializeOwned,
{
    read_json(file).map(|Json(message)| message)
}

fn read_json<T: DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    serde_json::from_str(&read_text(file)?).map_err(|error| Failure::in_file(file, error))
}

/// Reads a file, or standard input if its name is `-`.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    // Kept, so that two arguments can read one document: the position and the move of one response.
    static STDIN: LazyLock<std::io::Result<String>> =
        LazyLock::new(|| std::io::read_to_string(std::io::stdin()));
    if file != Path::new("-") {
        return std::fs::read_to_string(file).map_err(|error| Failure::file(file, error));
    }
    STDIN.as_ref().cloned().map_err(|error| Failure::in_file(file, error))
}

/// An option's value in its JSON form.
pub(crate) fn to_json(value: &prost_types::Value) -> Value {
    use prost_types::value::Kind;
    match &value.kind {
        None | Some(Kind::NullValue(_)) => Value::Null,
        Some(Kind::BoolValue(on)) => (*on).into(),
        // Whole numbers without a fraction.
        Some(Kind::NumberValue(number)) if number.fract() == 0.0 && number.abs() < 1e15 => {
            (*number as i64).into()
        }
        Some(Kind::NumberValue(number)) => (*number).into(),
        Some(Kind::StringValue(text)) => text.clone().into(),
        Some(Kind::ListValue(list)) => list.values.iter().map(to_json).collect(),
        Some(Kind::StructValue(object)) => {
            object.fields.iter().map(|(key, value)| (key.clone(), to_json(value))).collect()
        }
    }
}

fn from_json(value: Value) -> prost_types::Value {
    use prost_types::value::Kind;
    match value {
        Value::Null => Kind::NullValue(0).into(),
        Value::Bool(on) => on.into(),
        Value::Number(number) => number.as_f64().unwrap_or_default().into(),
        Value::String(text) => text.into(),
        Value::Array(list) => list.into_iter().map(from_json).collect::<Vec<_>>().into(),
        Value::Object(object) => {
            let fields = object.into_iter().map(|(key, value)| (key, from_json(value))).collect();
            Kind::StructValue(prost_types::Struct { fields }).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_game_must_follow_each_other() {
        let first = r#"{"ruleset": "yatzy", "start": {"rollsLeft": 3}, "move": {"keep": {}},
            "thrown": [1, 2, 3, 4, 5], "position": {"dice": [1, 2, 3, 4, 5], "rollsLeft": 2}}"#;
        let second = r#"{"ruleset": "yatzy", "start": {"dice": [1, 2, 3, 4, 5], "rolls_left": 2},
            "steps": [{"dice": [1, 2, 3, 4, 5], "move": {"record": {"category": "chance"}}}],
            "position": {"rolls_left": 3, "scorecards": []}}"#;
        let (rules, game) = read_game(&format!("{first}\n{second}")).expect("a game");
        assert_eq!(rules, Some(Rules::named("yatzy")));
        assert_eq!(game.start, Some(Position::new([], 3)));
        assert_eq!(game.steps.len(), 2);
        assert_eq!(game.steps[0].thrown, [1, 2, 3, 4, 5]);

        let advice = second.replace("\"steps\": [", "\"alternatives\": [").replace("start", "at");
        let advised = read_game(&format!("{advice}{first}{advice}{second}{advice}"));
        assert_eq!(advised, Ok((rules, game)));

        let wrong = |text: &str| read_game(text).expect_err("no game");
        assert_eq!(wrong(&format!("{first}{first}")), "part 2 does not follow the one before it");
        let other = second.replace("yatzy", "yacht");
        assert_eq!(wrong(&format!("{first}{other}")), "part 2 does not follow the one before it");
        assert_eq!(wrong(""), "no game: neither steps nor a move");
        assert!(wrong("{").contains("EOF"));
    }
}
