//! The client: the calls of the contract as functions of this crate's types.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;

use crate::balance::Serving;
use crate::builder::{ClientBuilder, Source};
use crate::call::call;
use crate::convert::{
    Malformed, read_advice, read_applied, read_moves, read_ruleset, read_scores, write_move,
    write_position, write_rules, write_scorecard,
};
use crate::retries::Retrier;
use crate::transport::Transport;
use crate::{
    Advice, Applied, Error, Move, Position, Rules, Ruleset, ScoreQuery, Scores, Throw, TraceContext,
};

/// A client of the dicepoker service. Cloning is cheap, and all clones share connections and the
/// budget of retries.
///
/// ```
/// # let server = dicepoker_client_testkit::Server::start();
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use dicepoker_client::{Client, Move, Position};
///
/// let client = Client::connect(server.url()).await?;
/// let position = Position::new([2, 4, 6, 1, 1], 2);
/// let advice = client.suggest("dice-poker-13", position).await?;
/// assert_eq!(advice.best, Move::keep([6]));
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

/// What all clones of a client share.
pub(crate) struct Shared {
    pub(crate) serving: Option<Serving>,
    pub(crate) retrier: Retrier,
    pub(crate) token: Option<Source<String>>,
    pub(crate) trace: Option<Source<TraceContext>>,
}

impl Client {
    /// A client with the defaults of [`ClientBuilder`] of the service at `target` (see
    /// [`Target`](crate::Target) for the forms it may have), once the service can be reached.
    ///
    /// # Errors
    /// If `target` is no address, or the service there cannot be reached.
    pub async fn connect(target: impl AsRef<str>) -> Result<Self, Error> {
        Self::builder().connect(target).await
    }

    /// A client that is set up otherwise.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    pub(crate) fn new(transport: Transport, shared: Shared, deadline: Duration) -> Self {
        Self { transport, shared: Arc::new(shared), deadline, trace: None }
    }

    /// The same client with another deadline: how long a call may take, its retries included.
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

    /// The same client for calls that belong to this trace.
    #[must_use]
    pub fn with_trace(&self, trace: TraceContext) -> Self {
        Self { trace: Some(trace), ..self.clone() }
    }

    /// What a roll is worth in each category, and what a scorecard adds up to.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// let scores = client.score("dice-poker-13", [1, 3, 2, 4, 4]).await?;
    /// assert_eq!(scores.get("small_straight").map(|score| score.points), Some(30));
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// `NotFound` for rules there are not, `InvalidArgument` for anything no game can lead to.
    pub async fn score(
        &self,
        rules: impl Into<Rules>,
        query: impl Into<ScoreQuery>,
    ) -> Result<Scores, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let query = query.into();
        let request = pb::ScoreRequest {
            ruleset,
            options,
            definition,
            dice: query.dice.into_inner(),
            scorecard: query.scorecard.map(write_scorecard),
            category: query.category,
            position: query.position.map(write_position),
        };
        Ok(read_scores(call(self, request).await?)?)
    }

    /// Every move that the player to move may make, each once.
    ///
    /// # Errors
    /// As [`Client::score`]; `FailedPrecondition` if the game is over.
    pub async fn legal_moves(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
    ) -> Result<Vec<Move>, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let position = Some(write_position(position.into()));
        let request = pb::LegalMovesRequest { ruleset, options, definition, position };
        Ok(read_moves(call(self, request).await?)?)
    }

    /// The best move, and what every legal move is worth.
    ///
    /// # Errors
    /// As [`Client::legal_moves`].
    pub async fn suggest(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
    ) -> Result<Advice, Error> {
        self.suggest_top(rules, position, 0).await
    }

    /// As [`Client::suggest`], with only the `most` best alternatives; 0 for all.
    ///
    /// # Errors
    /// As [`Client::legal_moves`].
    pub async fn suggest_top(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
        most: u32,
    ) -> Result<Advice, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let request = pb::SuggestRequest {
            ruleset,
            options,
            definition,
            position: Some(write_position(position.into())),
            max_alternatives: most,
            ..Default::default()
        };
        Ok(read_advice(call(self, request).await?)?)
    }

    /// Plays a move: the position after it.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Dice, Move, Position, Throw};
    ///
    /// let rules = "dice-poker-13";
    /// let start = Position::start(1, 3);
    /// let thrown = client.apply(rules, start, Move::throw_all(), Throw::Seed(42)).await?;
    /// assert_eq!(thrown.position.dice, Dice::from([2, 3, 3, 6, 6]));
    /// let own = Throw::Dice([6, 6, 1].into());
    /// let next = client.apply(rules, thrown.position, Move::keep([6, 6]), own).await?;
    /// assert_eq!(next.position.dice, Dice::from([1, 6, 6, 6, 6]));
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`Client::legal_moves`]; also for a move that is not legal.
    pub async fn apply(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
        chosen: Move,
        throw: Throw,
    ) -> Result<Applied, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let (dice, seed) = match throw {
            Throw::None => (Vec::new(), None),
            Throw::Dice(dice) => (dice.into_inner(), None),
            Throw::Seed(seed) => (Vec::new(), Some(seed)),
        };
        let request = pb::ApplyRequest {
            ruleset,
            options,
            definition,
            position: Some(write_position(position.into())),
            r#move: Some(write_move(chosen)),
            dice,
            seed,
        };
        Ok(read_applied(call(self, request).await?)?)
    }

    /// The built-in rulesets, all pages of them.
    ///
    /// # Errors
    /// If the service cannot be reached.
    pub async fn rulesets(&self) -> Result<Vec<Ruleset>, Error> {
        let mut rulesets = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = pb::ListRulesetsRequest { page_size: 0, page_token };
            let page = call(self, request).await?;
            for ruleset in page.rulesets {
                rulesets.push(read_ruleset(ruleset)?);
            }
            if page.next_page_token.is_empty() {
                return Ok(rulesets);
            }
            page_token = page.next_page_token;
        }
    }

    /// One built-in ruleset, with the options of `rules` applied.
    ///
    /// # Errors
    /// `NotFound` if there is none of that name, `InvalidArgument` for wrong options.
    pub async fn ruleset(&self, rules: impl Into<Rules>) -> Result<Ruleset, Error> {
        let (ruleset, options, _) = write_rules(rules.into());
        let answer = call(self, pb::GetRulesetRequest { ruleset, options }).await?;
        Ok(read_ruleset(answer.ruleset.ok_or(Malformed("no ruleset"))?)?)
    }

    /// The generated stub over this client's connections, for what this crate does not cover. Its
    /// calls have no deadline, retries or token but those that their caller gives them.
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

    /// The trace that a call belongs to: the one set for it, or the current one.
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
