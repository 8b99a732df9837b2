//! Training by playing: temporal differences with a long trace. Every turn is solved exactly on top
//! of the values learned so far, so that what a card should have been worth is an expectation over
//! the turn; differences of later turns count with a factor for each turn between.

use std::sync::atomic::{AtomicBool, Ordering};

use pulp::{Simd, WithSimd};

use super::super::rounds::{Rounds, Seat};
use super::super::{Isa, Solution, Values};
use super::Learned;
use super::network::Adam;
use crate::sheet::{CardState, Sheet};

/// How much a difference counts for the card of the turn before.
const TRACE: f64 = 0.9;

/// Steps go from the first of these rates to the last.
const RATES: (f32, f32) = (4e-3, 5e-5);

/// Games played at a time.
const GAMES: usize = 16;

/// Cards of a step.
const BATCH: usize = 2;

/// Nanoseconds of a step of a turn, of a value of a card, and of everything else that a turn takes.
const A_STEP: f64 = 1.5;
const A_VALUE: f64 = 250.0;
const A_TURN: f64 = 6000.0;

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
        let options = 1.0 + sheet.cells().announced().len() as f64 / 2.0;
        // A step is of a vector of turns.
        let steps = (lattice.keeps * (lattice.faces + 4) + 8 * lattice.rolls) as f64 / 16.0;
        // Throws that are saved have to be valued too.
        let stages = f64::from(sheet.rolls()) * if sheet.saves_throws() { 2.0 } else { 1.0 };
        let variants = if sheet.saves_throws() { stages } else { 1.0 };
        let by_points = sheet.leads_by_points();
        let valued = sheet.categories().iter().map(|category| {
            if by_points.contains(category) { sheet.possible_points(category).len() } else { 1 }
        });
        let valued = variants * valued.sum::<usize>() as f64 / 2.0;
        let nanoseconds = stages * options * steps * A_STEP + valued * A_VALUE + A_TURN;
        (time.as_secs_f64() * 1e9 / nanoseconds) as u64
    }

    /// Learns the values of `sheet`.
    #[must_use]
    pub fn run(&self, sheet: &Sheet) -> Solution {
        let mut learned = Learned::untrained(sheet, self.seed);
        let mut adam = Adam::new(&learned.network);
        let mut rounds = Rounds::new(sheet);
        let (mut turns, mut games) = (0, 0);
        let mut cards: Vec<Vec<Card>> = vec![Vec::new(); GAMES];
        let (mut played, mut wanted) = (Vec::new(), Vec::new());
        while turns < self.turns && !self.stopped.is_some_and(|s| s.load(Ordering::Relaxed)) {
            let seat = |game| Seat::new(game, self.seed, games + game as u64);
            let mut seats: Vec<Seat> = (0..GAMES).map(seat).collect();
            games += GAMES as u64;
            cards.iter_mut().for_each(Vec::clear);
            while !seats.is_empty() {
                rounds.play(&learned, &mut seats, &mut played);
                for (seat, played) in seats.iter_mut().zip(&played) {
                    cards[seat.game].push(Card {
                        state: seat.state,
                        value: learned.value(seat.state),
                        backed_up: played.value,
                    });
                    seat.state = played.after;
                }
                turns += seats.len() as u64;
                seats.retain(|seat| seat.state.filled != sheet.categories());
            }
            wanted.clear();
            for cards in &cards {
                let mut trace = 0.0;
                for card in cards.iter().rev() {
                    trace = card.backed_up - card.value + TRACE * trace;
                    wanted
                        .push((card.state, learned.encoder.output(card.state, card.value + trace)));
                }
            }
            let done = (turns as f32 / self.turns as f32).min(1.0);
            let rate = RATES.0 * (RATES.1 / RATES.0).powf(done);
            let (learned, adam) = (&mut learned, &mut adam);
            Isa::best().run(Lesson { learned, adam, wanted: &wanted, rate });
        }
        Solution::learned(learned)
    }
}

/// A card of a game.
#[derive(Clone, Copy, Debug)]
struct Card {
    state: CardState,
    /// Its value before its turn.
    value: f64,
    /// The value that its turn gives it.
    backed_up: f64,
}

/// What the network should say of some cards.
struct Lesson<'a> {
    learned: &'a mut Learned,
    adam: &'a mut Adam,
    wanted: &'a [(CardState, f32)],
    rate: f32,
}

impl WithSimd for Lesson<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { learned: Learned { encoder, network, .. }, adam, wanted, rate } = self;
        let mut features = Vec::new();
        let steps = wanted.len().div_ceil(BATCH);
        for step in 0..steps {
            let of_step = wanted.iter().skip(step).step_by(steps);
            let count = of_step.len();
            for &(state, wanted) in of_step {
                features.clear();
                encoder.each(state, |feature, value| features.push((feature, value)));
                network.learn(adam, &features, wanted);
            }
            network.step(adam, rate, count);
        }
    }
}
