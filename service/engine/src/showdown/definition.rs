//! A showdown ruleset as data: the dice, the order of hands, and the rules of a round and a match.
//! The built-in rulesets are files of this form, and callers may send their own; a sound definition
//! becomes a [`Showdown`](super::Showdown). `SHOWDOWNS.md` beside the crate's manifest documents them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::definition::Pattern;

/// A ruleset of the showdown kind: each player throws the dice, throws some of them again up to
/// [`rethrows`](Self::rethrows) times, and the best hand wins the round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownDefinition {
    /// Number of dice of each player.
    pub dice: u8,
    /// Number of faces of a die; they are `1..=faces`.
    pub faces: u8,
    /// Throws of a player after the first.
    pub rethrows: u8,
    /// The hands, best first. A roll is the first hand whose pattern holds.
    pub hands: Vec<HandDefinition>,
    /// What decides between rolls of the same hand.
    #[serde(default)]
    pub ties: Ties,
    /// Which face is the highest.
    #[serde(default)]
    pub ranks: Ranks,
    /// Faces that stand for whatever makes the best hand.
    #[serde(default)]
    pub wild: Vec<u8>,
    /// The order of turns, and what is visible.
    #[serde(default)]
    pub order: Order,
    /// Whether no player may use more throws than the first player of the round did; in turn only.
    #[serde(default)]
    pub first_sets_throws: bool,
    /// Whether a die that was kept stays kept until the end of the round.
    #[serde(default)]
    pub set_aside: bool,
    /// The result of equal best hands.
    #[serde(default)]
    pub draws: Draws,
    /// Rounds that win the match.
    #[serde(default = "one")]
    pub wins_needed: u8,
    /// The first player of the next round.
    #[serde(default)]
    pub next_first: NextFirst,
    /// The most that one raise may add to the stake; 0 for a game without raises.
    #[serde(default)]
    pub raises: u16,
    /// Whether one player plays against a table of payouts.
    #[serde(default)]
    pub payout: bool,
    /// With `payout`: stakes that each throw after the first costs.
    #[serde(default)]
    pub rethrow_cost: u16,
}

fn one() -> u8 {
    1
}

impl ShowdownDefinition {
    /// The most rounds of a match between so many players, unless ties are thrown again.
    #[must_use]
    pub fn most_rounds(&self, players: usize) -> u32 {
        players as u32 * (u32::from(self.wins_needed) - 1) + 1
    }

    /// Throws of a player in a round, the first included.
    #[must_use]
    pub fn throws(&self) -> u8 {
        self.rethrows + 1
    }

    /// A hash of the definition, titles included: equal for equal definitions.
    #[must_use]
    pub fn key(&self) -> String {
        let text = format!("{self:?}");
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Bytes on the heap, as far as a caller decides their number.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let texts = |hand: &HandDefinition| {
            let local: usize = hand
                .local_titles
                .iter()
                .map(|(language, title)| 2 * size_of::<String>() + language.len() + title.len())
                .sum();
            hand.id.len() + hand.title.len() + local
        };
        size_of_val(&self.hands[..]) + self.hands.iter().map(texts).sum::<usize>()
    }
}

/// A hand of the order of hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandDefinition {
    /// Stable name in snake case, such as `full_house`.
    pub id: String,
    /// Name to show, in English.
    pub title: String,
    /// Name to show in other languages, by language tag.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub local_titles: BTreeMap<String, String>,
    /// What the dice must show.
    pub pattern: Pattern,
    /// With `payout`: what the hand pays, in stakes.
    #[serde(default)]
    pub pays: u16,
}

/// What decides between rolls of the same hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// The faces of the sets, larger sets first, then the other dice from high to low.
    #[default]
    Kickers,
    /// The faces of the sets only; of a straight its highest face.
    Sets,
    /// The sum of all dice.
    Sum,
    /// Nothing: rolls of the same hand are equal.
    Class,
}

/// Which face is the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranks {
    /// The face of the greatest number.
    #[default]
    Natural,
    /// Face 1, above all others.
    OneHigh,
}

/// The order of turns, and what is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// A player makes all throws of its turn; the next one sees the finished hands.
    #[default]
    InTurn,
    /// All first throws lie open; then the players throw again once each, in turn, as many laps
    /// as there are rethrows.
    Open,
    /// All first throws lie open; then two players choose at once what to keep.
    Simultaneous,
}

/// The result of equal best hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// The round counts for no player.
    #[default]
    Even,
    /// The tied players throw a new round among themselves.
    Again,
    /// The round counts for each of the tied players.
    Split,
}

/// The first player of the next round of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NextFirst {
    /// The player of the lowest hand of the last round; after a draw nothing changes.
    #[default]
    Loser,
    /// The next player around the table.
    Alternating,
}
