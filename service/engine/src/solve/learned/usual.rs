//! What boxes, sums and products usually come to, from turns that are played for one box alone.

use super::super::kernel::One;
use super::super::stages::{Stage, TurnRows};
use crate::category::{Category, CategorySet};
use crate::dice::Keep;
use crate::sheet::tallies::Term;
use crate::sheet::{CardState, Sheet};

/// What a box comes to if a turn is played for it alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Usual {
    pub(super) mean: f32,
    deviation: f32,
}

impl Usual {
    /// Of what the points of `category` are worth.
    pub(super) fn new(sheet: &Sheet, category: Category, worth: impl Fn(i16) -> f64) -> Self {
        let mean = alone(sheet, category, &worth);
        let square = alone(sheet, category, |points| worth(points).powi(2));
        let deviation = (square - mean * mean).max(0.0).sqrt() as f32;
        Self { mean: mean as f32, deviation }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        Self { mean: self.mean + other.mean, deviation: self.deviation + other.deviation }
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Self) -> Self {
        Self { mean: self.mean - other.mean, deviation: self.deviation - other.deviation }
    }

    /// What it comes to with so many turns left: the more of them, the better the roll that is chosen
    /// for a box. With thirteen, upper rows come to three dice of their face.
    #[inline(always)]
    pub(super) fn after(self, turns: usize) -> f32 {
        self.mean + self.deviation * 0.9 * (1.0 - 1.0 / turns.max(1) as f32)
    }
}

/// The average of what a box is worth, if a turn is played for that alone.
fn alone(sheet: &Sheet, category: Category, worth: impl Fn(i16) -> f64) -> f64 {
    let stages = Stage::at(sheet, sheet.rolls() - 1, 0).onwards(sheet);
    let stages = &stages[..usize::from(sheet.rolls())];
    let mut rows = TurnRows::default();
    rows.solve(One, sheet, stages, |stage, whole, leaf: &mut [f64]| {
        let points = sheet.points_by_roll(category, stage.throw(sheet, whole));
        leaf.iter_mut().zip(points).for_each(|(leaf, &points)| *leaf = worth(points));
    });
    rows.rows[Keep::EMPTY.index()]
}

/// A sum with steps that earn points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sum {
    /// Its place among the tallies; `None` for the upper total.
    tally: Option<usize>,
    members: CategorySet,
    /// Count and points of each step above 0.
    steps: Vec<(f32, f32)>,
    goal: f32,
    /// `[category]`: what a member adds.
    usual: Vec<Usual>,
    /// `[category]`: the most that it adds.
    most: Vec<f32>,
}

/// What becomes of a sum.
struct Outlook {
    count: f32,
    mean: f32,
    deviation: f32,
    most: f32,
}

impl Outlook {
    /// By how many deviations the sum is expected to pass a step.
    #[inline(always)]
    fn deviations(&self, at: f32) -> f32 {
        ((self.mean - at) / self.deviation.max(0.5)).clamp(-3.0, 3.0)
    }

    /// The probability to reach a step.
    #[inline(always)]
    fn chance(&self, at: f32) -> f32 {
        if self.most < at {
            return 0.0;
        }
        // Close to the normal distribution.
        let z = self.deviations(at);
        let x = z * (0.8 + 0.12 * z * z);
        0.5 + 0.5 * x / (1.0 + x * x).sqrt()
    }
}

impl Sum {
    /// The upper total of a sheet of one column.
    pub(super) fn upper(sheet: &Sheet) -> Self {
        let weight = sheet.upper().iter().next().map_or(1, |row| sheet.column_weight(row));
        let steps = sheet.definition().upper_bonuses.iter();
        let steps = steps.map(|b| (i32::from(b.threshold), weight * i32::from(b.points)));
        Self::new(sheet, None, sheet.upper(), &steps.collect::<Vec<_>>(), false)
    }

