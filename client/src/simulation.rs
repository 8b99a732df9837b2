//! Many games between opponents: the request, and the stream of statistics.

use std::fmt;

use tokio::time::{Instant, timeout_at};
use tonic::Streaming;

use crate::{Error, Player, Position, SimulateResponse};

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

/// Games in progress. The service stops playing them when this is dropped.
pub struct Simulation {
    answers: Streaming<SimulateResponse>,
    deadline: Instant,
    late: Error,
}

impl Simulation {
    pub(crate) fn new(
        answers: Streaming<SimulateResponse>,
        deadline: Instant,
        late: Error,
    ) -> Self {
        Self { answers, deadline, late }
    }

    /// The statistics of the games so far, each time the service sends them; `None` after the last
    /// game.
    ///
    /// # Errors
    /// If the games end before the last one, for example at the deadline.
    pub async fn next(&mut self) -> Result<Option<SimulateResponse>, Error> {
        match timeout_at(self.deadline, self.answers.message()).await {
            Err(_) => Err(self.late.clone()),
            Ok(Err(status)) => Err(Error::from_status(status)),
            Ok(Ok(statistics)) => Ok(statistics),
        }
    }

    /// The statistics of all games.
    ///
    /// # Errors
    /// The errors of [`Simulation::next`].
    pub async fn finish(mut self) -> Result<SimulateResponse, Error> {
        let mut last = None;
        while let Some(statistics) = self.next().await? {
            last = Some(statistics);
        }
        last.ok_or_else(|| Error::malformed("no statistics"))
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
