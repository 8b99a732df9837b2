//! The JSON documents that commands of `dicepoker` write for each other.
#![cfg(feature = "cli")]

use dicepoker_testkit::InProcess;
use serde_json::Value;

use crate::cli::{dicepoker, json, piped, printed, text};

#[test]
fn apply_reads_its_own_output() {
    let server = InProcess::start();
    let thrown = json(&server, &["apply", "24611", "-n", "2", "--keep", "6", "--seed", "42"]);
    assert_eq!(thrown["position"]["rollsLeft"], 1);
    let url = server.url();
    let arguments = ["--server", &url, "--json", "apply", "--position", "-", "--record", "chance"];
    let output = dicepoker(&arguments, &thrown["position"].to_string());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let recorded: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(recorded["turnEnded"], true);
    assert_eq!(recorded["recorded"]["category"], "chance");
}

#[test]
fn commands_read_the_output_of_others_rules_included() {
    let server = InProcess::start();
    let house = ["-r", "dice-poker-15", "-o", "upper_bonus_threshold=63"];
    let turn = printed(&server, &[&["--json", "turn", "--seed", "42"], &house[..]].concat());
    let apply = ["--json", "apply", "-p", "-", "--throw", "--seed", "42"];
    let applied = piped(&server, &apply, &turn);
    let document: Value = serde_json::from_str(&applied).expect("JSON");
    assert_eq!(document["ruleset"], "dice-poker-15");
    assert_eq!(document["options"]["upper_bonus_threshold"], 63);
    let advice = piped(&server, &["--json", "suggest", "-p", "-"], &applied);
    let advice: Value = serde_json::from_str(&advice).expect("JSON");
    // By the rules in the document; others may be named, and expect something else.
    let by_hand = ["--json", "suggest", "-p", "-", "-r", "dice-poker-15"];
    let position = document["position"].to_string();
    let house = [&by_hand[..], &["-o", "upper_bonus_threshold=63"]].concat();
    let same: Value = serde_json::from_str(&piped(&server, &house, &position)).expect("JSON");
    assert_eq!(advice["expectedValue"], same["expectedValue"]);
    let other: Value = serde_json::from_str(&piped(&server, &by_hand, &applied)).expect("JSON");
    assert_ne!(advice["expectedValue"], other["expectedValue"]);
    assert!(piped(&server, &["moves", "-p", "-"], &applied).contains("throw"));
    assert!(piped(&server, &["score", "-p", "-"], &applied).starts_with("category"));
    let simulated = piped(&server, &["--json", "simulate", "-p", "-", "--games", "3"], &applied);
    assert!(simulated.contains("\"gamesPlayed\": 3"), "{simulated}");
}

#[test]
fn apply_reads_the_move_of_another_command() {
    let server = InProcess::start();
    let chosen =
        |printed: &str| serde_json::from_str::<Value>(printed).expect("JSON")["move"].clone();
    // Position, rules and move from one document.
    let suggest = ["--json", "suggest", "24611", "-n", "2", "-r", "yahtzee"];
    let advice = printed(&server, &suggest);
    let both = ["--json", "apply", "-p", "-", "--move", "-", "--seed", "42"];
    let applied = piped(&server, &both, &advice);
    assert_eq!(chosen(&applied), chosen(&advice));
    let document: Value = serde_json::from_str(&applied).expect("JSON");
    assert_eq!(
        (&document["ruleset"], &document["start"]["rollsLeft"]),
        (&"yahtzee".into(), &2.into())
    );
    // The move of an opponent.
    let beginner = ["--json", "suggest", "11666", "-n", "2", "--level", "1", "--seed", "3"];
    let beginner = piped(&server, &both, &printed(&server, &beginner));
    assert_eq!(chosen(&beginner), serde_json::json!({"keep": {}}));
    // A move by itself, and one that was played before.
    let alone = ["--json", "apply", "24611", "-n", "2", "--move", "-", "--seed", "42"];
    let moves = &json(&server, &["moves", "24611", "-n", "2"])["moves"];
    assert_eq!(chosen(&piped(&server, &alone, &moves[1].to_string())), moves[1]);
    assert_eq!(chosen(&piped(&server, &alone, &applied)), chosen(&advice));
    // Advice is followed to the end of the turn, and is no part of the recorded game.
    let (mut game, mut last) = (String::new(), applied);
    while !last.contains("\"turnEnded\": true") {
        let advice = piped(&server, &["--json", "suggest", "-p", "-"], &last);
        game = game + &last + &advice;
        last = piped(&server, &both, &advice);
    }
    let review = piped(&server, &["review", "-"], &(game + &last));
    assert!(review.contains("player 1: 2 best;"), "{review}");

    let url = server.url();
    let none = ["--server", &url, "apply", "24611", "--move", "-"];
    let none = dicepoker(&none, "{\"discard\": {}}");
    assert_eq!(none.status.code(), Some(2));
    let document = text(&none.stderr);
    assert!(
        document.starts_with("error: standard input: no move: unrecognized field name 'discard'"),
        "{document}"
    );
}

