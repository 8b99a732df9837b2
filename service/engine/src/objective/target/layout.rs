//! The numbers of points for which the chances of a card are kept. Cards that differ only in their
//! upper total are adjacent and have the same step, each from a first number of its own, so that
//! the curves of their successors are evaluated once for all of them.

use super::curve::{Code, Curve, MOST_LANES, SURE};
use crate::category::CategorySet;
use crate::objective::card_index::{CardIndex, CardSet};
use crate::objective::forecast::Forecast;
use crate::sheet::CardState;
use crate::solved_sheet::SolvedSheet;

/// Numbers of points are a multiple of this: two of the longest vectors.
pub(super) const LANES: usize = 32;

/// What a table has, for every card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The greatest chance to gain any number of points.
    Chances,
    /// The chance under play for points.
    Points,
}

impl Goal {
    /// Upper totals with an entry in the table, by how many upper rows are open: with one or two the
    /// bonus comes in steps too.
    fn knots(self, open: usize) -> usize {
        match self {
            Self::Chances if open <= 2 => 18,
            Self::Chances => 12,
            Self::Points => 10,
        }
    }
}

/// Between which chances those of a card are kept, and how finely.
struct Extent {
    /// Deviations below and above the mean of the further gain beyond which the result is certain.
    below: f64,
    above: f64,
    /// The most numbers of points.
    lanes: usize,
}

/// By how many categories are open. Where they are few, chances have steps, and a single row may
/// contribute many deviations.
fn extent(open: usize) -> Extent {
    let (below, above, lanes) = match open {
        0..=4 => (4.0, 5.0, MOST_LANES),
        5 => (3.0, 4.0, 3 * LANES),
        _ => (3.0, 4.0, LANES),
    };
    Extent { below, above, lanes }
}

/// How the chances of the cards of a set are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Span {
    /// Where the bytes of its first card are.
    start: u32,
    /// Numbers of points.
    lanes: u16,
    /// Points from one to the next.
    step: u16,
}

/// Where the chances of every card are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) card_index: CardIndex,
    /// By [`CardSet::number`].
    kept: Vec<Span>,
    /// By place of the index: the fewest points.
    first: Vec<u16>,
    pub(super) all: CategorySet,
    chance_bytes: usize,
}

impl Layout {
    /// The layout for `solved`; `None` with too many categories. `forecast` says how widely gains are
    /// spread.
    pub(super) fn new(solved: &SolvedSheet<'_>, forecast: &Forecast, goal: Goal) -> Option<Self> {
        let card_index = CardIndex::new(solved, |open| goal.knots(open))?;
        let all = solved.sheet().categories();
        let (kept, first) =
            (vec![Span::default(); card_index.sets()], vec![0; card_index.places()]);
        let mut layout = Self { card_index, kept, first, all, chance_bytes: 0 };
        for filled in (0..=all.len()).rev() {
            for set in layout.card_index.layer(filled) {
                layout.add(solved, forecast, &set);
            }
        }
        Some(layout)
    }

