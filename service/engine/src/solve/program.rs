//! A sheet prepared for valuing its cards: the order of its states, and the states that records
//! lead to.

use super::layout::{Layout, Run};
use crate::category::{Category, CategorySet};
use crate::sheet::{RollClasses, Sheet};

/// A sheet prepared for solving.
#[derive(Clone, Debug)]
pub(super) struct Program<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) layout: Layout,
    /// `[category]`: see [`par`].
    pub(super) par: Vec<f32>,
    /// Categories where the next state depends on the points.
    pub(super) by_points: CategorySet,
}

/// The states that recording in one category leads to, from every class of upper totals of a run:
/// one class of roll after the other, for each class of totals its place in the next card, and the
/// points to add to the value there.
#[derive(Clone, Debug, Default)]
pub(super) struct Leads {
    pub(super) next: Vec<u32>,
    pub(super) add: Vec<f32>,
}

impl<'a> Program<'a> {
    pub(super) fn new(sheet: &'a Sheet) -> Self {
        Self {
            sheet,
            layout: Layout::new(sheet),
            par: sheet.categories().iter().map(|category| par(sheet, category)).collect(),
            by_points: sheet.leads_by_points(),
        }
    }

    /// Whether recording these points sets the flag of the row of all dice alike.
    pub(super) fn scores_alike(&self, category: Category, points: i16) -> bool {
        points > 0 && self.sheet.tracks_alike() && self.sheet.alike_row() == Some(category)
    }

    /// The states that recording in `category` leads to from those of `run`.
    pub(super) fn leads(&self, run: &Run, category: Category, classes: &RollClasses) -> Leads {
        let Self { sheet, layout, .. } = self;
        let par = self.par[category.index()];
        let counts = layout.rows.counted().contains(category);
        let filled = layout.rows.set(run.rows).with(category);
        let rows = layout.rows.number(filled);
        let mut leads = Leads::default();
        for class in classes.of(category) {
            let points = classes.points(class);
            for (i, &total) in layout.classes.totals(run.rows).iter().enumerate() {
                let (next, bonus) = if counts {
                    let sum = total + points as u16;
                    let bonus = sheet.upper_bonus(sum.into()) - sheet.upper_bonus(total.into());
                    (layout.classes.class(rows, sum.min(layout.classes.cap())), bonus)
                } else {
                    (i, 0)
                };
                leads.next.push(next as u32);
                leads.add.push(f32::from(points) + f32::from(bonus) - par);
            }
        }
        leads
    }
}

/// The assumed value of an open category in stored values: the table holds the difference, which is
/// small, so that its 24 bits of precision serve the small digits. Seven tenths of the most that a
/// category can pay is about what it brings in a game of every built-in ruleset; points paid on the
/// first roll only are too rare to count. An integer, so that sums of it are exact.
pub(super) fn par(sheet: &Sheet, category: Category) -> f32 {
    let most = sheet.points_by_roll(category, false).iter().max().copied().unwrap_or(0);
    (f32::from(most) * 0.7).round()
}
