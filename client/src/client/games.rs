//! Playing on: a move, a whole turn, many games; and the study of one that was played.

use dicepoker_proto::v1 as pb;
use tokio::time::Instant;

use crate::call::call;
use crate::convert::{
    read_applied, read_review, read_turn, write_move, write_objective, write_opponent,
    write_player, write_position, write_rules, write_step,
};
use crate::{
    Applied, Client, Error, GameRecord, Move, PlayedTurn, Player, Position, Review, Rules,
    SimulateQuery, Simulation, Throw,
};

impl Client {
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

    /// Somebody plays a turn to the end: every throw and move of it. The dice are those that
    /// [`Client::apply`] throws by this seed.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Move, Opponent, Position};
    ///
    /// let start = Position::start(2, 3);
    /// let turn = client.play_turn("yahtzee", start, Opponent::profile("gambler"), 42).await?;
    /// assert_eq!(turn.steps[0].chosen, Move::throw_all());
    /// assert!(turn.steps.last().unwrap().recorded.is_some());
    /// assert_eq!(turn.position.to_move, 1);
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`Client::legal_moves`]; also for an opponent that there is not.
    pub async fn play_turn(
        &self,
        rules: impl Into<Rules>,
        position: impl Into<Position>,
        player: impl Into<Player>,
        seed: u64,
    ) -> Result<PlayedTurn, Error> {
        let player = player.into();
        let (objective, target) = write_objective(player.objective);
        let (ruleset, options, definition) = write_rules(rules.into());
        let request = pb::PlayTurnRequest {
            ruleset,
            options,
            definition,
            position: Some(write_position(position.into())),
            opponent: player.opponent.map(write_opponent),
            seed: Some(seed),
            objective,
            target,
        };
        Ok(read_turn(call(self, request).await?)?)
    }
    /// Plays many games between players and tells how they went, as they go. The deadline is that
    /// of all of them.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
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
    /// `InvalidArgument` for players there are not, or more games than the service allows.
    pub async fn simulate(
        &self,
        rules: impl Into<Rules>,
        query: SimulateQuery,
    ) -> Result<Simulation, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let request = pb::SimulateRequest {
            ruleset,
            options,
            definition,
            players: query.players.into_iter().map(write_player).collect(),
            games: query.games,
            seed: Some(query.seed),
            position: query.start.map(write_position),
        };
        let deadline = Instant::now() + self.deadline();
        let answers = call(self, request).await?;
        Ok(Simulation::new(answers, deadline, Error::deadline(self.deadline())))
    }

    /// Studies a game that was played: what each move gave up, and what each throw brought.
    ///
    /// # Errors
    /// `InvalidArgument` where the record goes wrong.
    pub async fn review(&self, rules: impl Into<Rules>, game: GameRecord) -> Result<Review, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let request = pb::ReviewRequest {
            ruleset,
            options,
            definition,
            position: game.start.map(write_position),
            steps: game.steps.into_iter().map(write_step).collect(),
        };
        Ok(read_review(call(self, request).await?)?)
    }
}
