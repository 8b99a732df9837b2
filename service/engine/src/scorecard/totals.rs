//! The sums of a scorecard, of all of it and of each column.

use super::Scorecard;
use crate::category::CategorySet;
use crate::sheet::{MAX_TALLIES, Sheet};

/// The sums of a scorecard, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Sum of the upper section, without bonus; each column times its weight.
    pub upper: i32,
    /// Upper bonuses earned, times the weight of their column.
    pub upper_bonus: i32,
    /// Sum of the lower section, without rows that count through a product only; each column times
    /// its weight.
    pub lower: i32,
    /// Bonuses for further rolls of all dice alike.
    pub five_alike_bonus: i32,
    /// Everything else: other bonuses, products, the price of bought throws.
    pub other: i32,
}

impl Totals {
    /// All of it together.
    #[must_use]
    pub fn grand_total(&self) -> i32 {
        self.upper + self.upper_bonus + self.lower + self.five_alike_bonus + self.other
    }
}

impl Scorecard {
    /// The sums of the card.
    #[must_use]
    pub fn totals(&self, sheet: &Sheet) -> Totals {
        let price = sheet.bought().map_or(0, |(_, price)| i32::from(price));
        let mut totals = self.totals_of(sheet, None);
        totals.five_alike_bonus =
            i32::from(self.five_alike_bonuses) * i32::from(sheet.definition().five_alike_bonus);
        totals.other += sheet.starts_with() - price * i32::from(self.extra_throws);
        totals
    }

    /// The sums of a column, times its weight. Bonuses of the whole sheet or for further rolls of all
    /// dice alike, and the price of bought throws, are in no column.
    #[must_use]
    pub fn column_totals(&self, sheet: &Sheet, column: usize) -> Totals {
        let mut totals = self.totals_of(sheet, Some(column));
        totals.other += sheet.tallies().at_start_of(column);
        totals
    }

    /// What the boxes of a column, or of all of them, bring.
    fn totals_of(&self, sheet: &Sheet, column: Option<usize>) -> Totals {
        let weight = |category| sheet.weight(category);
        let boxes = column.map_or(sheet.categories(), |column| sheet.cells().of_column(column));
        let mut totals = Totals {
            upper: self.sum(boxes.and(sheet.upper()), weight),
            lower: self.sum(boxes.without(sheet.upper()), weight),
            ..Totals::default()
        };
        if sheet.upper_cap() > 0 {
            let bonus = i32::from(sheet.upper_bonus(self.sum(sheet.upper(), |_| 1)));
            // There is one column.
            let weight = sheet.upper().iter().next().map_or(1, |row| sheet.column_weight(row));
            totals.upper_bonus = weight * bonus;
        }
        if !sheet.tallies().is_empty() {
            let mut sums = [0; MAX_TALLIES];
            let mut filled = CategorySet::EMPTY;
            for category in self.filled.iter() {
                filled = filled.with(category);
                let points = self.points[category.index()];
                let (brought, _) = sheet.tallies().record(&mut sums, filled, category, points);
                if boxes.contains(category) {
                    totals.upper_bonus += brought.upper_bonus;
                    totals.other += brought.of_column;
                }
                if column.is_none() {
                    totals.other += brought.of_sheet;
                }
            }
        }
        totals
    }
}
