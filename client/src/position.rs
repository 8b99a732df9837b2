//! A moment in a game: the cards of all players, whose turn it is, and the dice on the table.

use serde::{Deserialize, Serialize};

use crate::{Dice, Scorecard};

/// A moment in a game. Between two turns there are no dice on the table and `rolls_left` is the
/// number of throws a turn has; the one move is then to keep nothing, which throws all dice.
///
/// ```
/// use dicepoker_client::{Position, Scorecard};
///
/// // Two throws left on an otherwise empty card.
/// let early = Position::new([2, 4, 6, 1, 1], 2);
/// // The second of two players, after the last throw.
/// let late = Position::new([2, 4, 6, 1, 1], 0)
///     .with_cards([Scorecard::new(), Scorecard::new().with("ones", 3)])
///     .with_to_move(1);
/// assert_eq!(late.card(), Some(&Scorecard::new().with("ones", 3)));
/// # assert_eq!(early.card(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
    /// Faces on the table: all dice of the ruleset, or none before a throw.
    pub dice: Dice,
    /// Throws the player may still make in this turn.
    pub rolls_left: u32,
    /// The card of each player; none at all stands for one player with an empty card.
    pub scorecards: Vec<Scorecard>,
    /// Whose turn it is: an index of `scorecards`.
    pub to_move: u32,
    /// Only in the race: whether all dice on the table were thrown together ("de mão"). If left
    /// out, only after the first throw of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_throw: Option<bool>,
    /// Only in the race with `sum_of_figures`: the count carried over from the throws before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_count: Option<RunningCount>,
    /// Only in the race: how many turns have ended in this game; it changes nothing but the dice
    /// of a seed.
    #[serde(skip_serializing_if = "is_zero")]
    pub turns_ended: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A count of one figure that runs over several throws of a turn; only in the race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunningCount {
    /// Id of the figure's row, such as `queens`.
    pub category: String,
    /// What the throws before this one add up to, in points.
    pub points: i32,
}

impl Position {
    /// These dice on the table with so many throws left, one player, an empty card.
    #[must_use]
    pub fn new(dice: impl Into<Dice>, rolls_left: u32) -> Self {
        Self { dice: dice.into(), rolls_left, ..Self::default() }
    }

    /// The start of a game of `players` players by rules of `rolls` throws a turn
    /// ([`Definition::rolls`](crate::Definition::rolls)).
    #[must_use]
    pub fn start(players: usize, rolls: u32) -> Self {
        Self { rolls_left: rolls, scorecards: vec![Scorecard::new(); players], ..Self::default() }
    }

    /// The position with one player's card.
    #[must_use]
    pub fn with_card(self, card: Scorecard) -> Self {
        self.with_cards([card])
    }

    /// The position with the cards of all players, in the order of their turns.
    #[must_use]
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = Scorecard>) -> Self {
        self.scorecards = cards.into_iter().collect();
        self
    }

    /// The position with another player to move.
    #[must_use]
    pub fn with_to_move(mut self, player: u32) -> Self {
        self.to_move = player;
        self
    }

    /// The card of the player to move, if it was given.
    #[must_use]
    pub fn card(&self) -> Option<&Scorecard> {
        self.scorecards.get(self.to_move as usize)
    }
}
