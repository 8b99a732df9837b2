//! The turn at hand solved for chances: what the moves of a position are worth.

use arrayvec::ArrayVec;
use pulp::{Simd, WithSimd};

use super::chances::Chances;
use super::rated::{ALONE, Lanes, Rated, RatedLanes};
use crate::advice::MAX_MOVES;
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{Gain, RollClasses, Sheet};
use crate::solve::Isa;
use crate::solve::kernel::{self, Arithmetic};

/// What records are worth, for one kind of rolls.
#[derive(Debug)]
struct Records<'a> {
    classes: &'a RollClasses,
    /// `[class of roll]`, of the open categories.
    values: Vec<Rated>,
    special: Vec<(Roll, Rated)>,
}

impl Records<'_> {
    /// Sets every roll to the best of what its records are worth, in all lanes.
    // No closure does arithmetic: it would not be compiled for the vectors of the processor.
    #[inline(always)]
    fn set<S: Simd>(
        &self,
        with: RatedLanes<S, ALONE>,
        open: CategorySet,
        rolls: &mut [Lanes<S, ALONE>],
    ) {
        let mut values = vec![with.splat(0.0); self.values.len()];
        for (lanes, &rated) in values.iter_mut().zip(&self.values) {
            *lanes = with.gather(|_| rated);
        }
        let mut special = Vec::with_capacity(self.special.len());
        for &(roll, rated) in &self.special {
            special.push((roll, with.gather(|_| rated)));
        }
        with.record_rolls(self.classes, open, &values, &special, rolls);
    }
}

/// A turn: what its records are worth, and how many throws are left.
struct Turn<'a> {
    sheet: &'a Sheet,
    open: CategorySet,
    /// For rolls after the first, and where they differ for the first if it is still to come.
    records: ArrayVec<Records<'a>, 2>,
    /// Before the first throw, all of them.
    throws: u8,
    begun: bool,
}

impl WithSimd for Turn<'_> {
    /// The value of every keep; before the first throw that of the turn alone.
    type Output = Vec<Rated>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<Rated> {
        let Self { sheet, open, records, throws, begun } = self;
        let (with, lattice) = (RatedLanes::<S, ALONE>(simd), sheet.lattice());
        let mut rows = vec![with.splat(0.0); lattice.keeps + lattice.rolls];
        records[0].set(with, open, &mut rows[lattice.keeps..]);
        if begun {
            for left in 1..=throws {
                kernel::keep_values(with, lattice, &mut rows);
                if left < throws {
                    kernel::raise_keeps(with, lattice, &mut rows);
                    kernel::raise_rolls(with, lattice, &mut rows);
                }
            }
            return rows[..lattice.keeps].iter().map(|lanes| with.lane(lanes, 0)).collect();
        }
        let mut served = None;
        if let Some(records) = records.get(1) {
            let rolls = served.insert(vec![with.splat(0.0); lattice.rolls]);
            records.set(with, open, rolls);
        }
        if let (Some(served), 1) = (&served, throws) {
            rows[lattice.keeps..].copy_from_slice(served);
        }
        let start = kernel::turn(with, lattice, throws, &mut rows, served.as_deref());
        vec![with.lane(&start, 0)]
    }
}

/// The chances of legal moves of `position`, whose sheet is plain, by the chances after each record.
pub(super) fn chances_of_moves(
    sheet: &Sheet,
    position: &Position,
    moves: impl Iterator<Item = Move>,
    mut after: impl FnMut(Category, Gain) -> Rated,
) -> ArrayVec<Chances, MAX_MOVES> {
    let state = position.card().state(sheet);
    let open = sheet.categories().without(state.filled);
    let begun = position.dice().is_some();
    let throws = position.rolls_left();
    let keeps = (throws > 0).then(|| {
        let mut records = |served: bool| {
            let classes = sheet.classes(served);
            let mut values = vec![Rated::default(); classes.len()];
            for category in open.iter() {
                for class in classes.of(category) {
                    let points = classes.points(class);
                    let gain = sheet.gain_of_points(state, category, points);
                    values[class] = after(category, gain);
                }
            }
            let special = sheet.special_rolls().iter().flat_map(|&roll| {
                let legal = sheet.legal(state, roll);
                legal.iter().map(move |category| (roll, category))
            });
            let special = special.map(|(roll, category)| {
                (roll, after(category, sheet.gain(state, roll, category, served)))
            });
            let special = special.collect();
            Records { classes, values, special }
        };
        let mut kinds = ArrayVec::from_iter([records(false)]);
        if sheet.has_served() && !begun {
            kinds.push(records(true));
        }
        Isa::narrow().run(Turn { sheet, open, records: kinds, throws, begun })
    });
    let chances = |chosen| match (chosen, position.dice()) {
        (Move::Keep(keep), _) => {
            let keep = if begun { keep.index() } else { 0 };
            keeps.as_ref().map_or(Chances::default(), |keeps| keeps[keep].into())
        }
        (Move::Record(category), Some(roll)) => {
            after(category, sheet.gain(state, roll, category, position.throw(sheet))).into()
        }
        (Move::Record(_), None) | (Move::Announce(_), _) => Chances::default(),
    };
    moves.map(chances).collect()
}
