//! The rules of a house: the two variants of the text, and options for everything that the text leaves open.
//! Everything else about the game is fixed.

use crate::violation::Violations;

/// The most players a race may have.
pub const MAX_PLAYERS: usize = 8;

/// Throws in a turn.
pub const THROWS: u8 = 3;

/// The most points the option for fullens may give; a figure row pays 6 × 60 at most, so more
/// than this would make a game of fullens alone.
pub const MAX_FULLEN_POINTS: u16 = 1000;

/// Which throws of all five dice are "de mão" and pay double.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeMao {
    /// Any throw of all five dice together.
    #[default]
    AnyFullThrow,
    /// Only the first throw of a turn.
    FirstThrow,
}

impl DeMao {
    /// Both choices.
    pub const ALL: [DeMao; 2] = [DeMao::AnyFullThrow, DeMao::FirstThrow];

    /// The stable name of this choice.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            DeMao::AnyFullThrow => "any_full_throw",
            DeMao::FirstThrow => "first_throw",
        }
    }

    /// The choice of this name, if there is one.
    #[must_use]
    pub fn from_id(id: &str) -> Option<DeMao> {
        DeMao::ALL.into_iter().find(|choice| choice.id() == id)
    }
}

/// The rules of one game: variants and options in any combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RaceRules {
    /// Variant 1 of the text: an eighth row for four alike figures, de mão.
    pub poker_row: bool,
    /// Variant 2 of the text: a count may run on over several throws.
    pub sum_of_figures: bool,
    /// Points of a fullen that is not de mão, 1 to [`MAX_FULLEN_POINTS`]; the table of the text is
    /// lost.
    pub fullen_points: u16,
    /// Which throws are de mão.
    pub de_mao: DeMao,
    /// Whether a row that closes while some player has no cell in it counts double.
    pub double_unopened: bool,
    /// Whether the last open one of the seven rows counts in the totals. The poker row always
    /// counts: it never needs to be closed.
    pub unclosed_rows_count: bool,
}

impl Default for RaceRules {
    fn default() -> Self {
        Self {
            poker_row: false,
            sum_of_figures: false,
            fullen_points: 20,
            de_mao: DeMao::AnyFullThrow,
            double_unopened: true,
            unclosed_rows_count: true,
        }
    }
}

/// One option of the ruleset as text, for a client to show and to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceOption {
    /// The stable name.
    pub id: &'static str,
    /// What it means, in one sentence.
    pub description: &'static str,
    /// Its values as text, or the first and last of a range of whole numbers.
    pub values: &'static [&'static str],
    /// The default.
    pub default: &'static str,
}

const BOOLEAN: &[&str] = &["false", "true"];

/// Every option of the ruleset, the two variants first.
pub const OPTIONS: [RaceOption; 6] = [
    RaceOption {
        id: "poker_row",
        description: "An eighth row, poker: four alike figures thrown together pay 100, four aces and a king 200.",
        values: BOOLEAN,
        default: "false",
    },
    RaceOption {
        id: "sum_of_figures",
        description: "While all five dice show one figure or nines, the count runs on over the next throw of all dice.",
        values: BOOLEAN,
        default: "false",
    },
    RaceOption {
        id: "fullen_points",
        description: "Points of a fullen, doubled de mão; a whole number from the first to the last of these values.",
        values: &["1", "1000"],
        default: "20",
    },
    RaceOption {
        id: "de_mao",
        description: "Which throws of all five dice pay double: any of them, or only the first of a turn.",
        values: &["any_full_throw", "first_throw"],
        default: "any_full_throw",
    },
    RaceOption {
        id: "double_unopened",
        description: "A row that closes while some player has no cell in it counts double.",
        values: BOOLEAN,
        default: "true",
    },
    RaceOption {
        id: "unclosed_rows_count",
        description: "The one row left open at the end of the game counts, undoubled.",
        values: BOOLEAN,
        default: "true",
    },
];

impl RaceRules {
    /// Sets the option `id` to the `value` given as text.
    ///
    /// # Errors
    /// What is valid, if there is no such option or it cannot have this value.
    pub fn set(&mut self, id: &str, value: &str) -> Result<(), String> {
        let boolean =
            || value.parse::<bool>().map_err(|_| format!("`{value}` must be `true` or `false`"));
        match id {
            "poker_row" => self.poker_row = boolean()?,
            "sum_of_figures" => self.sum_of_figures = boolean()?,
            "double_unopened" => self.double_unopened = boolean()?,
            "unclosed_rows_count" => self.unclosed_rows_count = boolean()?,
            "fullen_points" => {
                self.fullen_points = value
                    .parse::<u16>()
                    .ok()
                    .filter(|points| (1..=MAX_FULLEN_POINTS).contains(points))
                    .ok_or_else(|| {
                        format!("`{value}` must be a whole number from 1 to {MAX_FULLEN_POINTS}")
                    })?;
            }
            "de_mao" => {
                self.de_mao = DeMao::from_id(value).ok_or_else(|| {
                    format!("`{value}` must be `any_full_throw` or `first_throw`")
                })?;
            }
            _ => {
                let ids: Vec<&str> = OPTIONS.iter().map(|option| option.id).collect();
                return Err(format!("no such option: must be one of {}", ids.join(", ")));
            }
        }
        Ok(())
    }

    /// Reads options given as pairs of name and value; the others have their defaults.
    ///
    /// # Errors
    /// All violations, each under the path `options.<name>`.
    pub fn parse<'a>(
        options: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Violations> {
        let mut rules = Self::default();
        let mut found = Violations::new();
        for (id, value) in options {
            if let Err(message) = rules.set(id, value) {
                found.push(format!("options.{id}"), message);
            }
        }
        found.or(rules)
    }

    /// Whether a throw counts de mão: `full_throw` if all five dice were thrown together,
    /// `rolls_left` the throws still allowed after it.
    #[must_use]
    pub fn is_de_mao(&self, full_throw: bool, rolls_left: u8) -> bool {
        full_throw && (self.de_mao == DeMao::AnyFullThrow || rolls_left + 1 == THROWS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_defaults_are_the_defaults() {
        let defaults = OPTIONS.iter().map(|option| (option.id, option.default));
        assert_eq!(RaceRules::parse(defaults), Ok(RaceRules::default()));
        for option in OPTIONS {
            for value in option.values {
                assert!(RaceRules::default().set(option.id, value).is_ok());
            }
        }
    }

    #[test]
    fn all_invalid_options_are_reported_at_once() {
        let found =
            RaceRules::parse([("fullen_points", "0"), ("de_mao", "never"), ("jokers", "2")])
                .unwrap_err();
        let paths: Vec<&str> = found.as_slice().iter().map(|found| found.field.as_str()).collect();
        assert_eq!(paths, ["options.fullen_points", "options.de_mao", "options.jokers"]);
    }
}
