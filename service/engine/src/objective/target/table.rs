//! The chances of every card of a sheet with few categories, from the fullest cards to the empty
//! one. Workers take sets of cards in any order; a result does not depend on the worker, so chances
//! are bit-identical for any number of threads.

use pulp::{Simd, WithSimd};

use super::curve::SURE;
use super::layout::{Goal, Layout};
use super::worker::{ByChances, ByPoints, Choice, Worker};
use crate::objective::card_index::CardSet;
use crate::objective::forecast::Forecast;
use crate::parallel::share;
use crate::sheet::CardState;
use crate::solve::Isa;
use crate::solved_sheet::SolvedSheet;

/// The chances of every card.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    layout: Layout,
    /// A [`Code`](super::curve::Code) for each card.
    chances: Vec<u8>,
}

impl Table {
    /// The chances of every card of `game`, computed on so many threads with these instructions;
    /// `None` with more than 16 categories, which have too many cards. `forecast` has the
    /// deviations.
    pub(super) fn solve(
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        goal: Goal,
        threads: usize,
        isa: Isa,
    ) -> Option<Self> {
        let layout = Layout::new(solved, forecast, goal)?;
        // Complete cards gain nothing more, for certain.
        let mut chances = vec![0; layout.chance_bytes()];
        for filled in (0..layout.all.len()).rev() {
            let sets = layout.card_index.layer(filled);
            let start = sets.first().map_or(0, |set| layout.of_set(set).start);
            let (done, out) = chances.split_at_mut(start);
            let layout = &layout;
            // Each set, and the slice for its chances.
            let jobs = sets.iter().scan(out, |out, set| {
                let (of_set, rest) = std::mem::take(out).split_at_mut(layout.of_set(set).len());
                *out = rest;
                Some((set, of_set))
            });
            share(threads.min(sets.len()), jobs, |next| {
                isa.run(Work { solved: *solved, goal, layout, done, next })
            });
        }
        Some(Self { layout, chances })
    }

    /// The chance of a card in `state` to gain so many points more.
    pub(super) fn chance(&self, state: CardState, needed: f64) -> f64 {
        self.layout.chance(state, needed, &self.chances) / f64::from(SURE)
    }

    /// The probability of every number of points that a card in `state` still gains, from 0 on, in a
    /// table for points.
    pub(super) fn odds(&self, state: CardState) -> Vec<f64> {
        self.layout.odds(state, &self.chances)
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.chances[..]) + self.layout.bytes()
    }
}

/// A worker's share of them.
struct Work<'a, 'b> {
    solved: SolvedSheet<'a>,
    goal: Goal,
    layout: &'a Layout,
    done: &'a [u8],
    next: &'a dyn Fn() -> Option<(&'b CardSet, &'b mut [u8])>,
}

impl WithSimd for Work<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.goal {
            Goal::Chances => self.all::<S, ByChances<S>>(simd),
            Goal::Points => self.all::<S, ByPoints<S>>(simd),
        }
    }
}

