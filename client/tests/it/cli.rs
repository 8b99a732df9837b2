//! The `dicepoker` program, run as a person or a script runs it, against a real server.
#![cfg(feature = "cli")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dicepoker_testkit::InProcess;
use serde_json::Value;

/// Runs `dicepoker` with these arguments and this standard input.
pub(crate) fn dicepoker(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dicepoker"))
        .args(arguments)
        .env_remove("DICEPOKER_SERVER")
        .env_remove("DICEPOKER_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that ends before it has read everything is judged by its output.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("ends")
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// The output of `dicepoker` for these arguments, against `server`.
pub(crate) fn printed(server: &InProcess, arguments: &[&str]) -> String {
    let url = server.url();
    let output = dicepoker(&[&["--server", url.as_str()], arguments].concat(), "");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// The output of `dicepoker` for these arguments and this standard input, against `server`.
pub(crate) fn piped(server: &InProcess, arguments: &[&str], input: &str) -> String {
    let url = server.url();
    let output = dicepoker(&[&["--server", url.as_str()], arguments].concat(), input);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

pub(crate) fn json(server: &InProcess, arguments: &[&str]) -> Value {
    let printed = printed(server, &[&["--json"], arguments].concat());
    serde_json::from_str(&printed).expect("JSON")
}

#[test]
fn score_prints_points_bonuses_and_why_rows_are_illegal() {
    let server = InProcess::start();
    let scores = json(&server, &["score", "1,3,2,4,4"]);
    let row = |scores: &Value, id: &str| {
        let rows = scores["scores"].as_array().expect("rows");
        rows.iter().find(|row| row["category"] == id).expect(id).clone()
    };
    assert_eq!(row(&scores, "small_straight")["points"], 30);
    assert_eq!(row(&scores, "small_straight")["legal"], true);

    let card = "five_alike=50,ones=3";
    let joker = json(&server, &["score", "55555", "-r", "yahtzee", "--card", card]);
    assert_eq!(row(&joker, "fives")["fiveAlikeBonus"], 100);
    assert_eq!(row(&joker, "chance")["illegalReason"], "ILLEGAL_REASON_JOKER_ELSEWHERE");
    assert_eq!(joker["totals"]["grandTotal"], 53);

    let people = printed(&server, &["score", "55555", "-r", "yahtzee", "--card", card]);
    assert!(people.contains("joker must go elsewhere"), "{people}");
    assert!(people.ends_with("on the card: 53 (upper 3, lower 50)\n"), "{people}");
    let sums = printed(&server, &["score", "--card", "ones=3,chance=22"]);
    assert_eq!(sums, "on the card: 25 (upper 3, lower 22)\n");
    let one = json(&server, &["score", "13244", "--category", "chance"]);
    assert_eq!(one["scores"].as_array().map(Vec::len), Some(1));
}

#[test]
fn suggest_and_moves_list_the_same_moves() {
    let server = InProcess::start();
    let moves = json(&server, &["moves", "24611", "-n", "2"]);
    let advice = json(&server, &["suggest", "24611", "-n", "2", "--top", "0"]);
    let alternatives = advice["alternatives"].as_array().expect("alternatives");
    assert_eq!(moves["moves"].as_array().map(Vec::len), Some(alternatives.len()));
    assert_eq!(advice["move"], serde_json::json!({ "keep": { "dice": [6] } }));
    let expected = advice["expectedValue"].as_f64().expect("a number");
    assert!((expected - 227.309178).abs() < 1e-4, "{expected}");
    let people = printed(&server, &["suggest", "24611", "-n", "2"]);
    assert!(people.lines().nth(1).is_some_and(|line| line.starts_with("keep 6 ")), "{people}");
}

#[test]
fn dice_are_typed_and_shown_by_the_names_of_their_faces() {
    let server = InProcess::start();
    let race =
        |arguments: &[&str]| printed(&server, &[arguments, &["-r", "poquer-tradicional"]].concat());
    let scores = race(&["score", "AAAKK"]);
    assert!(scores.contains("fullens        20"), "{scores}");
    for typed in ["A,A,A,K,K", "a a a k k", "66655"] {
        assert_eq!(race(&["score", typed]), scores, "{typed}");
    }
    assert!(race(&["moves", "QQ10J9", "-n", "1"]).contains("keep 10 Q Q\n"));
    assert!(race(&["suggest", "QQTJ9", "-n", "1"]).contains("keep Q Q "));
    let thrown = race(&["apply", "QQ10J9", "-n", "1", "--keep", "QQ", "--dice", "10,A,A"]);
    assert!(thrown.starts_with("thrown: 10 A A\n") && thrown.contains("│  10   │"), "{thrown}");
    let stopped = race(&["apply", "QQ10J9", "-n", "1", "--stop"]);
    assert_eq!(stopped, "player 1: 0\nplayer 2: 0\nplayer 2 is next\n");
    assert!(race(&["turn", "--seed", "3"]).contains("throw, throws K 10 9 Q J\n"));

    let url = server.url();
    let arguments = ["--server", &url, "score", "AAXKK", "-r", "poquer-tradicional"];
    let wrong = dicepoker(&arguments, "");
    assert_eq!(wrong.status.code(), Some(2));
    let document = "error: \"X\" is no face: type dice by their names, 9, 10, J, Q, K, A\n";
    assert_eq!(text(&wrong.stderr), document);
}

#[test]
fn dice_are_optional_before_the_first_throw() {
    let server = InProcess::start();
    for command in ["moves", "suggest", "apply", "turn", "score"] {
        let help = printed(&server, &[command, "--help"]);
        assert!(help.contains(" [DICE]\n"), "{help}");
    }
    assert_eq!(printed(&server, &["moves"]), "throw\n");
    let advice = printed(&server, &["suggest"]);
    assert!(advice.starts_with("move   expected  regret\nthrow   229.63"), "{advice}");
    assert!(printed(&server, &["turn", "--seed", "42"]).contains("throw, throws 63632"));
    let thrown = json(&server, &["apply", "--throw", "--seed", "42", "-r", "maxi-yatzy"]);
    assert_eq!(thrown["position"]["dice"].as_array().map(Vec::len), Some(6));
}

#[test]
fn the_deadline_is_a_minute_and_its_failure_suggests_a_remedy() {
    let timeout = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&timeout);
    let server = InProcess::with()
        .intercept(move |request| {
            let timeout = request.metadata().get("grpc-timeout").expect("a timeout");
            *seen.lock().expect("sound") = timeout.to_str().expect("ascii").to_owned();
            std::thread::sleep(Duration::from_millis(300));
            Ok(())
        })
        .start();
    printed(&server, &["score", "13244"]);
    // In microseconds: as long as a server may need for tables that it makes on first use.
    let timeout = timeout.lock().expect("sound").clone();
    let micros: u64 = timeout.strip_suffix('u').expect(&timeout).parse().expect(&timeout);
    assert!((59_000_000..=60_000_000).contains(&micros), "{timeout}");

    let url = server.url();
    let late = dicepoker(&["--server", &url, "--timeout", "0.1", "score", "13244"], "");
    assert_eq!(late.status.code(), Some(1));
    let said = text(&late.stderr);
    assert!(said.starts_with("error: no response within the deadline of 100ms\n"), "{said}");
    assert!(said.contains("repeat the command, or wait longer with --timeout SECONDS"), "{said}");
}

#[test]
fn simulate_prints_the_games_played_when_it_ends_early() {
    let server = InProcess::start();
    let url = server.url();
    let many = ["simulate", "--games", "100000", "--player", "best@win", "--player", "5"];
    // On a busy machine the first statistics come later.
    let partly = |run: &dyn Fn(u64) -> Output, code: i32, why: &str| {
        let ended = [2, 10, 40].into_iter().map(run).find(|output| !output.stdout.is_empty());
        let output = ended.expect("some games are played in less than a minute");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let played = report["gamesPlayed"].as_u64().expect("a number");
        assert!(played > 0 && played < 100_000, "{report}");
        assert_eq!(report["games"], 100_000);
        assert_eq!(report["players"].as_array().map(Vec::len), Some(2));
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    };
    let late = |seconds: u64| {
        let timeout = ["--server", &url, "--json", "--timeout", &seconds.to_string()];
        dicepoker(&[&timeout, &many[..]].concat(), "")
    };
    partly(&late, 1, "\"DEADLINE_EXCEEDED\"");
    let interrupted = |seconds: u64| {
        let child = Command::new(env!("CARGO_BIN_EXE_dicepoker"))
            .args([&["--server", &url, "--json"], &many[..]].concat())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        std::thread::sleep(Duration::from_secs(seconds));
        let interrupt = ["-INT", &child.id().to_string()];
        assert!(Command::new("kill").args(interrupt).status().expect("kill runs").success());
        child.wait_with_output().expect("ends")
    };
    partly(&interrupted, 130, "interrupted");
}

#[test]
fn rulesets_are_listed_shown_changed_and_played_as_data() {
    let server = InProcess::start();
    let all = json(&server, &["rulesets"]);
    let all = all["rulesets"].as_array().expect("a list");
    let ids: Vec<&Value> = all.iter().map(|ruleset| &ruleset["id"]).collect();
    assert!(ids.contains(&&Value::from("yatzy")), "{ids:?}");
    let house = ["rulesets", "show", "dice-poker-15", "-o", "upper_bonus_threshold=63"];
    let house = json(&server, &house);
    assert_eq!(house["definition"]["upperBonuses"][0]["threshold"], 63);

    let definition = printed(&server, &["rulesets", "show", "dice-poker-13", "--definition"]);
    let mut definition: Value = serde_json::from_str(&definition).expect("JSON");
    definition["categories"].as_array_mut().expect("rows").truncate(2);
    let url = server.url();
    let arguments = ["--server", &url, "--json", "score", "22555", "--definition", "-"];
    let output = dicepoker(&arguments, &definition.to_string());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let scores: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(scores["scores"].as_array().map(Vec::len), Some(2));
    assert_eq!(scores["scores"][1]["points"], 4);
}

#[test]
fn failures_name_the_field_and_what_is_valid() {
    let server = InProcess::start();
    let url = server.url();
    let failed = |arguments: &[&str], code: i32| {
        let output = dicepoker(&[&["--server", url.as_str()], arguments].concat(), "");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        text(&output.stderr).to_owned()
    };
    assert_eq!(failed(&["score", "13247"], 1), "error: dice[4]: 7: must be a face, 1 to 6\n");
    let two = failed(&["suggest", "13247", "--card", "ones=9"], 1);
    assert!(two.starts_with("error: 2 fields are invalid:\n  position.dice[4]: "), "{two}");
    let unknown = failed(&["score", "13244", "-r", "mahjong"], 1);
    assert!(unknown.contains("valid ids are dice-poker-13, "), "{unknown}");
    assert!(failed(&["score", "1x"], 2).contains("\"x\" is no face"));
    assert!(failed(&["score", "13244", "--card", "ones=x"], 2).contains("write it like chance=22"));
    let document: Value =
        serde_json::from_str(&failed(&["--json", "score", "13247"], 1)).expect("JSON");
    assert_eq!(document["error"]["fieldViolations"][0]["field"], "dice[4]");
    assert_eq!(document["error"]["code"], "INVALID_ARGUMENT");
    for (arguments, exit, code) in [
        (["--json", "score", "1x"], 2, "\"INVALID_ARGUMENT\""),
        (["--json", "score", "--ruleset=mahjong"], 1, "\"NOT_FOUND\""),
    ] {
        let document = failed(&arguments, exit);
        assert!(document.contains(code), "{document}");
    }

    drop(server);
    let gone = failed(&["score", "13244"], 69);
    assert!(gone.contains("refused") && gone.contains("--embedded"), "{gone}");
}

#[test]
fn embedded_needs_no_server() {
    let output = dicepoker(&["--embedded", "--json", "suggest", "24611", "-n", "2"], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let advice: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(advice["move"], serde_json::json!({ "keep": { "dice": [6] } }));
}

#[test]
fn simulated_games_repeat_and_have_the_expected_mean() {
    let server = InProcess::start();
    let arguments = ["simulate", "--games", "500", "--seed", "5", "--player", "best"];
    let arguments = [arguments.as_slice(), &["--player", "2"]].concat();
    let (first, again) = (json(&server, &arguments), json(&server, &arguments));
    assert_eq!(first["players"], again["players"]);
    assert_eq!(first["gamesPlayed"], 500);
    assert_eq!(first["names"], serde_json::json!(["best", "level 2"]));
    let best = &first["players"][0];
    let mean = best["meanScore"]["value"].as_f64().expect("a number");
    let error = best["standardDeviation"].as_f64().expect("a number") / 500.0_f64.sqrt();
    assert!((mean - 229.638_499_55).abs() < 5.0 * error, "{first}");
    assert!(best["wins"].as_u64() > first["players"][1]["wins"].as_u64());
    let people = printed(&server, &["simulate", "--games", "50", "--player", "gambler@target=250"]);
    assert!(people.contains("gambler for 250 points") && people.contains("reached"), "{people}");
    let race = json(&server, &["simulate", "-r", "poquer-tradicional", "--games", "4"]);
    assert_eq!(race["players"].as_array().map(Vec::len), Some(2));
}

#[test]
fn rules_are_analyzed_alone_and_beside_others() {
    let server = InProcess::start();
    let asked = ["analyze", "-r", "yatzy", "--quick", "--games", "40", "--opponents", "1,cautious"];
    let report = json(&server, &asked);
    let analysis = &report["analysis"];
    assert_eq!((report["progress"].as_f64(), &report["gamesPlayed"]), (Some(1.0), &120.into()));
    assert_eq!(analysis["opponents"][1]["opponent"]["profile"], "cautious");
    assert!(analysis["expectedScore"]["standardError"].is_null(), "{analysis}");
    let people = printed(&server, &[&asked[..], &["--targets", "100,200"]].concat());
    for part in ["expected score", "200 or more", "Ones", "upper_bonuses[0]", "level 1", "█"] {
        assert!(people.contains(part), "{part} in {people}");
    }
    let few = ["analyze", "-r", "dice-poker-classic", "--games", "20", "--opponents", "none"];
    let both = [&few[..], &["--compare", "dice-poker-indian"]].concat();
    let report = json(&server, &both);
    let seat = |side: &str| report[side]["seats"][0]["value"].as_f64().expect("a number");
    let difference = seat("analysis") - seat("compared") - seat("difference");
    assert!(difference.abs() < 1e-12, "{report}");
    assert!(printed(&server, &both).contains("difference"));
}

#[test]
fn opponents_objectives_and_reasons_come_with_advice() {
    let server = InProcess::start();
    let suggest = ["suggest", "11666", "-n", "2", "--top", "2"];
    let advice = json(&server, &[&suggest[..], &["--explain"]].concat());
    let beginner = json(&server, &[&suggest[..], &["--level", "1", "--seed", "3"]].concat());
    let best = serde_json::json!({ "keep": { "dice": [6, 6, 6] } });
    assert_eq!((&advice["move"], &beginner["alternatives"][0]["move"]), (&best, &best));
    assert_eq!(beginner["move"], serde_json::json!({ "keep": {} }));
    let plan = advice["explanation"]["plan"].as_str().expect("a plan");
    assert!(plan.contains("6-6-6"), "{plan}");
    let people =
        printed(&server, &[&suggest[..], &["--profile", "gambler", "--explain=pt"]].concat());
    assert!(people.contains("gambler plays: "), "{people}");
    assert!(people.contains("final score ") && !people.contains("The turn"), "{people}");
    let aimed = [&suggest[..], &["--objective", "target=200"]].concat();
    let reach = json(&server, &aimed)["alternatives"][0]["targetProbability"].as_f64();
    assert!(reach.is_some_and(|chance| chance > 0.5 && chance < 1.0), "{reach:?}");
    assert!(printed(&server, &aimed).contains(" %"));

    let race = ["suggest", "12345", "-n", "2", "-r", "poquer-tradicional"];
    let people = printed(&server, &race);
    assert!(people.starts_with("move "), "{people}");
    assert!(people.contains("keep 10 J Q K"), "{people}");
}

#[test]
fn a_turn_is_played_and_rules_are_validated() {
    let server = InProcess::start();
    let turn = ["turn", "", "-n", "3", "--player", "7", "--seed", "42"];
    let document = json(&server, &turn);
    assert_eq!(document["steps"][0]["thrown"], serde_json::json!([6, 3, 6, 3, 2]));
    assert!(printed(&server, &turn).contains("throw, throws 63632"));
    let validated = json(&server, &["validate", "-r", "maxi-yatzy"]);
    assert_eq!(validated["accepted"], true);
    let states = validated["states"].as_str().and_then(|states| states.parse().ok());
    assert!(states > Some(1_000_000_u64), "{validated}");
    assert!(printed(&server, &["validate"]).starts_with("sound; this service would solve them"));
}

#[test]
fn completions_are_written_for_shells() {
    let output = dicepoker(&["completions", "bash"], "");
    assert!(text(&output.stdout).contains("suggest"));
}

#[test]
fn the_sessions_of_the_readme_have_their_output() {
    let server = InProcess::start();
    let folder = std::env::temp_dir().join(format!("dicepoker-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_dicepoker")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let run = |line: &str| {
        let output = Command::new("sh")
            .args(["-c", &format!("{line} 2>&1")])
            .current_dir(&folder)
            .env("PATH", format!("{}:{path}", program.display()))
            .env("DICEPOKER_SERVER", server.url())
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        text(&output.stdout).to_owned()
    };
    let mut shown = 0;
    let blocks = include_str!("../../README.md").split("```console\n").skip(1);
    for block in blocks.filter_map(|block| block.split("\n```").next()) {
        for session in block.split("$ ").filter(|session| session.contains("dicepoker ")) {
            let (line, printed) = session.split_once('\n').unwrap_or((session, ""));
            if line.starts_with("cargo ") {
                continue;
            }
            assert_eq!(run(line).trim_end(), printed.trim_end(), "{line}");
            shown += 1;
        }
    }
    std::fs::remove_dir_all(&folder).expect("was made");
    assert!(shown >= 9, "{shown} sessions");
}
