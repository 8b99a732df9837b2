//! A ruleset as the service describes it: everything needed to draw its score sheet and to explain
//! its rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Category, Definition, Dice, OptionValue, ParseDiceError, Section};

/// A ruleset with its name, rules, options and faces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruleset {
    /// Stable name, such as `dice-poker-15`.
    pub id: String,
    /// Name to show, in English.
    pub title: String,
    /// The rules in a few English sentences.
    pub description: String,
    /// The kind of game it is.
    pub family: Family,
    /// The rules as data, with the options of the request applied.
    pub definition: Definition,
    /// What a house may set otherwise.
    pub options: Vec<RulesetOption>,
    /// What each face of a die is called and how it is drawn.
    pub faces: Vec<Face>,
    /// The most players a position may have.
    pub max_players: u32,
    /// Expected final score of an empty scorecard under best play, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_score: Option<f64>,
    /// What the levels of opponents score, weakest first; none where that was not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<OpponentLevel>,
    /// The opponents with a character of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<OpponentProfile>,
}

/// What a level of opponents scores, measured over many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpponentLevel {
    /// The level, from 1.
    pub level: u32,
    /// Mean final score, in points; in the race that of games of two against a player who takes
    /// the most points of each turn.
    pub mean_score: Option<f64>,
    /// Standard deviation of the final score, in points; not in the race.
    pub standard_deviation: Option<f64>,
    /// Points given up by a move, on average over moves where there is a choice; not in
    /// the race.
    pub regret_per_decision: Option<f64>,
    /// Only in the race: share of the games won against a player who takes the most points of each
    /// turn.
    pub beats_greedy: Option<f64>,
    /// Probability to end above a player of the next level, a tie counting half.
    pub beats_next: f64,
}

/// An opponent with a character of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpponentProfile {
    /// Stable name, such as `straight_chaser`.
    pub id: String,
    /// What it is like, in an English sentence.
    pub description: String,
    /// Mean final score in points, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_score: Option<f64>,
}

impl Ruleset {
    /// The row of this id.
    #[must_use]
    pub fn category(&self, id: &str) -> Option<&Category> {
        self.definition.categories.iter().find(|category| category.id == id)
    }

    /// The rows of one section, from top to bottom.
    pub fn section(&self, section: Section) -> impl Iterator<Item = &Category> {
        self.definition.categories.iter().filter(move |category| category.section == section)
    }

    /// Whether faces are drawn otherwise than as their numbers.
    #[must_use]
    pub fn has_labels(&self) -> bool {
        self.faces.iter().any(|face| face.label != face.value.to_string())
    }

    /// How a face is drawn.
    #[must_use]
    pub fn label(&self, face: u32) -> String {
        let known = self.faces.iter().find(|known| known.value == face);
        known.map_or_else(|| face.to_string(), |known| known.label.clone())
    }

    /// Dice as people type them: by the names of their faces where they have some, `AAKK10`,
    /// `A, A, K, K, 10` or, as poker hands are written, `aakkt`; else by their numbers, `13244`.
    /// Numbers will do for named faces too, as long as all are typed so.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// let race = client.ruleset("poquer-tradicional").await?;
    /// assert_eq!(race.read_dice("AAK10").unwrap().as_slice(), [6, 6, 5, 2]);
    /// assert_eq!(race.read_dice("6652").unwrap().as_slice(), [6, 6, 5, 2]);
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// If something in `text` is no face.
    pub fn read_dice(&self, text: &str) -> Result<Dice, ParseDiceError> {
        if !self.has_labels() {
            return text.parse();
        }
        match self.read_labels(text) {
            Ok(dice) => Ok(dice),
            Err(wrong) => text.parse().map_err(|_| {
                let labels = self.faces.iter().map(|face| face.label.clone()).collect();
                ParseDiceError::new(&wrong.to_string(), labels)
            }),
        }
    }

    /// Dice by the names of their faces, or where one would have to begin and does not.
    fn read_labels(&self, text: &str) -> Result<Dice, char> {
        let starts = |rest: &str, label: &str| {
            rest.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label))
        };
        let mut rest = text.trim();
        let mut dice = Vec::new();
        while let Some(first) = rest.chars().next() {
            if first == ',' || first.is_whitespace() {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            // Ten is one letter where people write poker hands.
            let ten = self.faces.iter().find(|face| face.label == "10");
            let labels = self.faces.iter().map(|face| (face.label.as_str(), face.value));
            let mut labels = labels.chain(ten.map(|face| ("T", face.value)));
            let found = labels.find(|(label, _)| !label.is_empty() && starts(rest, label));
            let (label, face) = found.ok_or(first)?;
            dice.push(face);
            rest = &rest[label.len()..];
        }
        Ok(dice.into())
    }
}

/// The kinds of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Family {
    /// Every turn fills one category of a score sheet.
    #[serde(rename = "RULESET_FAMILY_SCORE_SHEET")]
    ScoreSheet,
    /// Players race to fill rows of cells that close for everybody.
    #[serde(rename = "RULESET_FAMILY_RACE")]
    Race,
    /// A kind that a newer service knows and this client does not.
    #[serde(other)]
    Other,
}

/// What a face of a die is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Face {
    /// The face on the wire.
    pub value: u32,
    /// How it is drawn, such as `A`.
    pub label: String,
    /// Its name in English.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Its name in other languages, by language tag.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub local_titles: BTreeMap<String, String>,
}

/// Something that a house may set otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesetOption {
    /// Stable name, such as `upper_bonus_threshold`.
    pub id: String,
    /// Name to show, in English.
    pub title: String,
    /// What it changes, in English.
    pub description: String,
    /// The values it can take.
    #[serde(rename = "type")]
    pub kind: OptionKind,
    /// The value if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_value: Option<OptionValue>,
}

/// The values that an option can take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OptionKind {
    /// A whole number.
    Integer {
        /// The least value.
        minimum: i32,
        /// The greatest value.
        maximum: i32,
    },
    /// True or false.
    Boolean {},
    /// One of these words.
    Choice {
        /// The words.
        choices: Vec<String>,
    },
    /// A list of some of these category ids.
    Categories {
        /// The ids it may hold.
        choices: Vec<String>,
    },
    /// A kind that a newer service knows and this client does not.
    Other {},
}