impl Work<'_, '_> {
    #[inline(always)]
    fn all<S: Simd, C: Choice<S>>(self, simd: S) {
        let mut worker = Worker::<S, C>::new(simd, self.solved, self.layout, self.done);
        while let Some((set, out)) = (self.next)() {
            worker.chances(simd, set, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::category::CategorySet;
    use crate::objective::endgame::plain::Solo;
    use crate::objective::final_score::Measure;
    use crate::objective::target::Lanes;
    use crate::objective::target::layout::LANES;
    use crate::ruleset::Ruleset;
    use crate::sheet::Sheet;
    use crate::solve::Solution;
    use crate::solved_sheet::turn_of;

    fn sheet(id: &str, rows: Option<&[&str]>) -> Sheet {
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.into_iter().find(|ruleset| ruleset.id == id).expect("built in");
        let mut definition = ruleset.definition;
        if let Some(rows) = rows {
            definition.categories.retain(|row| rows.contains(&row.id.as_str()));
            definition.joker.fills.retain(|row| rows.contains(&row.as_str()));
            definition.upper_bonuses.iter_mut().for_each(|bonus| bonus.threshold = 27);
        }
        Sheet::new(definition).expect("sound")
    }

    /// Small sheets with every kind of record: bonuses, jokers, points that are paid on the first
    /// roll only, and curves of every step.
    fn small() -> [Sheet; 3] {
        let rows = ["threes", "fives", "sixes", "full_house", "five_alike", "chance", "pair"];
        let more = ["small_straight", "four_alike", "straight", "poker", "generala"];
        let all = [&rows[..], &more].concat();
        [
            sheet("dice-poker-15", Some(&rows)),
            sheet("yahtzee", Some(&[&rows[1..], &more[..2]].concat())),
            sheet("generala", Some(&all)),
        ]
    }

    /// Every card, from the table's own chances after every record.
    #[test]
    fn chances_agree_with_plain_turns() {
        for sheet in small() {
            let values = Solution::solve(&sheet, 1).expect("within the budget");
            let solved = SolvedSheet::new(&sheet, &values);
            let forecast = Forecast::solve(&solved, 1);
            let Table { layout, chances } =
                Table::solve(&solved, &forecast, Goal::Chances, 1, Isa::best())
                    .expect("few categories");
            let sets =
                (0..sheet.categories().len()).flat_map(|filled| layout.card_index.layer(filled));
            let mut steps = Vec::new();
            for set in sets {
                steps.push(layout.step(&set));
                for (place, state) in (set.first..).zip(layout.card_index.states(&set)) {
                    let curve = layout.curve(&set, place, &chances);
                    let (needs, found): (Vec<u16>, Vec<u16>) = curve.kept().unzip();
                    for (needs, found) in needs.chunks(LANES).zip(found.chunks(LANES)) {
                        let turn = turn_of(&sheet, state, |category, gain| {
                            let after = sheet.after(state, category, gain.points);
                            let needed =
                                |lane: usize| f64::from(needs[lane]) - f64::from(gain.total());
                            let chance = |lane| layout.chance(after, needed(lane), &chances) as f32;
                            Lanes::<LANES>(std::array::from_fn(chance))
                        });
                        let plain = turn.start(sheet.lattice()).0;
                        for (plain, &found) in plain.into_iter().zip(found) {
                            let off = (plain - f32::from(found)).abs();
                            let most = curve.rounding() + 2.0;
                            assert!(off < most, "{state:?}: {found}, not {plain}");
                        }
                    }
                }
            }
            assert!(steps.iter().any(|&step| step > 1) && steps.contains(&1), "{steps:?}");
        }
    }

    #[test]
    fn chances_are_the_same_on_any_threads_and_instructions() {
        for sheet in small() {
            let values = Solution::solve(&sheet, 1).expect("within the budget");
            let solved = SolvedSheet::new(&sheet, &values);
            let forecast = Forecast::solve(&solved, 1);
            let table = Table::solve(&solved, &forecast, Goal::Chances, 1, Isa::best());
            for isa in Isa::available() {
                for threads in [1, 2, 5] {
                    assert!(
                        Table::solve(&solved, &forecast, Goal::Chances, threads, isa) == table,
                        "{isa:?} {threads}"
                    );
                }
            }
        }
    }

    /// Cards with five open rows, some of which the table keeps with a step above 1, against the
    /// exact recursion over cards and points.
    #[test]
    fn chances_are_near_the_exact_ones() {
        for (id, open, upper) in [
            (
                "dice-poker-13",
                &["sixes", "four_alike", "full_house", "five_alike", "chance"][..],
                0,
            ),
            (
                "dice-poker-13",
                &["small_straight", "large_straight", "five_alike", "ones", "twos"],
                0,
            ),
            ("yatzy", &["fives", "sixes", "two_pairs", "large_straight", "five_alike"], 31),
        ] {
            let sheet = sheet(id, None);
            let values = Solution::solve(&sheet, 2).expect("within the budget");
            let solved = SolvedSheet::new(&sheet, &values);
            let forecast = Forecast::solve(&solved, 2);
            let table = Table::solve(&solved, &forecast, Goal::Chances, 2, Isa::best())
                .expect("few categories");
            let open: CategorySet =
                open.iter().map(|id| sheet.category(id).expect("a row")).collect();
            let filled = sheet.categories().without(open);
            let state = CardState { filled, upper, ..CardState::EMPTY };
            let (mut off, mut most) = (0.0, 0.0f64);
            let targets: Vec<i32> = (8..160).step_by(8).collect();
            for &target in &targets {
                let exact = Solo::new(Measure::Target(target)).card(&solved, state, 0).chances.win;
                let found = table.chance(state, target.into());
                off += (found - exact).abs() / targets.len() as f64;
                most = most.max((found - exact).abs());
            }
            assert!(most < 0.015 && off < 0.002, "{id}: {most} at most, {off} on average");
        }
    }
}
