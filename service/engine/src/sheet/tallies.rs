//! The sums that a card keeps besides its upper total: one for each bonus of several rows, one for
//! each column's upper section where there are several, and the factors of incomplete products.

use super::cells::Cells;
use super::state::MAX_TALLIES;
use crate::category::{Category, CategorySet};
use crate::definition::{Counts, Definition, Section};

/// A sum over some boxes, and the points that it earns.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    members: CategorySet,
    counts: Counts,
    /// Count and points of each step.
    steps: Vec<(i32, i32)>,
    /// The count from which on more makes no difference.
    cap: i32,
    kind: Kind,
    /// The column that it belongs to, unless the whole sheet has it.
    column: Option<usize>,
}

/// The purpose of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The bonus of an upper section.
    Upper,
    /// Another bonus.
    Other,
    /// Whether all boxes of the row of all dice alike hold points.
    Alike,
}

/// Boxes that count only together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) of: Category,
    pub(crate) less: Option<Category>,
    pub(crate) times: Category,
    pub(crate) members: CategorySet,
    pub(crate) floor: Option<i32>,
    pub(crate) weight: i32,
    /// Where the points of its boxes stand in a state.
    pub(crate) slot: usize,
}

/// All sums of a sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tallies {
    tallies: Vec<Tally>,
    terms: Vec<Term>,
    members: CategorySet,
}

/// The points that the sums of a card bring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brought {
    pub(crate) upper_bonus: i32,
    /// Other points of the column.
    pub(crate) of_column: i32,
    /// Other points of the whole sheet.
    pub(crate) of_sheet: i32,
}

impl Brought {
    /// All but the upper bonus.
    pub(crate) fn other(self) -> i32 {
        self.of_column + self.of_sheet
    }
}

impl Tally {
    fn earned(&self, count: i32) -> i32 {
        self.steps.iter().filter(|&&(at, _)| count >= at).map(|&(_, points)| points).sum()
    }

    fn add(&self, count: i16, points: i16) -> i16 {
        let one = match self.counts {
            Counts::Points => i32::from(points),
            Counts::Made => i32::from(points > 0),
        };
        (i32::from(count) + one).clamp(i16::MIN.into(), self.cap) as i16
    }
}

/// How many sums a definition needs; more than [`MAX_TALLIES`] are too many.
pub(crate) fn count(definition: &Definition) -> usize {
    let columns = definition.columns.len().max(1);
    let bonuses: usize =
        definition.bonuses.iter().map(|b| if b.per_column { columns } else { 1 }).sum();
    let products: usize =
        definition.products.iter().map(|p| columns * (2 + usize::from(p.less.is_some()))).sum();
    // The uppers of several columns, and the boxes of all dice alike.
    let uppers = if columns > 1 && !definition.upper_bonuses.is_empty() { columns } else { 0 };
    let alike = usize::from(columns > 1 && definition.five_alike_bonus > 0);
    uppers + bonuses + products + alike
}

impl Tallies {
    /// The sums of a sound definition; `alike` are the boxes of all dice alike where it matters
    /// that they hold points.
    pub(crate) fn new(definition: &Definition, cells: &Cells, alike: CategorySet) -> Self {
        let columns = definition.columns.len().max(1);
        let weight =
            |column: usize| definition.columns.get(column).map_or(1, |c| i32::from(c.weight));
        let negative = cells.iter().filter(|(_, c)| definition.categories[c.row].may_be_negative());
        let negative: CategorySet = negative.map(|(category, _)| category).collect();
        let mut tallies = Self::default();
        if columns > 1 && !definition.upper_bonuses.is_empty() {
            for column in 0..columns {
                let upper = |row: usize| definition.categories[row].section == Section::Upper;
                let members = cells.iter().filter(|(_, c)| c.column == column && upper(c.row));
                let steps = definition.upper_bonuses.iter();
                let steps =
                    steps.map(|b| (b.threshold.into(), weight(column) * i32::from(b.points)));
                let members = members.map(|(category, _)| category).collect();
                let kind = (Kind::Upper, Some(column));
                tallies.push((members, negative), Counts::Points, steps.collect(), kind);
            }
        }
        if alike.len() > 1 {
            let steps = vec![(alike.len() as i32, 0)];
            tallies.push((alike, negative), Counts::Made, steps, (Kind::Alike, None));
        }
        for bonus in &definition.bonuses {
            let named = |row: usize| {
                bonus.rows.is_empty() || bonus.rows.contains(&definition.categories[row].id)
            };
            for column in 0..if bonus.per_column { columns } else { 1 } {
                let here = |c: usize| !bonus.per_column || c == column;
                let members = cells.iter().filter(|(_, c)| here(c.column) && named(c.row));
                let members = members.map(|(category, _)| category).collect();
                let weight = if bonus.per_column { weight(column) } else { 1 };
                let steps = bonus.steps.iter();
                let steps = steps.map(|s| (s.at.into(), weight * i32::from(s.points))).collect();
                let kind = (Kind::Other, bonus.per_column.then_some(column));
                tallies.push((members, negative), bonus.counts, steps, kind);
            }
        }
        let row = |id: &str| definition.categories.iter().position(|c| c.id == id);
        let mut slot = tallies.tallies.len();
        for product in &definition.products {
            for column in 0..columns {
                let cell = |id: &str| row(id).map(|row| cells.first(row, column));
                let (Some(of), Some(times)) = (cell(&product.of), cell(&product.times)) else {
                    continue;
                };
                let less = product.less.as_deref().and_then(cell);
                let members: CategorySet = [of, times].into_iter().chain(less).collect();
                let floor = product.floor.map(i32::from);
                let weight = weight(column);
                tallies.terms.push(Term { of, less, times, members, floor, weight, slot });
                slot += members.len();
            }
        }
        debug_assert!(slot <= MAX_TALLIES);
        let sums = tallies.tallies.iter().map(|tally| tally.members);
        let all = sums.chain(tallies.terms.iter().map(|term| term.members));
        tallies.members = all.fold(CategorySet::EMPTY, CategorySet::or);
        tallies
    }

