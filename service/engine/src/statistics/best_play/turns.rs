//! How the turns of cards end under best play, for several cards side by side: the values of a turn from
//! the last throw to the first, and then the probabilities of its rolls from the first throw to the last.

// A lane is an index into several arrays at once.
#![allow(clippy::needless_range_loop)]

use pulp::{Simd, WithSimd};

use crate::advice::EQUAL;
use crate::category::Category;
use crate::sheet::{CardState, Gain, Lattice, RollClasses, Sheet};
use crate::solve::Isa;
use crate::solved_sheet::SolvedSheet;

/// How many cards are side by side.
pub(super) const LANES: usize = 8;

/// A number of each card.
type Lanes = [f64; LANES];

const ZERO: Lanes = [0.0; LANES];

/// A way in which a turn ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    pub(super) category: Category,
    pub(super) gain: Gain,
    pub(super) probability: f64,
}

/// The turns of several cards.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    states: [Option<CardState>; LANES],
    /// The best records of rolls after the first, and where they differ of first rolls.
    records: Vec<Records>,
    /// `[row]`, keeps before rolls: the value with so many throws left; then the probability.
    rows: Vec<Lanes>,
    /// `[row]`: the best that is kept of these dice.
    best_part: Vec<Lanes>,
    /// `[throws left][roll]`: the row of the best keep, or [`Turns::record`].
    choices: Vec<Lanes>,
    /// `[roll]`: the probability that the turn comes to it.
    reached: Vec<Lanes>,
}

/// What recording is worth, and how often each record ends the turn.
#[derive(Clone, Debug)]
struct Records {
    /// `[class of roll]`: its worth; the worst number where the category is filled.
    worth: Vec<Lanes>,
    /// `[roll]`: the worth of the best record.
    value: Vec<Lanes>,
    /// `[roll]`: the number of the best record: a class, or from the number of classes on a special roll.
    number: Vec<Lanes>,
    /// `[special roll][lane]`.
    special: Vec<[Option<(Category, Gain)>; LANES]>,
    /// `[number of a record]`: its probability.
    probability: Vec<Lanes>,
}

impl Turns {
    /// Turns of no cards yet.
    pub(super) fn new(sheet: &Sheet) -> Self {
        let lattice = sheet.lattice();
        let rows = lattice.keeps + lattice.rolls;
        let served: &[bool] = if sheet.has_served() { &[false, true] } else { &[false] };
        Self {
            states: [None; LANES],
            records: served.iter().map(|&served| Records::new(sheet, served)).collect(),
            // One more for the probability of recording, which is not looked at.
            rows: vec![ZERO; rows + 1],
            best_part: vec![ZERO; lattice.keeps],
            choices: vec![ZERO; usize::from(sheet.rolls()) * lattice.rolls],
            reached: vec![ZERO; lattice.rolls],
        }
    }

    /// Plays the turns of up to [`LANES`] cards.
    pub(super) fn play(
        &mut self,
        solved: &SolvedSheet<'_>,
        states: impl ExactSizeIterator<Item = CardState>,
    ) {
        let sheet = solved.sheet();
        let last = states.len();
        self.states = [None; LANES];
        self.states.iter_mut().zip(states).for_each(|(lane, state)| *lane = Some(state));
        for (records, served) in self.records.iter_mut().zip([false, true]) {
            records.worth.fill([f64::NEG_INFINITY; LANES]);
            for (lane, state) in self.states[..last].iter().flatten().enumerate() {
                records.set_worth(solved, *state, served, lane);
            }
        }
        Isa::best().run(Work { turns: self, sheet });
    }

