//! The recipe, a committed file: which networks are trained, in which order, and for how many
//! games.

use serde::Deserialize;

/// The steps that make the committed weights.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recipe {
    /// Seed of everything.
    pub(crate) seed: u64,
    /// Games per point of a learning curve.
    pub(crate) measured: usize,
    /// Each step may start with the network of an earlier one.
    pub(crate) steps: Vec<Step>,
}

/// One network learned.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// Its name in later steps.
    pub(crate) name: String,
    /// The step whose network it starts with; otherwise it starts with nothing.
    pub(crate) from: Option<String>,
    /// The file of its weights, unless it is only an intermediate step.
    pub(crate) file: Option<String>,
    /// Numbers of players, used in turn.
    pub(crate) players: Vec<usize>,
    /// Games of self-play.
    pub(crate) games: usize,
    /// The learning rate at the start.
    pub(crate) rate: f32,
    /// The trace of returns: 0 believes the network after one turn, 1 only the end.
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
