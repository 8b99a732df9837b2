//! Starts the service for tests: [`Server`] is a process of its own; `InProcess`, of the feature
//! `in-process`, runs inside the test, without a program, and can inject faults.

#![forbid(unsafe_code)]

mod process;
pub use process::{Client, PATIENCE, Server, command};
pub use rustix::process::Signal;

#[cfg(feature = "in-process")]
mod in_process;
#[cfg(feature = "in-process")]
pub use in_process::{InProcess, Settings};

#[cfg(feature = "tls")]
mod certificate;
#[cfg(feature = "tls")]
pub use certificate::Certificate;