    /// How the turn of the card in this lane ends.
    pub(super) fn endings<'a>(
        &'a self,
        sheet: &'a Sheet,
        lane: usize,
    ) -> impl Iterator<Item = Ending> + 'a {
        let state = self.states[lane].expect("a card in this lane");
        let open = sheet.categories().without(state.filled);
        self.records.iter().zip([false, true]).flat_map(move |(records, served)| {
            let classes = sheet.classes(served);
            let usual = open
                .iter()
                .flat_map(move |category| classes.of(category).map(move |c| (category, c)));
            let usual = usual.map(move |(category, class)| Ending {
                category,
                gain: sheet.gain_of_points(state, category, classes.points(class)),
                probability: records.probability[class][lane],
            });
            let special = records.special.iter().zip(&records.probability[classes.len()..]);
            let special = special.filter_map(move |(best, probability)| {
                let (category, gain) = best[lane]?;
                Some(Ending { category, gain, probability: probability[lane] })
            });
            usual.chain(special).filter(|ending| ending.probability > 0.0)
        })
    }

    /// Sets the values of all rolls and the choices with them.
    #[inline(always)]
    fn solve(&mut self, lattice: &Lattice, throws: usize) {
        let keeps = lattice.keeps;
        let record = (keeps + lattice.rolls) as f64;
        for left in 0..throws {
            let records = self.records_of(left, throws);
            let choices = left * lattice.rolls..(left + 1) * lattice.rolls;
            let (parts, rolls) = self.rows.split_at_mut(keeps);
            rolls[..lattice.rolls].copy_from_slice(&self.records[records].value);
            self.choices[choices.clone()].fill([record; LANES]);
            if left > 0 {
                for (part, row) in self.best_part.iter_mut().enumerate() {
                    *row = [part as f64; LANES];
                }
                for steps in &lattice.keep_steps {
                    for step in lattice.rows[steps.rows.clone()].chunks_exact(steps.parts + 1) {
                        let row = usize::from(step[0]);
                        let own = (parts[row], self.best_part[row]);
                        (parts[row], self.best_part[row]) =
                            best_of(own, &step[1..], parts, &self.best_part);
                    }
                }
                let choices = &mut self.choices[choices];
                for steps in &lattice.roll_steps {
                    for step in lattice.rows[steps.rows.clone()].chunks_exact(steps.parts + 1) {
                        let roll = usize::from(step[0]) - keeps;
                        let own = (rolls[roll], choices[roll]);
                        (rolls[roll], choices[roll]) =
                            best_of(own, &step[1..], parts, &self.best_part);
                    }
                }
            }
            if left + 1 < throws {
                let share = 1.0 / lattice.faces as f64;
                for (keep, more) in lattice.more.chunks_exact(lattice.faces).enumerate().rev() {
                    let mut sum = ZERO;
                    for &more in more {
                        add(&mut sum, &self.rows[usize::from(more)], 1.0);
                    }
                    self.rows[keep] = ZERO;
                    add(&mut self.rows[keep], &sum, share);
                }
            }
        }
    }

    /// Which records are those of rolls with `left` throws left.
    fn records_of(&self, left: usize, throws: usize) -> usize {
        if left + 1 == throws { self.records.len() - 1 } else { 0 }
    }

    /// Sets the probabilities of all records.
    #[inline(always)]
    fn follow(&mut self, lattice: &Lattice, throws: usize) {
        let keeps = lattice.keeps;
        let record = keeps + lattice.rolls;
        for records in &mut self.records {
            records.probability.fill(ZERO);
        }
        for (reached, ways) in self.reached.iter_mut().zip(&lattice.ways) {
            *reached = [f64::from(*ways) / lattice.throws; LANES];
        }
        for left in (0..throws).rev() {
            let records = self.records_of(left, throws);
            let Records { number, probability, .. } = &mut self.records[records];
            let choices = &self.choices[left * lattice.rolls..][..lattice.rolls];
            self.rows.fill(ZERO);
            for (roll, reached) in self.reached.iter().enumerate() {
                for lane in 0..LANES {
                    let choice = choices[roll][lane] as usize;
                    self.rows[choice][lane] += reached[lane];
                    let recorded = if choice == record { reached[lane] } else { 0.0 };
                    probability[number[roll][lane] as usize][lane] += recorded;
                }
            }
            // Keeps of fewer dice come first, so each has its whole probability when it is thrown.
            for (keep, more) in lattice.more.chunks_exact(lattice.faces).enumerate() {
                let kept = self.rows[keep];
                for &more in more {
                    add(&mut self.rows[usize::from(more)], &kept, 1.0 / lattice.faces as f64);
                }
            }
            self.reached.copy_from_slice(&self.rows[keeps..record]);
        }
    }
}

/// The part of the work that is done in vectors.
struct Work<'a> {
    turns: &'a mut Turns,
    sheet: &'a Sheet,
}

impl WithSimd for Work<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { turns, sheet } = self;
        let (lattice, throws) = (sheet.lattice(), usize::from(sheet.rolls()));
        for (records, served) in turns.records.iter_mut().zip([false, true]) {
            records.choose(sheet, sheet.classes(served));
            records.choose_special(sheet);
        }
        turns.solve(lattice, throws);
        turns.follow(lattice, throws);
    }
}

