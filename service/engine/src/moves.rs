//! What a player may do: keep some dice and throw the others, or record the roll in a category.

use crate::category::Category;
use crate::dice::{DiceSpace, Keep};
use crate::position::{Position, parse_faces};
use crate::sheet::Sheet;
use crate::violation::Violations;

/// A move of a score-sheet game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// These dice stay on the table, the others are thrown again; before the first throw of a
    /// turn it is [`Keep::EMPTY`], the throw of all dice.
    Keep(Keep),
    /// The roll is written into this category, which ends the turn.
    Record(Category),
}

/// A move as it arrives from outside, not yet known to make sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawMove {
    /// Keep dice of these faces.
    Keep(Vec<u32>),
    /// Record in the category of this id.
    Record(String),
    /// End the turn without recording, which only the race allows.
    Stop,
}

impl Move {
    /// Reads a move as it arrives from outside. Whether it is legal is for the position to say.
    ///
    /// # Errors
    /// Faces these dice do not have, too many of them, or a category that the ruleset has not.
    pub fn parse(sheet: &Sheet, raw: &RawMove) -> Result<Self, Violations> {
        let mut found = Violations::new();
        match raw {
            RawMove::Keep(dice) => match parse_keep(sheet.space(), dice, &mut found) {
                Some(keep) => found.or(Self::Keep(keep)),
                None => Err(found),
            },
            RawMove::Record(id) => sheet.category(id).map(Self::Record).ok_or_else(|| {
                found.push("record.category", sheet.unknown_category(id));
                found
            }),
            RawMove::Stop => {
                found.push("stop", "in this ruleset every turn ends by recording a category");
                Err(found)
            }
        }
    }
}

/// Reads the dice to keep; notes what is wrong with them under `keep.dice`.
pub fn parse_keep(space: &DiceSpace, dice: &[u32], found: &mut Violations) -> Option<Keep> {
    if dice.len() > space.dice() {
        found.push(
            "keep.dice",
            format!("{} dice: there are {} on the table", dice.len(), space.dice()),
        );
    }
    let faces = parse_faces(space, dice, "keep.dice", found);
    if found.is_empty() { space.keep_of(&faces) } else { None }
}

impl Position {
    /// Every legal move, each once: first the keeps by their number, then the categories in the
    /// order of the sheet. Keeping all dice is none: it would throw nothing.
    pub fn legal_moves<'a>(&'a self, sheet: &'a Sheet) -> impl Iterator<Item = Move> + 'a {
        let throw = self.dice.is_none().then_some(Keep::EMPTY);
        let keeps = self.dice.filter(|_| self.rolls_left > 0);
        let records = self.dice.map(|roll| sheet.legal(self.card().state(sheet), roll));
        throw
            .into_iter()
            .chain(keeps.into_iter().flat_map(|roll| sheet.space().keeps_of(roll)))
            .map(Move::Keep)
            .chain(records.into_iter().flat_map(|set| set.iter()).map(Move::Record))
    }

    /// Whether `chosen` is among the legal moves.
    #[must_use]
    pub fn is_legal(&self, sheet: &Sheet, chosen: Move) -> bool {
        match (chosen, self.dice) {
            (Move::Keep(keep), None) => keep == Keep::EMPTY,
            (Move::Keep(keep), Some(roll)) => {
                let space = sheet.space();
                self.rolls_left > 0
                    && space.as_roll(keep).is_none()
                    && space.contains(space.as_keep(roll), keep)
            }
            (Move::Record(category), Some(roll)) => {
                sheet.legal(self.card().state(sheet), roll).contains(category)
            }
            (Move::Record(_), None) => false,
        }
    }
}
