//! The features of a card: each box filled or not, each sum that a bonus or product depends on with
//! its outlook, and the turns left; and an estimate of the card's value, which the network corrects.
//!
//! Few of them change from one card to the next, so they are in parts: a record changes those that
//! it touches.

use std::ops::Range;

use super::usual::{Product, Sum, Usual};
use crate::category::{Category, CategorySet};
use crate::sheet::{CardState, Sheet};

/// The features of a sheet's cards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Encoder {
    /// Number of boxes.
    len: usize,
    sums: Vec<Sum>,
    /// `[sum]`: the first of its features; one more element closes the last.
    first: Vec<usize>,
    /// The places of the factors of products among the tallies.
    factors: Range<usize>,
    /// `[category]`: the parts that a record there changes, besides the box itself.
    touched: Vec<Vec<Part>>,
    products: Vec<Product>,
    /// `[category]`: the points of a box, times its weight.
    usual: Vec<Usual>,
    /// Points of one turn.
    scale: f32,
    all: CategorySet,
}

/// Features that change together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// Of a sum, by its number.
    Sum(usize),
    /// The factors of products.
    Factors,
    /// Whether the row of all dice alike holds points.
    Alike,
}

impl Encoder {
    pub(super) fn new(sheet: &Sheet) -> Self {
        let all = sheet.categories();
        let upper = (sheet.upper_cap() > 0).then(|| Sum::upper(sheet));
        let sums: Vec<Sum> = upper.into_iter().chain(Sum::tallies(sheet)).collect();
        let mut first = vec![all.len()];
        for sum in &sums {
            first.push(first[first.len() - 1] + sum.features());
        }
        let terms = sheet.tallies().terms();
        let in_terms = terms.iter().fold(CategorySet::EMPTY, |all, term| all.or(term.members));
        let touched = |category| {
            let sums = sums.iter().enumerate().filter(|(_, sum)| sum.contains(category));
            let factors = in_terms.contains(category).then_some(Part::Factors);
            let alike = sheet.alike_cells().contains(category).then_some(Part::Alike);
            sums.map(|(i, _)| Part::Sum(i)).chain(factors).chain(alike).collect()
        };
        let usual = |category: Category| {
            let weight = f64::from(sheet.weight(category));
            Usual::new(sheet, category, |points| weight * f64::from(points))
        };
        let usual: Vec<Usual> = all.iter().map(usual).collect();
        let mean = usual.iter().map(|usual| usual.mean).sum::<f32>() / usual.len() as f32;
        Self {
            len: all.len(),
            first,
            factors: sheet.tallies().factor_slots(),
            touched: all.iter().map(touched).collect(),
            products: terms.iter().map(|term| Product::new(sheet, term)).collect(),
            usual,
            scale: mean.max(1.0),
            sums,
            all,
        }
    }

    /// Number of features.
    pub(super) fn width(&self) -> usize {
        self.first[self.sums.len()] + self.factors.len() + 3
    }

    /// Passes every feature that is not 0 to `pass`.
    #[inline(always)]
    pub(super) fn each(&self, state: CardState, mut pass: impl FnMut(usize, f32)) {
        let turns = self.turns(state);
        self.others(state, turns, &mut pass);
        self.parts().for_each(|part| self.part(state, turns, part, &mut pass));
    }

    /// All parts.
    #[inline(always)]
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let sums = (0..self.sums.len()).map(Part::Sum);
        sums.chain([Part::Factors, Part::Alike])
    }

    /// The features in no part, with so many turns left.
    #[inline(always)]
    pub(super) fn others(&self, state: CardState, turns: usize, mut pass: impl FnMut(usize, f32)) {
        state.filled.iter().for_each(|category| pass(category.index(), 1.0));
        let last = self.width() - 3;
        pass(last, turns as f32 / self.len as f32);
        pass(last + 1, f32::from(state.extra_throws) / 8.0);
    }

    /// The features of a part, with so many turns left.
    #[inline(always)]
    pub(super) fn part(
        &self,
        state: CardState,
        turns: usize,
        part: Part,
        mut pass: impl FnMut(usize, f32),
    ) {
        match part {
            Part::Sum(number) => self.sums[number].each(state, turns, self.first[number], pass),
            Part::Factors => {
                let at = self.first[self.sums.len()];
                for (at, slot) in (at..).zip(self.factors.clone()) {
                    pass(at, f32::from(state.tallies[slot]) / 20.0);
                }
            }
            Part::Alike => pass(self.width() - 1, f32::from(u8::from(state.alike_scored))),
        }
    }

    /// The parts that a record in `category` changes, besides its box and the turns left.
    #[inline(always)]
    pub(super) fn touched(&self, category: Category) -> &[Part] {
        &self.touched[category.index()]
    }

    /// How many turns a card has left.
    #[inline(always)]
    fn turns(&self, state: CardState) -> usize {
        self.len - state.filled.len()
    }

    /// An estimate of the points that a card in `state` still gains.
    pub(super) fn estimate(&self, state: CardState) -> f32 {
        let turns = self.turns(state);
        let parts = self.parts().map(|part| self.estimate_of(state, turns, part));
        self.boxes(state).after(turns) + parts.sum::<f32>()
    }

    /// The points of the open boxes.
    pub(super) fn boxes(&self, state: CardState) -> Usual {
        let open = self.all.without(state.filled).iter();
        open.fold(Usual::default(), |sum, category| sum.plus(self.usual[category.index()]))
    }

    /// The points of a box.
    #[inline(always)]
    pub(super) fn usual(&self, category: Category) -> Usual {
        self.usual[category.index()]
    }

    /// The share of a part in [`Encoder::estimate`].
    #[inline(always)]
    pub(super) fn estimate_of(&self, state: CardState, turns: usize, part: Part) -> f32 {
        match part {
            Part::Sum(number) => self.sums[number].estimate(state, turns),
            Part::Factors => self.products.iter().map(|product| product.estimate(state)).sum(),
            Part::Alike => 0.0,
        }
    }

    /// The value of a card with this estimate and output.
    #[inline(always)]
    pub(super) fn value(&self, estimate: f32, output: f32) -> f64 {
        f64::from(estimate) + f64::from(output * self.scale)
    }

    /// The output for a card of this value.
    pub(super) fn output(&self, state: CardState, value: f64) -> f32 {
        (value - f64::from(self.estimate(state))) as f32 / self.scale
    }

    pub(super) fn bytes(&self) -> usize {
        let touched: usize = self.touched.iter().map(|parts| size_of_val(&parts[..])).sum();
        size_of_val(&self.usual[..])
            + size_of_val(&self.touched[..])
            + touched
            + size_of_val(&self.products[..])
            + size_of_val(&self.first[..])
            + self.sums.iter().map(Sum::bytes).sum::<usize>()
    }
}
