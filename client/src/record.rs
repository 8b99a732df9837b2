//! The record of a game, for review.

use crate::{ApplyResponse, Move, PlayTurnResponse, Position, TurnStep};

/// A game as played: every move of every player in the order of play, each with the faces
/// that it threw.
///
/// ```
/// # let server = dicepoker_testkit::InProcess::start();
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// # let client = dicepoker_client::Client::connect(server.url()).await?;
/// use dicepoker_client::{GameRecord, Opponent, Position};
///
/// let start = Position::start(1, 3);
/// let mut game = GameRecord::from_start(start.clone());
/// let turn = client.play_turn("yahtzee", start, Opponent::Level(2), 42).await?;
/// game.push_turn(&turn);
/// let review = client.review("yahtzee", game).await?;
/// let beginner = &review.players[0];
/// let end_value = beginner.start_value() + beginner.luck - beginner.regret;
/// assert!((beginner.end_value() - end_value).abs() < 1e-6);
/// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRecord {
    /// Where the record begins; `None` is the start of a game of one player, in the race of two.
    pub start: Option<Position>,
    /// The moves.
    pub steps: Vec<TurnStep>,
}

impl GameRecord {
    /// A game that begins here, without moves.
    #[must_use]
    pub fn from_start(start: Position) -> Self {
        Self { start: Some(start), steps: Vec::new() }
    }

    /// Adds the move `chosen`, made with `dice` on the table, and its response `applied`.
    pub fn push(&mut self, dice: impl Into<Vec<u32>>, chosen: Move, applied: &ApplyResponse) {
        self.steps.push(TurnStep {
            dice: dice.into(),
            r#move: Some(chosen.into()),
            thrown: applied.thrown.clone(),
            recorded: applied.recorded.clone(),
        });
    }

    /// Adds a turn that an opponent played.
    pub fn push_turn(&mut self, turn: &PlayTurnResponse) {
        self.steps.extend_from_slice(&turn.steps);
    }
}
