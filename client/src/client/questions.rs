//! Scores, legal moves and advice: one request at a time, or many at once.

use dicepoker_proto::v1 as pb;

use crate::call::{Call, call};
use crate::opponent::objective_fields;
use crate::{
    Client, Error, Move, Position, Rules, ScoreQuery, ScoreResponse, SuggestQuery, SuggestResponse,
};

/// The most requests of one batch.
const BATCH: usize = 256;

impl Client {
    /// Scores a roll in each category, and adds up a scorecard.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// let scores = client.score("dice-poker-13", [1, 3, 2, 4, 4]).await?;
    /// assert_eq!(scores.get("small_straight").map(|score| score.points), Some(30));
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// `NotFound` for an unknown ruleset, `InvalidArgument` for invalid dice or cards.
    pub async fn score(
        &self,
        rules: impl Into<Rules>,
        query: impl Into<ScoreQuery>,
    ) -> Result<ScoreResponse, Error> {
        call(self, score_request(rules.into(), query.into())).await
    }

    /// [`Client::score`] for many rolls, in batches. One result for each request, in their
    /// order. The deadline is that of each batch.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// let rolls = [[3, 3, 3, 4, 4], [1, 2, 3, 4, 7]];
    /// let scores = client.score_batch(rolls.map(|roll| ("yatzy", roll))).await?;
    /// assert_eq!(scores[0].as_ref().unwrap().get("full_house").unwrap().points, 17);
    /// assert_eq!(scores[1].as_ref().unwrap_err().reason(), Some("INVALID_FIELDS"));
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// If a batch as a whole fails.
    pub async fn score_batch<R: Into<Rules>, Q: Into<ScoreQuery>>(
        &self,
        queries: impl IntoIterator<Item = (R, Q)>,
    ) -> Result<Vec<Result<ScoreResponse, Error>>, Error> {
        use pb::batch_score_response::item::Outcome;
        let requests: Vec<pb::ScoreRequest> = queries
            .into_iter()
            .map(|(rules, query)| score_request(rules.into(), query.into()))
            .collect();
        let outcome = |item: pb::batch_score_response::Item| {
            Some(match item.outcome? {
                Outcome::Response(response) => Ok(response),
                Outcome::Error(error) => Err(error),
            })
        };
        let batch = |requests| pb::BatchScoreRequest { requests };
        in_batches(self, &requests, batch, |response| response.results, outcome).await
    }

    /// Every legal move of the player to move, each once.
    ///
    /// # Errors
    /// The errors of [`Client::score`], and `FailedPrecondition` if the game is over.
    pub async fn legal_moves(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
    ) -> Result<Vec<Move>, Error> {
        let Rules { ruleset, options, definition } = rules.into();
        let position = Some(position.into());
        let request = pb::LegalMovesRequest { ruleset, options, definition, position };
        call(self, request).await?.moves.into_iter().map(Move::try_from).collect()
    }

    /// The best move, and the value of every legal move. A [`SuggestQuery`] instead of a position
    /// limits the number of moves, requests an opponent's move, an objective or an explanation.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Move, Opponent, Position, SuggestQuery};
    ///
    /// let position = Position::new([2, 4, 6, 1, 1], 2);
    /// let query = SuggestQuery::from(position).top(3).opponent(Opponent::Level(1), 42);
    /// let mut advice = client.suggest("dice-poker-13", query).await?;
    /// assert_eq!(advice.alternatives.len(), 3);
    /// let best = Move::try_from(advice.alternatives.remove(0).r#move)?;
    /// assert_eq!(best, Move::keep([6]));
    /// let played = Move::try_from(advice.r#move)?; // a beginner's move, which may be another
    /// # let _ = played;
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// The errors of [`Client::legal_moves`].
    pub async fn suggest(
        &self,
        rules: impl Into<Rules>,
        query: impl Into<SuggestQuery>,
    ) -> Result<SuggestResponse, Error> {
        call(self, suggest_request(rules.into(), query.into())).await
    }

    /// [`Client::suggest`] for many positions, in batches like [`Client::score_batch`].
    ///
    /// # Errors
    /// If a batch as a whole fails.
    pub async fn suggest_batch<R: Into<Rules>, Q: Into<SuggestQuery>>(
        &self,
        queries: impl IntoIterator<Item = (R, Q)>,
    ) -> Result<Vec<Result<SuggestResponse, Error>>, Error> {
        use pb::batch_suggest_response::item::Outcome;
        let requests: Vec<pb::SuggestRequest> = queries
            .into_iter()
            .map(|(rules, query)| suggest_request(rules.into(), query.into()))
            .collect();
        let outcome = |item: pb::batch_suggest_response::Item| {
            Some(match item.outcome? {
                Outcome::Response(response) => Ok(response),
                Outcome::Error(error) => Err(error),
            })
        };
        let batch = |requests| pb::BatchSuggestRequest { requests };
        in_batches(self, &requests, batch, |response| response.results, outcome).await
    }
}

fn score_request(rules: Rules, query: ScoreQuery) -> pb::ScoreRequest {
    let Rules { ruleset, options, definition } = rules;
    let ScoreQuery { dice, scorecard, position, category, hands } = query;
    let dice = dice.into();
    let hands = hands.into_iter().map(|dice| pb::HandDice { dice: dice.into() }).collect();
    pb::ScoreRequest { ruleset, options, definition, dice, scorecard, category, position, hands }
}

fn suggest_request(rules: Rules, query: SuggestQuery) -> pb::SuggestRequest {
    let Rules { ruleset, options, definition } = rules;
    let (opponent, seed) = query.opponent.unzip();
    let (objective, target) = objective_fields(query.objective);
    pb::SuggestRequest {
        ruleset,
        options,
        definition,
        position: Some(query.position),
        max_alternatives: query.max_alternatives,
        opponent: opponent.map(Into::into),
        seed: seed.unwrap_or_default(),
        objective,
        target,
        explain: query.explain.map(|language| pb::Explain { language, r#move: None }),
    }
}

/// Calls the service with `requests` in batches, and returns the result of each.
async fn in_batches<Q: Clone, B: Call, I, R>(
    client: &Client,
    requests: &[Q],
    batch: impl Fn(Vec<Q>) -> B,
    items: impl Fn(B::Response) -> Vec<I>,
    outcome: impl Fn(I) -> Option<Result<R, pb::ItemError>>,
) -> Result<Vec<Result<R, Error>>, Error> {
    let mut results = Vec::with_capacity(requests.len());
    for requests in requests.chunks(BATCH) {
        let items = items(call(client, batch(requests.to_vec())).await?);
        if items.len() != requests.len() {
            let wrong = format!("{} results of {} requests", items.len(), requests.len());
            return Err(Error::malformed(&wrong));
        }
        for item in items {
            let result = outcome(item).ok_or_else(|| Error::malformed("no outcome"))?;
            results.push(result.map_err(Error::from_item));
        }
    }
    Ok(results)
}
