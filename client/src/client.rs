//! The client. Its calls are in [`questions`] (scores, moves, advice), [`games`] (moves, turns, many
//! games, reviews) and [`rulesets`].

mod games;
mod questions;
mod rulesets;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;

use crate::TraceContext;
use crate::balance::Serving;
use crate::retries::Retrier;
use crate::transport::Transport;

/// A source of a value for each call.
pub(crate) type Source<T> = Arc<dyn Fn() -> Option<T> + Send + Sync>;

/// A client of the dicepoker service. Cloning is cheap, and all clones share connections and the
/// budget of retries.
///
/// ```
/// # let server = dicepoker_testkit::InProcess::start();
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use dicepoker_client::{Client, Move, Position};
///
/// let client = Client::connect(server.url()).await?;
/// let position = Position::new([2, 4, 6, 1, 1], 2);
/// let advice = client.suggest("dice-poker-13", position).await?;
/// assert_eq!(Move::try_from(advice.r#move)?, Move::keep([6]));
/// assert!((advice.expected_value - 227.309178).abs() < 1e-4);
/// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Client {
    transport: Transport,
    shared: Arc<Shared>,
    deadline: Duration,
    trace: Option<TraceContext>,
}

/// State that all clones of a client share.
pub(crate) struct Shared {
    pub(crate) serving: Option<Serving>,
    pub(crate) retrier: Retrier,
    pub(crate) token: Option<Source<String>>,
    pub(crate) trace: Option<Source<TraceContext>>,
}

impl Client {
    pub(crate) fn new(transport: Transport, shared: Shared, deadline: Duration) -> Self {
        Self { transport, shared: Arc::new(shared), deadline, trace: None }
    }

    /// A clone with another deadline: how long a call may take, retries included.
    ///
    /// ```no_run
    /// # async fn example(client: dicepoker_client::Client) -> Result<(), dicepoker_client::Error> {
    /// use std::time::Duration;
    ///
    /// let quick = client.with_deadline(Duration::from_millis(50));
    /// quick.score("yatzy", [1, 3, 2, 4, 4]).await?;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_deadline(&self, deadline: Duration) -> Self {
        Self { deadline, ..self.clone() }
    }

    /// A clone whose calls belong to this trace.
    #[must_use]
    pub fn with_trace(&self, trace: TraceContext) -> Self {
        Self { trace: Some(trace), ..self.clone() }
    }

    /// The generated stub over this client's connections. Its calls have no deadline, retries or
    /// token of this client.
    #[must_use]
    pub fn stub(&self) -> DicePokerServiceClient<Transport> {
        DicePokerServiceClient::new(self.transport())
    }

    pub(crate) fn transport(&self) -> Transport {
        self.transport.clone()
    }

    pub(crate) fn deadline(&self) -> Duration {
        self.deadline
    }

    pub(crate) fn retrier(&self) -> &Retrier {
        &self.shared.retrier
    }

    pub(crate) fn serving(&self) -> Option<Serving> {
        self.shared.serving.clone()
    }

    pub(crate) fn token(&self) -> Option<String> {
        self.shared.token.as_ref().and_then(|source| source())
    }

    /// The trace of a call: the one set for it, else the current one.
    pub(crate) fn trace(&self) -> Option<TraceContext> {
        let source = || self.shared.trace.as_ref().and_then(|source| source());
        self.trace.clone().or_else(source)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("deadline", &self.deadline)
            .field("trace", &self.trace)
            .finish_non_exhaustive()
    }
}
