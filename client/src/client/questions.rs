//! What a position is worth and what should be done in it: one question at a time, or many at once.

use dicepoker_proto::v1 as pb;

use crate::call::call;
use crate::convert::{
    Malformed, read_advice, read_moves, read_scores, write_objective, write_opponent,
    write_position, write_rules, write_scorecard,
};
use crate::{Advice, Client, Error, Move, Position, Rules, ScoreQuery, Scores, SuggestQuery};

/// The most questions that one call of the service takes.
const BATCH: usize = 256;

impl Client {
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
        Ok(read_scores(call(self, write_score(rules.into(), query.into())).await?)?)
    }

    /// As [`Client::score`] for many rolls, by as few calls as there can be. Each is answered or
    /// refused by itself, in the order of the questions; the deadline is that of each call.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
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
    /// If no answer at all could be had.
    pub async fn score_batch<R: Into<Rules>, Q: Into<ScoreQuery>>(
        &self,
        questions: impl IntoIterator<Item = (R, Q)>,
    ) -> Result<Vec<Result<Scores, Error>>, Error> {
        use pb::batch_score_response::item::Outcome;
        let questions: Vec<pb::ScoreRequest> = questions
            .into_iter()
            .map(|(rules, query)| write_score(rules.into(), query.into()))
            .collect();
        let mut answers = Vec::with_capacity(questions.len());
        for requests in questions.chunks(BATCH) {
            let request = pb::BatchScoreRequest { requests: requests.to_vec() };
            let results = call(self, request).await?.results;
            complete(results.len(), requests.len())?;
            for result in results {
                answers.push(match result.outcome.ok_or(Malformed("no outcome"))? {
                    Outcome::Response(response) => Ok(read_scores(response)?),
                    Outcome::Error(refused) => Err(Error::from_item(refused)),
                });
            }
        }
        Ok(answers)
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

    /// The best move, and what every legal move is worth; with a [`SuggestQuery`] instead of a
    /// position only some of them, or what an opponent plays.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Move, Opponent, Position, SuggestQuery};
    ///
    /// let position = Position::new([2, 4, 6, 1, 1], 2);
    /// let query = SuggestQuery::from(position).top(3).opponent(Opponent::Level(1), 42);
    /// let advice = client.suggest("dice-poker-13", query).await?;
    /// assert_eq!(advice.best, Move::keep([6]));
    /// assert_eq!(advice.alternatives.len(), 3);
    /// assert!(advice.opponent_move.is_some()); // a beginner may do otherwise
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`Client::legal_moves`].
    pub async fn suggest(
        &self,
        rules: impl Into<Rules>,
        query: impl Into<SuggestQuery>,
    ) -> Result<Advice, Error> {
        let request = write_suggest(rules.into(), query.into());
        let of_opponent = request.opponent.is_some();
        Ok(read_advice(call(self, request).await?, of_opponent)?)
    }

    /// As [`Client::suggest`] for many positions, in the manner of [`Client::score_batch`].
    ///
    /// # Errors
    /// If no answer at all could be had.
    pub async fn suggest_batch<R: Into<Rules>, Q: Into<SuggestQuery>>(
        &self,
        questions: impl IntoIterator<Item = (R, Q)>,
    ) -> Result<Vec<Result<Advice, Error>>, Error> {
        use pb::batch_suggest_response::item::Outcome;
        let questions: Vec<pb::SuggestRequest> = questions
            .into_iter()
            .map(|(rules, query)| write_suggest(rules.into(), query.into()))
            .collect();
        let mut answers = Vec::with_capacity(questions.len());
        for requests in questions.chunks(BATCH) {
            let request = pb::BatchSuggestRequest { requests: requests.to_vec() };
            let results = call(self, request).await?.results;
            complete(results.len(), requests.len())?;
            for (result, request) in results.into_iter().zip(requests) {
                answers.push(match result.outcome.ok_or(Malformed("no outcome"))? {
                    Outcome::Response(found) => Ok(read_advice(found, request.opponent.is_some())?),
                    Outcome::Error(refused) => Err(Error::from_item(refused)),
                });
            }
        }
        Ok(answers)
    }
}

fn write_score(rules: Rules, query: ScoreQuery) -> pb::ScoreRequest {
    let (ruleset, options, definition) = write_rules(rules);
    pb::ScoreRequest {
        ruleset,
        options,
        definition,
        dice: query.dice.into_inner(),
        scorecard: query.scorecard.map(write_scorecard),
        category: query.category,
        position: query.position.map(write_position),
    }
}

fn write_suggest(rules: Rules, query: SuggestQuery) -> pb::SuggestRequest {
    let (ruleset, options, definition) = write_rules(rules);
    let (opponent, seed) = query.opponent.unzip();
    let (objective, target) = write_objective(query.objective);
    pb::SuggestRequest {
        ruleset,
        options,
        definition,
        position: Some(write_position(query.position)),
        max_alternatives: query.most,
        opponent: opponent.map(write_opponent),
        seed: seed.unwrap_or_default(),
        objective,
        target,
        explain: query.explain.map(|language| pb::Explain { language }),
    }
}

/// Whether each question of a batch has an answer.
fn complete(answers: usize, questions: usize) -> Result<(), Malformed> {
    if answers == questions { Ok(()) } else { Err(Malformed("not an answer for each question")) }
}
