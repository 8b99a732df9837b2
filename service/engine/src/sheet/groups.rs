//! Numbers for the sets of filled boxes. Boxes that are filled one after the other (the entries of
//! a row, a column in order), and boxes of a row in columns that are alike, form a group, of which
//! only the number filled matters. A number in mixed radix, one digit a group, then identifies the
//! card; with groups of one box each it is the set's own bits.

use super::cells::Cells;
use crate::category::{Category, CategorySet};
use crate::definition::{Definition, Order};

/// The groups of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    groups: Vec<Group>,
    /// Whether every group is a single box.
    singles: bool,
    /// Whether columns that are alike make groups.
    alike: bool,
    /// `[category]`: how much the number grows when it is filled.
    steps: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Group {
    /// In the order of filling.
    boxes: Vec<Category>,
    members: CategorySet,
    stride: u64,
}

impl Groups {
    pub(crate) fn new(definition: &Definition, cells: &Cells) -> Self {
        let alike = columns_are_alike(definition);
        let mut groups: Vec<Group> = Vec::new();
        let mut placed = CategorySet::EMPTY;
        if alike {
            for row in 0..definition.categories.len() {
                let boxes = (0..definition.columns.len()).flat_map(|c| cells.of_row(row, c).iter());
                groups.push(Group::of(boxes.collect()));
            }
            placed = CategorySet::first(cells.len());
        }
        // Every box is placed after all that it requires.
        while placed.len() < cells.len() {
            let open = cells.open(placed);
            for category in open.iter() {
                let requires = all_required(cells, category);
                let before =
                    |group: &Group| group.boxes.last().is_some_and(|&b| requires.contains(b));
                match groups.iter_mut().find(|group| before(group)) {
                    Some(group) => *group = Group::of([&group.boxes[..], &[category]].concat()),
                    None => groups.push(Group::of(vec![category])),
                }
            }
            placed = placed.or(open);
        }
        let singles = groups.iter().all(|group| group.boxes.len() == 1);
        let mut stride = 1u64;
        for group in &mut groups {
            group.stride = stride;
            stride = stride.saturating_mul(group.boxes.len() as u64 + 1);
        }
        let mut steps = vec![0; cells.len()];
        for group in &groups {
            // Numbers that do not fit are too many for any table.
            let step = u32::try_from(group.stride).unwrap_or(u32::MAX);
            group.boxes.iter().for_each(|category| steps[category.index()] = step);
        }
        Self { groups, singles, alike, steps }
    }

    /// How many numbers there are.
    pub(crate) fn numbers(&self) -> u64 {
        let sizes = self.groups.iter().map(|group| group.boxes.len() as u64 + 1);
        sizes.fold(1, u64::saturating_mul)
    }

    /// Whether every group is a single box.
    pub(crate) fn are_singles(&self) -> bool {
        self.singles
    }

    /// The number of a set of filled boxes.
    pub(crate) fn number(&self, filled: CategorySet) -> usize {
        if self.singles {
            return filled.bits() as usize;
        }
        let digit = |group: &Group| filled.and(group.members).len() as u64 * group.stride;
        self.groups.iter().map(digit).sum::<u64>() as usize
    }

    /// How much the number of a set grows when `category` is filled.
    #[inline(always)]
    pub(crate) fn step(&self, category: Category) -> usize {
        self.steps[category.index()] as usize
    }

    /// The set of this number, in which every group is filled from its start.
    pub(crate) fn set(&self, number: u64) -> CategorySet {
        let filled = |group: &Group| {
            let count = number / group.stride % (group.boxes.len() as u64 + 1);
            group.boxes[..count as usize].iter().copied().collect::<CategorySet>()
        };
        self.groups.iter().map(filled).fold(CategorySet::EMPTY, CategorySet::or)
    }

    /// The set with the same number in which every group is filled from its start.
    pub(crate) fn canonical(&self, filled: CategorySet) -> CategorySet {
        if !self.alike {
            // The rules fill boxes in sequence from the start.
            return filled;
        }
        self.set(self.number(filled) as u64)
    }

    /// The boxes of `open` that are next in their group; filling another has the same value.
    pub(crate) fn next(&self, filled: CategorySet, open: CategorySet) -> CategorySet {
        if self.singles {
            return open;
        }
        let next = |group: &Group| group.boxes.get(filled.and(group.members).len()).copied();
        self.groups.iter().filter_map(next).filter(|&category| open.contains(category)).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.groups[..])
            + size_of_val(&self.steps[..])
            + self.groups.iter().map(|group| size_of_val(&group.boxes[..])).sum::<usize>()
    }
}

impl Group {
    fn of(boxes: Vec<Category>) -> Self {
        let members = boxes.iter().copied().collect();
        Self { boxes, members, stride: 1 }
    }
}

/// All boxes that must be full before this one opens, directly or not.
fn all_required(cells: &Cells, category: Category) -> CategorySet {
    let mut all = cells.requires(category);
    loop {
        let more = all.iter().map(|before| cells.requires(before)).fold(all, CategorySet::or);
        if more == all {
            return all;
        }
        all = more;
    }
}

/// Whether the value of a card does not depend on the column in which a row is filled.
fn columns_are_alike(definition: &Definition) -> bool {
    let Definition { columns, bonuses, products, categories, upper_bonuses, .. } = definition;
    let Some(first) = columns.first() else { return false };
    let alike = |order: Order| matches!(order, Order::Free | Order::Announced);
    columns.len() > 1
        && columns.iter().all(|c| c.order == first.order && c.weight == first.weight)
        && alike(first.order)
        && upper_bonuses.is_empty()
        && products.is_empty()
        && bonuses.iter().all(|bonus| !bonus.per_column)
        && categories.iter().all(|row| row.after.is_empty())
}
