//! Categories by number. The filled part of a scorecard is a bit set, so that exact solving works
//! on arrays; names are in the ruleset's definition and are needed only to read and to write.

use std::fmt;

/// The most categories a ruleset may have.
pub const MAX_CATEGORIES: usize = 80;

/// A category of a ruleset: its place on the score sheet, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Category(u8);

impl Category {
    /// The category at this place of the sheet.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_CATEGORIES`].
    #[must_use]
    pub fn new(index: usize) -> Self {
        assert!(index < MAX_CATEGORIES);
        Self(index as u8)
    }

    /// The place on the score sheet, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of categories, such as those filled on a scorecard. Bit `i` stands for category `i`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CategorySet(u128);

impl CategorySet {
    /// No category.
    pub const EMPTY: Self = Self(0);

    /// The first `count` categories of a sheet.
    #[must_use]
    pub fn first(count: usize) -> Self {
        debug_assert!(count <= MAX_CATEGORIES);
        Self((1 << count) - 1)
    }

    /// The set whose bit `i` says whether category `i` is in it; none from the 33rd on.
    #[must_use]
    pub fn from_bits(bits: u32) -> Self {
        Self(bits as u128)
    }

    /// The set as a number; bit `i` stands for category `i`.
    ///
    /// # Panics
    /// If a category from the 33rd on is in the set: tables with an element for every set exist
    /// for small sheets only.
    #[must_use]
    pub fn bits(self) -> u32 {
        u32::try_from(self.0).expect("a set of the first 32 categories")
    }

    /// Whether `category` is in the set.
    #[must_use]
    pub fn contains(self, category: Category) -> bool {
        self.0 >> category.0 & 1 == 1
    }

    /// The set with `category` in it.
    #[must_use]
    pub fn with(self, category: Category) -> Self {
        Self(self.0 | 1 << category.0)
    }

    /// The categories in either set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The categories in both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The categories in this set that are not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// How many categories are in the set.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no category is in the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The categories in the set, in the order of the sheet.
    pub fn iter(self) -> impl Iterator<Item = Category> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (index < u128::BITS).then_some(Category(index as u8))
        })
    }
}

impl FromIterator<Category> for CategorySet {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Self {
        categories.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for CategorySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Category::index)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_its_categories_in_sheet_order() {
        let set: CategorySet = [7, 0, 79, 3].map(Category::new).into_iter().collect();
        assert_eq!(set.iter().map(Category::index).collect::<Vec<_>>(), [0, 3, 7, 79]);
        assert_eq!(set.len(), 4);
        assert!(set.contains(Category::new(79)) && !set.contains(Category::new(78)));
        assert!(CategorySet::first(0).is_empty());
        assert_eq!(CategorySet::first(80).without(set).len(), 76);
    }
}
