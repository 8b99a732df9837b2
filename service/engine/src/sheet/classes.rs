//! Points by class of roll. A category pays few different amounts, so the value of a roll in it is
//! computed once per amount instead of once per roll: the 252 rolls fall into six classes for an
//! upper row and two for a straight. The classes of all categories are numbered together, as the
//! rows of one table that a batch of cards fills before it values its rolls.

use crate::category::{Category, CategorySet};
use crate::dice::Roll;

/// The classes of roll of a sheet, for the first roll of a turn or for the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct RollClasses {
    /// `[category]`: the first of its classes; one more element closes the last.
    starts: Vec<usize>,
    /// `[class]`: points.
    points: Vec<i16>,
    /// `[roll * categories + category]`: class.
    class_of: Vec<u16>,
    /// `[category * rolls + roll]`: the same by category.
    by_category: Vec<u16>,
    categories: usize,
    /// Categories that pay few rolls only, and nothing to the others.
    sparse: CategorySet,
    /// `[category]`: the rolls a sparse category pays, with their class.
    paid: Vec<Vec<(u16, u16)>>,
}

impl RollClasses {
    /// Sorts the rolls into classes. `points` is `[category * rolls + roll]`; `by_points` are the
    /// categories where what is recorded changes more than the points, which are never sparse.
    pub(super) fn new(points: &[i16], rolls: usize, by_points: CategorySet) -> Self {
        let categories = points.len() / rolls;
        let mut classes = Self {
            starts: vec![0],
            points: Vec::new(),
            class_of: vec![0; rolls * categories],
            by_category: Vec::with_capacity(rolls * categories),
            categories,
            sparse: CategorySet::EMPTY,
            paid: vec![Vec::new(); categories],
        };
        for (index, by_roll) in points.chunks_exact(rolls).enumerate() {
            let start = classes.points.len();
            let mut values = by_roll.to_vec();
            values.sort_unstable();
            values.dedup();
            for (roll, points) in by_roll.iter().enumerate() {
                let class = (start + values.binary_search(points).expect("listed")) as u16;
                classes.class_of[roll * categories + index] = class;
                classes.by_category.push(class);
            }
            classes.points.append(&mut values);
            classes.starts.push(classes.points.len());
            let paying = by_roll.iter().filter(|&&points| points > 0).count();
            let category = Category::new(index);
            let miss = classes.points[start];
            if paying * SPARSE <= rolls && miss == 0 && !by_points.contains(category) {
                classes.sparse = classes.sparse.with(category);
                classes.paid[index] = (0..rolls)
                    .filter(|&roll| by_roll[roll] > 0)
                    .map(|roll| (roll as u16, classes.class_of[roll * categories + index]))
                    .collect();
            }
        }
        classes
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let paid: usize = self.paid.iter().map(|paid| size_of_val(&paid[..])).sum();
        size_of_val(&self.starts[..])
            + size_of_val(&self.points[..])
            + size_of_val(&self.class_of[..])
            + size_of_val(&self.by_category[..])
            + size_of_val(&self.paid[..])
            + paid
    }

    /// Number of classes.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// The classes of a category.
    pub(crate) fn of(&self, category: Category) -> std::ops::Range<usize> {
        self.starts[category.index()]..self.starts[category.index() + 1]
    }

    /// The points that a class pays.
    pub(crate) fn points(&self, class: usize) -> i16 {
        self.points[class]
    }

    /// The class of a roll in a category.
    pub(crate) fn class(&self, roll: Roll, category: Category) -> usize {
        usize::from(self.class_of[roll.index() * self.categories + category.index()])
    }

    /// The class of a roll in each category.
    pub(crate) fn of_roll(&self, roll: Roll) -> &[u16] {
        &self.class_of[roll.index() * self.categories..][..self.categories]
    }

    /// The class of every roll in a category.
    pub(crate) fn of_rolls(&self, category: Category) -> &[u16] {
        let rolls = self.by_category.len() / self.categories;
        &self.by_category[category.index() * rolls..][..rolls]
    }

    /// Number of categories.
    pub(crate) fn categories(&self) -> usize {
        self.categories
    }

    /// The categories that pay few rolls, see [`RollClasses::paid`].
    pub(crate) fn sparse(&self) -> CategorySet {
        self.sparse
    }

    /// The rolls that a sparse category pays, each with its class.
    pub(crate) fn paid(&self, category: Category) -> &[(u16, u16)] {
        &self.paid[category.index()]
    }
}

/// A category is sparse if it pays at most one roll in so many. A paid roll costs a load, a maximum
/// and a store; a dense category costs half a load and a maximum a roll.
const SPARSE: usize = 3;
