//! Rows and bonuses of a plain sheet under best play, exactly: the probability of every card that a game can
//! reach, followed from the empty card to the complete ones.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::BuildHasherDefault;

use super::figure::{Figure, FinalScores};
use super::sheet_bonus::SheetBonus;
use super::sheet_outlook::{BonusOutlook, RowOutlook, SheetOutlook};
use crate::advice::EQUAL;
use crate::category::Category;
use crate::dice::{Keep, Roll};
use crate::sheet::{CardState, Gain, Sheet};
use crate::solve::Estimate;
use crate::solved_sheet::{SolvedSheet, records};
use crate::turn_solver::{SolvedTurn, Value};

/// The most cards that are followed, times the keeps and rolls of a turn.
const MOST_WORK: u64 = 1_500_000_000;

/// The most cards times points on them for which whole distributions are followed.
const MOST_SCORES: u64 = 4_000_000;

/// The cards of one turn with their probabilities. The hasher has no key, so that sums are added in the
/// same order in every run.
type Cards = HashMap<CardState, Mass, BuildHasherDefault<DefaultHasher>>;

/// The games that reach a card.
#[derive(Clone, Debug, Default)]
struct Mass {
    probability: f64,
    /// Probability times points on the card, and times their square.
    points: f64,
    squares: f64,
    /// Probability that a bonus for all dice alike was earned.
    five_alike: f64,
    /// `[points]`: their probability, where distributions are followed.
    scores: Vec<f64>,
}

/// An ending of a turn.
#[derive(Clone, Copy, Debug)]
struct Ending {
    category: Category,
    gain: Gain,
    probability: f64,
}

/// Best play followed through every card, turn by turn. It can be interrupted after any card.
#[derive(Clone, Debug)]
pub struct BestPlay {
    turn: usize,
    cards: Vec<(CardState, Mass)>,
    /// How many of `cards` have been followed.
    done: usize,
    next: Cards,
    rows: Vec<Row>,
    /// `[roll]`: what can be kept of it, in the order of advice: most dice, then high faces.
    keeps: Vec<Box<[Keep]>>,
    /// Mean points of bonuses for all dice alike.
    five_alike: f64,
}

#[derive(Clone, Debug)]
struct Row {
    points: f64,
    zero: f64,
    filled_in_turn: Vec<f64>,
}

impl BestPlay {
    /// Best play of `sheet` from the empty card on; `None` unless the sheet [is plain](Sheet::is_plain)
    /// and its cards are few enough.
    #[must_use]
    pub fn new(sheet: &Sheet) -> Option<Self> {
        let cards = Estimate::of(sheet.definition()).states;
        let rows = (sheet.lattice().keeps + sheet.lattice().rolls) as u64;
        if !sheet.is_plain() || cards.saturating_mul(rows) > MOST_WORK {
            return None;
        }
        let turns = sheet.categories().len();
        let scores = cards.saturating_mul(most_points(sheet)) <= MOST_SCORES;
        let empty = Mass {
            probability: 1.0,
            scores: if scores { vec![1.0] } else { Vec::new() },
            ..Mass::default()
        };
        let keeps = sheet.space().all_rolls().map(|roll| {
            let mut keeps: Box<[Keep]> = sheet.space().keeps_of(roll).collect();
            keeps.sort_unstable_by_key(|keep| Reverse(keep.index()));
            keeps
        });
        let row = Row { points: 0.0, zero: 0.0, filled_in_turn: vec![0.0; turns] };
        Some(Self {
            turn: 0,
            cards: vec![(CardState::EMPTY, empty)],
            done: 0,
            next: Cards::default(),
            rows: vec![row; turns],
            keeps: keeps.collect(),
            five_alike: 0.0,
        })
    }

