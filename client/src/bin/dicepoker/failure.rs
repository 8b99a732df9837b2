//! The failure of a command: for people with one line for each invalid field, for programs as JSON.

use std::fmt;
use std::path::Path;

use dicepoker_client::{Code, Error, FieldViolation};
use dicepoker_proto::code_name;
use serde_json::{Value, json};

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The call failed.
    Call(Error),
    /// An argument or a file is invalid.
    Argument(String),
    /// Reading or writing failed.
    Io(std::io::Error),
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Failure {
    /// Reading `file` failed.
    pub(crate) fn file(file: &Path, error: std::io::Error) -> Self {
        Self::in_file(file, error)
    }

    /// The content of `file` is invalid.
    pub(crate) fn in_file(file: &Path, wrong: impl fmt::Display) -> Self {
        if file == Path::new("-") {
            return Self::Argument(format!("standard input: {wrong}"));
        }
        Self::Argument(format!("{}: {wrong}", file.display()))
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> u8 {
        match self {
            // EX_UNAVAILABLE of sysexits.h.
            Self::Call(error) if error.code() == Code::Unavailable => 69,
            Self::Call(_) | Self::Io(_) => 1,
            Self::Argument(_) => 2,
            // 128 + SIGINT, as shells report it.
            Self::Interrupted => 130,
        }
    }

    /// The JSON form.
    pub(crate) fn value(&self) -> Value {
        let error = match self {
            Self::Call(error) => {
                let violation = |one: &FieldViolation| json!({ "field": one.field, "description": one.description });
                json!({
                    "code": code_name(error.code()),
                    "message": error.message(),
                    "reason": error.reason(),
                    "fieldViolations": error.field_violations().iter().map(violation).collect::<Value>(),
                    "retryable": error.is_retryable(),
                })
            }
            Self::Argument(message) => {
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
            Self::Argument(message) => f.write_str(message),
            Self::Io(error) => write!(f, "{error}"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Call(error) => match error.field_violations() {
                [] => {
                    write!(f, "{}", error.message())?;
                    f.write_str(match error.code() {
                        Code::Unavailable => {
                            "\nIs a server running there? --server URL names another, and \
                             --embedded needs none."
                        }
                        Code::DeadlineExceeded => {
                            "\nOn first use a server makes tables, for example those of \
                             objectives, and goes on making them: repeat the command, or wait \
                             longer with --timeout SECONDS."
                        }
                        _ => "",
                    })
                }
                [one] => write!(f, "{}: {}", one.field, one.description),
                many => {
                    write!(f, "{} fields are invalid:", many.len())?;
                    for violation in many {
                        write!(f, "\n  {}: {}", violation.field, violation.description)?;
                    }
                    Ok(())
                }
            },
        }
    }
}
