//! The sources of settings: command line, environment, file.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command};
use toml::Value as Toml;

use super::fault::Faults;
use super::given::{Given, Purpose};
use super::settings::SETTINGS;

/// The flag and the variable with the path of the file.
const FILE_FLAG: &str = "config";
const FILE_VARIABLE: &str = "DICEPOKER_CONFIG";

/// Reads all sources; `Err` is the text of `--help` or `--version`.
pub(super) fn collect(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    faults: &mut Faults,
) -> Result<Given, String> {
    use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
    let matches = match command().try_get_matches_from(arguments) {
        Ok(matches) => Some(matches),
        Err(error) if matches!(error.kind(), DisplayHelp | DisplayVersion) => {
            return Err(error.to_string());
        }
        Err(error) => {
            faults.push(first_paragraph(&error.to_string()));
            None
        }
    };
    let environment: HashMap<String, OsString> = environment
        .into_iter()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .collect();
    let flag = |id: &str| matches.as_ref()?.get_one::<String>(id).cloned();
    let is_set = |id: &str| matches.as_ref().is_some_and(|matches| matches.get_flag(id));

    let mut given = Given::default();
    let file = flag(FILE_FLAG)
        .map(PathBuf::from)
        .or_else(|| environment.get(FILE_VARIABLE).filter(|v| !v.is_empty()).map(Into::into));
    if let Some(path) = file {
        take_file(&mut given, &path, faults);
    }
    for setting in SETTINGS {
        let variable = setting.variable();
        match environment.get(&variable).map(|value| value.clone().into_string()) {
            Some(Ok(text)) => given.take(setting.field, text, variable),
            Some(Err(_)) => faults.push(format!("{variable} is not UTF-8")),
            None => {}
        }
    }
    for setting in SETTINGS {
        if let Some(text) = flag(setting.field) {
            given.take(setting.field, text, format!("--{}", setting.word()));
        }
    }
    given.purpose = if is_set("print-config") {
        Purpose::Print
    } else if is_set("check-config") {
        Purpose::Check
    } else {
        Purpose::Serve
    };
    Ok(given)
}

fn take_file(given: &mut Given, path: &std::path::Path, faults: &mut Faults) {
    let shown = path.display();
    let table = match std::fs::read_to_string(path) {
        Err(reason) => return faults.push(format!("{shown}: {reason}")),
        Ok(text) => match text.parse::<toml::Table>() {
            Err(reason) => return faults.push(format!("{shown}: {}", reason.message())),
            Ok(table) => table,
        },
    };
    for (key, value) in &table {
        let source = format!("{shown}: {key}");
        let Some(setting) = SETTINGS.iter().find(|setting| setting.word() == *key) else {
            faults.push(format!("{source} is not a setting; --help lists them"));
            continue;
        };
        match text(value) {
            Some(text) => given.take(setting.field, text, source),
            None => faults.push(format!("{source} must be a string, a number, true or false")),
        }
    }
}

/// A value of the file as a flag would spell it.
fn text(value: &Toml) -> Option<String> {
    match value {
        Toml::String(text) => Some(text.clone()),
        Toml::Integer(number) => Some(number.to_string()),
        Toml::Float(number) => Some(number.to_string()),
        Toml::Boolean(on) => Some(on.to_string()),
        Toml::Array(items) => {
            items.iter().map(text).collect::<Option<Vec<_>>>().map(|i| i.join(","))
        }
        Toml::Datetime(_) | Toml::Table(_) => None,
    }
}

fn first_paragraph(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines = message.lines().map(str::trim).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

fn command() -> Command {
    let settings = SETTINGS.iter().map(|setting| {
        let default = match setting.default {
            "" => String::new(),
            default => format!(" [default: {default}]"),
        };
        let help = format!("{} [env: {}]{default}", setting.help(), setting.variable());
        let argument = Arg::new(setting.field)
            .long(setting.word())
            .value_name("VALUE")
            .help_heading(setting.section)
            .help(help)
            .allow_hyphen_values(true)
            .action(ArgAction::Set);
        if setting.switch {
            argument.num_args(0..=1).require_equals(true).default_missing_value("true")
        } else {
            argument
        }
    });
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    Command::new("dicepoker-server")
        .version(env!("CARGO_PKG_VERSION"))
        .args_override_self(true)
        .about("Points, legal moves and perfect advice for dice poker, over gRPC.")
        .after_help(
            "A flag wins over its environment variable, the variable over the file, the file over \
             the default. In the file a setting has the name of its flag: drain-seconds = 10",
        )
        .arg(
            Arg::new(FILE_FLAG)
                .long(FILE_FLAG)
                .value_name("FILE")
                .help(format!("Read settings from this TOML file [env: {FILE_VARIABLE}]")),
        )
        .arg(switch("check-config", "Check the configuration and exit: 0 if it is valid, else 64"))
        .arg(switch("print-config", "Print the effective settings as a TOML file and exit"))
        .args(settings)
}
