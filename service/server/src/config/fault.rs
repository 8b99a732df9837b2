//! All faults of a configuration, reported together, so that one restart shows all of them.

use std::fmt;

/// Faults of a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<String>);

impl Faults {
    /// Adds a fault.
    pub fn push(&mut self, fault: impl Into<String>) {
        self.0.push(fault.into());
    }

    /// The faults, in the order in which they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// Succeeds if there are no faults.
    ///
    /// # Errors
    /// The faults, if there are any.
    pub fn none(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(f, "{count} fault{} in the configuration:", if count == 1 { "" } else { "s" })?;
        for fault in &self.0 {
            write!(f, "\n  {fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
