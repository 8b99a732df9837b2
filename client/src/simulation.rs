//! Many games between opponents: what is asked for, and the statistics as they come.

use std::fmt;

use dicepoker_proto::v1 as pb;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout_at};
use tonic::Streaming;

use crate::convert::{Malformed, read_statistics};
use crate::{Error, Percentile, Player, Position};

/// Which games to play.
///
/// ```
/// use dicepoker_client::{Opponent, Player, SimulateQuery};
///
/// // A thousand games of perfect play against level 5, with the dice of seed 42.
/// let query = SimulateQuery::new([Player::default(), Opponent::Level(5).into()], 1000, 42);
/// # let _ = query;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulateQuery {
    pub(crate) players: Vec<Player>,
    pub(crate) games: u32,
    pub(crate) seed: u64,
    pub(crate) start: Option<Position>,
}

impl SimulateQuery {
    /// So many games between these players, in the order of their turns. The same seed gives the
    /// same games.
    #[must_use]
    pub fn new(players: impl IntoIterator<Item = Player>, games: u32, seed: u64) -> Self {
        Self { players: players.into_iter().collect(), games, seed, start: None }
    }

    /// Each game begins here instead of with empty cards.
    #[must_use]
    pub fn starting_at(mut self, start: Position) -> Self {
        self.start = Some(start);
        self
    }
}

/// Games that are being played. The service stops playing them when this is dropped.
pub struct Simulation {
    answers: Streaming<pb::SimulateResponse>,
    deadline: Instant,
    late: Error,
}

impl Simulation {
    pub(crate) fn new(
        answers: Streaming<pb::SimulateResponse>,
        deadline: Instant,
        late: Error,
    ) -> Self {
        Self { answers, deadline, late }
    }

    /// How far the games have come, each time the service tells; after the last game nothing more.
    ///
    /// # Errors
    /// If the games end before the last one, as at the deadline.
    pub async fn next(&mut self) -> Result<Option<Statistics>, Error> {
        match timeout_at(self.deadline, self.answers.message()).await {
            Err(_) => Err(self.late.clone()),
            Ok(Err(status)) => Err(Error::from_status(status)),
            Ok(Ok(told)) => Ok(told.map(read_statistics).transpose()?),
        }
    }

    /// The statistics of all games.
    ///
    /// # Errors
    /// As [`Simulation::next`].
    pub async fn finish(mut self) -> Result<Statistics, Error> {
        let mut last = None;
        while let Some(statistics) = self.next().await? {
            last = Some(statistics);
        }
        Ok(last.ok_or(Malformed("no statistics"))?)
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

/// How far the games have come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Games played so far.
    pub games_played: u32,
    /// Games that the time of the call allows at the pace so far; `None` if all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_games: Option<u32>,
    /// What they came to for each player, in the order of their turns.
    pub players: Vec<PlayerStatistics>,
}

/// What a player's games came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerStatistics {
    /// Mean final score, in points.
    pub mean_score: Estimate,
    /// Standard deviation of the final score of a game, in points.
    pub standard_deviation: Option<f64>,
    /// Scores that 5, 25, 50, 75 and 95 of 100 games stayed at or below.
    pub percentiles: Vec<Percentile>,
    /// Games won alone.
    pub wins: u32,
    /// Games won together with others.
    pub shared_wins: u32,
    /// Share of the games won, a win among k counting 1/k.
    pub win_share: Estimate,
    /// Points given up by a move, on average; not in the race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regret_per_decision: Option<f64>,
    /// Games that reached the player's target, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub targets_reached: Option<u32>,
}

/// An estimate and the bounds within which it lies in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}
