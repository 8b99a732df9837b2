//! What recording is worth on one card: the values of the cards that a turn leads to.

use super::super::{Values, states};
use crate::category::{Category, CategorySet};
use crate::sheet::{CardState, Sheet};

/// The points that each box may hold, numbered together.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Slots {
    /// `[category]`: the first of its slots; one more element closes the last.
    starts: Vec<usize>,
    /// `[table][class of roll]`: the slot of its points.
    of_class: Vec<Vec<u16>>,
}

impl Slots {
    pub(super) fn new(sheet: &Sheet) -> Self {
        let mut starts = vec![0];
        for category in sheet.categories().iter() {
            starts.push(starts[category.index()] + sheet.possible_points(category).len());
        }
        let mut slots = Self { starts, of_class: Vec::new() };
        for table in 0..sheet.tables() {
            let classes = sheet.classes_of_table(table);
            let mut of_class = vec![0; classes.len()];
            for category in sheet.categories().iter() {
                for class in classes.of(category) {
                    of_class[class] = slots.of(sheet, category, classes.points(class)) as u16;
                }
            }
            slots.of_class.push(of_class);
        }
        slots
    }

    pub(super) fn len(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The slots of a table's classes of roll.
    pub(super) fn of_classes(&self, table: usize) -> &[u16] {
        &self.of_class[table]
    }

    /// The first slot of `category`.
    #[inline(always)]
    pub(in crate::solve) fn first(&self, category: Category) -> usize {
        self.starts[category.index()]
    }

    pub(super) fn of(&self, sheet: &Sheet, category: Category, points: i16) -> usize {
        let place = sheet.possible_points(category).binary_search(&points);
        self.first(category) + place.expect("possible points")
    }
}

/// Values of the cards that one turn leads to.
pub(in crate::solve) trait Ahead: Values {
    /// The boxes in which the turn of a card in `state` may record, of boxes in sequence and of
    /// columns that are alike the next one.
    fn open(&self, sheet: &Sheet, state: CardState) -> CategorySet {
        sheet.groups().next(state.filled, sheet.open(state))
    }

    /// Sets the slots of the categories in `open` to what recording those points on a card in
    /// `state` is worth: what they bring, and the value of the card after it.
    fn ahead(
        &self,
        sheet: &Sheet,
        slots: &Slots,
        state: CardState,
        open: CategorySet,
        worth: &mut [f32],
    ) {
        ahead_each(self, sheet, slots, state, open, worth);
    }
}

/// [`Ahead::ahead`] by the value of each card.
pub(in crate::solve) fn ahead_each(
    values: &(impl Values + ?Sized),
    sheet: &Sheet,
    slots: &Slots,
    state: CardState,
    open: CategorySet,
    worth: &mut [f32],
) {
    let by_points = sheet.leads_by_points();
    for category in open.iter() {
        let mut further = None;
        let worth = &mut worth[slots.first(category)..];
        for (worth, &points) in worth.iter_mut().zip(sheet.possible_points(category)) {
            let value = further.filter(|_| !by_points.contains(category)).unwrap_or_else(|| {
                states::value(sheet, values, sheet.after(state, category, points))
            });
            further = Some(value);
            let gain = sheet.gain_of_points(state, category, points).total();
            *worth = (f64::from(gain) + value) as f32;
        }
    }
}
