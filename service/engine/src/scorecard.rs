//! A player's card: the points in each category, bonuses for further rolls of all dice alike, and
//! throws saved or bought. Sums and other bonuses are derived, never stored.

mod totals;

pub use self::totals::Totals;
use crate::category::{Category, CategorySet, MAX_CATEGORIES};
use crate::sheet::{CardState, Gain, MAX_TALLIES, Sheet};
use crate::violation::{Violations, shorten};

/// A scorecard as a caller sends it, not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawScorecard {
    /// The filled categories, in any order.
    pub entries: Vec<RawEntry>,
    /// The number of bonuses for a further roll of all dice alike, each times the weight of the
    /// column that it was recorded in.
    pub five_alike_bonuses: u32,
    /// Throws saved in earlier turns, or bought in the game.
    pub extra_throws: u32,
}

/// A filled category as a caller sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawEntry {
    /// Id of the category.
    pub category: String,
    /// Id of the column; empty on a sheet without columns.
    pub column: String,
    /// The points in it: one value for each entry of a row, up to five in a row of the race.
    pub points: Vec<i32>,
}

/// A card that a game by the rules of its [`Sheet`] can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scorecard {
    filled: CategorySet,
    points: [i16; MAX_CATEGORIES],
    five_alike_bonuses: u16,
    extra_throws: u8,
    won: bool,
}

impl Default for Scorecard {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Scorecard {
    /// The card with nothing filled.
    pub const EMPTY: Self = Self {
        filled: CategorySet::EMPTY,
        points: [0; MAX_CATEGORIES],
        five_alike_bonuses: 0,
        extra_throws: 0,
        won: false,
    };

    /// Parses a card.
    ///
    /// # Errors
    /// Every violation on it: unknown categories, categories filled twice or before they open,
    /// points that a category never has, bonuses without their row, throws that were never saved.
    pub fn parse(sheet: &Sheet, card: &RawScorecard) -> Result<Self, Violations> {
        let mut parsed = Self::EMPTY;
        let mut found = Violations::new();
        let definition = sheet.definition();
        let lines = definition.categories.len() * definition.columns.len().max(1);
        if card.entries.len() > lines {
            found.push(
                "entries",
                format!("{} entries: this ruleset has {lines} categories", card.entries.len()),
            );
        }
        // One more than fits is enough to report.
        for (i, entry) in card.entries.iter().enumerate().take(lines + 1) {
            parsed.parse_entry(sheet, entry, i, &mut found);
        }
        parsed.check_order(sheet, card, &mut found);
        parsed.parse_bonuses(sheet, card.five_alike_bonuses, &mut found);
        parsed.parse_throws(sheet, card.extra_throws, &mut found);
        found.or(parsed)
    }

    fn parse_entry(
        &mut self,
        sheet: &Sheet,
        entry: &RawEntry,
        index: usize,
        found: &mut Violations,
    ) {
        let path = |field: &str| format!("entries[{index}].{field}");
        let Some(row) = sheet.row(&entry.category) else {
            found.push(path("category"), sheet.unknown_category(&entry.category));
            return;
        };
        let column = match sheet.column(&entry.column) {
            Ok(column) => column,
            Err(why) => {
                found.push(path("column"), why);
                return;
            }
        };
        let boxes = sheet.cells().of_row(row, column);
        if !boxes.and(self.filled).is_empty() {
            found.push(path("category"), format!("\"{}\" is filled twice", entry.category));
        }
        if !(1..=boxes.len()).contains(&entry.points.len()) {
            let holds = entry.points.len();
            found.push(
                path("points"),
                match boxes.len() {
                    1 => format!("must hold exactly one value: it holds {holds}"),
                    most => format!("must hold 1 to {most} values: it holds {holds}"),
                },
            );
        }
        for (category, &points) in boxes.iter().zip(&entry.points) {
            self.filled = self.filled.with(category);
            let possible = sheet.possible_points(category);
            match i16::try_from(points).ok().filter(|points| possible.contains(points)) {
                Some(points) => {
                    self.points[category.index()] = points;
                    self.won |= sheet.wins_with(category, points);
                }
                None => found.push(
                    path("points"),
                    format!(
                        "{points} is impossible in \"{}\": must be {}",
                        entry.category,
                        list(possible)
                    ),
                ),
            }
        }
    }

