//! An upper bound of the score of best play, by relaxation. Every turn may record in any box, as
//! often as wanted, for a price a box; the prices paid for one use of each box are given back. A
//! bonus is replaced by a line that is nowhere below it, a product by a plane, and a pool of throws by
//! a price a throw. What is left is one turn, solved exactly. No prices give less than best play
//! scores, so they are chosen by descent, and the least value is the bound.

use super::Values;
use super::rounds::{Ahead, Rounds, Seat, Slots};
use crate::category::{Category, CategorySet};
use crate::sheet::tallies::Term;
use crate::sheet::{CardState, Sheet};

/// Steps of the descent.
const STEPS: usize = 1500;

/// Games of a step.
const GAMES: usize = 16;

/// An upper bound of the expected final score of `sheet` under best play; none for sheets with
/// jokers, bought throws or hands that win at once.
#[must_use]
pub fn upper_bound(sheet: &Sheet) -> Option<f64> {
    let wins = sheet.definition().categories.iter().any(|row| row.served_wins);
    let relaxed = !sheet.has_joker() && sheet.bought().is_none() && !wins;
    relaxed.then(|| descend(sheet))
}

/// A sum with its steps.
struct Sum<'a> {
    members: CategorySet,
    steps: Vec<(i32, i32)>,
    made: bool,
    sheet: &'a Sheet,
}

impl Sum<'_> {
    /// What it earns before anything is recorded.
    fn at_nothing(&self) -> i32 {
        self.steps.iter().filter(|&&(at, _)| at <= 0).map(|&(_, points)| points).sum()
    }

    /// What points in a member add.
    fn adds(&self, points: i16) -> f64 {
        f64::from(if self.made { i32::from(points > 0) } else { i32::from(points) })
    }

    /// The least intercept of a line of this slope above the steps, and where it touches them.
    fn line(&self, slope: f64) -> (f64, f64) {
        let ends = |pick: fn(&[i16]) -> i16| -> f64 {
            let ends = self.members.iter().map(|c| self.adds(pick(self.sheet.possible_points(c))));
            ends.sum()
        };
        let ends = [ends(|points| points[0]), ends(|points| points[points.len() - 1])];
        let steps = self.steps.iter().map(|&(at, _)| f64::from(at));
        let below = steps.clone().map(|at| at - 1.0);
        let counts = steps.chain(below).filter(|at| (ends[0]..=ends[1]).contains(at)).chain(ends);
        let earned = |count: f64| -> f64 {
            let reached = self.steps.iter().filter(|&&(at, _)| count >= f64::from(at));
            reached.map(|&(_, points)| f64::from(points)).sum()
        };
        let above = counts.map(|count| (earned(count) - slope * count, count));
        above.max_by(|a, b| a.0.total_cmp(&b.0)).expect("two ends")
    }
}

/// The least constant of a plane of these slopes above a product, and where it touches it.
fn plane(sheet: &Sheet, term: &Term, slopes: &[f64]) -> (f64, Vec<f64>) {
    let members: Vec<Category> = term.members.iter().collect();
    let place = |c: Category| members.iter().position(|&m| m == c).expect("a member");
    let mut best = (f64::NEG_INFINITY, Vec::new());
    let mut factors = vec![0.0; members.len()];
    let mut at = vec![0; members.len()];
    loop {
        for (i, &category) in members.iter().enumerate() {
            factors[i] = f64::from(sheet.possible_points(category)[at[i]]);
        }
        let less = term.less.map_or(0.0, |less| factors[place(less)]);
        let product = (factors[place(term.of)] - less) * factors[place(term.times)];
        let floor = term.floor.map_or(f64::NEG_INFINITY, f64::from);
        let product = f64::from(term.weight) * product.max(floor);
        let above = product - factors.iter().zip(slopes).map(|(a, b)| a * b).sum::<f64>();
        if above > best.0 {
            best = (above, factors.clone());
        }
        let mut next = 0;
        while next < at.len() && at[next] + 1 == sheet.possible_points(members[next]).len() {
            at[next] = 0;
            next += 1;
        }
        match at.get_mut(next) {
            Some(at) => *at += 1,
            None => return best,
        }
    }
}

