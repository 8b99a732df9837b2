//! The cards of a sheet that tables have entries for. There are too many cards to keep much about
//! each, but the values kept are almost linear in the upper total between a few points: so every
//! set of filled categories has entries at the upper totals where its values bend most, and the
//! others are interpolated.

use arrayvec::ArrayVec;

use crate::category::CategorySet;
use crate::parallel::share;
use crate::sheet::CardState;
use crate::solved_sheet::SolvedSheet;

/// The most upper totals of a set of filled categories that have an entry.
const MOST_KNOTS: usize = 24;

/// The error of linear interpolation, in points, below which a card gets no entry.
const STRAIGHT: f64 = 0.1;

/// The most categories of a sheet with tables.
pub const MOST_CATEGORIES: usize = 16;

/// Cards that differ only in their upper total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CardSet {
    /// Its number among all sets.
    pub(super) number: usize,
    pub(super) filled: CategorySet,
    pub(super) alike_scored: bool,
    /// The entry of the card with the lowest upper total.
    pub(super) first: usize,
}

/// The entries of the cards of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CardIndex {
    /// `[upper rows filled]`: the upper totals that have an entry, ascending.
    knots: Vec<Vec<u16>>,
    /// `[filled * flags + alike scored]`: the first entry of that set.
    starts: Vec<u32>,
    flags: usize,
    places: usize,
    upper: CategorySet,
    alike: CategorySet,
    categories: usize,
}

impl CardIndex {
    /// The index of the cards of `solved`; `None` with more than 16 categories. `knots` is the
    /// number of upper totals with an entry, [`MOST_KNOTS`] at most, by how many upper rows are
    /// open.
    pub(super) fn new(solved: &SolvedSheet<'_>, knots: impl Fn(usize) -> usize) -> Option<Self> {
        let sheet = solved.sheet();
        let categories = sheet.categories().len();
        if categories > MOST_CATEGORIES || !sheet.is_plain() {
            return None;
        }
        let mut card_index = Self {
            knots: choose_knots(solved, knots),
            starts: Vec::new(),
            flags: if sheet.tracks_alike() { 2 } else { 1 },
            places: 0,
            upper: sheet.upper(),
            alike: sheet.alike_row().into_iter().collect(),
            categories,
        };
        for bits in 0..1 << categories {
            let knots = card_index.knots_of(CategorySet::from_bits(bits)).len();
            for _ in 0..card_index.flags {
                card_index.starts.push(card_index.places as u32);
                card_index.places += knots;
            }
        }
        Some(card_index)
    }

    /// Number of entries.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// Number of sets, unreachable ones included.
    pub(super) fn sets(&self) -> usize {
        self.starts.len()
    }

    /// The set of cards with these categories filled.
    pub(super) fn set(&self, filled: CategorySet, alike_scored: bool) -> CardSet {
        let number = filled.bits() as usize * self.flags + usize::from(alike_scored);
        CardSet { number, filled, alike_scored, first: self.starts[number] as usize }
    }

    /// The reachable sets with so many filled categories.
    pub(super) fn layer(&self, filled: usize) -> Vec<CardSet> {
        let sets = (0..1 << self.categories).map(CategorySet::from_bits);
        // The row of all dice alike holds no points before it is filled.
        let may_score = |set: CategorySet| self.flags == 2 && !set.and(self.alike).is_empty();
        sets.filter(|set| set.len() == filled)
            .flat_map(|set| {
                let flags = if may_score(set) { &[false, true][..] } else { &[false] };
                flags.iter().map(move |&flag| self.set(set, flag))
            })
            .collect()
    }

