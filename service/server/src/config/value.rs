//! Syntax of values: the same in a flag, an environment variable and the file.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// A kind of value.
pub(super) trait Value: Sized {
    /// Parses it; the error completes "must be".
    fn read(text: &str) -> Result<Self, String>;
    /// Formats it as [`Value::read`] parses it.
    fn write(&self) -> String;
    /// Whether TOML writes it without quotes.
    const BARE: bool = false;
    /// Whether its flag needs no value.
    const SWITCH: bool = false;
}

macro_rules! plain {
    ($($type:ty: $wanted:literal),+) => {$(
        impl Value for $type {
            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|_| $wanted.to_owned())
            }
            fn write(&self) -> String {
                self.to_string()
            }
            const BARE: bool = true;
        }
    )+};
}

plain! {
    u32: "a whole number from 0 to 4294967295",
    usize: "a whole number, 0 or more",
    u64: "a whole number, 0 or more"
}

impl Value for bool {
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| "true or false".to_owned())
    }
    fn write(&self) -> String {
        self.to_string()
    }
    const BARE: bool = true;
    const SWITCH: bool = true;
}

/// A share from 0 to 1.
impl Value for f64 {
    fn read(text: &str) -> Result<Self, String> {
        let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        share.ok_or_else(|| "a number from 0 to 1".to_owned())
    }
    fn write(&self) -> String {
        self.to_string()
    }
    const BARE: bool = true;
}

/// Seconds.
impl Value for Duration {
    fn read(text: &str) -> Result<Self, String> {
        const LONGEST: f64 = 1e9;
        let seconds = text.parse().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
        seconds.map(Self::from_secs_f64).ok_or_else(|| "a number of seconds, 0 or more".to_owned())
    }
    fn write(&self) -> String {
        self.as_secs_f64().to_string()
    }
    const BARE: bool = true;
}

impl Value for String {
    fn read(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
    fn write(&self) -> String {
        self.clone()
    }
}

impl Value for SocketAddr {
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| "an IP address and a port, such as 0.0.0.0:50051".to_owned())
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

/// An optional value: the empty string is `None`.
impl<T: Value> Value for Option<T> {
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() { Ok(None) } else { T::read(text).map(Some) }
    }
    fn write(&self) -> String {
        self.as_ref().map(Value::write).unwrap_or_default()
    }
}

impl Value for PathBuf {
    fn read(text: &str) -> Result<Self, String> {
        Ok(text.into())
    }
    fn write(&self) -> String {
        self.display().to_string()
    }
}

/// A list: separated by commas; in the file also an array.
impl Value for Vec<String> {
    fn read(text: &str) -> Result<Self, String> {
        Ok(words(text))
    }
    fn write(&self) -> String {
        self.join(",")
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal),+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$member_doc])* $member),+
        }

        impl Value for $name {
            fn read(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$member),)+
                    _ => Err(["one of".to_owned(), [$($word),+].join(", ")].join(" ")),
                }
            }
            fn write(&self) -> String {
                match self {
                    $(Self::$member => $word.to_owned()),+
                }
            }
        }
    };
}

choice! {
    /// Format of log lines.
    LogFormat {
        /// Human-readable text.
        Text = "text",
        /// One JSON object per line.
        Json = "json"
    }
}

choice! {
    /// Which services need no token.
    AuthExempt {
        /// None; health needs a token too.
        Nothing = "nothing",
        /// Health.
        Health = "health",
        /// Health and reflection.
        HealthAndReflection = "health-and-reflection"
    }
}

/// What is made before the service is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveAtStart {
    /// The built-in rulesets that are solved.
    pub rulesets: AtStart,
    /// Whether the tables for objectives and explanations of these are made too.
    pub objectives: bool,
}

/// Which built-in rulesets are solved before the service is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtStart {
    /// All.
    All,
    /// None; each is solved on first use.
    None,
    /// These.
    Rulesets(Vec<String>),
}

impl Value for SolveAtStart {
    fn read(text: &str) -> Result<Self, String> {
        let mut words = words(text);
        let count = words.len();
        words.retain(|word| word != "objectives");
        let rulesets = match &words[..] {
            [all] if all == "all" => AtStart::All,
            [none] if none == "none" => AtStart::None,
            [] if count > 0 => AtStart::All,
            _ => AtStart::Rulesets(words.clone()),
        };
        Ok(Self { rulesets, objectives: words.len() < count })
    }
    fn write(&self) -> String {
        let rulesets = match &self.rulesets {
            AtStart::All => "all".to_owned(),
            AtStart::None => "none".to_owned(),
            AtStart::Rulesets(ids) => ids.join(","),
        };
        if self.objectives { rulesets + ",objectives" } else { rulesets }
    }
}
