//! Precedence of sources, and completeness of faults.

use std::ffi::OsString;
use std::io::Write;
use std::time::Duration;

use super::settings::SETTINGS;
use super::{Action, AtStart, Config, Faults, SolveAtStart};

fn load(arguments: &[&str], environment: &[(&str, &str)]) -> Result<Action, Faults> {
    let arguments = std::iter::once("dicepoker-server").chain(arguments.iter().copied());
    let environment = environment.iter().map(|&(name, value)| (name.into(), value.into()));
    Config::load(arguments.map(OsString::from), environment)
}

fn config(arguments: &[&str], environment: &[(&str, &str)]) -> Config {
    match load(arguments, environment) {
        Ok(Action::Serve(config)) => *config,
        other => panic!("{other:?}"),
    }
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    file
}

#[test]
fn flag_wins_over_environment_over_file_over_default() {
    let file = file("cache-mib = 1\ndrain-seconds = 2\nmax-calls = 3");
    let path = file.path().to_str().expect("UTF-8");
    let config = config(
        &["--config", path, "--cache-mib", "7"],
        &[("DICEPOKER_CACHE_MIB", "6"), ("DICEPOKER_DRAIN_SECONDS", "0.5")],
    );
    assert_eq!(config.cache_mib, 7);
    assert_eq!(config.drain_seconds, Duration::from_millis(500));
    assert_eq!(config.max_calls, 3);
    assert_eq!(config.address, "127.0.0.1:50051".parse().expect("an address"));
}

#[test]
fn every_fault_of_every_source_is_named() {
    let file = file("cache-mib = 'many'\nfancy = 1\nlog-format = 'xml'");
    let path = file.path().to_str().expect("UTF-8");
    let faults = load(
        &["--config", path, "--address", "here", "--max-calls", "0"],
        &[("DICEPOKER_DRAIN_SECONDS", "-1"), ("DICEPOKER_SOLVE_AT_START", "yatzy,whist")],
    )
    .expect_err("faulty");
    for part in [
        "--address is \"here\"; it must be an IP address",
        "cache-mib is \"many\"; it must be a whole number",
        "fancy is not a setting",
        "log-format is \"xml\"; it must be one of text, json",
        "DICEPOKER_DRAIN_SECONDS is \"-1\"; it must be a number of seconds",
        "max-calls is 0; it must be at least 1",
        "solve-at-start is \"whist\"",
    ] {
        assert!(faults.to_string().contains(part), "{part} is not in {faults}");
    }
    assert_eq!(faults.as_slice().len(), 7, "{faults}");
}

#[test]
fn rulesets_of_every_family_can_be_solved_at_start() {
    let ids = "yatzy,poquer-tradicional,dice-poker-witcher";
    let rulesets = config(&["--solve-at-start", ids], &[]).solve_at_start.rulesets;
    assert_eq!(rulesets, AtStart::Rulesets(ids.split(',').map(str::to_owned).collect()));
}

#[test]
fn the_log_takes_levels_and_targets_only() {
    for sound in ["off", "info", "info, dicepoker_server=debug,", "h2=trace,warn"] {
        assert_eq!(config(&["--log", sound], &[]).log, sound);
    }
    for wrong in ["info,h2=loud", "a=b=c", "info,[span]=debug", "h2[{stream}]=trace"] {
        let faults = load(&["--log", wrong], &[]).expect_err("no filter");
        assert!(faults.to_string().contains(&format!("log is {wrong:?}; it must be")), "{faults}");
    }
}

#[test]
fn an_unknown_flag_hides_no_other_fault() {
    let faults = load(&["--cheat"], &[("DICEPOKER_WORKERS", "x")]).expect_err("faulty");
    assert_eq!(faults.as_slice().len(), 2, "{faults}");
    assert!(faults.to_string().contains("--cheat"));
}

#[test]
fn variables_of_a_kubernetes_service_named_dicepoker_are_ignored() {
    let injected = [
        ("DICEPOKER_PORT", "tcp://10.0.0.1:50051"),
        ("DICEPOKER_SERVICE_HOST", "10.0.0.1"),
        ("DICEPOKER_SERVICE_PORT", "50051"),
        ("DICEPOKER_PORT_50051_TCP_ADDR", "10.0.0.1"),
    ];
    assert_eq!(config(&[], &injected), Config::default());
}

#[test]
fn the_printed_configuration_is_a_file_with_the_same_effect() {
    let flags = ["--solve-at-start", "yatzy,objectives,kniffel", "--grpc-web", "--access-log=0.5"];
    let printed = match load(&[&flags[..], &["--print-config"]].concat(), &[]) {
        Ok(Action::Print(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(printed.contains("grpc-web = true # --grpc-web"), "{printed}");
    let file = file(&printed);
    let again = config(&["--config", file.path().to_str().expect("UTF-8")], &[]);
    assert_eq!(again, config(&flags, &[]));
    assert_eq!(
        again.solve_at_start,
        SolveAtStart {
            rulesets: AtStart::Rulesets(vec!["yatzy".to_owned(), "kniffel".to_owned()]),
            objectives: true,
        }
    );
}

#[test]
fn help_names_every_setting_with_its_variable() {
    let Ok(Action::Help(help)) = load(&["--help"], &[]) else { panic!("no help") };
    for setting in SETTINGS {
        assert!(help.contains(&format!("--{}", setting.word())), "{}", setting.field);
        assert!(help.contains(&setting.variable()), "{}", setting.field);
    }
}

#[test]
fn the_manual_documents_every_setting() {
    let manual = include_str!("../../OPERATIONS.md");
    for setting in SETTINGS {
        let default = if setting.default.is_empty() { "–" } else { setting.default };
        let row = format!(
            "| `{}` | `{}` | {default} | {} |",
            setting.word(),
            setting.variable(),
            setting.help()
        );
        assert!(manual.contains(&row), "OPERATIONS.md lacks this row:\n{row}");
    }
}