/// The prices, and what a turn is worth by them.
struct Prices<'a> {
    /// Of boxes; then slopes of sums, slopes of products, and the price of a throw.
    prices: Vec<f64>,
    sums: &'a [Sum<'a>],
    terms: &'a [Term],
    boxes: usize,
    /// `[boxes of all dice alike that hold points]`: value of the turns after this one.
    further: Vec<f64>,
}

impl Prices<'_> {
    /// Calls `each` with the place of every price that recording these points meets, and how often
    /// it counts.
    fn met(&self, category: Category, points: i16, mut each: impl FnMut(usize, f64)) {
        each(category.index(), -1.0);
        let mut at = self.boxes;
        for sum in self.sums {
            if sum.members.contains(category) {
                each(at, sum.adds(points));
            }
            at += 1;
        }
        for term in self.terms {
            for (i, _) in term.members.iter().enumerate().filter(|&(_, m)| m == category) {
                each(at + i, points.into());
            }
            at += term.members.len();
        }
    }

    fn price_of_throw(&self) -> f64 {
        self.prices[self.prices.len() - 1]
    }
}

/// How many boxes of all dice alike hold points stands in the upper total of these cards.
fn state(sheet: &Sheet, scored: usize, extra_throws: u8) -> CardState {
    let all = sheet.alike_cells().len();
    let alike_scored = sheet.tracks_alike() && all > 0 && scored >= all;
    CardState { upper: scored as u16, alike_scored, extra_throws, ..CardState::EMPTY }
}

impl Values for Prices<'_> {
    fn value(&self, _: CardState) -> f64 {
        0.0
    }
}

impl Ahead for Prices<'_> {
    fn open(&self, sheet: &Sheet, _: CardState) -> CategorySet {
        sheet.categories()
    }

    fn ahead(
        &self,
        sheet: &Sheet,
        slots: &Slots,
        state: CardState,
        open: CategorySet,
        worth: &mut [f32],
    ) {
        let throws = f64::from(state.extra_throws) * self.price_of_throw();
        for category in open.iter() {
            let worth = &mut worth[slots.first(category)..];
            for (worth, &points) in worth.iter_mut().zip(sheet.possible_points(category)) {
                let mut value = f64::from(sheet.weight(category)) * f64::from(points) + throws;
                self.met(category, points, |price, count| value += self.prices[price] * count);
                let scored = usize::from(state.upper) + scores_alike(sheet, category, points);
                *worth = (value + self.further[scored.min(self.further.len() - 1)]) as f32;
            }
        }
    }
}

fn scores_alike(sheet: &Sheet, category: Category, points: i16) -> usize {
    usize::from(points > 0 && sheet.alike_cells().contains(category))
}

