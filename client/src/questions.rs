//! What a caller asks beyond rules and position: what is to be scored, and which dice a move throws.

use crate::{Dice, Position, Scorecard};

/// What is to be scored: a roll, a scorecard, both, or a whole position.
///
/// ```
/// use dicepoker_client::{ScoreQuery, Scorecard};
///
/// // Anything that is dice will do where only a roll is to be scored.
/// let roll: ScoreQuery = [1, 3, 2, 4, 4].into();
/// let on_a_card = ScoreQuery::from([5, 5, 5, 5, 5]).on(Scorecard::new().with("five_alike", 50));
/// let one_row = ScoreQuery::from([1, 3, 2, 4, 4]).only("small_straight");
/// # let _ = (roll, on_a_card, one_row);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreQuery {
    pub(crate) dice: Dice,
    pub(crate) scorecard: Option<Scorecard>,
    pub(crate) position: Option<Position>,
    pub(crate) category: String,
}

impl ScoreQuery {
    /// Only the sums of a card.
    #[must_use]
    pub fn card(card: Scorecard) -> Self {
        Self { scorecard: Some(card), ..Self::default() }
    }

    /// The dice and the card of the player to move of a position: for rules in which the number of
    /// the throw or other players' cards change what a roll is worth.
    #[must_use]
    pub fn position(position: Position) -> Self {
        Self { position: Some(position), ..Self::default() }
    }

    /// The roll as it would be written on this card.
    #[must_use]
    pub fn on(mut self, card: Scorecard) -> Self {
        self.scorecard = Some(card);
        self
    }

    /// Only this category.
    #[must_use]
    pub fn only(mut self, category: impl Into<String>) -> Self {
        self.category = category.into();
        self
    }
}

impl<D: Into<Dice>> From<D> for ScoreQuery {
    fn from(dice: D) -> Self {
        Self { dice: dice.into(), ..Self::default() }
    }
}

/// The dice that a move throws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Throw {
    /// The move throws none: it records.
    #[default]
    None,
    /// The caller's own: as many as the move does not keep.
    Dice(Dice),
    /// Thrown by the service from this seed: the same seed in the same position gives the same
    /// dice, and one seed can serve a whole game.
    Seed(u64),
}
