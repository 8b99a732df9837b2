//! The place of each card's value. Cards are stored by layers, the fullest first, because a card's
//! value depends only on the layer before its own. Within a layer, cards with the same upper rows
//! filled (and the same flag of the row of all dice alike) form a run: their classes of upper
//! totals are the same, so that the states of a run, in order, fill vector lanes without a gap.

use super::totals::{RowNumbers, TotalClasses};
use crate::category::CategorySet;
use crate::sheet::{CardState, Groups, Sheet};

/// Whether the vector code for runs of cards solves `sheet`.
pub(super) fn has_runs(sheet: &Sheet) -> bool {
    sheet.has_plain_states() && sheet.has_lattice_turns()
}

/// The order of all states of a sheet in a table.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) classes: TotalClasses,
    pub(super) rows: RowNumbers,
    flags: usize,
    groups: Groups,
    /// `[number of the filled set * flags + flag]`: place of the first state of the card.
    first: Vec<u32>,
    /// By layer, the fullest first.
    layers: Vec<Layer>,
    /// The sets of uncounted categories by size; those of the second also contain the row of all
    /// dice alike. Where some categories require others, both have a list for every set of upper
    /// rows.
    others: [Vec<Vec<CategorySet>>; 2],
    states: usize,
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first && self.layers == other.layers && self.others == other.others
    }
}

/// All cards with equally many categories filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) start: usize,
    pub(super) states: usize,
    pub(super) runs: Vec<Run>,
}

/// The cards of a layer with the same upper rows filled and the same flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Number of the upper rows filled.
    pub(super) rows: usize,
    /// Whether the row of all dice alike holds points.
    pub(super) alike_scored: bool,
    /// States of each card.
    pub(super) width: usize,
    /// States of the run.
    pub(super) states: usize,
    /// Number of its list of the other categories.
    list: (usize, usize),
}

impl Layout {
    /// Lays out the states of `sheet`.
    pub(super) fn new(sheet: &Sheet) -> Self {
        let counted = sheet.counted();
        let rows = RowNumbers::new(counted, sheet.categories().len());
        let points: Vec<&[i16]> = counted.iter().map(|row| sheet.possible_points(row)).collect();
        let bonuses = &sheet.definition().upper_bonuses;
        let classes = TotalClasses::new(&points, bonuses);
        let mut layout = Self {
            classes,
            rows,
            flags: if sheet.tracks_alike() { 2 } else { 1 },
            first: Vec::new(),
            layers: Vec::new(),
            others: [const { Vec::new() }; 2],
            groups: sheet.groups().clone(),
            states: 0,
        };
        layout.others = layout.find_others(sheet, counted);
        layout.first = vec![0; layout.groups.numbers() as usize * layout.flags];
        for filled in (0..=sheet.categories().len()).rev() {
            layout.push_layer(sheet, filled);
        }
        layout
    }

    fn push_layer(&mut self, sheet: &Sheet, filled: usize) {
        let start = self.states;
        let mut runs = Vec::new();
        for alike_scored in [false, true].into_iter().take(self.flags) {
            for rows in 0..self.classes.sets() {
                let upper = self.rows.set(rows);
                let Some(others) = filled.checked_sub(upper.len()) else { continue };
                let row_in_upper = sheet.alike_row().is_some_and(|row| upper.contains(row));
                let list = usize::from(alike_scored && !row_in_upper);
                let list = (list, self.list(sheet, rows, others));
                let width = self.classes.totals(rows).len();
                let cards = self.others[list.0].get(list.1).map_or(0, Vec::len);
                if cards == 0 {
                    continue;
                }
                let run = Run { rows, alike_scored, width, states: cards * width, list };
                for &other in &self.others[list.0][list.1] {
                    let index = self.index(upper.or(other), alike_scored);
                    self.first[index] = u32::try_from(self.states).expect("estimated to fit");
                    self.states += width;
                }
                runs.push(run);
            }
        }
        self.layers.push(Layer { start, states: self.states - start, runs });
    }

    /// Number of states.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// The layers, the fullest first.
    pub(super) fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The uncounted categories of the cards of a run, in the order of the run.
    pub(super) fn cards(&self, run: &Run) -> &[CategorySet] {
        &self.others[run.list.0][run.list.1]
    }

    /// Place of the first state of a card.
    pub(super) fn first(&self, filled: CategorySet, alike_scored: bool) -> usize {
        self.first[self.index(filled, alike_scored)] as usize
    }

    /// Place of the first state of the card of this number.
    #[inline(always)]
    pub(super) fn first_of(&self, number: usize, alike_scored: bool) -> usize {
        self.first[number * self.flags + usize::from(alike_scored && self.flags == 2)] as usize
    }

    /// Place of a state; past the end of the table for an unreachable one.
    pub(super) fn place(&self, state: CardState) -> usize {
        let class = self.classes.class(self.rows.number(state.filled), state.upper);
        self.first(state.filled, state.alike_scored) + class
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let others: usize = self.others.iter().flatten().map(Vec::len).sum();
        self.first.len() * size_of::<u32>()
            + others * size_of::<CategorySet>()
            + self.classes.bytes()
            + self.rows.bytes()
    }

    fn index(&self, filled: CategorySet, alike_scored: bool) -> usize {
        self.groups.number(filled) * self.flags + usize::from(alike_scored && self.flags == 2)
    }

    /// The list of the cards with these upper rows and so many other categories filled.
    fn list(&self, sheet: &Sheet, rows: usize, others: usize) -> usize {
        let lists = sheet.categories().len() + 1;
        if self.groups.are_singles() { others } else { rows * lists + others }
    }

    /// The subsets of the categories not counted, by size: all of them, and those that contain the
    /// row of all dice alike. A run whose upper rows contain that row uses the first list.
    fn find_others(&self, sheet: &Sheet, counted: CategorySet) -> [Vec<Vec<CategorySet>>; 2] {
        let alike = sheet.alike_row().filter(|_| sheet.tracks_alike());
        let sets = if self.groups.are_singles() { 1 } else { self.classes.sets() };
        let mut lists = [0, 1].map(|_| vec![Vec::new(); sets * (sheet.categories().len() + 1)]);
        let mut push = |list: usize, set: CategorySet| {
            lists[0][list].push(set);
            if alike.is_some_and(|row| set.contains(row)) {
                lists[1][list].push(set);
            }
        };
        if !self.groups.are_singles() {
            for number in 0..self.groups.numbers() {
                let filled = self.groups.set(number);
                if is_reachable(sheet, filled) {
                    let others = filled.without(counted);
                    push(self.list(sheet, self.rows.number(filled), others.len()), others);
                }
            }
            return lists;
        }
        let mask = sheet.categories().without(counted).bits();
        let mut bits = 0u32;
        loop {
            let set = CategorySet::from_bits(bits);
            push(set.len(), set);
            if bits == mask {
                return lists;
            }
            bits = bits.wrapping_sub(mask) & mask;
        }
    }
}

/// Whether every filled category was open when it was filled.
pub(crate) fn is_reachable(sheet: &Sheet, filled: CategorySet) -> bool {
    let cells = sheet.cells();
    filled.and(cells.gated()).iter().all(|c| cells.requires(c).without(filled).is_empty())
}