/// The least bound that descent finds.
fn descend(sheet: &Sheet) -> f64 {
    let boxes = sheet.categories().len();
    let sum = |members, steps, made| Sum { members, steps, made, sheet };
    let tallies = sheet.tallies().sums().map(|(members, steps, made)| {
        sum(members, steps.iter().copied().filter(|&(_, points)| points != 0).collect(), made)
    });
    let upper = sheet.definition().upper_bonuses.iter();
    let weight = sheet.upper().iter().next().map_or(1, |row| sheet.column_weight(row));
    let upper = upper.map(|b| (b.threshold.into(), weight * i32::from(b.points)));
    let upper = (sheet.upper_cap() > 0).then(|| sum(sheet.upper(), upper.collect(), false));
    let sums: Vec<Sum<'_>> = tallies.chain(upper).filter(|sum| !sum.steps.is_empty()).collect();
    let terms = sheet.tallies().terms();
    let planes: usize = terms.iter().map(|term| term.members.len()).sum();
    let number = boxes + sums.len() + planes + 1;
    // Throws saved at most when the last turn begins.
    let extra = if sheet.saves_throws() { (sheet.rolls() - 1) as usize * (boxes - 1) } else { 0 };
    let (levels, scored) = match sheet.definition().five_alike_bonus {
        0 => (1, 0),
        _ => (boxes, sheet.alike_cells().len()),
    };
    let times = (boxes / levels) as f64;
    let mut prices =
        Prices { prices: vec![0.0; number], sums: &sums, terms, boxes, further: Vec::new() };
    let mut rounds = Rounds::new(sheet);
    let mut played = Vec::new();
    let unit = |price: usize| match price {
        _ if price < boxes => 8.0,
        _ if price < boxes + sums.len() => 0.3,
        _ if price + 1 < number => 2.0,
        _ if extra > 0 => 2.0,
        _ => 0.0,
    };
    let mut squares = vec![1e-6; number];
    let mut mean = vec![0.0; number];
    let mut bound = f64::INFINITY;
    for step in 0..=STEPS {
        if step == STEPS {
            prices.prices.copy_from_slice(&mean);
        }
        // The value of the turns left, from the last on.
        let mut further = vec![vec![0.0; scored + 1]];
        for level in 0..levels {
            prices.further.clone_from(&further[level]);
            let seat = |scored| Seat::new(scored, 1, 0).at(state(sheet, scored, extra as u8));
            let mut seats: Vec<Seat> = (0..=scored).map(seat).collect();
            rounds.play(&prices, &mut seats, &mut played);
            let throws = extra as f64 * prices.price_of_throw();
            further.push(played.iter().map(|played| played.value - throws).collect());
        }
        let mut constant = f64::from(sheet.starts_with());
        let mut slope = vec![0.0; number];
        constant += prices.prices[..boxes].iter().sum::<f64>();
        slope[..boxes].fill(1.0);
        for (i, sum) in sums.iter().enumerate() {
            let (above, count) = sum.line(prices.prices[boxes + i]);
            // What an empty card counts is in the line.
            constant += above - f64::from(sum.at_nothing());
            slope[boxes + i] = -count;
        }
        let mut at = boxes + sums.len();
        for term in terms {
            let range = at..at + term.members.len();
            let (above, factors) = plane(sheet, term, &prices.prices[range.clone()]);
            constant += above;
            slope[range].iter_mut().zip(factors).for_each(|(slope, f)| *slope = -f);
            at += term.members.len();
        }
        bound = constant + times * further[levels][0];
        // Games by these prices say where it falls.
        let share = times / GAMES as f64;
        let mut seats: Vec<Seat> = (0..GAMES)
            .map(|game| {
                let seat = Seat::new(game, 2, (step * GAMES + game) as u64);
                seat.at(state(sheet, 0, extra as u8))
            })
            .collect();
        for level in (0..levels).rev() {
            prices.further.clone_from(&further[level]);
            rounds.play(&prices, &mut seats, &mut played);
            for (seat, played) in seats.iter_mut().zip(&played) {
                let (category, points) = played.recorded;
                prices.met(category, points, |price, count| slope[price] += share * count);
                let used = extra as f64 - f64::from(played.after.extra_throws);
                slope[number - 1] -= share * used;
                let scored = usize::from(seat.state.upper);
                let scored = scored + scores_alike(sheet, category, points);
                seat.state = state(sheet, scored.min(sheet.alike_cells().len()), extra as u8);
            }
        }
        let count = (step + 1).saturating_sub(STEPS / 2) as f64;
        for (i, slope) in slope.iter().enumerate() {
            squares[i] += slope * slope;
            prices.prices[i] -= unit(i) * slope / f64::sqrt(squares[i]);
            if i + 1 == number {
                prices.prices[i] = prices.prices[i].max(0.0);
            }
            if count > 0.0 {
                mean[i] += (prices.prices[i] - mean[i]) / count;
            }
        }
    }
    bound
}
