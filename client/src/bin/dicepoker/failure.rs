//! What can go wrong with a command, and how it is told: to people with every wrong field on a line
//! of its own, to programs as JSON.

use std::fmt;
use std::path::Path;

use dicepoker_client::{Code, Error};
use dicepoker_proto::code_name;
use serde_json::{Value, json};

/// What went wrong with a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The service said no, or could not be reached.
    Call(Error),
    /// Something was typed that cannot be.
    Typed(String),
    /// Reading or writing failed.
    Io(std::io::Error),
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

impl Failure {
    /// Reading `file` failed.
    pub(crate) fn file(file: &Path, error: std::io::Error) -> Self {
        Self::in_file(file, error)
    }

    /// What `file` holds is not the JSON that is wanted.
    pub(crate) fn json(file: &Path, error: serde_json::Error) -> Self {
        Self::in_file(file, error)
    }

    /// What `file` holds is wrong.
    pub(crate) fn in_file(file: &Path, wrong: impl fmt::Display) -> Self {
        if file == Path::new("-") {
            return Self::Typed(format!("standard input: {wrong}"));
        }
        Self::Typed(format!("{}: {wrong}", file.display()))
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> u8 {
        match self {
            // As sysexits.h has it.
            Self::Call(error) if error.code() == Code::Unavailable => 69,
            Self::Call(_) | Self::Io(_) => 1,
            Self::Typed(_) => 2,
            // As shells have it for SIGINT.
            Self::Interrupted => 130,
        }
    }

    /// What programs are told.
    pub(crate) fn value(&self) -> Value {
        let error = match self {
            Self::Call(error) => json!({
                "code": code_name(error.code()),
                "message": error.message(),
                "reason": error.reason(),
                "field_violations": error.field_violations(),
                "retryable": error.is_retryable(),
            }),
            Self::Typed(message) => {
                json!({ "code": code_name(Code::InvalidArgument), "message": message })
            }
            Self::Io(error) => {
                json!({ "code": code_name(Code::Unknown), "message": error.to_string() })
            }
            Self::Interrupted => {
                json!({ "code": code_name(Code::Cancelled), "message": self.to_string() })
            }
        };
        json!({ "error": error })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Call(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Typed(message) => f.write_str(message),
            Self::Io(error) => write!(f, "{error}"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Call(error) => match error.field_violations() {
                [] => {
                    write!(f, "{}", error.message())?;
                    f.write_str(match error.code() {
                        Code::Unavailable => {
                            "\nIs a server running there? --server URL names another, and \
                             --embedded does without one."
                        }
                        Code::DeadlineExceeded => {
                            "\nWhat a server has to work out when it is first asked for, such as \
                             the tables of objectives, it goes on with: ask again, or wait longer \
                             with --timeout SECONDS."
                        }
                        _ => "",
                    })
                }
                [one] => write!(f, "{}: {}", one.field, one.description),
                many => {
                    write!(f, "{} fields are wrong:", many.len())?;
                    for violation in many {
                        write!(f, "\n  {}: {}", violation.field, violation.description)?;
                    }
                    Ok(())
                }
            },
        }
    }
}