#[test]
fn a_game_of_turns_and_moves_is_reviewed_as_it_was_printed() {
    let server = InProcess::start();
    let mut game = printed(&server, &["--json", "turn", "-r", "yacht", "--seed", "7"]);
    let mut last = game.clone();
    // The second turn move by move, badly, the others by the service.
    for arguments in [&["--throw", "--seed", "7"][..], &["--record", "five_alike"]] {
        last = piped(&server, &[&["--json", "apply", "-p", "-"], arguments].concat(), &last);
        game += &last;
    }
    for _ in 2..12 {
        last = piped(&server, &["--json", "turn", "-p", "-", "--seed", "7"], &last);
        game += &last;
    }
    let end: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(end["gameEnded"], true);
    let review = piped(&server, &["--json", "review", "-"], &game);
    let review: Value = serde_json::from_str(&review).expect("JSON");
    assert_eq!(review["totals"][0]["grandTotal"], end["totals"][0]["grandTotal"]);
    let mistakes = review["steps"].as_array().expect("steps").iter();
    let mistakes: Vec<&Value> = mistakes.filter(|step| !step["regret"].is_null()).collect();
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    assert_eq!(mistakes[0]["move"], serde_json::json!({"record": {"category": "five_alike"}}));

    let url = server.url();
    let torn = dicepoker(&["--server", &url, "review", "-"], &format!("{game}{game}"));
    assert_eq!(torn.status.code(), Some(2));
    let document = "error: standard input: part 14 does not follow the one before it\n";
    assert_eq!(text(&torn.stderr), document);
}

#[test]
fn a_game_from_elsewhere_is_reviewed() {
    let server = InProcess::start();
    // The responses that any client may keep, with fields that are not needed.
    let game = serde_json::json!({
        "ruleset": "yahtzee",
        "steps": [
            {"move": {"keep": {}}, "thrown": [6, 6, 6, 1, 1]},
            {"dice": [1, 1, 6, 6, 6], "move": {"keep": {"dice": [1, 1]}}, "thrown": [2, 3, 4]},
            {"move": {"record": {"category": "chance"}}, "recorded": {"category": "chance", "points": 11}},
        ]
    })
    .to_string();
    let url = server.url();
    let review = |arguments: &[&str]| {
        let output = dicepoker(&[&["--server", url.as_str()], arguments].concat(), &game);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let document: Value = serde_json::from_str(&review(&["--json", "review", "-"])).expect("JSON");
    assert_eq!(
        document["steps"][1]["bestMove"],
        serde_json::json!({ "keep": { "dice": [6, 6, 6] } })
    );
    assert_eq!(document["steps"][1]["grade"], "GRADE_BLUNDER");
    assert_eq!(document["totals"][0]["grandTotal"], 11);
    let people = review(&["review", "--mistakes"]);
    assert!(people.contains("keep 666") && people.contains("player 1: "), "{people}");
    // By other rules, where chance is the same but expectations are not.
    assert_ne!(review(&["review", "-r", "kniffel"]), review(&["review"]));
    let broken = dicepoker(&["--server", &url, "review"], &game.replace("[2,3,4]", "[2,3]"));
    assert!(text(&broken.stderr).contains("steps[1].thrown"), "{}", text(&broken.stderr));
}