    /// `negative` are the boxes that may hold less than 0. With one of them among the members a sum
    /// may fall again, so it is not capped.
    fn push(
        &mut self,
        (members, negative): (CategorySet, CategorySet),
        counts: Counts,
        steps: Vec<(i32, i32)>,
        (kind, column): (Kind, Option<usize>),
    ) {
        let falls = counts == Counts::Points && !members.and(negative).is_empty();
        let most = steps.iter().map(|&(at, _)| at).max().unwrap_or(0);
        let cap = if falls { i16::MAX.into() } else { most };
        self.tallies.push(Tally { members, counts, steps, cap, kind, column });
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.tallies.is_empty() && self.terms.is_empty()
    }

    /// The boxes whose points change a sum.
    pub(crate) fn members(&self) -> CategorySet {
        self.members
    }

    /// The boxes that count through products only.
    pub(crate) fn factors(&self) -> CategorySet {
        self.terms.iter().flat_map(|term| [Some(term.of), term.less]).flatten().collect()
    }

    /// The points of the steps at 0, which an empty card has.
    pub(crate) fn at_start(&self) -> i32 {
        self.tallies.iter().map(|tally| tally.earned(0)).sum()
    }

    /// Those of a column alone.
    pub(crate) fn at_start_of(&self, column: usize) -> i32 {
        let own = self.tallies.iter().filter(|tally| tally.column == Some(column));
        own.map(|tally| tally.earned(0)).sum()
    }

    /// The points that `points` in `category` bring, and the sums after it. `filled` includes the
    /// category.
    pub(crate) fn record(
        &self,
        sums: &mut [i16; MAX_TALLIES],
        filled: CategorySet,
        category: Category,
        points: i16,
    ) -> (Brought, bool) {
        let mut brought = Brought::default();
        let mut alike = false;
        for (sum, tally) in sums.iter_mut().zip(&self.tallies) {
            if !tally.members.contains(category) {
                continue;
            }
            let before = tally.earned((*sum).into());
            *sum = tally.add(*sum, points);
            let more = tally.earned((*sum).into()) - before;
            match tally.kind {
                Kind::Upper => brought.upper_bonus += more,
                Kind::Other if tally.column.is_some() => brought.of_column += more,
                Kind::Other => brought.of_sheet += more,
                Kind::Alike => alike = i32::from(*sum) == tally.cap,
            }
            if tally.members.without(filled).is_empty() {
                // Nothing changes it any more.
                *sum = 0;
            }
        }
        for term in self.terms.iter().filter(|term| term.members.contains(category)) {
            let place =
                |c: Category| term.slot + term.members.iter().take_while(|&m| m != c).count();
            sums[place(category)] = points;
            if term.members.without(filled).is_empty() {
                let at = |c: Category| i32::from(sums[place(c)]);
                let less = term.less.map_or(0, at);
                let product = (at(term.of) - less) * at(term.times);
                brought.of_column +=
                    term.weight * term.floor.map_or(product, |floor| product.max(floor));
                sums[term.slot..][..term.members.len()].fill(0);
            }
        }
        (brought, alike)
    }

    /// The members of each sum, its steps (count and points), and whether it counts entries that
    /// hold points.
    pub(crate) fn sums(&self) -> impl Iterator<Item = (CategorySet, &[(i32, i32)], bool)> + '_ {
        self.tallies.iter().map(|t| (t.members, &t.steps[..], t.counts == Counts::Made))
    }

    /// Where the factors of products stand among the sums of a state.
    pub(crate) fn factor_slots(&self) -> std::ops::Range<usize> {
        let first = self.tallies.len();
        first..first + self.terms.iter().map(|term| term.members.len()).sum::<usize>()
    }

    /// The products.
    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }
}
