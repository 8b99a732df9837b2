//! The arguments of Score, Suggest and Apply besides rules.

use crate::{Dice, Objective, Opponent, Position, Scorecard};

/// What to score: a roll, a scorecard, both, or a whole position.
///
/// ```
/// use dicepoker_client::{ScoreQuery, Scorecard};
///
/// // Dice alone convert.
/// let roll: ScoreQuery = [1, 3, 2, 4, 4].into();
/// let on_a_card = ScoreQuery::from([5, 5, 5, 5, 5]).on(Scorecard::new().with("five_alike", 50));
/// let one_row = ScoreQuery::from([1, 3, 2, 4, 4]).only("small_straight");
/// # let _ = (roll, on_a_card, one_row);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreQuery {
    pub(crate) dice: Dice,
    pub(crate) scorecard: Option<Scorecard>,
    pub(crate) position: Option<Position>,
    pub(crate) category: String,
    pub(crate) hands: Vec<Dice>,
}

impl ScoreQuery {
    /// Hands of a showdown to compare.
    #[must_use]
    pub fn hands<D: Into<Dice>>(hands: impl IntoIterator<Item = D>) -> Self {
        Self { hands: hands.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The sums of a card, without a roll.
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

    /// Sets the card that the roll is scored for.
    #[must_use]
    pub fn on(mut self, card: Scorecard) -> Self {
        self.scorecard = Some(card);
        self
    }

    /// Scores only this category.
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

/// Which advice to give. A position alone converts: every legal move is ranked.
///
/// ```
/// use dicepoker_client::{Opponent, Position, SuggestQuery};
///
/// let position = Position::new([2, 4, 6, 1, 1], 2);
/// let best_three = SuggestQuery::from(position.clone()).top(3);
/// let beginner = SuggestQuery::from(position).opponent(Opponent::Level(1), 42);
/// # let _ = (best_three, beginner);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuggestQuery {
    pub(crate) position: Position,
    pub(crate) max_alternatives: u32,
    pub(crate) opponent: Option<(Opponent, u64)>,
    pub(crate) objective: Option<Objective>,
    /// The language of the explanation, if there is to be one.
    pub(crate) explain: Option<String>,
}

impl SuggestQuery {
    /// Returns only the `max_alternatives` best moves; 0 for all.
    #[must_use]
    pub fn top(mut self, max_alternatives: u32) -> Self {
        self.max_alternatives = max_alternatives;
        self
    }

    /// Makes [`SuggestResponse::move`](crate::SuggestResponse) the move of this opponent, which may
    /// make errors; the same seed gives the same move. The alternatives stay the same.
    #[must_use]
    pub fn opponent(mut self, opponent: Opponent, seed: u64) -> Self {
        self.opponent = Some((opponent, seed));
        self
    }

    /// Ranks the moves by this objective instead of the game's first one. Until the service has
    /// made its tables, chances are estimates; with an opponent the call waits for them some seconds: see
    /// [`Client::with_deadline`](crate::Client::with_deadline).
    #[must_use]
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = Some(objective);
        self
    }

    /// Adds an explanation of the move, with its plan in this language: `en`, `pt` or `lt`. Not in
    /// the race.
    #[must_use]
    pub fn explained(mut self, language: impl Into<String>) -> Self {
        self.explain = Some(language.into());
        self
    }
}

impl From<Position> for SuggestQuery {
    fn from(position: Position) -> Self {
        Self { position, ..Self::default() }
    }
}

/// The dice that a move throws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Throw {
    /// None: the move records or stops.
    #[default]
    None,
    /// These, as many as the move does not keep.
    Dice(Dice),
    /// Thrown by the service from this seed: the same seed in the same position gives the same
    /// dice, and one seed serves a whole game.
    Seed(u64),
}
