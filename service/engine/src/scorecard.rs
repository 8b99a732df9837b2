//! A player's card: what stands in each category, and the bonuses for further rolls of all dice
//! alike, which stand in none. Sums and upper bonuses are derived, never stored.

use crate::category::{Category, CategorySet, MAX_CATEGORIES};
use crate::sheet::{CardState, Gain, Sheet};
use crate::violation::Violations;

/// A scorecard as it arrives from outside, not yet known to be possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawScorecard {
    /// The filled categories, in any order.
    pub entries: Vec<RawEntry>,
    /// How many bonuses for a further roll of all dice alike were earned.
    pub five_alike_bonuses: u32,
}

/// A filled category as it arrives from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawEntry {
    /// Id of the category.
    pub category: String,
    /// The points in it: one value on a score sheet, up to five in a row of the race.
    pub points: Vec<i32>,
}

/// A card that a game by the rules of its [`Sheet`] can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scorecard {
    filled: CategorySet,
    points: [u16; MAX_CATEGORIES],
    five_alike_bonuses: u8,
}

/// The sums of a scorecard, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Sum of the upper section, without bonus.
    pub upper: u32,
    /// Upper bonuses earned.
    pub upper_bonus: u32,
    /// Sum of the lower section.
    pub lower: u32,
    /// Bonuses for further rolls of all dice alike.
    pub five_alike_bonus: u32,
}

impl Totals {
    /// All of it together.
    #[must_use]
    pub fn grand_total(&self) -> u32 {
        self.upper + self.upper_bonus + self.lower + self.five_alike_bonus
    }
}

impl Default for Scorecard {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Scorecard {
    /// The card with nothing filled.
    pub const EMPTY: Self =
        Self { filled: CategorySet::EMPTY, points: [0; MAX_CATEGORIES], five_alike_bonuses: 0 };

    /// Reads a card as it arrives from outside.
    ///
    /// # Errors
    /// Everything on it that no game by the rules of `sheet` can lead to: unknown categories,
    /// categories filled twice, points a category never holds, bonuses without their row.
    pub fn parse(sheet: &Sheet, raw: &RawScorecard) -> Result<Self, Violations> {
        let mut card = Self::EMPTY;
        let mut found = Violations::new();
        let rows = sheet.definition().categories.len();
        if raw.entries.len() > rows {
            found.push(
                "entries",
                format!("{} entries: this ruleset has {rows} categories", raw.entries.len()),
            );
        }
        // One more than fits is enough to tell; the rest is not worth a message each.
        for (i, entry) in raw.entries.iter().enumerate().take(rows + 1) {
            card.parse_entry(sheet, entry, i, &mut found);
        }
        card.parse_bonuses(sheet, raw.five_alike_bonuses, &mut found);
        found.or(card)
    }

    fn parse_entry(
        &mut self,
        sheet: &Sheet,
        entry: &RawEntry,
        index: usize,
        found: &mut Violations,
    ) {
        let Some(category) = sheet.category(&entry.category) else {
            found.push(
                format!("entries[{index}].category"),
                sheet.unknown_category(&entry.category),
            );
            return;
        };
        if self.filled.contains(category) {
            found.push(
                format!("entries[{index}].category"),
                format!("\"{}\" is filled twice", entry.category),
            );
        }
        self.filled = self.filled.with(category);
        let possible = sheet.possible_points(category);
        match entry.points[..] {
            [points] => match u16::try_from(points).ok().filter(|p| possible.contains(p)) {
                Some(points) => self.points[category.index()] = points,
                None => found.push(
                    format!("entries[{index}].points"),
                    format!(
                        "{points} can never stand in \"{}\": must be {}",
                        entry.category,
                        list(possible)
                    ),
                ),
            },
            _ => found.push(
                format!("entries[{index}].points"),
                format!("must hold exactly one value: it holds {}", entry.points.len()),
            ),
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
        if !self.filled.contains(row) || self.points[row.index()] == 0 {
            found.push(
                field,
                format!("must be 0 while \"{}\" does not hold its points", sheet.id(row)),
            );
        } else if bonuses as usize > self.filled.len() - 1 {
            found.push(
                field,
                format!(
                    "{bonuses} bonuses: each came with one of the {} other filled categories",
                    self.filled.len() - 1
                ),
            );
        } else {
            self.five_alike_bonuses = bonuses as u8;
        }
    }

    /// The categories filled.
    #[must_use]
    pub fn filled(&self) -> CategorySet {
        self.filled
    }

    /// What stands in `category`, if it is filled.
    #[must_use]
    pub fn points(&self, category: Category) -> Option<u16> {
        self.filled.contains(category).then(|| self.points[category.index()])
    }

    /// How many bonuses for a further roll of all dice alike were earned.
    #[must_use]
    pub fn five_alike_bonuses(&self) -> u32 {
        self.five_alike_bonuses.into()
    }

    /// Whether all categories are filled.
    #[must_use]
    pub fn is_complete(&self, sheet: &Sheet) -> bool {
        self.filled == sheet.categories()
    }

    /// What decides the rest of the card's game.
    #[must_use]
    pub fn state(&self, sheet: &Sheet) -> CardState {
        let upper = self.sum(sheet.upper()).min(sheet.upper_cap().into());
        let alike = sheet.alike_row().and_then(|row| self.points(row));
        CardState {
            filled: self.filled,
            upper: upper as u16,
            alike_scored: sheet.tracks_alike() && alike.is_some_and(|points| points > 0),
        }
    }

    /// The card after `gain` was recorded in `category`.
    #[must_use]
    pub fn with(mut self, category: Category, gain: Gain) -> Self {
        debug_assert!(!self.filled.contains(category));
        self.filled = self.filled.with(category);
        self.points[category.index()] = gain.points;
        self.five_alike_bonuses += u8::from(gain.five_alike_bonus > 0);
        self
    }

    /// The sums of the card.
    #[must_use]
    pub fn totals(&self, sheet: &Sheet) -> Totals {
        let upper = self.sum(sheet.upper());
        Totals {
            upper,
            upper_bonus: sheet.upper_bonus(upper).into(),
            lower: self.sum(sheet.categories().without(sheet.upper())),
            five_alike_bonus: u32::from(self.five_alike_bonuses)
                * u32::from(sheet.definition().five_alike_bonus),
        }
    }

    fn sum(&self, categories: CategorySet) -> u32 {
        self.filled.and(categories).iter().map(|c| u32::from(self.points[c.index()])).sum()
    }
}

/// `0, 25` or, where there are many, `0 to 30 in steps a roll can give`.
fn list(values: &[u16]) -> String {
    let names: Vec<String> = values.iter().map(u16::to_string).collect();
    match names.as_slice() {
        [one] => one.clone(),
        [first, .., last] if names.len() > 12 => {
            format!("one of the {} values from {first} to {last} that dice give", names.len())
        }
        _ => format!("one of {}", names.join(", ")),
    }
}
