//! The moves of a score-sheet game: keep some dice and throw the others, record the roll in a
//! category, or announce where it will be recorded.

use crate::category::{Category, CategorySet};
use crate::dice::{DiceSpace, Keep};
use crate::position::{Position, parse_faces};
use crate::sheet::Sheet;
use crate::violation::Violations;

/// A move of a score-sheet game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// These dice stay on the table, the others are thrown again; before the first throw of a
    /// turn it is [`Keep::EMPTY`], the throw of all dice. With no throw of the turn left it buys one.
    Keep(Keep),
    /// The roll is recorded in this category, which ends the turn.
    Record(Category),
    /// The turn will end by recording in this category of an announced column.
    Announce(Category),
}

/// A move as a caller sends it, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawMove {
    /// Keep dice of these faces.
    Keep(Vec<u32>),
    /// Record in the category of this id, in the column of this id.
    Record(String, String),
    /// Announce the category of this id, in the column of this id.
    Announce(String, String),
    /// End the turn without recording, which only the race allows.
    Stop,
}

impl Move {
    /// Parses a move. The position decides whether it is legal.
    ///
    /// # Errors
    /// Faces that these dice do not have, too many of them, or a category that the ruleset does not have.
    pub fn parse(sheet: &Sheet, chosen: &RawMove) -> Result<Self, Violations> {
        let mut found = Violations::new();
        match chosen {
            RawMove::Keep(dice) => match parse_keep(sheet.space(), dice, &mut found) {
                Some(keep) => found.or(Self::Keep(keep)),
                None => Err(found),
            },
            RawMove::Record(id, column) => {
                parse_box(sheet, id, column, "record", &mut found).map(Self::Record).ok_or(found)
            }
            RawMove::Announce(id, column) => parse_box(sheet, id, column, "announce", &mut found)
                .map(Self::Announce)
                .ok_or(found),
            RawMove::Stop => {
                found.push("stop", "in this ruleset every turn ends by recording a category");
                Err(found)
            }
        }
    }
}

/// Reads the first box of a row; reports violations under `field`.
fn parse_box(
    sheet: &Sheet,
    id: &str,
    column: &str,
    field: &str,
    found: &mut Violations,
) -> Option<Category> {
    let row = sheet.row(id);
    if row.is_none() {
        found.push(format!("{field}.category"), sheet.unknown_category(id));
    }
    match sheet.column(column) {
        Ok(column) => row.map(|row| sheet.cells().first(row, column)),
        Err(why) => {
            found.push(format!("{field}.column"), why);
            None
        }
    }
}

/// Reads the dice to keep; reports violations under `keep.dice`.
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
    /// Every legal move, each once: first the keeps by their number, then what may be announced,
    /// then the categories, both in the order of the sheet. Keeping all dice is not a move.
    pub fn legal_moves<'a>(&'a self, sheet: &'a Sheet) -> impl Iterator<Item = Move> + 'a {
        let throw = self.dice.is_none().then_some(Keep::EMPTY);
        let keeps = self.dice.filter(|_| self.may_throw(sheet));
        let records = self.records(sheet);
        let announced = self.announcements(sheet);
        throw
            .into_iter()
            .chain(keeps.into_iter().flat_map(|roll| sheet.space().keeps_of(roll)))
            .filter(|&keep| sheet.space().contains(keep, self.kept))
            .map(Move::Keep)
            .chain(announced.iter().map(Move::Announce))
            .chain(records.iter().map(Move::Record))
    }

    /// Whether a throw is left, or one can be bought.
    pub(crate) fn may_throw(&self, sheet: &Sheet) -> bool {
        let announced = self.announced.is_some() || self.may_throw_unannounced(sheet);
        announced && (self.rolls_left > 0 || self.may_buy(sheet))
    }

    /// Where the roll on the table may be recorded.
    pub(crate) fn records(&self, sheet: &Sheet) -> CategorySet {
        match (self.dice, self.announced) {
            (None, _) => CategorySet::EMPTY,
            (Some(_), Some(announced)) => CategorySet::EMPTY.with(announced),
            (Some(roll), None) => sheet.legal(self.state(sheet), roll),
        }
    }

    /// What may be announced now: after the first throw of a turn, once.
    pub(crate) fn announcements(&self, sheet: &Sheet) -> CategorySet {
        let now = self.dice.is_some() && self.announced.is_none() && self.is_first_roll(sheet);
        if now { self.announceable(sheet) } else { CategorySet::EMPTY }
    }

    /// Whether `chosen` is among the legal moves.
    #[must_use]
    pub fn is_legal(&self, sheet: &Sheet, chosen: Move) -> bool {
        match (chosen, self.dice) {
            (Move::Keep(keep), None) => keep == Keep::EMPTY,
            (Move::Keep(keep), Some(roll)) => {
                let space = sheet.space();
                self.may_throw(sheet)
                    && space.as_roll(keep).is_none()
                    && space.contains(space.as_keep(roll), keep)
                    && space.contains(keep, self.kept)
            }
            (Move::Record(category), _) => self.records(sheet).contains(category),
            (Move::Announce(category), _) => self.announcements(sheet).contains(category),
        }
    }

    /// `chosen` with the next entry of its row: callers name rows, not entries.
    #[must_use]
    pub fn next_entry(&self, sheet: &Sheet, chosen: Move) -> Move {
        let next = |category| self.card().next_of_row(sheet, category);
        match chosen {
            Move::Record(category) => Move::Record(next(category)),
            Move::Announce(category) => Move::Announce(next(category)),
            Move::Keep(_) => chosen,
        }
    }
}
