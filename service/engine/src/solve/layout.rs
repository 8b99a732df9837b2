//! Where each card's value lies. Cards are stored by layers, the fullest first, because a card's
//! value depends on the layer before its own only. Within a layer, cards with the same upper rows
//! filled (and the same flag of the row of all dice alike) make a run: their classes of upper
//! totals are the same, so that the states of a run, taken in order, fill vector lanes without a
//! gap, however few states each set of categories has.

use super::totals::{RowNumbers, TotalClasses};
use crate::category::{CategorySet, MAX_CATEGORIES};
use crate::sheet::{CardState, Sheet};

/// The order of all states of a sheet in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) classes: TotalClasses,
    pub(super) rows: RowNumbers,
    flags: usize,
    /// `[filled bits * flags + flag]`: place of the first state of the card.
    first: Vec<u32>,
    /// By layer, the fullest first.
    layers: Vec<Layer>,
    /// The sets of uncounted categories by size; the second also holds the row of all dice alike.
    others: [Vec<Vec<CategorySet>>; 2],
    states: usize,
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
    /// Which list of the other categories it runs over.
    list: (usize, usize),
}

impl Layout {
    /// Lays out the states of `sheet`.
    pub(super) fn new(sheet: &Sheet) -> Self {
        let counted = sheet.counted();
        let rows = RowNumbers::new(counted);
        let points: Vec<&[u16]> = counted.iter().map(|row| sheet.possible_points(row)).collect();
        let bonuses = &sheet.definition().upper_bonuses;
        let classes = TotalClasses::new(&points, bonuses);
        let mut layout = Self {
            classes,
            rows,
            flags: if sheet.tracks_alike() { 2 } else { 1 },
            first: Vec::new(),
            layers: Vec::new(),
            others: others(sheet, counted),
            states: 0,
        };
        layout.first = vec![0; (sheet.categories().bits() as usize + 1) * layout.flags];
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
                let list = (usize::from(alike_scored && !row_in_upper), others);
                let width = self.classes.totals(rows).len();
                let cards = self.others[list.0].get(others).map_or(0, Vec::len);
                if cards == 0 {
                    continue;
                }
                let run = Run { rows, alike_scored, width, states: cards * width, list };
                for &other in &self.others[list.0][others] {
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

    /// Place of a state; past the end of the table if no game leads to it.
    pub(super) fn place(&self, state: CardState) -> usize {
        let class = self.classes.class(self.rows.number(state.filled), state.upper);
        self.first(state.filled, state.alike_scored) + class
    }

    /// Bytes that the layout itself takes.
    pub(super) fn bytes(&self) -> usize {
        let others: usize = self.others.iter().flatten().map(Vec::len).sum();
        self.first.len() * size_of::<u32>()
            + others * size_of::<CategorySet>()
            + self.classes.bytes()
            + self.rows.bytes()
    }

    fn index(&self, filled: CategorySet, alike_scored: bool) -> usize {
        filled.bits() as usize * self.flags + usize::from(alike_scored && self.flags == 2)
    }
}

/// The subsets of the categories not counted, by size: all of them, and those that hold the row
/// of all dice alike.
fn others(sheet: &Sheet, counted: CategorySet) -> [Vec<Vec<CategorySet>>; 2] {
    let mask = sheet.categories().without(counted).bits();
    let mut lists = [0, 1].map(|_| vec![Vec::new(); MAX_CATEGORIES + 1]);
    let mut bits = 0u32;
    loop {
        let set = CategorySet::from_bits(bits);
        lists[0][set.len()].push(set);
        if sheet.alike_row().is_some_and(|row| set.contains(row)) && sheet.tracks_alike() {
            lists[1][set.len()].push(set);
        }
        if bits == mask {
            break;
        }
        bits = bits.wrapping_sub(mask) & mask;
    }
    // A run whose upper rows hold the row of all dice alike goes over the first list.
    lists
}
