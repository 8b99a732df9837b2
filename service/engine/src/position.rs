//! A moment in a game: the cards of all players, whose turn it is, and the dice on the table.
//! A [`Position`] can only be made by [`Position::parse`] or by playing a move, so wherever one
//! is, it is one that the rules allow.

use crate::dice::{DiceSpace, Roll};
use crate::scorecard::{RawScorecard, Scorecard};
use crate::sheet::Sheet;
use crate::violation::Violations;

/// The most players a position may have.
pub const MAX_PLAYERS: usize = 32;

/// A position as it arrives from outside, not yet known to be possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawPosition {
    /// The faces on the table; empty before the first throw of a turn.
    pub dice: Vec<u32>,
    /// Throws the player may still make this turn.
    pub rolls_left: u32,
    /// The card of each player; none means one player with an empty card.
    pub scorecards: Vec<RawScorecard>,
    /// Whose turn it is, an index of `scorecards`.
    pub to_move: u32,
}

/// A position that a game by the rules of its [`Sheet`] can come to, with a move to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) cards: Vec<Scorecard>,
    pub(crate) to_move: usize,
    pub(crate) dice: Option<Roll>,
    pub(crate) rolls_left: u8,
}

/// Why something that arrived from outside is no [`Position`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// No game can come to it.
    #[error("{0}")]
    Impossible(Violations),
    /// The card of the player to move has no open category.
    #[error("the scorecard of player {player} is complete: there is no move to make")]
    Finished {
        /// Index of the player whose card it is.
        player: usize,
    },
}

impl Position {
    /// The start of a game of `players` players.
    ///
    /// # Panics
    /// If `players` is 0 or above [`MAX_PLAYERS`].
    #[must_use]
    pub fn start(sheet: &Sheet, players: usize) -> Self {
        assert!((1..=MAX_PLAYERS).contains(&players));
        Self {
            cards: vec![Scorecard::EMPTY; players],
            to_move: 0,
            dice: None,
            rolls_left: sheet.rolls(),
        }
    }

    /// Reads a position as it arrives from outside.
    ///
    /// # Errors
    /// [`Rejection::Impossible`] with everything that no game by the rules of `sheet` can lead
    /// to; [`Rejection::Finished`] if all is well but there is no move to make.
    pub fn parse(sheet: &Sheet, raw: &RawPosition) -> Result<Self, Rejection> {
        let (cards, wrong_cards) = parse_cards(sheet, &raw.scorecards);
        let to_move = raw.to_move as usize;
        let finished = cards.get(to_move).is_some_and(|card| card.is_complete(sheet));
        let mut found = Violations::new();
        // After the last move of a game there are neither dice nor throws left.
        let over = finished && raw.dice.is_empty() && raw.rolls_left == 0;
        let dice = if over { None } else { parse_dice(sheet, raw, &mut found) };
        found.extend_under("", wrong_cards);
        if to_move >= cards.len() {
            found.push(
                "to_move",
                format!("must be the index of a scorecard, below {}", cards.len()),
            );
        }
        found.or(()).map_err(Rejection::Impossible)?;
        if finished {
            return Err(Rejection::Finished { player: to_move });
        }
        Ok(Self { cards, to_move, dice, rolls_left: raw.rolls_left as u8 })
    }

    /// The card of each player.
    #[must_use]
    pub fn cards(&self) -> &[Scorecard] {
        &self.cards
    }

    /// The card of the player whose turn it is.
    #[must_use]
    pub fn card(&self) -> &Scorecard {
        &self.cards[self.to_move]
    }

    /// Whose turn it is, an index of [`Position::cards`].
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// The dice on the table; none before the first throw of a turn.
    #[must_use]
    pub fn dice(&self) -> Option<Roll> {
        self.dice
    }

    /// Throws the player may still make this turn.
    #[must_use]
    pub fn rolls_left(&self) -> u8 {
        self.rolls_left
    }

    /// Whether the dice on the table are those of the first throw of the turn.
    #[must_use]
    pub fn is_served(&self, sheet: &Sheet) -> bool {
        self.rolls_left + 1 == sheet.rolls()
    }
}

/// Reads every player's card, one empty card if there are none; a card with something wrong on it
/// is left empty.
fn parse_cards(sheet: &Sheet, raw: &[RawScorecard]) -> (Vec<Scorecard>, Violations) {
    let mut found = Violations::new();
    if raw.len() > MAX_PLAYERS {
        found.push("scorecards", format!("{} players: must be at most {MAX_PLAYERS}", raw.len()));
    }
    let mut cards: Vec<Scorecard> = raw
        .iter()
        .enumerate()
        .take(MAX_PLAYERS)
        .map(|(i, raw)| {
            Scorecard::parse(sheet, raw).unwrap_or_else(|inner| {
                found.extend_under(&format!("scorecards[{i}]"), inner);
                Scorecard::EMPTY
            })
        })
        .collect();
    if cards.is_empty() {
        cards.push(Scorecard::EMPTY);
    }
    (cards, found)
}

fn parse_dice(sheet: &Sheet, raw: &RawPosition, found: &mut Violations) -> Option<Roll> {
    let rolls = u32::from(sheet.rolls());
    if raw.dice.is_empty() {
        if raw.rolls_left != rolls {
            found.push(
                "dice",
                format!(
                    "none: must be {} dice, or none with rolls_left {rolls} before the first \
                     throw of a turn",
                    sheet.space().dice()
                ),
            );
        }
        return None;
    }
    let roll = parse_roll(sheet.space(), &raw.dice, found);
    if raw.rolls_left >= rolls {
        found.push(
            "rolls_left",
            format!("{}: must be 0 to {} with dice on the table", raw.rolls_left, rolls - 1),
        );
    }
    roll
}

/// Reads all dice on the table; notes what is wrong with them under `dice`.
pub fn parse_roll(space: &DiceSpace, dice: &[u32], found: &mut Violations) -> Option<Roll> {
    if dice.len() != space.dice() {
        found.push("dice", format!("{} dice: must be {}", dice.len(), space.dice()));
    }
    let faces = parse_faces(space, dice, "dice", found);
    space.roll_of(&faces)
}

/// Reads some dice; notes under `field` each that shows no face of these dice. Leaves those out.
pub fn parse_faces(
    space: &DiceSpace,
    dice: &[u32],
    field: &str,
    found: &mut Violations,
) -> Vec<u8> {
    let faces = space.faces();
    // Past one more than fits, the count is wrong anyway and its message is enough.
    dice.iter()
        .enumerate()
        .take(space.dice() + 1)
        .filter_map(|(i, &face)| {
            let legal = (1..=faces).contains(&(face as usize));
            if !legal {
                found
                    .push(format!("{field}[{i}]"), format!("{face}: must be a face, 1 to {faces}"));
            }
            legal.then_some(face as u8)
        })
        .collect()
}
