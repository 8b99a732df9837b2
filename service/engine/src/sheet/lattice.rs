//! The turn as a list of steps: the neighbour tables of a [`DiceSpace`] in the order in which the
//! vector code reads them. Multisets with the same number of parts are adjacent, so that its
//! innermost loop has a fixed length.

use std::ops::Range;

use crate::dice::{DiceSpace, Keep};

/// The steps of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    pub(crate) faces: usize,
    /// Number of keeps of fewer than all dice: the rows of keeps; rolls follow.
    pub(crate) keeps: usize,
    pub(crate) rolls: usize,
    /// `[keep * faces + face]`: the row of the keep with one die more.
    pub(crate) more: Vec<u16>,
    /// Steps that give keeps their best part, smallest first.
    pub(crate) keep_steps: Vec<Steps>,
    /// The same for rolls.
    pub(crate) roll_steps: Vec<Steps>,
    pub(crate) rows: Vec<u16>,
    /// How many ordered throws show each roll.
    pub(crate) ways: Vec<f32>,
    /// How many ordered throws there are.
    pub(crate) throws: f64,
}

/// Multisets with the same number of parts of one die fewer: a stretch of [`Lattice::rows`], in
/// which each multiset's row is followed by those of its parts.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    pub(crate) parts: usize,
    pub(crate) rows: Range<usize>,
}

impl Lattice {
    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.more[..])
            + size_of_val(&self.keep_steps[..])
            + size_of_val(&self.roll_steps[..])
            + size_of_val(&self.rows[..])
            + size_of_val(&self.ways[..])
    }

    pub(super) fn new(space: &DiceSpace) -> Self {
        let faces = space.faces();
        let keeps = space.level(space.dice()).start;
        let throws = (faces as f64).powi(space.dice() as i32);
        let row = |keep: Keep| keep.index() as u16;
        let more = (0..keeps).flat_map(|keep| space.more(space.keep(keep)).map(row)).collect();
        let mut lattice = Self {
            faces,
            keeps,
            rolls: space.rolls(),
            more,
            keep_steps: Vec::new(),
            roll_steps: Vec::new(),
            rows: Vec::new(),
            ways: space
                .all_rolls()
                .map(|roll| (space.probability(roll) * throws).round() as f32)
                .collect(),
            throws,
        };
        for size in 1..=space.dice() {
            for parts in 1..=size.min(faces) {
                let start = lattice.rows.len();
                for keep in space.level(size).map(|keep| space.keep(keep)) {
                    if space.fewer(keep).count() == parts {
                        lattice.rows.push(row(keep));
                        lattice.rows.extend(space.fewer(keep).map(row));
                    }
                }
                let steps = Steps { parts, rows: start..lattice.rows.len() };
                if size == space.dice() {
                    lattice.roll_steps.push(steps);
                } else {
                    lattice.keep_steps.push(steps);
                }
            }
        }
        lattice
    }
}
