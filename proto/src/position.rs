//! Constructors and readers of positions, scorecards and scores.

use crate::v1::{
    CategoryScore, Position, ScoreResponse, Scorecard, ShowdownPlayer, ShowdownPosition,
    scorecard::Entry,
};

/// ```
/// use dicepoker_proto::v1::{Position, Scorecard};
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
impl Position {
    /// These dice on the table with so many throws left, one player, an empty card.
    #[must_use]
    pub fn new(dice: impl Into<Vec<u32>>, rolls_left: u32) -> Self {
        Self { dice: dice.into(), rolls_left, ..Self::default() }
    }

    /// The start of a game of `players` players by rules of `rolls` throws a turn
    /// ([`RulesetDefinition::rolls`](crate::v1::RulesetDefinition::rolls)).
    #[must_use]
    pub fn start(players: usize, rolls: u32) -> Self {
        Self { rolls_left: rolls, scorecards: vec![Scorecard::new(); players], ..Self::default() }
    }

    /// The start of a showdown of `players` players by rules of `rolls` throws a round.
    #[must_use]
    pub fn start_showdown(players: usize, rolls: u32) -> Self {
        let players = vec![ShowdownPlayer::default(); players];
        let showdown = ShowdownPosition { players, ..ShowdownPosition::default() };
        Self { rolls_left: rolls, showdown: Some(showdown), ..Self::default() }
    }

    /// Sets the card of a single player.
    #[must_use]
    pub fn with_card(self, card: Scorecard) -> Self {
        self.with_cards([card])
    }

    /// Sets the cards of all players, in the order of their turns.
    #[must_use]
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = Scorecard>) -> Self {
        self.scorecards = cards.into_iter().collect();
        self
    }

    /// Sets the player to move.
    #[must_use]
    pub fn with_to_move(mut self, player: u32) -> Self {
        self.to_move = player;
        self
    }

    /// The card of the player to move, if there is one.
    #[must_use]
    pub fn card(&self) -> Option<&Scorecard> {
        self.scorecards.get(self.to_move as usize)
    }
}

/// ```
/// use dicepoker_proto::v1::Scorecard;
///
/// let card = Scorecard::new().with("ones", 3).with("chance", 22);
/// assert_eq!(card.points("ones"), Some(3));
/// assert_eq!(card.points("twos"), None);
/// ```
impl Scorecard {
    /// The card with nothing filled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes `points` into `category`: on a score sheet its one value, in the race the row's next
    /// cell.
    #[must_use]
    pub fn with(mut self, category: impl Into<String>, points: i32) -> Self {
        let category = category.into();
        match self.entries.iter_mut().find(|entry| entry.category == category) {
            Some(entry) => entry.points.push(points),
            None => self.entries.push(Entry { category, points: vec![points], ..Entry::default() }),
        }
        self
    }

    /// Sets the number of bonuses for further rolls of all dice alike.
    #[must_use]
    pub fn with_five_alike_bonuses(mut self, count: u32) -> Self {
        self.five_alike_bonuses = count;
        self
    }

    /// The values in `category`: one on a score sheet, the cells of a row in the race; empty if it
    /// is open.
    #[must_use]
    pub fn cells(&self, category: &str) -> &[i32] {
        let entry = self.entries.iter().find(|entry| entry.category == category);
        entry.map_or(&[], |entry| &entry.points)
    }

    /// The points in `category`, the sum of its cells; `None` if it is open.
    #[must_use]
    pub fn points(&self, category: &str) -> Option<i32> {
        let cells = self.cells(category);
        (!cells.is_empty()).then(|| cells.iter().sum())
    }
}

impl ScoreResponse {
    /// The score of the roll in `category`, if it was scored.
    #[must_use]
    pub fn get(&self, category: &str) -> Option<&CategoryScore> {
        self.scores.iter().find(|score| score.category == category)
    }
}