    /// Share of the turns that were followed, from 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f64 {
        let turn = self.done as f64 / self.cards.len().max(1) as f64;
        (self.turn as f64 + turn) / self.rows.len() as f64
    }

    /// Follows cards until the last one, or until `more`, called after each card, returns false. Returns the
    /// figures at the end. `solved` must be exact, and of the same sheet.
    pub fn run(
        &mut self,
        solved: &SolvedSheet<'_>,
        mut more: impl FnMut() -> bool,
    ) -> Option<SheetOutlook> {
        while self.turn < self.rows.len() {
            while let Some((state, mass)) = self.cards.get_mut(self.done) {
                let (state, mass) = (*state, std::mem::take(mass));
                self.follow(solved, state, &mass);
                self.done += 1;
                if !more() {
                    return None;
                }
            }
            self.turn += 1;
            self.done = 0;
            self.cards = std::mem::take(&mut self.next).into_iter().collect();
        }
        Some(self.outlook(solved.sheet()))
    }

    fn follow(&mut self, solved: &SolvedSheet<'_>, state: CardState, mass: &Mass) {
        for Ending { category, gain, probability } in endings(solved, &self.keeps, state) {
            let reached = mass.probability * probability;
            let row = &mut self.rows[category.index()];
            row.points += reached * f64::from(gain.points);
            row.zero += if gain.points == 0 { reached } else { 0.0 };
            row.filled_in_turn[self.turn] += reached;
            self.five_alike += reached * f64::from(gain.five_alike_bonus);
            let after = solved.sheet().after(state, category, gain.points);
            let next = self.next.entry(after).or_default();
            let gained = f64::from(gain.total());
            next.probability += reached;
            next.points += probability * (mass.points + mass.probability * gained);
            next.squares += probability
                * (mass.squares + 2.0 * gained * mass.points + gained * gained * mass.probability);
            let earned = gain.five_alike_bonus > 0;
            next.five_alike += if earned { reached } else { probability * mass.five_alike };
            add_scores(&mut next.scores, &mass.scores, gain.total(), probability);
        }
    }

    fn outlook(&self, sheet: &Sheet) -> SheetOutlook {
        let total = |part: fn(&Mass) -> f64| self.cards.iter().map(|(_, mass)| part(mass)).sum();
        let (mean, squares): (f64, f64) = (total(|mass| mass.points), total(|mass| mass.squares));
        let five_alike = BonusOutlook {
            chance: Figure::exact(total(|mass| mass.five_alike)),
            mean_points: Figure::exact(self.five_alike),
        };
        let bonuses = SheetBonus::all(sheet).into_iter().map(|bonus| match bonus.upper() {
            Some((least, points)) => {
                let reached = self.cards.iter().filter(|(card, _)| i32::from(card.upper) >= least);
                let chance = reached.map(|(_, mass)| mass.probability).sum();
                let mean = chance * f64::from(points);
                BonusOutlook { chance: Figure::exact(chance), mean_points: Figure::exact(mean) }
            }
            None => five_alike,
        });
        let exact = |figures: &[f64]| figures.iter().copied().map(Figure::exact).collect();
        let rows = self.rows.iter().map(|row| RowOutlook {
            mean_points: Figure::exact(row.points),
            zero_chance: Figure::exact(row.zero),
            filled_in_turn: exact(&row.filled_in_turn),
        });
        let starts_with = sheet.starts_with();
        let mut scores = Vec::new();
        self.cards.iter().for_each(|(_, mass)| add_scores(&mut scores, &mass.scores, 0, 1.0));
        let scores = (starts_with..).zip(scores);
        SheetOutlook {
            rows: rows.collect(),
            bonuses: bonuses.collect(),
            mean: Figure::exact(f64::from(starts_with) + mean),
            deviation: Figure::exact((squares - mean * mean).max(0.0).sqrt()),
            final_scores: FinalScores::exact(scores),
        }
    }
}

/// The most points that a card can hold, roughly.
fn most_points(sheet: &Sheet) -> u64 {
    let definition = sheet.definition();
    let rows = sheet.categories().iter().map(|category| {
        let most = sheet.possible_points(category).last().copied().unwrap_or(0);
        u64::from(most.unsigned_abs()) + u64::from(definition.five_alike_bonus)
    });
    let bonuses = definition.upper_bonuses.iter().map(|bonus| u64::from(bonus.points));
    rows.sum::<u64>() + bonuses.sum::<u64>()
}

/// Adds `share` of the distribution `from`, moved up by `points`, to `to`.
fn add_scores(to: &mut Vec<f64>, from: &[f64], points: i32, share: f64) {
    if from.is_empty() {
        return;
    }
    let points = usize::try_from(points).expect("a plain sheet pays no negative points");
    if to.len() < from.len() + points {
        to.resize(from.len() + points, 0.0);
    }
    to[points..].iter_mut().zip(from).for_each(|(to, from)| *to += share * from);
}

