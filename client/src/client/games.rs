//! Games: a move, a whole turn, many games, and the review of a game.

use dicepoker_proto::v1 as pb;
use tokio::time::Instant;

use crate::call::call;
use crate::opponent::objective_fields;
use crate::{
    Analysis, AnalyzeQuery, ApplyResponse, Client, Error, GameRecord, Move, PlayTurnResponse,
    Player, Position, ReviewResponse, Rules, SimulateQuery, Simulation, Throw,
};

impl Client {
    /// Plays a move and returns the position after it.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Move, Position, Throw};
    ///
    /// let rules = "dice-poker-13";
    /// let start = Position::start(1, 3);
    /// let thrown = client.apply(rules, start, Move::throw_all(), Throw::Seed(42)).await?;
    /// let position = thrown.position.unwrap();
    /// assert_eq!(position.dice, [2, 3, 3, 6, 6]);
    /// let own = Throw::Dice([6, 6, 1].into());
    /// let next = client.apply(rules, position, Move::keep([6, 6]), own).await?;
    /// assert_eq!(next.position.unwrap().dice, [1, 6, 6, 6, 6]);
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// The errors of [`Client::legal_moves`], and `InvalidArgument` for an illegal move.
    pub async fn apply(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
        chosen: Move,
        throw: Throw,
    ) -> Result<ApplyResponse, Error> {
        let Rules { ruleset, options, definition } = rules.into();
        let (dice, seed) = match throw {
            Throw::None => (Vec::new(), None),
            Throw::Dice(dice) => (dice.into(), None),
            Throw::Seed(seed) => (Vec::new(), Some(seed)),
        };
        let request = pb::ApplyRequest {
            ruleset,
            options,
            definition,
            position: Some(position.into()),
            r#move: Some(chosen.into()),
            dice,
            seed,
        };
        call(self, request).await
    }

    /// Has a player play its turn to the end. The dice are those that [`Client::apply`] throws by
    /// this seed.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Opponent, Position};
    ///
    /// let start = Position::start(2, 3);
    /// let turn = client.play_turn("yahtzee", start, Opponent::profile("gambler"), 42).await?;
    /// assert_eq!(turn.steps[0].thrown.len(), 5);
    /// assert!(turn.steps.last().unwrap().recorded.is_some());
    /// assert_eq!(turn.position.unwrap().to_move, 1);
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// The errors of [`Client::legal_moves`], and `InvalidArgument` for an unknown opponent.
    pub async fn play_turn(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
        player: impl Into<Player>,
        seed: u64,
    ) -> Result<PlayTurnResponse, Error> {
        let Rules { ruleset, options, definition } = rules.into();
        let player = player.into();
        let (objective, target) = objective_fields(player.objective);
        let request = pb::PlayTurnRequest {
            ruleset,
            options,
            definition,
            position: Some(position.into()),
            opponent: player.opponent.map(Into::into),
            seed: Some(seed),
            objective,
            target,
        };
        call(self, request).await
    }

    /// Plays many games and streams their statistics. The deadline is that of the whole stream.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Opponent, Player, SimulateQuery};
    ///
    /// let query = SimulateQuery::new([Player::default(), Opponent::Level(1).into()], 200, 42);
    /// let end = client.simulate("yacht", query).await?.finish().await?;
    /// assert_eq!(end.games_played, 200);
    /// assert!(end.players[0].wins > end.players[1].wins);
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for unknown players, or more games than the service allows.
    pub async fn simulate(
        &self,
        rules: impl Into<Rules>,
        query: SimulateQuery,
    ) -> Result<Simulation, Error> {
        let Rules { ruleset, options, definition } = rules.into();
        let request = pb::SimulateRequest {
            ruleset,
            options,
            definition,
            players: query.players.into_iter().map(Into::into).collect(),
            games: query.games,
            seed: Some(query.seed),
            position: query.start,
        };
        let deadline = Instant::now() + self.deadline();
        let responses = call(self, request).await?;
        Ok(Simulation::new(responses, deadline, Error::deadline(self.deadline())))
    }

    /// Analyzes a ruleset, and streams the figures so far. The deadline is that of the whole stream.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::AnalyzeQuery;
    ///
    /// let query = AnalyzeQuery::new(100, 42).players(2);
    /// let end = client.analyze("dice-poker-classic", query).await?.finish().await?;
    /// let analysis = end.analysis.unwrap();
    /// assert_eq!(analysis.hands[0].hand, "five_alike");
    /// assert_eq!(analysis.hands[0].first_chance.unwrap().value, 6.0 / 7776.0);
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for a query that the rules do not allow, or more games than the service does.
    pub async fn analyze(
        &self,
        rules: impl Into<Rules>,
        query: AnalyzeQuery,
    ) -> Result<Analysis, Error> {
        let Rules { ruleset, options, definition } = rules.into();
        let compare = query.compare.map(|Rules { ruleset, options, definition }| {
            pb::ComparedRuleset { ruleset, options, definition }
        });
        let request = pb::AnalyzeRequest {
            ruleset,
            options,
            definition,
            games: query.games,
            seed: Some(query.seed),
            targets: query.targets,
            opponents: query.opponents.into_iter().map(Into::into).collect(),
            players: query.players,
            compare,
            quick: query.quick,
        };
        let deadline = Instant::now() + self.deadline();
        let responses = call(self, request).await?;
        Ok(Analysis::new(responses, deadline, Error::deadline(self.deadline())))
    }

    /// Reviews a game: the regret of each move and the luck of each throw.
    ///
    /// # Errors
    /// `InvalidArgument` at the first step that does not follow from the steps before it.
    pub async fn review(
        &self,
        rules: impl Into<Rules>,
        game: GameRecord,
    ) -> Result<ReviewResponse, Error> {
        let Rules { ruleset, options, definition } = rules.into();
        let GameRecord { start: position, steps } = game;
        call(self, pb::ReviewRequest { ruleset, options, definition, position, steps }).await
    }
}
