//! Whole games in the terminal, played by a script against a real server.
#![cfg(feature = "cli")]

use std::io::Write;
use std::process::{Command, Stdio};

use dicepoker_client::proto::RulesetFamily;
use dicepoker_client::{Client, Move, Position, Throw};
use dicepoker_testkit::InProcess;
use serde_json::Value;

/// Plays with these lines typed; the output for people, and for programs.
fn play(server: &InProcess, arguments: &[&str], typed: &str) -> (String, Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dicepoker"))
        .args(["--server", &server.url(), "--json", "play"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    child.stdin.take().expect("piped").write_all(typed.as_bytes()).expect("typed");
    let output = child.wait_with_output().expect("ends");
    let people = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{people}");
    (people, serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// The lines of a single perfect player with `seed`, and the final score they lead to.
async fn perfect_script(server: &InProcess, seed: u64) -> (String, i32) {
    let client = Client::connect(server.url()).await.expect("connects");
    let rules = "dice-poker-13";
    let mut position = Position::start(1, 3);
    let mut script = String::new();
    loop {
        let chosen = if position.dice.is_empty() {
            Move::throw_all()
        } else {
            let advice = client.suggest(rules, position.clone()).await.expect("advice");
            let best = Move::try_from(advice.r#move).expect("a move");
            script += &format!("{best}\n");
            best
        };
        let throw = match chosen {
            Move::Keep { .. } => Throw::Seed(seed),
            _ => Throw::None,
        };
        let applied = client.apply(rules, position, chosen, throw).await.expect("applies");
        if applied.game_ended {
            return (script, applied.totals[0].grand_total);
        }
        position = applied.position.unwrap_or_default();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_perfect_game_is_played_to_its_end_and_reviewed_as_perfect() {
    let server = InProcess::start();
    let (script, expected) = perfect_script(&server, 42).await;
    let (people, summary) = play(&server, &["--bots", "0", "--seed", "42"], &script);
    assert_eq!(summary["finished"], true, "{people}");
    assert_eq!(summary["players"][0]["totals"]["grandTotal"], expected);
    assert!(people.contains(&format!("The game is over: {expected} points.")), "{people}");
    let of = &summary["review"]["players"][0];
    assert!(of["regret"].as_f64().is_none_or(|regret| regret == 0.0), "{of}");
    assert_eq!(of["endValue"], f64::from(expected));
    let moves = script.lines().count();
    let expected_text =
        format!("Review of you: {moves} of {moves} moves were good; all together gave up 0.00");
    assert!(people.contains(&expected_text), "{people}");
}

#[test]
fn a_person_gets_hints_the_sheet_and_a_second_try_before_the_bot_plays() {
    let server = InProcess::start();
    let typed = "help\nhint\n7\n66\nfoo\nsixes\nsheet\nrules\n";
    let (people, summary) = play(&server, &["--seed", "7"], typed);
    assert_eq!(summary["finished"], false, "the script ended first");
    for said in [
        "keep these dice and throw the others",
        "keep 55",
        "these dice are not all on the table",
        "\"foo\" is neither dice nor a row: there are ones",
        "0 points in sixes",
        "bot has ",
        "Small straight",
        "3 dice of one face and 2 of another: 25 points.",
        "Review of you: 0 of 1 moves were good",
        "best was keep 55",
        "●",
    ] {
        assert!(people.contains(said), "{said}: {people}");
    }
    let regret = summary["review"]["players"][0]["regret"].as_f64().expect("a number");
    assert!((regret - 19.10).abs() < 0.01, "{regret}");
}

#[test]
fn several_people_and_bots_share_a_table() {
    let server = InProcess::start();
    let (people, summary) =
        play(&server, &["--players", "2", "--bots", "2", "--seed", "1"], "r 13\nr 13\nquit\n");
    assert_eq!(summary["players"].as_array().map(Vec::len), Some(4));
    for said in ["player 1, it is your turn", "player 2, it is your turn", "bot 2 has "] {
        assert!(people.contains(said), "{said}: {people}");
    }
    assert!(summary["position"]["toMove"].is_null(), "the first player is to move");
}

#[test]
fn the_race_is_played_with_faces_by_their_names_against_a_bot_of_any_strength() {
    let server = InProcess::start();
    let saved = std::env::temp_dir().join(format!("dicepoker-race-{}.json", std::process::id()));
    let file = saved.to_str().expect("a path");
    let arguments = ["-r", "poquer-tradicional", "--seed", "3", "--level", "6", "--save", file];
    let (people, summary) = play(&server, &arguments, "help\nhint\nr 6\nstop\nq\nthrow\nquit\n");
    for said in [
        "keep these dice and throw the others (also: keep A A)\n",
        "  record fullens  record the roll",
        "  stop ",
        "│  10   │",
        "record sequences  ",
        "(30)",
        "30 points in sequences, 30 in all.",
        "throw or stop (2 throws left)> ",
        "bot has J K K K A and keeps K K K.",
        // One queen was kept.
        "10 J J Q K (2 throws left)> q",
        "best was keep 10 J Q K",
    ] {
        assert!(people.contains(said), "{said}: {people}");
    }
    let cells = &summary["position"]["scorecards"][0]["entries"][0];
    assert_eq!(cells, &serde_json::json!({"category": "sequences", "points": [30]}));
    let steps = summary["review"]["steps"].as_array().expect("steps");
    let bots = steps.iter().filter(|step| step["player"] == 1).count();
    assert!(bots > 0 && bots < steps.len());

    // The saved file is enough for a review.
    let output = Command::new(env!("CARGO_BIN_EXE_dicepoker"))
        .args(["--server", &server.url(), "--json", "review", file])
        .output()
        .expect("runs");
    std::fs::remove_file(&saved).expect("was written");
    let review: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(review["players"], summary["review"]["players"]);
}

#[test]
fn a_showdown_shows_all_hands_their_names_and_the_chances() {
    let server = InProcess::start();
    let arguments = ["-r", "dice-poker-witcher", "--seed", "1"];
    let typed = format!("help\nrules\nhint\nsheet\n{}", "stop\n".repeat(4));
    let (people, summary) = play(&server, &arguments, &typed);
    for said in [
        "the hands in order, best first",
        "  High straight\n",
        "Round 1: you to throw first.",
        "bot: ",
        "█",
        " % to draw; ",
        " % to win the match",
        "keep which dice, or stop; 1 to go> ",
        "The round is won by ",
        "Rounds won: you ",
        "The match is over: ",
    ] {
        assert!(people.contains(said), "{said}: {people}");
    }
    assert!(!people.contains("raise"), "{people}");
    assert_eq!(summary["finished"], true);
    // One player plays against a pay table.
    let (people, _) = play(&server, &["-r", "dice-poker-payout", "--seed", "1"], "stop\n");
    assert!(people.contains("That pays ") && !people.contains("bot"), "{people}");
}

#[test]
fn too_many_players_are_rejected_before_the_first_turn() {
    let server = InProcess::start();
    let output = Command::new(env!("CARGO_BIN_EXE_dicepoker"))
        .args(["--server", &server.url(), "play", "-r", "poquer-tradicional", "--bots", "8"])
        .output()
        .expect("runs");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let expected_text = "error: 9 players: poquer-tradicional allows at most 8, --players and --bots \
                together\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected_text);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_score_sheet_can_be_played() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    let rulesets = client.rulesets().await.expect("lists");
    for ruleset in rulesets.iter().filter(|ruleset| ruleset.family() == RulesetFamily::ScoreSheet) {
        let alone = ["-r", &ruleset.id, "--bots", "0", "--no-review", "--seed", "3"];
        let columns = ruleset.definition.iter().flat_map(|definition| &definition.columns);
        let place = match columns.map(|column| &column.id).next() {
            Some(column) => format!("{column}/{}", ruleset.categories()[0].id),
            None => "1".to_owned(),
        };
        let (people, summary) = play(&server, &alone, &format!("sheet\nrecord {place}\nquit\n"));
        assert!(people.starts_with(&ruleset.title), "{people}");
        let filled = summary["position"]["scorecards"][0]["entries"][0]["category"].as_str();
        assert_eq!(filled, Some(ruleset.categories()[0].id.as_str()));
        for category in ruleset.categories() {
            assert!(people.contains(&category.title), "{} is not drawn: {people}", category.id);
        }
    }
}
