//! What is learned, in which order and with how much: the recipe, a committed file.

use serde::Deserialize;

/// The steps by which the committed weights are made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recipe {
    /// Seed of everything.
    pub(crate) seed: u64,
    /// Games by which a point of a learning curve is measured.
    pub(crate) measured: usize,
    /// Each step may begin with what an earlier one has learned.
    pub(crate) steps: Vec<Step>,
}

/// One network learned.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// What later steps call it.
    pub(crate) name: String,
    /// The step whose network it begins with; otherwise it begins with nothing.
    pub(crate) from: Option<String>,
    /// The file its weights go to, if they are an end and not only a means.
    pub(crate) file: Option<String>,
    /// Sizes of tables, taken in turns.
    pub(crate) players: Vec<usize>,
    /// Games of self-play.
    pub(crate) games: usize,
    /// The learning rate at the start.
    pub(crate) rate: f32,
    /// How far a return reaches: 0 believes the network after one turn, 1 only the end.
    pub(crate) lambda: f32,
    /// How often each sample is drawn, on average.
    pub(crate) reuse: usize,
    /// One game in so many is against turn-greedy players; 0 for none.
    #[serde(default)]
    pub(crate) greedy: usize,
    /// Whether games are played with all variants and options, and only their weights learned.
    #[serde(default)]
    pub(crate) options: bool,
    /// Points of the learning curve.
    #[serde(default)]
    pub(crate) checks: usize,
}

impl Recipe {
    /// The recipe of this text.
    pub(crate) fn read(text: &str) -> Self {
        toml::from_str(text).expect("a recipe")
    }

    /// The seed of step `number`.
    pub(crate) fn seed_of(&self, number: usize) -> u64 {
        self.seed * 1000 + number as u64
    }
}