    /// Decides how the chances of a set are kept, after those of all before it.
    fn add(&mut self, solved: &SolvedSheet<'_>, forecast: &Forecast, set: &CardSet) {
        let sheet = solved.sheet();
        let open = self.all.without(set.filled);
        let extent = extent(open.len());
        let highest = |category| sheet.possible_points(category).last().copied().unwrap_or(0);
        let most = |rows: CategorySet| rows.iter().map(highest).map(i32::from).sum::<i32>();
        let (rows, upper) = (f64::from(most(open)), most(open.and(sheet.upper())));
        // The bonus for all dice alike is possible every turn, unless the row holds 0.
        let lost =
            sheet.alike_row().is_none_or(|row| set.filled.contains(row) && !set.alike_scored);
        let turns = if lost { 0 } else { open.len() as u32 };
        let alike = f64::from(turns) * f64::from(sheet.definition().five_alike_bonus);
        let mut length = 0.0f64;
        for (place, state) in (set.first..).zip(self.card_index.states(set)) {
            let bonus = sheet.upper_bonus(i32::from(state.upper) + upper)
                - sheet.upper_bonus(state.upper.into());
            let mean = solved.values.value(state);
            let deviation = forecast.variance(state).sqrt();
            let first = (mean - extent.below * deviation).max(0.0).floor();
            let last = (mean + extent.above * deviation).max(first + (extent.lanes - 1) as f64);
            let last = last.min(rows + f64::from(bonus) + alike);
            length = length.max(last - first);
            self.first[place] = first as u16;
        }
        let lanes = match open.len() {
            // A complete card gains nothing more, for certain.
            0 => 1,
            _ => (length as usize + 1).next_multiple_of(LANES).min(extent.lanes),
        };
        let step = (length / (lanes as f64 - 1.0).max(1.0)).ceil().max(1.0);
        let start = self.chance_bytes as u32;
        self.kept[set.number] = Span { start, lanes: lanes as u16, step: step as u16 };
        self.chance_bytes += self.card_index.states(set).len() * Code::bytes(lanes);
    }

    /// The bytes of all chances.
    pub(super) fn chance_bytes(&self) -> usize {
        self.chance_bytes
    }

    /// Where the bytes of the cards of a set are.
    pub(super) fn of_set(&self, set: &CardSet) -> std::ops::Range<usize> {
        let Span { start, lanes, .. } = self.kept[set.number];
        let start = start as usize;
        start..start + self.card_index.states(set).len() * Code::bytes(lanes.into())
    }

    /// How many chances each card of a set has.
    pub(super) fn lanes(&self, set: &CardSet) -> usize {
        self.kept[set.number].lanes.into()
    }

    /// The curve of the card at a place in a set, of the bytes of all `chances`.
    pub(super) fn curve<'a>(&self, set: &CardSet, place: usize, chances: &'a [u8]) -> Curve<'a> {
        let Span { start, lanes, step } = self.kept[set.number];
        let bytes = Code::bytes(lanes.into());
        let start = start as usize + (place - set.first) * bytes;
        let code = Code::of(&chances[start..][..bytes]);
        Curve { first: self.first[place], step, code }
    }

    /// The points from one chance of a card of a set to the next.
    pub(super) fn step(&self, set: &CardSet) -> u16 {
        self.kept[set.number].step
    }

    /// The fewest points for which the chance of the card at a place is kept.
    pub(super) fn first(&self, place: usize) -> u16 {
        self.first[place]
    }

    /// The chance of a card in `state` to gain `needed` points, in parts of
    /// [`SURE`](super::curve::SURE), given those of all cards.
    pub(super) fn chance(&self, state: CardState, needed: f64, chances: &[u8]) -> f64 {
        let set = self.card_index.set(state.filled, state.alike_scored);
        let of = |&(place, part): &(usize, f64)| {
            part * f64::from(self.curve(&set, place, chances).at(needed))
        };
        self.card_index.places_of(state).iter().map(of).sum()
    }

    /// The probability of every number of points that a card in `state` still gains, from 0 on, given
    /// the chances of all cards.
    pub(super) fn odds(&self, state: CardState, chances: &[u8]) -> Vec<f64> {
        let set = self.card_index.set(state.filled, state.alike_scored);
        let mut odds = Vec::new();
        for (place, part) in self.card_index.places_of(state) {
            let known = self.curve(&set, place, chances).each();
            let next = known.iter().skip(1).chain([&0.0]);
            odds.resize(odds.len().max(known.len()), 0.0);
            for ((odds, chance), next) in odds.iter_mut().zip(&known).zip(next) {
                *odds += part * f64::from(chance - next) / f64::from(SURE);
            }
        }
        odds
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.kept[..]) + size_of_val(&self.first[..]) + self.card_index.bytes()
    }
}
