//! A moment in a game: the cards of all players, whose turn it is, and the dice on the table. A
//! [`Position`] is made only by [`Position::parse`] or by playing a move, so it is always one that
//! the rules allow.

use crate::category::Category;
use crate::dice::{DiceSpace, Keep, Roll};
use crate::scorecard::{RawScorecard, Scorecard};
use crate::sheet::{CardState, Sheet, Throw};
use crate::violation::{Violations, shorten};

/// The most players a position may have.
pub const MAX_PLAYERS: usize = 32;

/// A position as a caller sends it, not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawPosition {
    /// The faces on the table; empty before the first throw of a turn.
    pub dice: Vec<u32>,
    /// Throws the player may still make this turn.
    pub rolls_left: u32,
    /// The card of each player; an empty list is one player with an empty card.
    pub scorecards: Vec<RawScorecard>,
    /// Whose turn it is, an index of `scorecards`.
    pub to_move: u32,
    /// Whether all dice on the table were thrown at once; if absent, on the first roll of a turn.
    pub full_throw: Option<bool>,
    /// The category announced in this turn, and its column.
    pub announced: Option<(String, String)>,
    /// The dice that were kept in this turn, where kept dice stay.
    pub kept: Vec<u32>,
}

/// A position that a game by the rules of its [`Sheet`] can reach, with a move to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) cards: Vec<Scorecard>,
    pub(crate) to_move: usize,
    pub(crate) dice: Option<Roll>,
    pub(crate) rolls_left: u8,
    /// Whether all dice were thrown at once; false where that makes no difference, but on the first
    /// roll of a turn.
    pub(crate) full_throw: bool,
    pub(crate) announced: Option<Category>,
    /// Dice that must stay.
    pub(crate) kept: Keep,
}

/// Why an input is no [`Position`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// No game can reach it.
    #[error("{0}")]
    Impossible(Violations),
    /// The card of the player to move has no open category.
    #[error("the scorecard of player {player} is complete: no move is legal")]
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
            full_throw: false,
            announced: None,
            kept: Keep::EMPTY,
        }
    }

    /// Parses a position.
    ///
    /// # Errors
    /// [`Rejection::Impossible`] with every violation of the rules of `sheet`; [`Rejection::Finished`]
    /// if there is none, but no move is legal.
    pub fn parse(sheet: &Sheet, position: &RawPosition) -> Result<Self, Rejection> {
        let (cards, wrong_cards) = parse_cards(sheet, &position.scorecards);
        let to_move = position.to_move as usize;
        let finished = cards.get(to_move).is_some_and(|card| card.is_complete(sheet));
        let mut found = Violations::new();
        // After the last move of a game there are neither dice nor throws left.
        let over = finished && position.dice.is_empty() && position.rolls_left == 0;
        let rolls = cards.get(to_move).map_or(sheet.rolls(), |card| card.throws(sheet));
        let dice = if over { None } else { parse_dice(sheet, position, rolls, &mut found) };
        found.extend_under("", wrong_cards);
        if to_move >= cards.len() {
            found.push(
                "to_move",
                format!("must be the index of a scorecard, below {}", cards.len()),
            );
        }
        found.or(()).map_err(Rejection::Impossible)?;
        if finished || cards.iter().any(Scorecard::has_won) {
            return Err(Rejection::Finished { player: to_move });
        }
        let mut parsed = Self {
            cards,
            to_move,
            dice,
            rolls_left: position.rolls_left as u8,
            full_throw: false,
            announced: None,
            kept: Keep::EMPTY,
        };
        let mut found = Violations::new();
        parsed.parse_turn(sheet, position, &mut found);
        found.or(parsed).map_err(Rejection::Impossible)
    }

    /// Parses the state that earlier moves of the turn left.
    fn parse_turn(&mut self, sheet: &Sheet, position: &RawPosition, found: &mut Violations) {
        let first = self.is_first_roll(sheet);
        match position.full_throw {
            Some(_) if !sheet.counts_full_throw() => {
                found
                    .push("full_throw", "must be left out: it makes no difference in this ruleset");
            }
            Some(false) if first => {
                found.push("full_throw", "the first throw of a turn throws all dice");
            }
            whole => self.full_throw = self.dice.is_some() && (first || whole == Some(true)),
        }
        if let Some((id, column)) = &position.announced {
            let column = sheet.column(column);
            match (sheet.row(id), column) {
                (None, _) => found.push("announced.category", sheet.unknown_category(id)),
                (_, Err(why)) => found.push("announced.column", why),
                (Some(row), Ok(column)) => {
                    let boxes = sheet.cells().of_row(row, column).and(self.announceable(sheet));
                    self.announced = boxes.iter().next();
                    if self.announced.is_none() || self.dice.is_none() {
                        let why = "is no open row of an announced column";
                        found.push("announced.category", format!("\"{}\" {why}", shorten(id)));
                    }
                }
            }
        } else if self.dice.is_some() && !first && !self.may_throw_unannounced(sheet) {
            found.push("announced", "required: only announced columns have open rows");
        }
        if position.kept.is_empty() {
            return;
        }
        let faces = parse_faces(sheet.space(), &position.kept, "kept", found);
        let kept = sheet.space().keep_of(&faces).filter(|_| faces.len() == position.kept.len());
        let on_table = self.dice.map(|roll| sheet.space().as_keep(roll));
        if !sheet.definition().kept_dice_stay {
            found.push("kept", "must be left out: in this ruleset every die may be thrown again");
        } else if first {
            found.push("kept", "must be left out on the first roll of a turn");
        } else {
            match kept.filter(|&kept| on_table.is_some_and(|all| sheet.space().contains(all, kept)))
            {
                Some(kept) => self.kept = kept,
                None => found.push("kept", "these dice are not all on the table"),
            }
        }
    }

    /// The categories that may be announced with this card.
    pub(crate) fn announceable(&self, sheet: &Sheet) -> crate::category::CategorySet {
        sheet.open(self.state(sheet)).and(sheet.cells().announced())
    }

    /// Whether the turn can continue without an announcement: a category is open that needs none.
    pub(crate) fn may_throw_unannounced(&self, sheet: &Sheet) -> bool {
        !sheet.open(self.state(sheet)).without(sheet.cells().announced()).is_empty()
    }

    /// The state of the card to move.
    pub(crate) fn state(&self, sheet: &Sheet) -> CardState {
        self.card().state(sheet)
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
    pub fn is_first_roll(&self, sheet: &Sheet) -> bool {
        self.rolls_left + 1 == self.card().throws(sheet)
    }

    /// The throw of the turn that the dice on the table come from, as far as points depend on it.
    #[must_use]
    pub fn throw(&self, sheet: &Sheet) -> Throw {
        let before = self.card().throws(sheet).saturating_sub(self.rolls_left + 1);
        sheet.throw(before.into(), self.full_throw)
    }

    /// Whether all dice on the table were thrown at once, where that makes a difference.
    #[must_use]
    pub fn full_throw(&self) -> bool {
        self.full_throw
    }

    /// The category that was announced in this turn.
    #[must_use]
    pub fn announced(&self) -> Option<Category> {
        self.announced
    }

    /// The dice that were kept in this turn and must stay.
    #[must_use]
    pub fn kept(&self) -> Keep {
        self.kept
    }

    /// Whether a throw may be bought now: none of the turn is left.
    #[must_use]
    pub fn may_buy(&self, sheet: &Sheet) -> bool {
        let left = sheet.bought().is_some_and(|(number, _)| self.card().extra_throws() < number);
        left && self.rolls_left == 0 && self.dice.is_some()
    }
}

