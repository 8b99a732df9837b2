//! The boxes of a score sheet. A row has a box for each of its entries in each column, and each box
//! is a [`Category`] of its own: the filled part of a card is a set of them, on any sheet. The
//! order of filling is a relation: which boxes must be full before another opens.

use crate::category::{Category, CategorySet};
use crate::definition::{Definition, Order};

/// The place of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Index of the row in [`Definition::categories`].
    pub(crate) row: usize,
    /// Index of the column.
    pub(crate) column: usize,
    /// Which entry of the row it holds, from 0.
    pub(crate) entry: usize,
}

/// All boxes of a sheet: one column after the other, from top to bottom.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    /// `[column * rows + row]`: the first box of the row.
    first: Vec<usize>,
    rows: usize,
    /// `[box]`: the boxes that must be full before it opens.
    requires: Vec<CategorySet>,
    /// The boxes that require any.
    gated: CategorySet,
    /// The boxes of announced columns.
    announced: CategorySet,
}

/// Number of boxes of a definition, sound or not.
pub(crate) fn count(definition: &Definition) -> usize {
    let entries: usize = definition.categories.iter().map(|c| usize::from(c.entries)).sum();
    entries.saturating_mul(definition.columns.len().max(1))
}

impl Cells {
    /// The boxes of a definition with as many as there may be. Rows that do not exist are ignored.
    pub(crate) fn new(definition: &Definition) -> Self {
        let rows = definition.categories.len();
        let mut cells = Self {
            cells: Vec::new(),
            first: Vec::new(),
            rows,
            requires: Vec::new(),
            gated: CategorySet::EMPTY,
            announced: CategorySet::EMPTY,
        };
        for column in 0..definition.columns.len().max(1) {
            for (row, category) in definition.categories.iter().enumerate() {
                cells.first.push(cells.cells.len());
                let entries = 0..usize::from(category.entries);
                cells.cells.extend(entries.map(|entry| Cell { row, column, entry }));
            }
        }
        for index in 0..cells.cells.len() {
            let requires = cells.required(definition, cells.cells[index]);
            let category = Category::new(index);
            if !requires.is_empty() {
                cells.gated = cells.gated.with(category);
            }
            let order = definition.columns.get(cells.cells[index].column).map(|c| c.order);
            if order == Some(Order::Announced) {
                cells.announced = cells.announced.with(category);
            }
            cells.requires.push(requires);
        }
        cells
    }

    fn required(&self, definition: &Definition, cell: Cell) -> CategorySet {
        let Cell { row, column, entry } = cell;
        if entry > 0 {
            return CategorySet::EMPTY
                .with(Category::new(self.first(row, column).index() + entry - 1));
        }
        let before = match definition.columns.get(column).map_or(Order::Free, |c| c.order) {
            Order::Down => row.checked_sub(1),
            Order::Up => Some(row + 1).filter(|&row| row < self.rows),
            Order::Free | Order::Announced => None,
        };
        let named = definition.categories[row].after.iter();
        let named = named.filter_map(|id| definition.categories.iter().position(|c| c.id == *id));
        named.chain(before).flat_map(|row| self.of_row(row, column).iter()).collect()
    }

    /// Number of boxes.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The place of a box.
    pub(crate) fn get(&self, category: Category) -> Cell {
        self.cells[category.index()]
    }

    /// All boxes, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (Category, Cell)> + '_ {
        self.cells.iter().enumerate().map(|(index, &cell)| (Category::new(index), cell))
    }

    /// The first box of a row.
    pub(crate) fn first(&self, row: usize, column: usize) -> Category {
        Category::new(self.first[column * self.rows + row])
    }

    /// The boxes of a row in one column.
    pub(crate) fn of_row(&self, row: usize, column: usize) -> CategorySet {
        let index = column * self.rows + row;
        let end = self.first.get(index + 1).copied().unwrap_or(self.cells.len());
        (self.first[index]..end).map(Category::new).collect()
    }

    /// The boxes of one column.
    pub(crate) fn of_column(&self, column: usize) -> CategorySet {
        self.iter()
            .filter(|(_, cell)| cell.column == column)
            .map(|(category, _)| category)
            .collect()
    }

    /// The boxes that require others to be full, of any kind.
    pub(crate) fn gated(&self) -> CategorySet {
        self.gated
    }

    /// The boxes of announced columns.
    pub(crate) fn announced(&self) -> CategorySet {
        self.announced
    }

    /// The boxes that must be full before this one opens.
    pub(crate) fn requires(&self, category: Category) -> CategorySet {
        self.requires[category.index()]
    }

    /// The empty boxes that may be filled next on a card with these filled.
    pub(crate) fn open(&self, filled: CategorySet) -> CategorySet {
        let open = CategorySet::first(self.cells.len()).without(filled);
        let mut shut = open.and(self.gated);
        if shut.is_empty() {
            return open;
        }
        shut = shut.iter().filter(|&c| !self.requires(c).without(filled).is_empty()).collect();
        open.without(shut)
    }

    /// The boxes that can never be filled, because each requires another.
    pub(crate) fn never_open(&self) -> CategorySet {
        let mut filled = CategorySet::EMPTY;
        loop {
            let open = self.open(filled);
            if open.is_empty() {
                return CategorySet::first(self.cells.len()).without(filled);
            }
            filled = filled.or(open);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
            + size_of_val(&self.first[..])
            + size_of_val(&self.requires[..])
    }
}
