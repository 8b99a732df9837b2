//! Playing on: a move, or an opponent's whole turn.

use dicepoker_proto::v1 as pb;

use crate::call::call;
use crate::convert::{
    read_applied, read_turn, write_move, write_opponent, write_position, write_rules,
};
use crate::{Applied, Client, Error, Move, Opponent, PlayedTurn, Position, Rules, Throw};

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

    /// An opponent plays its turn to the end: every throw and move of it. The dice are those that
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
        opponent: Opponent,
        seed: u64,
    ) -> Result<PlayedTurn, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let request = pb::PlayTurnRequest {
            ruleset,
            options,
            definition,
            position: Some(write_position(position.into())),
            opponent: Some(write_opponent(opponent)),
            seed: Some(seed),
        };
        Ok(read_turn(call(self, request).await?)?)
    }
}
