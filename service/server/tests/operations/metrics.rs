//! The metrics page: its content, and that Prometheus accepts it.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::process::{Command, Stdio};

use dicepoker_proto::v1 as pb;
use tonic::Request;

use crate::server::{get, score, start};

/// The page has a line with all of `parts` and this value.
fn has(page: &str, parts: &[&str], value: &str) {
    let found = page.lines().any(|line| {
        parts.iter().all(|part| line.contains(part)) && line.ends_with(&format!(" {value}"))
    });
    assert!(found, "{parts:?} {value} is not in\n{page}");
}

#[tokio::test]
async fn the_page_has_calls_by_method_code_and_ruleset_in_fine_buckets() {
    let flags = ["--admin-address", "127.0.0.1:0", "--rate-per-second", "1", "--rate-burst", "3"];
    let server = start(&flags);
    let mut client = server.client().await;
    // Three, and some more on a slow machine.
    let mut served = 0;
    while client.score(score()).await.is_ok() {
        served += 1;
    }
    assert!(served >= 3, "{served}");
    let served = served.to_string();
    let (status, page) = get(server.admin(), "/metrics").await;
    assert_eq!(status, 200);
    let has = |parts: &[&str], value: &str| has(&page, parts, value);
    let method = "rpc_method=\"dicepoker.v1.DicePokerService/Score\"";
    let count = "rpc_server_call_duration_seconds_count";
    let system = "rpc_system_name=\"grpc\"";
    has(&[count, method, system, "rpc_status_code=\"OK\""], &served);
    has(&[count, method, system, "rpc_status_code=\"RESOURCE_EXHAUSTED\""], "1");
    let fine = |line: &str| line.starts_with("rpc_server_call_duration_seconds_bucket");
    for bound in ["le=\"0.00001\"", "le=\"0.00002\""] {
        assert!(page.lines().any(|line| fine(line) && line.contains(bound)), "{page}");
    }
    has(
        &["dicepoker_call_duration_seconds_count", method, "dicepoker_ruleset=\"dice-poker-13\""],
        &served,
    );
    has(&["dicepoker_calls_refused_total", "reason=\"RATE_LIMITED\""], "1");
    has(&["dicepoker_connections_open"], "1");
    has(&["dicepoker_calls_active"], "0");
    has(&["dicepoker_calls_waiting"], "0");
    has(&["dicepoker_long_work_waiting"], "0");
    has(&["dicepoker_build_info", "version="], "1");
}

#[tokio::test]
async fn the_page_has_times_of_solving_and_hits_of_the_cache() {
    let server = start(&["--admin-address", "127.0.0.1:0"]);
    let mut client = server.client().await;
    let fields = [("upper_bonus_threshold".to_owned(), prost_types::Value::from(70.0))];
    let options = prost_types::Struct { fields: fields.into() };
    let begin = pb::Position { rolls_left: 3, ..Default::default() };
    for options in [None, Some(options.clone()), Some(options)] {
        let request = pb::SuggestRequest {
            ruleset: "dice-poker-15".to_owned(),
            options,
            position: Some(begin.clone()),
            ..Default::default()
        };
        client.suggest(request).await.expect("served");
    }
    let (_, page) = get(server.admin(), "/metrics").await;
    let has = |parts: &[&str], value: &str| has(&page, parts, value);
    let solved = "dicepoker_solve_duration_seconds_count";
    has(&[solved, "dicepoker_ruleset=\"dice-poker-15\""], "1");
    has(&[solved, "dicepoker_ruleset=\"custom\""], "1");
    has(&["dicepoker_rulesets_lookups_total", "result=\"hit\""], "1");
    has(&["dicepoker_rulesets_lookups_total", "result=\"miss\""], "1");
    assert!(page.contains("dicepoker_rulesets_cached_size_bytes"), "{page}");
}

#[tokio::test]
async fn the_page_passes_the_checks_of_prometheus() {
    let server = start(&["--admin-address", "127.0.0.1:0"]);
    let mut client = server.client().await;
    client.score(score()).await.expect("served");
    let (_, page) = get(server.admin(), "/metrics").await;
    check(&page);
    promtool(&page);
}

#[tokio::test]
async fn unknown_methods_and_rulesets_get_no_metrics_of_their_own() {
    let server = start(&["--admin-address", "127.0.0.1:0"]);
    let mut client = tonic::client::Grpc::new(server.channel().await);
    for name in ["Cheat", "Cheat2"] {
        client.ready().await.expect("ready");
        let path = format!("/dicepoker.v1.DicePokerService/{name}").parse().expect("a path");
        let codec = tonic_prost::ProstCodec::<(), ()>::default();
        client.unary(Request::new(()), path, codec).await.expect_err("there is none");
    }
    let (_, page) = get(server.admin(), "/metrics").await;
    assert!(page.contains("rpc_method=\"_OTHER\""), "{page}");
    assert!(!page.contains("Cheat"), "{page}");
}

/// The checks of `promtool check metrics`: every family once, with a help text and a type,
/// before its samples; sound names; counters ending in `_total`; whole histograms.
fn check(page: &str) {
    let mut types: HashMap<&str, &str> = HashMap::new();
    let mut helped = HashSet::new();
    let mut samples = HashSet::new();
    for line in page.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, text) = help.split_once(' ').expect("a help text");
            assert!(helped.insert(name), "{name} has two help texts");
            assert!(!text.trim().is_empty(), "{name}");
            continue;
        }
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a type");
            assert!(types.insert(name, kind).is_none(), "{name} has two types");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{name}");
            continue;
        }
        let (series, value) = line.rsplit_once(' ').expect("a value");
        assert!(value.parse::<f64>().is_ok(), "{line}");
        assert!(samples.insert(series), "{series} is there twice");
        let name = series.split('{').next().expect("a name");
        let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.chars().all(sound), "{name}");
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| {
            name.strip_suffix(end).filter(|family| types.get(family) == Some(&"histogram"))
        });
        let family = family.unwrap_or(name);
        assert!(types.contains_key(family), "{name} has no type");
        assert!(helped.contains(family), "{name} has no help text");
        if let Some(labels) = series.strip_suffix('}').and_then(|s| s.strip_prefix(family)) {
            let infinite = labels.contains("le=\"+Inf\"");
            assert!(!infinite || types[family] == "histogram", "{series}");
        }
    }
    for (family, _) in types.iter().filter(|(_, kind)| **kind == "histogram") {
        for end in ["_sum", "_count", "_bucket"] {
            let name = format!("{family}{end}");
            assert!(samples.iter().any(|sample| sample.starts_with(&name)), "{name} is missing");
        }
    }
}

/// The same by the tool of Prometheus, if it is installed.
fn promtool(page: &str) {
    let started = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut tool) = started else {
        println!("promtool is not installed");
        return;
    };
    tool.stdin.take().expect("piped").write_all(page.as_bytes()).expect("read");
    let output = tool.wait_with_output().expect("ended");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
