//! The turn of any sheet, stage by stage. A stage is a moment with dice on the table: the throws of
//! the turn before it, and the throws saved or bought that a record there leaves. The value of a
//! stage's rolls follows from recording them or from the next stage.
//!
//! Plain turns are solved by [`kernel::turn`], which is faster.

use std::collections::{BTreeMap, HashMap};

use super::kernel::{self, Arithmetic};
use crate::dice::{DiceSpace, Keep, Roll};
use crate::sheet::{CardState, Lattice, Pairs, Sheet, Throw};

/// A moment of a turn with dice on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stage {
    /// Throws of the turn that are left.
    pub(crate) left: u8,
    /// Throws of the turn before the one that led here.
    pub(crate) before: usize,
    /// Throws saved or bought, on the card after recording here.
    pub(crate) extra_throws: u8,
    /// Points that the throw that led here cost.
    pub(crate) price: u16,
}

impl Stage {
    /// The stage of a roll with so many throws left, on a card with so many saved or bought.
    pub(crate) fn at(sheet: &Sheet, left: u8, extra_throws: u8) -> Self {
        let throws = sheet.rolls() + if sheet.saves_throws() { extra_throws } else { 0 };
        let extra_throws = if sheet.saves_throws() { left } else { extra_throws };
        Self { left, before: usize::from(throws - 1 - left), extra_throws, price: 0 }
    }

    /// The stage after one more throw, if there may be one.
    pub(crate) fn next(self, sheet: &Sheet) -> Option<Self> {
        if let Some(left) = self.left.checked_sub(1) {
            let extra_throws = if sheet.saves_throws() { left } else { self.extra_throws };
            return Some(Self { left, before: self.before + 1, extra_throws, price: 0 });
        }
        let (number, price) = sheet.bought()?;
        let may = self.extra_throws < number;
        // A bought throw pays as the last of the turn.
        may.then(|| Self { extra_throws: self.extra_throws + 1, price, ..self })
    }

    /// This stage and all after it.
    pub(crate) fn onwards(self, sheet: &Sheet) -> Vec<Self> {
        std::iter::successors(Some(self), |stage| stage.next(sheet)).collect()
    }

    /// The stages of the turn of a card in `state`.
    pub(crate) fn of_turn(sheet: &Sheet, state: CardState) -> Vec<Self> {
        let saved = if sheet.saves_throws() { state.extra_throws } else { 0 };
        Self::at(sheet, sheet.rolls() + saved - 1, state.extra_throws).onwards(sheet)
    }

    /// The state of the card in which a roll of this stage is recorded.
    pub(crate) fn state(self, state: CardState) -> CardState {
        CardState { extra_throws: self.extra_throws, ..state }
    }

    /// Which throw its rolls are of, as far as points depend on it.
    pub(crate) fn throw(self, sheet: &Sheet, whole: bool) -> Throw {
        sheet.throw(self.before, whole || self.before == 0)
    }
}

/// The memory for the values of a turn, reused for every turn.
#[derive(Clone, Debug)]
pub(crate) struct TurnRows<V> {
    /// `[keep, then roll]`: after [`TurnRows::solve`], the value of keeping those dice.
    pub(crate) rows: Vec<V>,
    /// The values of keeps that lead to each stage, the last stage first, if requested.
    pub(crate) history: Option<Vec<Vec<V>>>,
    /// `[roll]`: the value of recording.
    leaf: Vec<V>,
    /// `[roll]`: the value of rolls whose dice were all thrown at once.
    whole: Vec<V>,
    /// `[pair]`: the value of dice of which some were kept, see [`Pairs`].
    pairs: Vec<V>,
}

impl<V> Default for TurnRows<V> {
    fn default() -> Self {
        let [rows, leaf, whole, pairs] = std::array::from_fn(|_| Vec::new());
        Self { rows, history: None, leaf, whole, pairs }
    }
}

impl<V> TurnRows<V> {
    /// Rows that keep the values of keeps at every stage.
    pub(super) fn with_history() -> Self {
        Self { history: Some(Vec::new()), ..Self::default() }
    }
}

