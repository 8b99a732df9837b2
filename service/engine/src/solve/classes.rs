//! Points by class of roll. A category pays few different amounts, so what a roll is worth in it
//! is computed once per amount instead of once per roll: all 252 rolls fall into six classes for
//! an upper row and two for a straight. The classes of all categories are numbered together, as
//! the rows of one table that a batch of cards fills before it values its rolls.

use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::sheet::Sheet;

/// The classes of roll of a sheet, for the first roll of a turn or for the others.
#[derive(Clone, Debug)]
pub(super) struct RollClasses {
    /// `[category]`: the first of its classes; one more element closes the last.
    starts: Vec<usize>,
    /// `[class]`: points.
    points: Vec<u16>,
    /// `[roll * categories + category]`: class.
    class_of: Vec<u16>,
    categories: usize,
    /// Categories that pay few rolls only, and nothing to the others.
    sparse: CategorySet,
    /// `[category]`: the rolls a sparse category pays, with their class.
    paid: Vec<Vec<(u16, u16)>>,
}

impl RollClasses {
    /// Sorts the rolls of `sheet` into classes. `by_class` are the categories where what is
    /// recorded changes more than the points; they are never sparse.
    pub(super) fn new(sheet: &Sheet, served: bool, by_class: CategorySet) -> Self {
        let categories = sheet.categories().len();
        let rolls = sheet.space().rolls();
        let mut classes = Self {
            starts: vec![0],
            points: Vec::new(),
            class_of: vec![0; rolls * categories],
            categories,
            sparse: CategorySet::EMPTY,
            paid: vec![Vec::new(); categories],
        };
        for category in sheet.categories().iter() {
            let by_roll = sheet.points_by_roll(category, served);
            let start = classes.points.len();
            let mut points = by_roll.to_vec();
            points.sort_unstable();
            points.dedup();
            for (roll, value) in by_roll.iter().enumerate() {
                let class = start + points.binary_search(value).expect("listed");
                classes.class_of[roll * categories + category.index()] = class as u16;
            }
            classes.points.append(&mut points);
            classes.starts.push(classes.points.len());
            let paying = by_roll.iter().filter(|&&points| points > 0).count();
            if paying * SPARSE <= rolls && paying < rolls && !by_class.contains(category) {
                classes.sparse = classes.sparse.with(category);
                classes.paid[category.index()] = (0..rolls)
                    .filter(|&roll| by_roll[roll] > 0)
                    .map(|roll| {
                        (roll as u16, classes.class_of[roll * categories + category.index()])
                    })
                    .collect();
            }
        }
        classes
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// The classes of a category.
    pub(super) fn of(&self, category: Category) -> std::ops::Range<usize> {
        self.starts[category.index()]..self.starts[category.index() + 1]
    }

    /// The points that a class pays.
    pub(super) fn points(&self, class: usize) -> u16 {
        self.points[class]
    }

    /// The class of a roll in a category.
    pub(super) fn class(&self, roll: Roll, category: Category) -> usize {
        usize::from(self.class_of[roll.index() * self.categories + category.index()])
    }

    /// The classes of every roll: a chunk of [`RollClasses::categories`] elements each.
    pub(super) fn by_roll(&self) -> &[u16] {
        &self.class_of
    }

    /// Number of categories.
    pub(super) fn categories(&self) -> usize {
        self.categories
    }

    /// The categories that pay few rolls, see [`RollClasses::paid`].
    pub(super) fn sparse(&self) -> CategorySet {
        self.sparse
    }

    /// The rolls that a sparse category pays, each with its class.
    pub(super) fn paid(&self, category: Category) -> &[(u16, u16)] {
        &self.paid[category.index()]
    }
}

/// A category is sparse if it pays at most one roll in so many. A paid roll costs a load, a
/// maximum and a store, where a dense category costs half of a load and a maximum a roll.
const SPARSE: usize = 3;