/// The best category to record a roll in, and its value; the first of equal ones.
#[derive(Clone, Copy, Debug)]
struct Record {
    worth: f64,
    category: usize,
    gain: Gain,
}

impl Value for Record {
    const WORST: Self = Self { worth: f64::NEG_INFINITY, ..Self::ZERO };
    const ZERO: Self = Self {
        worth: 0.0,
        category: 0,
        gain: Gain { points: 0, upper_bonus: 0, five_alike_bonus: 0, other: 0 },
    };

    fn plus(self, weight: f64, other: Self) -> Self {
        Self { worth: self.worth + weight * other.worth, ..self }
    }

    fn best(self, other: Self) -> Self {
        if other.worth > self.worth + EQUAL { other } else { self }
    }
}

/// How the turn of a card in `state` ends under best play, each way once.
fn endings(solved: &SolvedSheet<'_>, keeps: &[Box<[Keep]>], state: CardState) -> Vec<Ending> {
    let sheet = solved.sheet();
    let (space, lattice) = (sheet.space(), sheet.lattice());
    let best = |served: bool| {
        records(sheet, state, served, |category, gain| Record {
            worth: solved.further(state, category, gain),
            category: category.index(),
            gain,
        })
    };
    let later = best(false);
    let first = if sheet.has_served() { best(true) } else { Vec::new() };
    let worths = |records: &[Record]| records.iter().map(|record| record.worth).collect();
    let turn = SolvedTurn::solve(lattice, sheet.rolls(), [worths(&later), worths(&first)]);

    let mut rolls: Vec<f64> = space.all_rolls().map(|roll| space.probability(roll)).collect();
    let mut recorded = vec![0.0; lattice.rolls];
    let mut endings = Vec::with_capacity(lattice.rolls);
    let mut rows = vec![0.0; lattice.keeps + lattice.rolls];
    for left in (0..sheet.rolls()).rev() {
        let serves = left + 1 == sheet.rolls() && !first.is_empty();
        rows.fill(0.0);
        for (roll, &probability) in space.all_rolls().zip(&rolls) {
            if probability == 0.0 {
                continue;
            }
            match best_keep(&turn, left, roll, &keeps[roll.index()]) {
                Some(keep) => rows[keep] += probability,
                None if serves => endings.push(first[roll.index()].ending(probability)),
                None => recorded[roll.index()] += probability,
            }
        }
        // Keeps of fewer dice come first, so each has its whole probability when it is thrown.
        for (keep, more) in lattice.more.chunks_exact(lattice.faces).enumerate() {
            let share = rows[keep] / lattice.faces as f64;
            if share > 0.0 {
                more.iter().for_each(|&more| rows[usize::from(more)] += share);
            }
        }
        rolls.copy_from_slice(&rows[lattice.keeps..]);
    }
    let reached = later.iter().zip(recorded).filter(|&(_, probability)| probability > 0.0);
    endings.extend(reached.map(|(record, probability)| record.ending(probability)));
    merge(endings)
}

impl Record {
    fn ending(self, probability: f64) -> Ending {
        Ending { category: Category::new(self.category), gain: self.gain, probability }
    }
}

/// The index of the best of `keeps` with `left` throws left, of equal ones the first; `None` where
/// recording is as good.
fn best_keep(turn: &SolvedTurn<f64>, left: u8, roll: Roll, keeps: &[Keep]) -> Option<usize> {
    let best = turn.roll(left, roll);
    if left == 0 || best - turn.record(left, roll) < EQUAL {
        return None;
    }
    let equal = keeps.iter().find(|&&keep| best - turn.keep(left - 1, keep) < EQUAL);
    equal.map(|keep| keep.index())
}

/// The endings with equal ones merged.
fn merge(mut endings: Vec<Ending>) -> Vec<Ending> {
    let key = |ending: &Ending| {
        (ending.category.index(), ending.gain.points, ending.gain.five_alike_bonus)
    };
    endings.sort_by_key(key);
    endings.dedup_by(|next, first| {
        let alike = key(next) == key(first);
        first.probability += if alike { next.probability } else { 0.0 };
        alike
    });
    endings
}