    /// Reports the filled boxes that were not open when they were filled.
    fn check_order(&self, sheet: &Sheet, card: &RawScorecard, found: &mut Violations) {
        let cells = sheet.cells();
        for category in self.filled.and(cells.gated()).iter() {
            let missing = cells.requires(category).without(self.filled);
            let Some(first) = missing.iter().next() else { continue };
            let (id, column) = (sheet.id(category), sheet.column_id(category));
            let index = card.entries.iter().position(|e| e.category == id && e.column == column);
            found.push(
                format!("entries[{}].category", index.unwrap_or(0)),
                format!("\"{id}\" opens only when \"{}\" is full", sheet.id(first)),
            );
        }
    }

    fn parse_bonuses(&mut self, sheet: &Sheet, bonuses: u32, found: &mut Violations) {
        if bonuses == 0 {
            return;
        }
        let field = "five_alike_bonuses";
        if sheet.definition().five_alike_bonus == 0 {
            found.push(field, "must be 0: this ruleset has no such bonus");
            return;
        }
        let Some(row) = sheet.alike_row() else { return };
        let boxes = sheet.alike_cells();
        let others = self.filled.without(boxes);
        let most: i32 = others.iter().map(|category| sheet.column_weight(category)).sum();
        if !boxes.iter().all(|category| self.points(category).is_some_and(|points| points > 0)) {
            found.push(
                field,
                format!("must be 0 while \"{}\" does not hold its points", sheet.id(row)),
            );
        } else if i64::from(bonuses) > i64::from(most) {
            found.push(
                field,
                format!(
                    "{bonuses} bonuses: each came with one of the {} other filled categories",
                    others.len()
                ),
            );
        } else {
            self.five_alike_bonuses = bonuses as u16;
        }
    }

    fn parse_throws(&mut self, sheet: &Sheet, throws: u32, found: &mut Violations) {
        let turns = self.filled.len() as u32;
        let (most, why) = match sheet.bought() {
            Some((number, _)) => (number.into(), "throws that may be bought in a game"),
            None if sheet.saves_throws() => (
                turns * (u32::from(sheet.rolls()) - 1),
                "throws that the turns before can have saved",
            ),
            None => (0, "throws are neither saved nor bought in this ruleset"),
        };
        if throws > most {
            found.push("extra_throws", format!("{throws}: must be at most {most}, the {why}"));
        } else {
            self.extra_throws = throws as u8;
        }
    }

    /// The categories filled.
    #[must_use]
    pub fn filled(&self) -> CategorySet {
        self.filled
    }

    /// The next entry to be filled of the row that `category` belongs to; the last one of a full
    /// row.
    #[must_use]
    pub fn next_of_row(&self, sheet: &Sheet, category: Category) -> Category {
        let cell = sheet.cells().get(category);
        let boxes = sheet.cells().of_row(cell.row, cell.column);
        let next = boxes.without(self.filled).iter().next();
        next.or(boxes.iter().last()).unwrap_or(category)
    }

    /// The points in `category`, if it is filled.
    #[must_use]
    pub fn points(&self, category: Category) -> Option<i16> {
        self.filled.contains(category).then(|| self.points[category.index()])
    }

    /// How many bonuses for a further roll of all dice alike were earned, by weight.
    #[must_use]
    pub fn five_alike_bonuses(&self) -> u32 {
        self.five_alike_bonuses.into()
    }

