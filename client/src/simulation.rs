//! The requests of Simulate and Analyze, and their streams of responses.

use std::fmt;

use tokio::time::{Instant, timeout_at};
use tonic::Streaming;

use crate::{AnalyzeResponse, Error, Opponent, Player, Position, Rules, SimulateResponse};

/// Which games to play.
///
/// ```
/// use dicepoker_client::{Opponent, Player, SimulateQuery};
///
/// // A thousand games of perfect play against level 5, with the dice of seed 42.
/// let query = SimulateQuery::new([Player::default(), Opponent::Level(5).into()], 1000, 42);
/// # let _ = query;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SimulateQuery {
    pub(crate) players: Vec<Player>,
    pub(crate) games: u32,
    pub(crate) seed: u64,
    pub(crate) start: Option<Position>,
}

impl SimulateQuery {
    /// `games` games between these players, in the order of their turns. The same seed gives the
    /// same games.
    #[must_use]
    pub fn new(players: impl IntoIterator<Item = Player>, games: u32, seed: u64) -> Self {
        Self { players: players.into_iter().collect(), games, seed, start: None }
    }

    /// Begins each game here instead of with empty cards.
    #[must_use]
    pub fn starting_at(mut self, start: Position) -> Self {
        self.start = Some(start);
        self
    }
}

/// Which figures of a ruleset to compute.
///
/// ```
/// use dicepoker_client::{AnalyzeQuery, Opponent};
///
/// // A thousand games for what is not exact, the chance of 250 points, and level 5 beside best play.
/// let query = AnalyzeQuery::new(1000, 42).targets([250]).opponent(Opponent::Level(5));
/// # let _ = query;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzeQuery {
    pub(crate) games: u32,
    pub(crate) seed: u64,
    pub(crate) targets: Vec<i32>,
    pub(crate) opponents: Vec<Opponent>,
    pub(crate) players: u32,
    pub(crate) compare: Option<Rules>,
    pub(crate) quick: bool,
}

impl AnalyzeQuery {
    /// Plays `games` games for figures that are not exact. The same seed gives the same figures.
    #[must_use]
    pub fn new(games: u32, seed: u64) -> Self {
        let (targets, opponents) = (Vec::new(), Vec::new());
        Self { games, seed, targets, opponents, players: 0, compare: None, quick: false }
    }

    /// Asks for the chances of these final scores.
    #[must_use]
    pub fn targets(mut self, targets: impl IntoIterator<Item = i32>) -> Self {
        self.targets.extend(targets);
        self
    }

    /// Plays as many games with this opponent.
    #[must_use]
    pub fn opponent(mut self, opponent: Opponent) -> Self {
        self.opponents.push(opponent);
        self
    }

    /// Sets how many play the race or a showdown.
    #[must_use]
    pub fn players(self, players: u32) -> Self {
        Self { players, ..self }
    }

    /// Samples figures that take long to compute exactly.
    #[must_use]
    pub fn quick(self) -> Self {
        Self { quick: true, ..self }
    }

    /// Analyzes other rules as well, and asks for the difference.
    #[must_use]
    pub fn compare(self, rules: impl Into<Rules>) -> Self {
        Self { compare: Some(rules.into()), ..self }
    }
}

/// Work in progress. The service stops it when this is dropped.
pub struct Progress<T> {
    answers: Streaming<T>,
    deadline: Instant,
    late: Error,
}

/// Games in progress.
pub type Simulation = Progress<SimulateResponse>;

/// An analysis in progress.
pub type Analysis = Progress<AnalyzeResponse>;

impl<T> Progress<T> {
    pub(crate) fn new(answers: Streaming<T>, deadline: Instant, late: Error) -> Self {
        Self { answers, deadline, late }
    }

    /// The next response, with the results so far; `None` after the last one.
    ///
    /// # Errors
    /// If the work ends before it is done, for example at the deadline.
    pub async fn next(&mut self) -> Result<Option<T>, Error> {
        match timeout_at(self.deadline, self.answers.message()).await {
            Err(_) => Err(self.late.clone()),
            Ok(Err(status)) => Err(Error::from_status(status)),
            Ok(Ok(answer)) => Ok(answer),
        }
    }

    /// The last response.
    ///
    /// # Errors
    /// The errors of [`Progress::next`].
    pub async fn finish(mut self) -> Result<T, Error> {
        let mut last = None;
        while let Some(answer) = self.next().await? {
            last = Some(answer);
        }
        last.ok_or_else(|| Error::malformed("no response"))
    }
}

impl<T> fmt::Debug for Progress<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
