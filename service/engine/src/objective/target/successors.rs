//! The curves of all cards that a set of cards may lead to by one record, evaluated at the same
//! numbers of points, so that the chance after a record is a lookup.

use pulp::Simd;

use super::curve::Parts;
use super::layout::Layout;
use crate::category::Category;
use crate::objective::card_index::CardSet;
use crate::sheet::{CardState, Sheet};

/// The curves, by the set at hand.
#[derive(Debug)]
pub(super) struct Successors<S: Simd> {
    /// The number of points from which each is evaluated.
    base: i32,
    /// The number of points at which each is evaluated.
    width: usize,
    drawn: Vec<f32>,
    /// `[category][whether the row of all dice alike holds points]`: number of the first curve of
    /// the set that a record there leads to.
    first: Vec<[usize; 2]>,
    parts: Parts<S>,
}

/// Where the chances after a record are found: between two curves, from a number of points on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CurveRef {
    low: usize,
    high: usize,
    /// The weight of the second of them.
    part: f32,
}

impl CurveRef {
    /// The same for a record of a class that pays so many points more and leads to the same card.
    pub(super) fn richer(self, points: i16) -> Self {
        let points = points.max(0) as usize;
        Self { low: self.low - points, high: self.high - points, ..self }
    }
}

impl<S: Simd> Successors<S> {
    /// No curves yet.
    pub(super) fn new(sheet: &Sheet) -> Self {
        let first = vec![[0; 2]; sheet.categories().len()];
        Self { base: 0, width: 0, drawn: Vec::new(), first, parts: Parts::new(1) }
    }

    /// Evaluates the curves of all cards that those of `set` may lead to, given their chances.
    #[inline(always)]
    pub(super) fn draw(
        &mut self,
        simd: S,
        sheet: &Sheet,
        layout: &Layout,
        set: &CardSet,
        done: &[u8],
    ) {
        let open = layout.all.without(set.filled);
        let leads_to = open.iter().flat_map(|category| {
            let filled = set.filled.with(category);
            let turns_on = sheet.tracks_alike() && sheet.alike_row() == Some(category);
            let scored = (turns_on && !set.alike_scored).then_some(true);
            let flags = std::iter::once(set.alike_scored).chain(scored);
            flags.map(move |alike| (category, layout.card_index.set(filled, alike)))
        });
        let curves = |to: CardSet| {
            let places = to.first..to.first + layout.card_index.states(&to).len();
            places.map(move |place| layout.curve(&to, place, done))
        };
        // From the fewest points to the most that any card may need after a record, and from where
        // to where any of the curves is not flat.
        let places = set.first..set.first + layout.card_index.states(set).len();
        let needs = places.map(|place| i32::from(layout.first(place)));
        let (least, most) = needs.fold((i32::MAX, 0), |(a, b), need| (a.min(need), b.max(need)));
        let more = (layout.lanes(set) as i32 - 1) * i32::from(layout.step(set));
        let (base, end) = leads_to
            .clone()
            .flat_map(|(_, to)| curves(to))
            .fold((least - most_gain(sheet), most + more + 1), |(base, end), curve| {
                (base.min(curve.start()), end.max(curve.drawn_to()))
            });
        self.base = base;
        self.width = (end - base) as usize;
        let mut drawn = 0;
        for (category, to) in leads_to {
            self.first[category.index()][usize::from(to.alike_scored)] = drawn;
            if self.parts.step() != layout.step(&to) {
                self.parts = Parts::new(layout.step(&to));
            }
            for curve in curves(to) {
                let at = drawn * self.width;
                if self.drawn.len() < at + self.width {
                    self.drawn.resize(at + self.width, 0.0);
                }
                curve.draw(simd, base, &self.parts, &mut self.drawn[at..][..self.width]);
                drawn += 1;
            }
        }
    }

    /// The place of the chances to gain `needed` points and more for a card of the set at hand, in
    /// `state` and at this entry of the set, that records `points` in `category` and has `extra`
    /// for it.
    pub(super) fn lead(
        &self,
        sheet: &Sheet,
        layout: &Layout,
        (state, card): (CardState, usize),
        needed: u16,
        category: Category,
        (points, extra): (i16, i32),
    ) -> CurveRef {
        let after = sheet.after(state, category, points);
        let bonus = sheet.upper_bonus_gain(state, category, points);
        let gain = i32::from(points) + bonus + extra;
        let at = (i32::from(needed) - gain - self.base) as usize;
        let first = self.first[category.index()][usize::from(after.alike_scored)];
        let curve = |card: usize| (first + card) * self.width + at;
        if !sheet.upper().contains(category) {
            // Cards with the same upper rows filled have the same upper totals.
            return CurveRef { low: curve(card), high: curve(card), part: 0.0 };
        }
        let set = layout.card_index.set(after.filled, after.alike_scored);
        let places = layout.card_index.places_of(after);
        let [low, high] = [0, places.len() - 1].map(|i| curve(places[i].0 - set.first));
        let part = if places.len() == 2 { places[1].1 as f32 } else { 0.0 };
        CurveRef { low, high, part }
    }

    /// Looks up the chances for needs that are `step` points apart, the first of them `from` points
    /// above that of the `lead`.
    #[inline(always)]
    pub(super) fn look_up(&self, lead: CurveRef, from: usize, step: usize, out: &mut [f32]) {
        let low = self.drawn[lead.low + from..].iter().step_by(step);
        if lead.part == 0.0 {
            out.iter_mut().zip(low).for_each(|(out, &low)| *out = low);
            return;
        }
        let high = self.drawn[lead.high + from..].iter().step_by(step);
        for ((out, &low), &high) in out.iter_mut().zip(low).zip(high) {
            *out = low + lead.part * (high - low);
        }
    }
}

/// The most points that a record brings.
fn most_gain(sheet: &Sheet) -> i32 {
    let points = sheet.categories().iter().filter_map(|row| sheet.possible_points(row).last());
    let bonuses = i32::from(sheet.upper_bonus(sheet.upper_cap().into()))
        + i32::from(sheet.definition().five_alike_bonus);
    points.copied().max().map_or(0, i32::from) + bonuses
}
