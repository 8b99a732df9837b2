//! Games in which the fuzzer chooses the moves and sends requests of every kind about each
//! position, most of them nearly valid. Legal moves can be played, and suggested moves are legal.
//! `just fuzz SECONDS` runs it.

#![no_main]

use arbitrary::{Result, Unstructured};
use dicepoker_server_fuzz::Server;
use dicepoker_server_fuzz::request::Game;
use libfuzzer_sys::fuzz_target;
use prost::Message;
use prost_reflect::{DynamicMessage, Kind, ReflectMessage, Value};

/// Built-in rulesets but for those that take long to solve.
const RULESETS: [&str; 17] = [
    "dice-poker-13",
    "dice-poker-15",
    "poquer-tradicional",
    "yahtzee",
    "yahtzee-free-joker",
    "kniffel",
    "yatzy",
    "yacht",
    "generala",
    "crag",
    "triple-yahtzee",
    "yamb",
    "maxi-yatzy-saved",
    "dice-poker-witcher",
    "dice-poker-classic",
    "dice-poker-indian",
    "dice-poker-payout",
];

/// The most moves of a game.
const MOST_MOVES: u32 = 200;

thread_local! {
    static SERVER: Server = Server::default();
}

fuzz_target!(|data: &[u8]| {
    // The fuzzer's input is used up.
    let _ = SERVER.with(|server| play(server, &mut Unstructured::new(data)));
});

fn play(server: &Server, u: &mut Unstructured<'_>) -> Result<()> {
    let mut game = begin(server, u)?;
    let end = moves(server, u, &mut game);
    review(server, &game);
    end
}

/// Plays until the game is over, or the fuzzer's input is used up.
fn moves(server: &Server, u: &mut Unstructured<'_>, game: &mut Game) -> Result<()> {
    for _ in 0..MOST_MOVES {
        if u.is_empty() {
            break;
        }
        let legal = server.must("LegalMoves", &about(server, "LegalMoves", game));
        game.moves = messages(&legal, "moves");
        assert!(!game.moves.is_empty(), "a game under way has moves: {:?}", game.position);

        let method = u.choose(server.methods())?;
        let request = game.message(u, &method.input(), 0)?;
        server.call(method, &request.encode_to_vec());

        let mut advised = about(server, "Suggest", game);
        let chosen = if u.ratio(1, 4)? {
            advised.set_field_by_name("max_alternatives", Value::U32(1));
            let advised = message(&server.must("Suggest", &advised), "move");
            assert!(game.moves.contains(&advised), "{advised:?} is advised, but not legal");
            advised
        } else {
            u.choose(&game.moves)?.clone()
        };
        let mut apply = about(server, "Apply", game);
        apply.set_field_by_name("move", Value::Message(chosen.clone()));
        if chosen.has_field_by_name("keep") {
            apply.set_field_by_name("seed", Value::U64(u.arbitrary()?));
        }
        let applied = server.must("Apply", &apply);
        game.steps.push(step(server, &game.position, chosen, &applied));
        if applied.get_field_by_name("game_ended").is_some_and(|ended| *ended == Value::Bool(true))
        {
            break;
        }
        game.position = message(&applied, "position");
    }
    Ok(())
}

/// A played game can be reviewed.
fn review(server: &Server, game: &Game) {
    if game.steps.is_empty() {
        return;
    }
    let mut review = about(server, "Review", game);
    review.set_field_by_name("position", Value::Message(game.start.clone()));
    let steps = game.steps.iter().cloned().map(Value::Message).collect();
    review.set_field_by_name("steps", Value::List(steps));
    server.must("Review", &review);
}

/// A game that has just begun.
fn begin(server: &Server, u: &mut Unstructured<'_>) -> Result<Game> {
    let ruleset = *u.choose(&RULESETS)?;
    let mut get = DynamicMessage::new(server.method("GetRuleset").input());
    get.set_field_by_name("ruleset", Value::String(ruleset.to_owned()));
    let got = message(&server.must("GetRuleset", &get), "ruleset");
    let definition = message(&got, "definition");
    let id = |category: DynamicMessage| {
        category.get_field_by_name("id").and_then(|id| id.as_str().map(str::to_owned))
    };
    let categories = messages(&definition, "categories").into_iter().filter_map(id).collect();
    let legal = server.method("LegalMoves").input();
    let field = legal.get_field_by_name("position").expect("in the contract");
    let Value::Message(mut position) = Value::default_value(&field.kind()) else {
        unreachable!("a position is a message")
    };
    let showdown = definition.has_field_by_name("showdown");
    let rolls = if showdown {
        number(&message(&definition, "showdown"), "rethrows") + 1
    } else {
        Some(number(&definition, "rolls")).filter(|rolls| *rolls > 0).unwrap_or(3)
    };
    position.set_field_by_name("rolls_left", Value::U32(rolls));
    if !showdown {
        let cards = vec![empty_card(&position); u.int_in_range(0..=3)?];
        position.set_field_by_name("scorecards", Value::List(cards));
    }
    let race = ruleset == "poquer-tradicional";
    let definition = Some(definition).filter(|_| !race);
    let (start, steps, moves) = (position.clone(), Vec::new(), Vec::new());
    Ok(Game { ruleset, definition, categories, start, steps, position, moves })
}

/// A move as a step of a review.
fn step(
    server: &Server,
    before: &DynamicMessage,
    chosen: DynamicMessage,
    applied: &DynamicMessage,
) -> DynamicMessage {
    let steps = server.method("Review").input().get_field_by_name("steps");
    let Some(Kind::Message(kind)) = steps.map(|steps| steps.kind()) else {
        unreachable!("a record holds steps")
    };
    let mut step = DynamicMessage::new(kind);
    step.set_field_by_name("move", Value::Message(chosen));
    for (to, from, of) in [("dice", "dice", before), ("thrown", "thrown", applied)] {
        step.set_field_by_name(
            to,
            of.get_field_by_name(from).expect("in the contract").into_owned(),
        );
    }
    step
}

/// A request about the current position of the game.
fn about(server: &Server, method: &str, game: &Game) -> DynamicMessage {
    let mut request = DynamicMessage::new(server.method(method).input());
    request.set_field_by_name("ruleset", Value::String(game.ruleset.to_owned()));
    request.set_field_by_name("position", Value::Message(game.position.clone()));
    request
}

fn message(of: &DynamicMessage, field: &str) -> DynamicMessage {
    let value = of.get_field_by_name(field).expect("in the contract");
    value.as_message().expect("a message").clone()
}

fn number(of: &DynamicMessage, field: &str) -> u32 {
    let value = of.get_field_by_name(field).expect("in the contract");
    value.as_u32().expect("a number")
}

fn messages(of: &DynamicMessage, field: &str) -> Vec<DynamicMessage> {
    let value = of.get_field_by_name(field).expect("in the contract");
    let list = value.as_list().expect("a list");
    list.iter().filter_map(|item| item.as_message().cloned()).collect()
}

/// An empty scorecard.
fn empty_card(position: &DynamicMessage) -> Value {
    let field = position.descriptor().get_field_by_name("scorecards").expect("in the contract");
    Value::default_value(&field.kind())
}
