//! Configuration. Every setting has one name: its flag (`--drain-seconds`), its environment variable
//! (`DICEPOKER_DRAIN_SECONDS`) and its key in the file (`drain-seconds`). A flag overrides the environment,
//! the environment the file, the file the default.
//!
//! [`settings`] is the table of all settings, [`value`] the syntax of values, [`sources`] where they come
//! from. The configuration is read and checked before anything else, and [`Faults`] reports all its faults.

mod check;
mod fault;
mod given;
mod print;
mod settings;
mod sources;
mod value;

use std::ffi::OsString;

pub use fault::Faults;
pub use settings::Config;
pub use value::{AtStart, AuthExempt, LogFormat, SolveAtStart};

use self::given::{Given, Purpose};

/// What the command line requests.
#[derive(Clone, Debug)]
pub enum Action {
    /// Serve with these settings.
    Serve(Box<Config>),
    /// Report that these settings are valid.
    Check(Box<Config>),
    /// Print this text, the effective settings.
    Print(String),
    /// Print this text of `--help` or `--version`.
    Help(String),
}

impl Config {
    /// Reads the settings from a command line (program name first) and an environment.
    ///
    /// # Errors
    /// All faults of all sources.
    pub fn load(
        arguments: impl IntoIterator<Item = OsString>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Action, Faults> {
        let mut faults = Faults::default();
        let given = match sources::collect(arguments, environment, &mut faults) {
            Ok(given) => given,
            Err(help) => return Ok(Action::Help(help)),
        };
        let config = Self::read(&given, &mut faults);
        check::check(&config, &mut faults);
        faults.none()?;
        Ok(match given.purpose {
            Purpose::Serve => Action::Serve(Box::new(config)),
            Purpose::Check => Action::Check(Box::new(config)),
            Purpose::Print => Action::Print(print::print(&config, &given)),
        })
    }
}

impl Default for Config {
    fn default() -> Self {
        let mut faults = Faults::default();
        let config = Self::read(&Given::default(), &mut faults);
        assert!(faults.none().is_ok(), "defaults are tested good");
        config
    }
}

#[cfg(test)]
mod tests;