impl<V: Copy> TurnRows<V> {
    /// Solves `stages` from the last to the first: sets every keep to the value of throwing the
    /// other dice into the first of them, less the price of that. `leaf` sets every roll to the
    /// value of recording it at a stage, thrown at once or not.
    pub(crate) fn solve<A: Arithmetic<Value = V>>(
        &mut self,
        with: A,
        sheet: &Sheet,
        stages: &[Stage],
        mut leaf: impl FnMut(Stage, bool, &mut [V]),
    ) {
        let lattice = sheet.lattice();
        let zero = with.splat(0.0);
        self.rows.clear();
        self.rows.resize(lattice.keeps + lattice.rolls, zero);
        self.leaf.clear();
        self.leaf.resize(lattice.rolls, zero);
        if let Some(pairs) = sheet.pairs() {
            self.pairs.clear();
            self.pairs.resize(pairs.len, zero);
        }
        let whole_counts = sheet.counts_full_throw();
        for (i, &stage) in stages.iter().enumerate().rev() {
            let last = i + 1 == stages.len();
            if whole_counts {
                leaf(stage, true, &mut self.leaf);
                self.roll_values(with, sheet, last);
                self.whole.clear();
                self.whole.extend_from_slice(&self.rows[lattice.keeps..]);
            }
            leaf(stage, false, &mut self.leaf);
            match sheet.pairs() {
                Some(pairs) => self.kept_values(with, sheet.space(), lattice, pairs, last),
                None => {
                    self.roll_values(with, sheet, last);
                    kernel::keep_values(with, lattice, &mut self.rows);
                }
            }
            if whole_counts {
                self.rows[Keep::EMPTY.index()] = kernel::mean(with, lattice, &self.whole);
            }
            if stage.price > 0 {
                let price = with.splat(-f32::from(stage.price));
                for keep in &mut self.rows[..lattice.keeps] {
                    *keep = with.add(*keep, price);
                }
            }
            if let Some(history) = &mut self.history {
                history.push(self.rows[..lattice.keeps].to_vec());
            }
        }
    }

    /// Sets every roll to the best of recording it and of its keeps, where dice may be thrown
    /// again; leaves the keeps raised to the best of their parts.
    fn roll_values<A: Arithmetic<Value = V>>(&mut self, with: A, sheet: &Sheet, last: bool) {
        let lattice = sheet.lattice();
        self.rows[lattice.keeps..].copy_from_slice(&self.leaf);
        if last {
            return;
        }
        if sheet.pairs().is_some() {
            self.best_of_pairs(with, sheet.space(), lattice);
            return;
        }
        kernel::raise_keeps(with, lattice, &mut self.rows);
        kernel::raise_rolls(with, lattice, &mut self.rows);
    }

    /// Sets every roll, none of whose dice was kept before, to the best of recording and keeping.
    fn best_of_pairs<A: Arithmetic<Value = V>>(
        &mut self,
        with: A,
        space: &DiceSpace,
        lattice: &Lattice,
    ) {
        let keeps = &self.rows[..lattice.keeps];
        for roll in 0..lattice.rolls {
            let mut best = self.leaf[roll];
            for keep in
                space.keeps_of(space.as_roll(space.keep(lattice.keeps + roll)).expect("a roll"))
            {
                best = with.max(best, keeps[keep.index()]);
            }
            self.pairs[lattice.keeps + roll] = best;
        }
        for roll in 0..lattice.rolls {
            self.rows[lattice.keeps + roll] = self.pairs[lattice.keeps + roll];
        }
    }

    /// The values of all keeps where kept dice stay. Given those of the stage after, unless this
    /// is the last.
    fn kept_values<A: Arithmetic<Value = V>>(
        &mut self,
        with: A,
        space: &DiceSpace,
        lattice: &Lattice,
        pairs: &Pairs,
        last: bool,
    ) {
        // The values of this stage's keeps replace those of the next one only when all are
        // computed.
        let mut values = Vec::with_capacity(lattice.keeps);
        for keep in 0..lattice.keeps {
            let (start, end) = (pairs.start[keep], pairs.start[keep + 1]);
            let free = space.dice() - space.size(space.keep(keep));
            let full = space.level(free).start;
            for added in 0..end - start {
                let all = pairs.union[start + added];
                let mut best = None;
                if !last {
                    if added < full {
                        best = Some(self.rows[all]);
                    }
                    for part in space.fewer(space.keep(added)) {
                        let part = self.pairs[start + part.index()];
                        best = Some(best.map_or(part, |best| with.max(best, part)));
                    }
                }
                if added >= full {
                    let record = self.leaf[all - lattice.keeps];
                    best = Some(best.map_or(record, |best| with.max(best, record)));
                }
                if let Some(best) = best {
                    self.pairs[start + added] = best;
                }
            }
            for added in (0..full).rev() {
                let mut more =
                    space.more(space.keep(added)).map(|more| self.pairs[start + more.index()]);
                let first = more.next().expect("a die has faces");
                let sum = more.fold(first, |sum, value| with.add(sum, value));
                self.pairs[start + added] = with.share(sum, space.faces() as f64);
            }
            values.push(self.pairs[start]);
        }
        self.rows[..lattice.keeps].copy_from_slice(&values);
    }

