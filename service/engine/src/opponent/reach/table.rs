//! The chances of every card of a sheet with not too many categories, from the fullest cards to the
//! empty one. Workers take sets of cards as they come; what one writes does not depend on who
//! it is, so chances are the same to the last bit however many threads there were.

use std::sync::{Mutex, PoisonError};

use pulp::{Simd, WithSimd};

use super::curve::SURE;
use super::layout::Layout;
use super::worker::Worker;
use crate::opponent::game::Game;
use crate::opponent::grid::Set;
use crate::opponent::spread::Spread;
use crate::sheet::{CardState, Sheet};
use crate::solve::Isa;

/// The chances of every card.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    layout: Layout,
    /// In parts of [`SURE`].
    chances: Vec<u16>,
}

impl Table {
    /// The chances of every card of `game`, worked out on so many threads with these instructions;
    /// `None` with more than 16 categories, which would be too many cards. `spread` tells what is
    /// in doubt.
    pub(super) fn solve(
        game: &Game<'_>,
        spread: &Spread,
        threads: usize,
        isa: Isa,
    ) -> Option<Self> {
        let layout = Layout::new(game, spread)?;
        let mut chances = vec![SURE as u16; layout.chances()];
        for filled in (0..layout.all.len()).rev() {
            let sets = layout.grid.layer(filled);
            let start = sets.first().map_or(0, |set| layout.of_set(set).start);
            let (done, out) = chances.split_at_mut(start);
            let jobs = Mutex::new(Jobs { layout: &layout, sets: &sets, out });
            let work = || isa.run(Work { sheet: game.sheet(), layout: &layout, done, jobs: &jobs });
            std::thread::scope(|scope| {
                for _ in 1..threads.min(sets.len()) {
                    scope.spawn(work);
                }
                work();
            });
        }
        Some(Self { layout, chances })
    }

    /// The chance of a card in `state` to gain so many points more.
    pub(super) fn chance(&self, state: CardState, needed: f64) -> f64 {
        self.layout.chance(state, needed, &self.chances) / f64::from(SURE)
    }

    /// Bytes that the table takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.chances[..]) + self.layout.bytes()
    }
}

/// What is left of the sets with equally many categories filled.
struct Jobs<'a> {
    layout: &'a Layout,
    sets: &'a [Set],
    out: &'a mut [u16],
}

impl<'a> Jobs<'a> {
    /// The next set, and where its chances go.
    fn take(&mut self) -> Option<(&'a Set, &'a mut [u16])> {
        let (set, rest) = self.sets.split_first()?;
        self.sets = rest;
        let (out, rest) = std::mem::take(&mut self.out).split_at_mut(self.layout.of_set(set).len());
        self.out = rest;
        Some((set, out))
    }
}

/// A worker's share of them.
struct Work<'a, 'b> {
    sheet: &'a Sheet,
    layout: &'a Layout,
    done: &'a [u16],
    jobs: &'a Mutex<Jobs<'b>>,
}

impl WithSimd for Work<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut worker = Worker::new(simd, self.sheet, self.layout, self.done);
        loop {
            let job = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some((set, out)) = job else { break };
            worker.chances(simd, set, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::category::CategorySet;
    use crate::opponent::endgame::Solo;
    use crate::opponent::game::turn_of;
    use crate::opponent::outcome::Measure;
    use crate::opponent::reach::Lanes;
    use crate::opponent::reach::layout::LANES;
    use crate::ruleset::Ruleset;
    use crate::sheet::Sheet;
    use crate::solve::Solution;

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

    /// Small sheets with all that may happen to a record: bonuses, jokers, points that are paid on
    /// the first roll only, and curves of every step.
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
    fn chances_are_those_of_plain_turns() {
        for sheet in small() {
            let values = Solution::solve(&sheet, 1).expect("within the budget");
            let game = Game::new(&sheet, &values);
            let spread = Spread::solve(&game, 1);
            let Table { layout, chances } =
                Table::solve(&game, &spread, 1, Isa::best()).expect("few categories");
            let sets = (0..sheet.categories().len()).flat_map(|filled| layout.grid.layer(filled));
            let mut steps = Vec::new();
            for set in sets {
                steps.push(layout.step(&set));
                for (place, state) in (set.first..).zip(layout.grid.states(&set)) {
                    let curve = layout.curve(&set, place, &chances);
                    let needs = (0..).map(|lane| curve.first + lane * curve.step);
                    let needs: Vec<u16> = needs.take(curve.chances.len()).collect();
                    for (needs, found) in needs.chunks(LANES).zip(curve.chances.chunks(LANES)) {
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
                            assert!(off < 2.0, "{state:?}: {found}, not {plain}");
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
            let game = Game::new(&sheet, &values);
            let spread = Spread::solve(&game, 1);
            let table = Table::solve(&game, &spread, 1, Isa::best());
            for isa in Isa::available() {
                for threads in [1, 2, 5] {
                    assert!(
                        Table::solve(&game, &spread, threads, isa) == table,
                        "{isa:?} {threads}"
                    );
                }
            }
        }
    }

    /// Cards with five open rows, one of which the table cannot yet keep step by step, against the
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
            let game = Game::new(&sheet, &values);
            let spread = Spread::solve(&game, 2);
            let table = Table::solve(&game, &spread, 2, Isa::best()).expect("few categories");
            let open: CategorySet =
                open.iter().map(|id| sheet.category(id).expect("a row")).collect();
            let filled = sheet.categories().without(open);
            let state = CardState { filled, upper, alike_scored: false };
            let (mut off, mut most) = (0.0, 0.0f64);
            let targets: Vec<u32> = (8..160).step_by(8).collect();
            for &target in &targets {
                let mut exact = Solo::new(Measure::Target(target), open.len());
                let exact = exact.card(&game, &spread, state, 0).prospect.win;
                let told = table.chance(state, target.into());
                off += (told - exact).abs() / targets.len() as f64;
                most = most.max((told - exact).abs());
            }
            assert!(most < 0.015 && off < 0.002, "{id}: {most} at most, {off} on average");
        }
    }
}