/// Parses the card of every player; an empty list is one empty card, and a card with violations becomes
/// empty.
fn parse_cards(sheet: &Sheet, scorecards: &[RawScorecard]) -> (Vec<Scorecard>, Violations) {
    let mut found = Violations::new();
    if scorecards.len() > MAX_PLAYERS {
        found.push(
            "scorecards",
            format!("{} players: must be at most {MAX_PLAYERS}", scorecards.len()),
        );
    }
    let mut cards: Vec<Scorecard> = scorecards
        .iter()
        .enumerate()
        .take(MAX_PLAYERS)
        .map(|(i, card)| {
            Scorecard::parse(sheet, card).unwrap_or_else(|inner| {
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

fn parse_dice(
    sheet: &Sheet,
    position: &RawPosition,
    rolls: u8,
    found: &mut Violations,
) -> Option<Roll> {
    let rolls = u32::from(rolls);
    if position.dice.is_empty() {
        if position.rolls_left != rolls {
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
    let roll = parse_roll(sheet.space(), &position.dice, found);
    if position.rolls_left >= rolls {
        found.push(
            "rolls_left",
            format!("{}: must be 0 to {} with dice on the table", position.rolls_left, rolls - 1),
        );
    }
    roll
}

/// Parses all dice on the table; reports violations under `dice`.
pub fn parse_roll(space: &DiceSpace, dice: &[u32], found: &mut Violations) -> Option<Roll> {
    if dice.len() != space.dice() {
        found.push("dice", format!("{} dice: must be {}", dice.len(), space.dice()));
    }
    let faces = parse_faces(space, dice, "dice", found);
    space.roll_of(&faces)
}

/// Parses some dice; reports each invalid face under `field`, and leaves it out.
pub fn parse_faces(
    space: &DiceSpace,
    dice: &[u32],
    field: &str,
    found: &mut Violations,
) -> Vec<u8> {
    let faces = space.faces();
    // With more than one die too many, the message about their number suffices.
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
