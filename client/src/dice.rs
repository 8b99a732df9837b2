//! Dice as a list of faces, written like `13244` or `1,3,2,4,4`. The service validates the faces.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::Face;

/// Faces of dice in any order: equal if they are the same multiset of faces.
///
/// ```
/// use dicepoker_client::Dice;
///
/// let dice: Dice = "13244".parse()?;
/// assert_eq!(dice, Dice::from([1, 2, 3, 4, 4]));
/// assert_eq!("10,12".parse::<Dice>()?.as_slice(), [10, 12]);
/// # Ok::<(), dicepoker_client::ParseDiceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dice(Vec<u32>);

impl Dice {
    /// No dice: keeping them throws all dice.
    pub const NONE: Self = Self(Vec::new());

    /// The faces, in the order in which they were given.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// How many dice there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no dice.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The faces, lowest first.
    #[must_use]
    pub fn sorted(&self) -> Vec<u32> {
        let mut faces = self.0.clone();
        faces.sort_unstable();
        faces
    }

    /// Parses dice of named `faces` (those of a [`Ruleset`](crate::Ruleset)): by their labels, as in
    /// `AAKK10`, `A, A, K, K, 10` or, as poker hands are written, `aakkt`; or by their numbers. Faces
    /// without names are parsed as by [`FromStr`].
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::Dice;
    ///
    /// let race = client.ruleset("poquer-tradicional").await?;
    /// assert_eq!(Dice::parse_named("AAK10", &race.faces).unwrap().as_slice(), [6, 6, 5, 2]);
    /// assert_eq!(Dice::parse_named("6652", &race.faces).unwrap().as_slice(), [6, 6, 5, 2]);
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// If something in `text` is no face.
    pub fn parse_named(text: &str, faces: &[Face]) -> Result<Self, ParseDiceError> {
        if faces.iter().all(|face| face.label == face.value.to_string()) {
            return text.parse();
        }
        parse_labels(text, faces).or_else(|wrong| {
            text.parse().map_err(|_| {
                let labels = faces.iter().map(|face| face.label.clone()).collect();
                ParseDiceError::new(&wrong.to_string(), labels)
            })
        })
    }
}

/// Dice by the labels of their faces, or the first character at which no label begins.
fn parse_labels(text: &str, faces: &[Face]) -> Result<Dice, char> {
    let starts = |rest: &str, label: &str| {
        rest.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label))
    };
    // T is the ten of poker hands.
    let ten = faces.iter().find(|face| face.label == "10").map(|face| ("T", face.value));
    let mut rest = text.trim();
    let mut dice = Vec::new();
    while let Some(first) = rest.chars().next() {
        if first == ',' || first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let mut labels = faces.iter().map(|face| (face.label.as_str(), face.value)).chain(ten);
        let found = labels.find(|(label, _)| !label.is_empty() && starts(rest, label));
        let (label, face) = found.ok_or(first)?;
        dice.push(face);
        rest = &rest[label.len()..];
    }
    Ok(dice.into())
}

impl From<Dice> for Vec<u32> {
    fn from(dice: Dice) -> Self {
        dice.0
    }
}

impl PartialEq for Dice {
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}

impl Eq for Dice {}

impl Hash for Dice {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sorted().hash(state);
    }
}

impl From<Vec<u32>> for Dice {
    fn from(faces: Vec<u32>) -> Self {
        Self(faces)
    }
}

impl<const N: usize> From<[u32; N]> for Dice {
    fn from(faces: [u32; N]) -> Self {
        Self(faces.to_vec())
    }
}

impl From<&[u32]> for Dice {
    fn from(faces: &[u32]) -> Self {
        Self(faces.to_vec())
    }
}

impl FromIterator<u32> for Dice {
    fn from_iter<I: IntoIterator<Item = u32>>(faces: I) -> Self {
        Self(faces.into_iter().collect())
    }
}

/// The digits joined, or faces separated by commas if one has two digits.
impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.0.iter().any(|&face| face > 9) { "," } else { "" };
        let faces: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&faces.join(separator))
    }
}

/// An invalid text of dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDiceError {
    wrong: String,
    /// The valid labels, if faces have names.
    labels: Vec<String>,
}

impl ParseDiceError {
    pub(crate) fn new(wrong: &str, labels: Vec<String>) -> Self {
        Self { wrong: wrong.chars().take(20).collect(), labels }
    }
}

impl fmt::Display for ParseDiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no face: ", self.wrong)?;
        match self.labels.as_slice() {
            [] => f.write_str("type dice like 13244 or 1,3,2,4,4"),
            labels => write!(f, "type dice by their names, {}", labels.join(", ")),
        }
    }
}

impl std::error::Error for ParseDiceError {}

impl FromStr for Dice {
    type Err = ParseDiceError;

    fn from_str(text: &str) -> Result<Self, ParseDiceError> {
        let separated = |c: char| c == ',' || c.is_whitespace();
        if text.trim().contains(separated) {
            let words = text.split(separated).filter(|word| !word.is_empty());
            let face = |word: &str| word.parse().map_err(|_| ParseDiceError::new(word, Vec::new()));
            return words.map(face).collect();
        }
        let face =
            |c: char| c.to_digit(10).ok_or_else(|| ParseDiceError::new(&c.to_string(), Vec::new()));
        text.trim().chars().map(face).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_dice_read_back() {
        for text in ["13244", "10,2", ""] {
            assert_eq!(text.parse::<Dice>().expect(text).to_string(), text);
        }
        assert_eq!("1 3, 2 ,4 4".parse(), Ok(Dice::from([1, 2, 3, 4, 4])));
        let wrong = "13x44".parse::<Dice>().expect_err("x is no face");
        assert_eq!(wrong.to_string(), "\"x\" is no face: type dice like 13244 or 1,3,2,4,4");
        assert!("1,-2".parse::<Dice>().is_err());
    }
}
