//! The service inside this process: the same rules, responses and errors without a server or a connection.

use std::convert::Infallible;
use std::sync::Arc;

use dicepoker_engine::solve::Budget;
use dicepoker_proto::v1::dice_poker_service_server::DicePokerServiceServer;
use dicepoker_server::rulesets::Rulesets;
use dicepoker_server::runtime::LongWork;
use dicepoker_server::service::Service;
use tower::ServiceExt;
use tower::util::BoxCloneSyncService;

use crate::{Client, Error};

/// Memory for solved rulesets that are not built in.
const CACHE_BYTES: u64 = 256 << 20;

/// Time after which an unused one of them is dropped.
const CACHE_IDLE: std::time::Duration = std::time::Duration::from_secs(3600);

/// Capacity of the queue of rulesets to solve.
const QUEUE: usize = 64;

impl Client {
    /// A client of a service of its own, in this process. The first advice for a ruleset waits until
    /// the ruleset is solved.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let client = dicepoker_client::Client::embedded()?;
    /// let scores = client.score("yatzy", [3, 3, 3, 1, 2]).await?;
    /// assert_eq!(scores.get("three_alike").map(|score| score.points), Some(9));
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// If no thread for solving can be started.
    pub fn embedded() -> Result<Self, Error> {
        Self::builder().embedded()
    }
}

impl crate::ClientBuilder {
    /// [`Client::embedded`] with these settings.
    ///
    /// # Errors
    /// If a setting is invalid, or no thread for solving can be started.
    pub fn embedded(self) -> Result<Client, Error> {
        let server = ServiceExt::<http::Request<tonic::body::Body>>::map_err(
            DicePokerServiceServer::new(Service::new(rulesets()?)),
            |never: Infallible| match never {},
        );
        self.over(BoxCloneSyncService::new(server), None)
    }
}

/// The rules of an embedded service.
pub(crate) fn rulesets() -> Result<Arc<Rulesets>, Error> {
    let long_work = LongWork::new(0, QUEUE).map_err(|error| {
        Error::unavailable("cannot start a thread that solves rulesets").with_source(error)
    })?;
    Ok(Arc::new(Rulesets::new(CACHE_BYTES, CACHE_IDLE, Budget::BUILT_IN, long_work)))
}