    /// The cards of a set that have an entry, in order.
    pub(super) fn states(
        &self,
        set: &CardSet,
    ) -> impl ExactSizeIterator<Item = CardState> + use<'_> {
        let CardSet { filled, alike_scored, .. } = *set;
        let knots = self.knots_of(filled).iter();
        knots.map(move |&upper| CardState { filled, upper, alike_scored, ..CardState::EMPTY })
    }

    /// Computes a value for every entry of a card with so many filled categories, on so many
    /// threads; in one call for the cards that differ only in their upper total. Entries come in
    /// any order.
    pub(super) fn each<T: Send, Ts: IntoIterator<Item = T>>(
        &self,
        filled: usize,
        threads: usize,
        of: impl Fn(&[CardState]) -> Ts + Sync,
    ) -> Vec<(usize, T)> {
        let sets = self.layer(filled);
        let found = share(threads.min(sets.len()), sets.iter(), |next| {
            let mut found = Vec::new();
            while let Some(set) = next() {
                let states: ArrayVec<CardState, MOST_KNOTS> = self.states(set).collect();
                found.extend((set.first..).zip(of(&states)));
            }
            found
        });
        found.into_iter().flatten().collect()
    }

    /// The entries that a card in `state` is interpolated from, and their weights.
    pub(super) fn places_of(&self, state: CardState) -> ArrayVec<(usize, f64), 2> {
        let start = self.set(state.filled, state.alike_scored).first;
        let knots = self.knots_of(state.filled);
        let above = knots.partition_point(|&knot| knot < state.upper).min(knots.len() - 1);
        if above == 0 || knots[above] <= state.upper {
            return ArrayVec::from_iter([(start + above, 1.0)]);
        }
        let (low, high) = (f64::from(knots[above - 1]), f64::from(knots[above]));
        let part = (f64::from(state.upper) - low) / (high - low);
        ArrayVec::from_iter([(start + above - 1, 1.0 - part), (start + above, part)])
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let knots: usize = self.knots.iter().map(|knots| size_of_val(&knots[..])).sum();
        size_of_val(&self.starts[..]) + size_of_val(&self.knots[..]) + knots
    }

    fn knots_of(&self, filled: CategorySet) -> &[u16] {
        &self.knots[filled.and(self.upper).bits() as usize]
    }
}

/// For every set of filled upper rows, some of the capped totals that they can add up to, chosen by
/// the values of cards with all of the lower section open, where the bonus is least certain.
fn choose_knots(solved: &SolvedSheet<'_>, knots: impl Fn(usize) -> usize) -> Vec<Vec<u16>> {
    let sheet = solved.sheet();
    let cap = usize::from(sheet.upper_cap());
    let sets = sheet.categories().bits() as usize + 1;
    let mut reachable: Vec<Vec<bool>> = vec![Vec::new(); sets];
    for bits in 0..sets {
        let set = CategorySet::from_bits(bits as u32);
        if !set.without(sheet.upper()).is_empty() {
            continue;
        }
        let mut totals = vec![false; cap + 1];
        match set.iter().last() {
            None => totals[0] = true,
            Some(last) => {
                let before = &reachable[set.without(CategorySet::EMPTY.with(last)).bits() as usize];
                for points in sheet.possible_points(last) {
                    for upper in (0..=cap).filter(|&upper| before[upper]) {
                        totals[(upper + (*points).max(0) as usize).min(cap)] = true;
                    }
                }
            }
        }
        reachable[bits] = totals;
    }
    let most = |category| sheet.possible_points(category).last().copied().unwrap_or(0);
    let knots_of = |(bits, totals): (usize, &Vec<bool>)| -> Vec<u16> {
        let open = sheet.upper().without(CategorySet::from_bits(bits as u32));
        let left: usize = open.iter().map(|category| most(category).max(0) as usize).sum();
        // Below this the bonus is out of reach, and all totals are worth the same.
        let hopeless = cap.saturating_sub(left);
        let all: Vec<u16> = (0u16..).zip(totals).filter(|(_, on)| **on).map(|t| t.0).collect();
        let below = all.partition_point(|&total| usize::from(total) < hopeless);
        let all = &all[below.saturating_sub(1)..];
        let filled = CategorySet::from_bits(bits as u32);
        let value = |upper| {
            let state = CardState { filled, upper, ..CardState::EMPTY };
            if filled == sheet.categories() { 0.0 } else { solved.values.value(state) }
        };
        let values: Vec<f64> = all.iter().map(|&upper| value(upper)).collect();
        pick(all, &values, knots(open.len()).min(MOST_KNOTS))
    };
    reachable.iter().enumerate().map(knots_of).collect()
}

/// So many of `totals`: the first, the last, and those where the `values` of the others deviate
/// least from linear interpolation.
fn pick(totals: &[u16], values: &[f64], most: usize) -> Vec<u16> {
    let mut picks = vec![0, totals.len().saturating_sub(1)];
    picks.dedup();
    picks.truncate(totals.len());
    while picks.len() < most.min(totals.len()) {
        let off = |low: usize, high: usize, i: usize| {
            let part = f64::from(totals[i] - totals[low]) / f64::from(totals[high] - totals[low]);
            (values[i] - values[low] - part * (values[high] - values[low])).abs()
        };
        let gaps = picks.windows(2).flat_map(|gap| {
            let (low, high) = (gap[0], gap[1]);
            (low + 1..high).map(move |i| (i, off(low, high, i)))
        });
        let Some((worst, off)) = gaps.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        if off < STRAIGHT {
            break;
        }
        picks.insert(picks.partition_point(|&pick| pick < worst), worst);
    }
    picks.into_iter().map(|i| totals[i]).collect()
}
