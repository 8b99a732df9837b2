//! Training by playing: temporal differences with a long trace. Every turn is solved exactly on top
//! of the values learned so far, so that what a card should have been worth is an expectation over
//! the turn; differences of later turns count with a factor for each turn between.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::states::{PlayedTurn, Turn};
use super::super::{Solution, Values};
use super::Learned;
use super::network::Adam;
use crate::seeded::SeededDice;
use crate::sheet::{CardState, Sheet};

/// How much a difference counts for the card of the turn before.
const TRACE: f64 = 0.8;

/// Steps go from the first of these rates to the last.
const RATES: (f32, f32) = (4e-3, 1e-4);

/// Cards between two steps, at least.
const BATCH: usize = 48;

/// Nanoseconds of a step of a turn, and of one value, roughly.
const A_STEP: f64 = 1.5;
const A_VALUE: f64 = 250.0;

/// How to learn values.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    /// Turns to play.
    pub turns: u64,
    /// Seed of the dice and of the first weights.
    pub seed: u64,
    /// Training stops soon after this is set, with what was learned by then.
    pub stopped: Option<&'a AtomicBool>,
}

impl Training<'_> {
    /// About how many turns of `sheet` can be played for training in this time on one core.
    #[must_use]
    pub fn turns_in(sheet: &Sheet, time: std::time::Duration) -> u64 {
        let lattice = sheet.lattice();
        let announced = sheet.cells().announced().len();
        let options = 1.0 + announced as f64 / 2.0;
        let steps = (lattice.keeps * (lattice.faces + 4) + 8 * lattice.rolls) as f64;
        let by_points = sheet.leads_by_points();
        let classes = sheet.classes(false);
        let asked =
            |category| if by_points.contains(category) { classes.of(category).len() } else { 1 };
        let asked: usize = sheet.categories().iter().map(asked).sum();
        let nanoseconds =
            f64::from(sheet.rolls()) * options * steps * A_STEP + asked as f64 / 2.0 * A_VALUE;
        (time.as_secs_f64() * 1e9 / nanoseconds) as u64
    }

    /// Learns the values of `sheet`.
    #[must_use]
    pub fn run(&self, sheet: &Sheet) -> Solution {
        let mut learned = Learned::untrained(sheet, self.seed);
        let mut adam = Adam::new(&learned.network);
        let mut turn = Turn::default();
        let (mut turns, mut game, mut noted) = (0, 0, 0);
        while turns < self.turns && !self.stopped.is_some_and(|s| s.load(Ordering::Relaxed)) {
            let mut dice = SeededDice::new(self.seed, game);
            let cards = play(sheet, &learned, &mut turn, &mut dice);
            turns += cards.len() as u64;
            game += 1;
            let mut trace = 0.0;
            for &(state, value, backed_up) in cards.iter().rev() {
                trace = backed_up - value + TRACE * trace;
                let wanted = learned.encoder.output(state, value + trace);
                let said = learned.encoder.output(state, value);
                let mut features = Vec::new();
                learned.encoder.each(state, |feature, value| features.push((feature, value)));
                learned.network.learn(&mut adam, &features, (said - wanted).clamp(-3.0, 3.0));
                noted += 1;
            }
            if noted >= BATCH {
                let done = turns as f32 / self.turns as f32;
                let rate = RATES.0 * (RATES.1 / RATES.0).powf(done.min(1.0));
                learned.network.step(&mut adam, rate, noted);
                noted = 0;
            }
        }
        Solution::learned(learned)
    }
}

/// Plays a game: every card before its turn, what it was held to be worth, and what the turn makes
/// of that.
fn play(
    sheet: &Sheet,
    values: &Learned,
    turn: &mut Turn,
    dice: &mut SeededDice,
) -> Vec<(CardState, f64, f64)> {
    let mut cards = Vec::new();
    let mut state = CardState::EMPTY;
    while state.filled != sheet.categories() {
        let PlayedTurn { value, after, .. } = turn.play(sheet, values, state, dice);
        cards.push((state, values.value(state), value));
        state = sheet.canonical(after);
    }
    cards
}
