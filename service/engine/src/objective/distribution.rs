//! The exact distribution of the further points of a card near its end that is played for points. A few rows have a
//! few possible sums, which no normal distribution fits.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::endgame::canonical;
use crate::category::CategorySet;
use crate::dice::Keep;
use crate::parallel::share;
use crate::sheet::{CardState, Sheet};
use crate::solve::is_reachable;
use crate::solved_sheet::SolvedSheet;

/// Open rows of the cards that [`EndDistributions`] holds.
const ROWS: usize = 2;

/// The distributions of all cards with at most two rows open, as odds of every number of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EndDistributions(HashMap<CardState, Box<[f32]>>);

impl EndDistributions {
    /// Computes them on so many threads.
    pub(super) fn solve(solved: &SolvedSheet<'_>, threads: usize) -> Self {
        let mut table = Self::default();
        for open in 1..=ROWS {
            let states = states(solved.sheet(), open);
            let found = share(threads, states.into_iter(), |next| {
                let mut distributions = ScoreDistributions::new(&table);
                let of = |state| {
                    let odds = distributions.of(solved, state);
                    let odds = odds.iter().map(|&odds| odds as f32).collect::<Box<[f32]>>();
                    (canonical(solved.sheet(), state), odds)
                };
                std::iter::from_fn(next).map(of).collect::<Vec<_>>()
            });
            table.0.extend(found.into_iter().flatten());
        }
        table
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        let entry = size_of::<(CardState, Box<[f32]>)>();
        self.0.values().map(|odds| entry + size_of_val(&odds[..])).sum()
    }
}

/// Reachable cards with so many rows open, one of all that are worth the same.
fn states(sheet: &Sheet, open: usize) -> Vec<CardState> {
    let rows: Vec<_> = sheet.categories().iter().collect();
    let sets: Vec<CategorySet> = match open {
        1 => rows.iter().map(|&row| CategorySet::EMPTY.with(row)).collect(),
        _ => {
            let pairs = rows.iter().enumerate().flat_map(|(i, &a)| {
                rows[..i].iter().map(move |&b| CategorySet::EMPTY.with(a).with(b))
            });
            pairs.collect()
        }
    };
    let mut states = Vec::new();
    let mut seen = HashSet::new();
    let filled = sets.into_iter().map(|open| sheet.categories().without(open));
    for filled in filled.filter(|&filled| is_reachable(sheet, filled)) {
        for alike_scored in [false, true] {
            let possible = sheet.alike_row().is_some_and(|row| filled.contains(row));
            if alike_scored && !(sheet.tracks_alike() && possible) {
                continue;
            }
            for upper in upper_totals(sheet, filled) {
                let state = CardState { filled, upper, alike_scored, ..CardState::EMPTY };
                if seen.insert(canonical(sheet, state)) {
                    states.push(state);
                }
            }
        }
    }
    states
}

/// The upper totals that a card with these rows filled can have.
fn upper_totals(sheet: &Sheet, filled: CategorySet) -> BTreeSet<u16> {
    filled.and(sheet.counted()).iter().fold(BTreeSet::from([0]), |totals, row| {
        let points = sheet.possible_points(row);
        let sums = totals.iter().flat_map(|&total| {
            points.iter().map(move |&points| total.saturating_add_signed(points))
        });
        sums.map(|sum| sum.min(sheet.upper_cap())).collect()
    })
}

/// The distributions of cards, each computed once.
#[derive(Debug)]
pub(crate) struct ScoreDistributions<'t> {
    /// Those known before.
    table: &'t EndDistributions,
    /// By card: the odds of every number of points.
    known: HashMap<CardState, Rc<[f64]>>,
}

impl<'t> ScoreDistributions<'t> {
    /// Computes the distributions that are not in `table`, which is empty or of the same sheet.
    pub(crate) fn new(table: &'t EndDistributions) -> Self {
        Self { table, known: HashMap::new() }
    }

    /// The odds of every number of points that a card in `state` may still gain, bonuses included.
    pub(crate) fn of(&mut self, solved: &SolvedSheet<'_>, state: CardState) -> Rc<[f64]> {
        let sheet = solved.sheet();
        if state.filled == sheet.categories() {
            return Rc::new([1.0]);
        }
        let alike = canonical(sheet, state);
        if let Some(known) = self.known.get(&alike) {
            return Rc::clone(known);
        }
        if let Some(odds) = self.table.0.get(&alike) {
            let odds: Rc<[f64]> = odds.iter().copied().map(f64::from).collect();
            self.known.insert(alike, Rc::clone(&odds));
            return odds;
        }
        // Many rolls have the same record.
        let mut records = HashMap::new();
        let turn = solved.turn(state);
        solved.for_each_ending(
            &turn,
            state,
            Keep::EMPTY,
            sheet.rolls(),
            |(roll, category, served, odds)| {
                let points = sheet.points(state, roll, category, served);
                let alike = sheet.five_alike_gain(state, roll);
                *records.entry((category, points, alike)).or_insert(0.0) += odds;
            },
        );
        // In a fixed order, so that sums are bit-identical.
        let mut records: Vec<_> = records.into_iter().collect();
        records.sort_by_key(|&((category, points, alike), _)| (category.index(), points, alike));
        let mut points = Vec::new();
        for ((category, recorded, alike), odds) in records {
            let gain = sheet.gain_of_points(state, category, recorded);
            let gained = (gain.total() + alike) as usize;
            let further = self.of(solved, sheet.after(state, category, recorded));
            points.resize(points.len().max(gained + further.len()), 0.0);
            let sums = points[gained..].iter_mut().zip(further.iter());
            sums.for_each(|(sum, further)| *sum += odds * further);
        }
        let points: Rc<[f64]> = points.into();
        self.known.insert(alike, Rc::clone(&points));
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::category::CategorySet;
    use crate::objective::Forecast;
    use crate::ruleset::Ruleset;
    use crate::sheet::Sheet;
    use crate::solve::{Solution, Values};

    #[test]
    fn distributions_have_the_solved_mean_and_variance() {
        // Without an upper bonus variances are kept for every card.
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.into_iter().find(|r| r.id == "dice-poker-13").expect("built in");
        let sheet = Sheet::new(ruleset.definition).expect("sound");
        let values = Solution::solve(&sheet, 2).expect("within the budget");
        let solved = SolvedSheet::new(&sheet, &values);
        let forecast = Forecast::solve(&solved, 2);
        let empty = EndDistributions::default();
        let mut distributions = ScoreDistributions::new(&empty);
        let mut by_table = ScoreDistributions::new(forecast.end_distributions());
        for open in [
            &["five_alike"][..],
            &["chance", "sixes"],
            &["full_house", "large_straight", "threes"],
            &["four_alike", "small_straight", "five_alike", "ones"],
        ] {
            let open: CategorySet =
                open.iter().map(|id| sheet.category(id).expect("a row")).collect();
            let filled = sheet.categories().without(open);
            let state = CardState { filled, ..CardState::EMPTY };
            let odds = distributions.of(&solved, state);
            for (plain, found) in odds.iter().zip(by_table.of(&solved, state).iter()) {
                assert!((plain - found).abs() < 1e-6, "{filled:?}");
            }
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                odds.iter().enumerate().map(|(points, odds)| odds * of(points as f64)).sum()
            };
            let mean = values.value(state);
            assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-9);
            assert!((sum(&|points| points) - mean).abs() < 1e-4, "{filled:?}");
            let variance = sum(&|points| (points - mean).powi(2));
            assert!((variance - forecast.variance(state)).abs() < 1e-3 * variance, "{filled:?}");
        }
    }
}
