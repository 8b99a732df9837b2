//! What was played, as the commands write it for each other: the rules and where it began beside
//! what came of it, so that the next command can go on from there and `dicepoker review` can study
//! it.

use dicepoker_client::{CategoryScore, Dice, GameRecord, Move, Position, Rules, TurnStep};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::args::WrittenRules;

/// A move or a turn that was played.
#[derive(Debug, Serialize)]
pub(crate) struct Played<T> {
    #[serde(flatten)]
    rules: WrittenRules,
    /// Where it began.
    start: Position,
    /// What came of it, the `position` after it among it.
    #[serde(flatten)]
    pub(crate) answer: T,
}

impl<T> Played<T> {
    pub(crate) fn new(rules: &Rules, start: Position, answer: T) -> Self {
        Self { rules: rules.into(), start, answer }
    }
}

/// A game with its rules, as `dicepoker play --save` writes it.
#[derive(Debug, Serialize)]
pub(crate) struct SavedGame {
    #[serde(flatten)]
    rules: WrittenRules,
    #[serde(flatten)]
    game: GameRecord,
}

impl SavedGame {
    pub(crate) fn new(rules: &Rules, game: GameRecord) -> Self {
        Self { rules: rules.into(), game }
    }
}

/// A game or a part of one, in any of the forms in which it comes: a [`SavedGame`], a turn or a
/// move [`Played`], or what a program kept of the service's answers.
#[derive(Debug, Deserialize)]
struct Part {
    #[serde(flatten)]
    rules: WrittenRules,
    /// Where it began, if that is not what `position` tells.
    start: Option<Position>,
    /// Where it ended if there is a `start`, else where it began.
    position: Option<Position>,
    #[serde(default)]
    steps: Vec<TurnStep>,
    /// The one move, where there are no steps.
    #[serde(rename = "move")]
    chosen: Option<Move>,
    #[serde(default)]
    thrown: Dice,
    recorded: Option<CategoryScore>,
    /// What only advice has, whose move was not played.
    alternatives: Option<IgnoredAny>,
}

/// Reads a game: one JSON document, or several that follow each other, as commands printed them;
/// advice among them is passed over.
///
/// # Errors
/// If one is no JSON, or does not follow the one before it.
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
            (rules, game.start) = (Some(part.rules), start.clone());
        } else if rules != Some(part.rules) || start.is_none() || start != end {
            return Err(format!("part {} does not follow the one before it", number + 1));
        }
        game.steps.extend(part.steps);
        if let Some(chosen) = part.chosen {
            let dice = start.map(|start| start.dice).unwrap_or_default();
            let (thrown, recorded) = (part.thrown, part.recorded);
            game.steps.push(TurnStep { dice, chosen, thrown, recorded });
        }
        end = after;
    }
    let rules = rules.ok_or("no game: there is nothing in it")?;
    Ok((rules.read(), game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_game_must_follow_each_other() {
        let first = r#"{"ruleset": "yatzy", "start": {"rolls_left": 3}, "move": {"keep": {}},
            "thrown": [1, 2, 3, 4, 5], "position": {"dice": [1, 2, 3, 4, 5], "rolls_left": 2}}"#;
        let second = r#"{"ruleset": "yatzy", "start": {"dice": [1, 2, 3, 4, 5], "rolls_left": 2},
            "steps": [{"dice": [1, 2, 3, 4, 5], "move": {"record": {"category": "chance"}}}],
            "position": {"rolls_left": 3, "scorecards": []}}"#;
        let (rules, game) = read_game(&format!("{first}\n{second}")).expect("a game");
        assert_eq!(rules, Some(Rules::named("yatzy")));
        assert_eq!(game.start, Some(Position::new([], 3)));
        assert_eq!(game.steps.len(), 2);
        assert_eq!(game.steps[0].thrown, Dice::from([1, 2, 3, 4, 5]));

        // Advice on the way is no part of the game.
        let advice = second.replace("\"steps\": [", "\"alternatives\": [").replace("start", "at");
        let advised = read_game(&format!("{advice}{first}{advice}{second}{advice}"));
        assert_eq!(advised, Ok((rules, game)));

        let wrong = |text: &str| read_game(text).expect_err("no game");
        assert_eq!(wrong(&format!("{first}{first}")), "part 2 does not follow the one before it");
        let other = second.replace("yatzy", "yacht");
        assert_eq!(wrong(&format!("{first}{other}")), "part 2 does not follow the one before it");
        assert_eq!(wrong(""), "no game: there is nothing in it");
        assert!(wrong("{").contains("EOF"));
    }
}