impl Records {
    fn new(sheet: &Sheet, served: bool) -> Self {
        let (classes, special) = (sheet.classes(served).len(), sheet.special_rolls().len());
        let rolls = sheet.lattice().rolls;
        Self {
            worth: vec![ZERO; classes + special],
            value: vec![ZERO; rolls],
            number: vec![ZERO; rolls],
            special: vec![[None; LANES]; special],
            probability: vec![ZERO; classes + special],
        }
    }

    /// Sets what records of the card in this lane are worth.
    fn set_worth(&mut self, solved: &SolvedSheet<'_>, state: CardState, served: bool, lane: usize) {
        let sheet = solved.sheet();
        let classes = sheet.classes(served);
        for category in sheet.categories().without(state.filled).iter() {
            // Most points lead to the same card.
            let mut known: Option<(CardState, f64)> = None;
            for class in classes.of(category) {
                let gain = sheet.gain_of_points(state, category, classes.points(class));
                let after = sheet.after(state, category, gain.points);
                let value = match known {
                    Some((card, value)) if card == after => value,
                    _ => solved.value(after),
                };
                known = Some((after, value));
                self.worth[class][lane] = f64::from(gain.total()) + value;
            }
        }
        for (index, &roll) in sheet.special_rolls().iter().enumerate() {
            let mut best: Option<(Category, Gain)> = None;
            let worth = &mut self.worth[classes.len() + index][lane];
            for category in sheet.legal(state, roll).iter() {
                let gain = sheet.gain(state, roll, category, served);
                let value = solved.further(state, category, gain);
                if value > *worth + EQUAL {
                    best = Some((category, gain));
                }
                *worth = worth.max(value);
            }
            self.special[index][lane] = best;
        }
    }

    /// Chooses the best class of every roll, of equal ones that of the first category.
    #[inline(always)]
    fn choose(&mut self, sheet: &Sheet, classes: &RollClasses) {
        self.value.fill([f64::NEG_INFINITY; LANES]);
        for category in sheet.categories().iter() {
            for (roll, &class) in classes.of_rolls(category).iter().enumerate() {
                let worth = &self.worth[usize::from(class)];
                let (value, number) = (&mut self.value[roll], &mut self.number[roll]);
                for lane in 0..LANES {
                    let better = worth[lane] > value[lane] + EQUAL;
                    number[lane] = if better { f64::from(class) } else { number[lane] };
                    value[lane] = value[lane].max(worth[lane]);
                }
            }
        }
    }

    fn choose_special(&mut self, sheet: &Sheet) {
        let classes = self.worth.len() - self.special.len();
        for (index, &roll) in sheet.special_rolls().iter().enumerate() {
            self.value[roll.index()] = self.worth[classes + index];
            self.number[roll.index()] = [(classes + index) as f64; LANES];
        }
    }
}

/// The best value and choice among `own` and those of some keeps.
#[inline(always)]
fn best_of(
    own: (Lanes, Lanes),
    keeps: &[u16],
    values: &[Lanes],
    choices: &[Lanes],
) -> (Lanes, Lanes) {
    let (mut value, mut choice) = own;
    for &keep in keeps {
        let keep = usize::from(keep);
        take_better(&mut value, &mut choice, &values[keep], &choices[keep]);
    }
    (value, choice)
}

/// Takes the other choice where it is better: of equal ones ([`EQUAL`]) the greater number, which is the
/// order of advice: recording, then keeps of more dice, then those of the higher faces.
#[inline(always)]
fn take_better(value: &mut Lanes, choice: &mut Lanes, other: &Lanes, other_choice: &Lanes) {
    for lane in 0..LANES {
        let better = other[lane] > value[lane] + EQUAL;
        let equal = other[lane] > value[lane] - EQUAL;
        let takes = better | (equal & (other_choice[lane] > choice[lane]));
        choice[lane] = if takes { other_choice[lane] } else { choice[lane] };
        value[lane] = value[lane].max(other[lane]);
    }
}

/// Adds `weight` times `other` to `sum`.
#[inline(always)]
fn add(sum: &mut Lanes, other: &Lanes, weight: f64) {
    for lane in 0..LANES {
        sum[lane] += weight * other[lane];
    }
}