    /// Throws saved in earlier turns, or bought in the game.
    #[must_use]
    pub fn extra_throws(&self) -> u8 {
        self.extra_throws
    }

    /// The throws that the card's next turn has, those saved included.
    #[must_use]
    pub fn throws(&self, sheet: &Sheet) -> u8 {
        sheet.rolls() + if sheet.saves_throws() { self.extra_throws } else { 0 }
    }

    /// Whether a roll on the card wins the game whatever the totals are.
    #[must_use]
    pub fn has_won(&self) -> bool {
        self.won
    }

    /// Whether the card has no move left: all categories are filled, or it has won.
    #[must_use]
    pub fn is_complete(&self, sheet: &Sheet) -> bool {
        self.won || self.filled == sheet.categories()
    }

    /// The state of the card.
    #[must_use]
    pub fn state(&self, sheet: &Sheet) -> CardState {
        if self.won {
            return CardState { filled: sheet.categories(), ..CardState::EMPTY };
        }
        if !sheet.tallies().is_empty() {
            // The value of a sum may depend on which boxes are filled.
            let empty = CardState { extra_throws: self.extra_throws, ..CardState::EMPTY };
            return self.filled.iter().fold(empty, |state, category| {
                sheet.after(state, category, self.points[category.index()])
            });
        }
        let mut upper = 0;
        if sheet.upper_cap() > 0 {
            upper = self.sum(sheet.upper(), |_| 1).clamp(0, sheet.upper_cap().into());
        }
        let alike = sheet.alike_row().and_then(|row| self.points(row));
        CardState {
            filled: self.filled,
            upper: upper as u16,
            alike_scored: sheet.tracks_alike() && alike.is_some_and(|points| points > 0),
            extra_throws: self.extra_throws,
            tallies: [0; MAX_TALLIES],
        }
    }

    /// The card after `gain` was recorded in `category`.
    #[must_use]
    pub fn with(mut self, sheet: &Sheet, category: Category, gain: Gain) -> Self {
        debug_assert!(!self.filled.contains(category));
        self.filled = self.filled.with(category);
        self.points[category.index()] = gain.points;
        if gain.five_alike_bonus > 0 {
            self.five_alike_bonuses += sheet.column_weight(category) as u16;
        }
        self.won |= sheet.wins_with(category, gain.points);
        self
    }

    /// The card with so many throws saved or bought.
    #[must_use]
    pub(crate) fn with_extra_throws(mut self, throws: u8) -> Self {
        self.extra_throws = throws;
        self
    }

    fn sum(&self, categories: CategorySet, weight: impl Fn(Category) -> i32) -> i32 {
        let categories = self.filled.and(categories).iter();
        categories.map(|c| weight(c) * i32::from(self.points[c.index()])).sum()
    }
}

impl Sheet {
    /// The index of the column of this id; the id of an only column may be left out.
    ///
    /// # Errors
    /// A message with the valid ids.
    pub(crate) fn column(&self, id: &str) -> Result<usize, String> {
        let columns = &self.definition().columns;
        match columns.iter().position(|column| column.id == id) {
            Some(column) => Ok(column),
            None if columns.len() < 2 && id.is_empty() => Ok(0),
            None if columns.is_empty() => {
                Err("must be left out: this ruleset has no columns".into())
            }
            None => {
                let ids: Vec<&str> = columns.iter().map(|column| column.id.as_str()).collect();
                Err(format!("\"{}\" is no column: must be one of {}", shorten(id), ids.join(", ")))
            }
        }
    }
}

/// `0, 25` or, where there are many, `0 to 30 in steps a roll can give`.
fn list(values: &[i16]) -> String {
    let names: Vec<String> = values.iter().map(i16::to_string).collect();
    match names.as_slice() {
        [one] => one.clone(),
        [first, .., last] if names.len() > 12 => {
            format!("one of the {} values from {first} to {last} that dice give", names.len())
        }
        _ => format!("one of {}", names.join(", ")),
    }
}