    /// The value of each roll of the first stage of a turn, given the keeps that lead to the
    /// second, if there is one.
    pub(crate) fn first_rolls<A: Arithmetic<Value = V>>(
        &mut self,
        with: A,
        sheet: &Sheet,
        stage: Stage,
        only: bool,
        mut leaf: impl FnMut(Stage, bool, &mut [V]),
    ) -> &[V] {
        leaf(stage, true, &mut self.leaf);
        self.roll_values(with, sheet, only);
        &self.rows[sheet.lattice().keeps..]
    }
}

/// A turn of any sheet in double precision, close to the definition of its values, which proves
/// [`TurnRows`].
#[derive(Debug)]
pub(crate) struct PlainTurn<'a, F> {
    sheet: &'a Sheet,
    /// The value of recording a roll at a stage, thrown at once or not, in the best legal category.
    record: F,
    /// `[keep]`: the rolls that may follow.
    throws: &'a [Vec<(Roll, f64)>],
    rolls: HashMap<(Stage, Keep, Roll, bool), f64>,
    keeps: HashMap<(Stage, Keep), f64>,
}

impl<'a, F: FnMut(Stage, bool, Roll) -> f64> PlainTurn<'a, F> {
    pub(crate) fn new(sheet: &'a Sheet, throws: &'a [Vec<(Roll, f64)>], record: F) -> Self {
        Self { sheet, record, throws, rolls: HashMap::new(), keeps: HashMap::new() }
    }

    /// The value of a roll of a stage, of which some dice were kept, thrown at once or not.
    pub(crate) fn roll(&mut self, stage: Stage, kept: Keep, roll: Roll, whole: bool) -> f64 {
        let stays = self.sheet.definition().kept_dice_stay;
        let kept = if stays { kept } else { Keep::EMPTY };
        let whole = whole && self.sheet.counts_full_throw();
        if let Some(&value) = self.rolls.get(&(stage, kept, roll, whole)) {
            return value;
        }
        let mut best = (self.record)(stage, whole, roll);
        if let Some(next) = stage.next(self.sheet) {
            let space = self.sheet.space();
            let keeps: Vec<Keep> =
                space.keeps_of(roll).filter(|&k| space.contains(k, kept)).collect();
            for keep in keeps {
                best = best.max(self.keep(next, keep));
            }
        }
        self.rolls.insert((stage, kept, roll, whole), best);
        best
    }

    /// The value of keeping `keep` and throwing the other dice into `next`.
    pub(crate) fn keep(&mut self, next: Stage, keep: Keep) -> f64 {
        if let Some(&value) = self.keeps.get(&(next, keep)) {
            return value;
        }
        let mut value = -f64::from(next.price);
        for &(roll, odds) in &self.throws[keep.index()] {
            value += odds * self.roll(next, keep, roll, keep == Keep::EMPTY);
        }
        self.keeps.insert((next, keep), value);
        value
    }
}

/// `[keep]`: every roll that may follow from keeping those dice, with its probability.
pub(crate) fn throws(space: &DiceSpace) -> Vec<Vec<(Roll, f64)>> {
    let of = |keep: Keep| {
        let mut ways = BTreeMap::from([(keep.index(), 1.0)]);
        for _ in space.size(keep)..space.dice() {
            let mut next = BTreeMap::new();
            for (from, odds) in ways {
                for more in space.more(space.keep(from)) {
                    *next.entry(more.index()).or_insert(0.0) += odds / space.faces() as f64;
                }
            }
            ways = next;
        }
        let roll = |index| space.as_roll(space.keep(index)).expect("all dice");
        ways.into_iter().map(|(index, odds)| (roll(index), odds)).collect()
    };
    (0..space.level(space.dice()).start).map(|keep| of(space.keep(keep))).collect()
}