    /// All other sums.
    pub(super) fn tallies(sheet: &Sheet) -> impl Iterator<Item = Self> + '_ {
        sheet.tallies().sums().enumerate().map(|(tally, (members, steps, made))| {
            Self::new(sheet, Some(tally), members, steps, made)
        })
    }

    fn new(
        sheet: &Sheet,
        tally: Option<usize>,
        members: CategorySet,
        steps: &[(i32, i32)],
        made: bool,
    ) -> Self {
        let adds = |points: i16| if made { f64::from(u8::from(points > 0)) } else { points.into() };
        let usual = |category| match members.contains(category) {
            true => Usual::new(sheet, category, adds),
            false => Usual::default(),
        };
        let most = |category: Category| {
            sheet.possible_points(category).last().map_or(0.0, |&points| adds(points) as f32)
        };
        let steps = steps.iter().filter(|&&(at, _)| at > 0);
        let steps: Vec<_> = steps.map(|&(at, points)| (at as f32, points as f32)).collect();
        Self {
            tally,
            members,
            goal: steps.iter().map(|step| step.0).fold(1.0, f32::max),
            steps,
            usual: sheet.categories().iter().map(usual).collect(),
            most: sheet.categories().iter().map(most).collect(),
        }
    }

    pub(super) fn contains(&self, category: Category) -> bool {
        self.members.contains(category)
    }

    /// Number of features.
    pub(super) fn features(&self) -> usize {
        2 + self.steps.len()
    }

    /// The outlook of a sum on a card in `state` with so many turns left; none once it is final.
    #[inline(always)]
    fn outlook(&self, state: CardState, turns: usize) -> Option<Outlook> {
        let open = self.members.without(state.filled);
        if open.is_empty() {
            return None;
        }
        let count = match self.tally {
            Some(tally) => f32::from(state.tallies[tally]),
            None => f32::from(state.upper),
        };
        let (mut usual, mut variance, mut most) = (Usual::default(), 0.0, count);
        for category in open.iter() {
            let member = self.usual[category.index()];
            usual = usual.plus(member);
            variance += member.deviation * member.deviation;
            most += self.most[category.index()];
        }
        let mean = count + usual.after(turns);
        Some(Outlook { count, mean, deviation: variance.sqrt(), most })
    }

    /// Passes its features, numbered from `first`.
    #[inline(always)]
    pub(super) fn each(
        &self,
        state: CardState,
        turns: usize,
        first: usize,
        mut pass: impl FnMut(usize, f32),
    ) {
        let Some(outlook) = self.outlook(state, turns) else { return };
        let missing = (self.goal - outlook.count).max(0.0);
        pass(first, outlook.count / self.goal);
        pass(first + 1, (missing / (outlook.most - outlook.count).max(0.1)).min(1.5));
        for (feature, &(at, _)) in (first + 2..).zip(&self.steps) {
            pass(feature, outlook.deviations(at));
        }
    }

    /// What the steps that are not reached may still earn.
    #[inline(always)]
    pub(super) fn estimate(&self, state: CardState, turns: usize) -> f32 {
        let Some(outlook) = self.outlook(state, turns) else { return 0.0 };
        let further = self.steps.iter().filter(|step| outlook.count < step.0);
        further.map(|&(at, points)| points * outlook.chance(at)).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&self.steps[..])
            + size_of_val(&self.usual[..])
            + size_of_val(&self.most[..])
    }
}

/// A product of boxes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Product {
    members: CategorySet,
    of: Factor,
    less: Option<Factor>,
    times: Factor,
    floor: f32,
    weight: f32,
}

/// A factor of a product.
#[derive(Clone, Debug, PartialEq)]
struct Factor {
    category: Category,
    /// The place of its points among the tallies.
    slot: usize,
    /// Its average points, if its turn is played for them alone.
    usual: f32,
}

impl Factor {
    fn of(&self, state: CardState) -> f32 {
        match state.filled.contains(self.category) {
            true => state.tallies[self.slot].into(),
            false => self.usual,
        }
    }
}

impl Product {
    pub(super) fn new(sheet: &Sheet, term: &Term) -> Self {
        let factor = |category: Category, sign: f64| Factor {
            category,
            slot: term.slot + term.members.iter().take_while(|&member| member != category).count(),
            usual: (sign * alone(sheet, category, |points| sign * f64::from(points))) as f32,
        };
        Self {
            members: term.members,
            of: factor(term.of, 1.0),
            less: term.less.map(|less| factor(less, -1.0)),
            times: factor(term.times, 1.0),
            floor: term.floor.map_or(f32::NEG_INFINITY, |floor| floor as f32),
            weight: term.weight as f32,
        }
    }

    /// What it may bring; 0 once it is on the card.
    #[inline(always)]
    pub(super) fn estimate(&self, state: CardState) -> f32 {
        if self.members.without(state.filled).is_empty() {
            return 0.0;
        }
        let less = self.less.as_ref().map_or(0.0, |less| less.of(state));
        let product = (self.of.of(state) - less) * self.times.of(state);
        self.weight * product.max(self.floor)
    }
}
