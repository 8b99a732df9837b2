//! What an operator can set. Every setting has one word, which is its flag (`--drain-seconds`), its
//! environment variable (`DICEPOKER_DRAIN_SECONDS`) and its key in the file (`drain-seconds`); a
//! flag wins over the environment, the environment over the file, the file over the default.
//!
//! [`settings`] is the table of them all, [`value`] how each kind of value is written, [`sources`]
//! where values come from. The whole is read and checked before anything else happens, and
//! [`Faults`] names everything that is wrong with it at once.

mod check;
mod fault;
mod print;
mod settings;
mod sources;
mod value;

use std::ffi::OsString;

pub use fault::Faults;
pub use settings::Config;
pub use value::{AuthExempt, LogFormat, RuntimeKind, SolveAtStart};

use self::sources::{Given, Purpose};

/// What a command line asks for.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Serve with these settings.
    Serve(Box<Config>),
    /// Check these settings and say that they are good.
    Check(Box<Config>),
    /// Print this text, the settings in force.
    Print(String),
    /// Print this text, asked for by `--help` or `--version`.
    Help(String),
}

impl Config {
    /// Reads the settings from a command line (program name first) and an environment.
    ///
    /// # Errors
    /// Every fault of every source, when there is one.
    pub fn load(
        arguments: impl IntoIterator<Item = OsString>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Asked, Faults> {
        let mut faults = Faults::default();
        let given = match Given::collect(arguments, environment, &mut faults) {
            Ok(given) => given,
            Err(help) => return Ok(Asked::Help(help)),
        };
        let config = Self::read(&given, &mut faults);
        check::check(&config, &mut faults);
        faults.none()?;
        Ok(match given.purpose() {
            Purpose::Serve => Asked::Serve(Box::new(config)),
            Purpose::Check => Asked::Check(Box::new(config)),
            Purpose::Print => Asked::Print(print::print(&config, &given)),
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
