//! The violations in an input, each with its path and what is valid there. Parsing collects all violations
//! instead of stopping at the first.

use std::fmt;

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The place, as a path of field names and indices from the input's root, such as
    /// `scorecards[0].entries[3].points`.
    pub field: String,
    /// What is wrong there, and what is valid.
    pub description: String,
}

/// The violations in an input, in the order of its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// No violations yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a violation.
    pub fn push(&mut self, field: impl Into<String>, description: impl Into<String>) {
        self.0.push(Violation { field: field.into(), description: description.into() });
    }

    /// Adds all of `other`, whose paths start at the field `prefix` of this input.
    pub fn extend_under(&mut self, prefix: &str, other: Violations) {
        self.0.extend(other.0.into_iter().map(|violation| Violation {
            field: join(prefix, &violation.field),
            description: violation.description,
        }));
    }

    /// `value` if there are no violations.
    ///
    /// # Errors
    /// The violations, if there are any.
    pub fn or<T>(self, value: T) -> Result<T, Violations> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Whether there are no violations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The violations, in the order of the input's fields.
    #[must_use]
    pub fn as_slice(&self) -> &[Violation] {
        &self.0
    }
}

fn join(prefix: &str, field: &str) -> String {
    match (prefix.is_empty(), field.is_empty()) {
        (true, _) => field.to_owned(),
        (_, true) => prefix.to_owned(),
        _ if field.starts_with('[') => format!("{prefix}{field}"),
        _ => format!("{prefix}.{field}"),
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Violation { field, description }) in self.0.iter().enumerate() {
            write!(f, "{}{field}: {description}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}

/// The most characters of a caller's text that a message quotes.
const MAX_QUOTED: usize = 40;

/// The start of a caller's text, for quotes in messages.
#[must_use]
pub fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_QUOTED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_join_as_in_json() {
        let mut inner = Violations::new();
        inner.push("dice[2]", "7 is no face");
        inner.push("[1]", "x");
        inner.push("", "y");
        let mut outer = Violations::new();
        outer.extend_under("position", inner);
        let fields: Vec<&str> = outer.as_slice().iter().map(|v| v.field.as_str()).collect();
        assert_eq!(fields, ["position.dice[2]", "position[1]", "position"]);
        assert!(outer.clone().or(()).is_err());
        assert_eq!(Violations::new().or(3), Ok(3));
    }
}
