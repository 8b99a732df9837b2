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
const RATES: (f32, f32) = (3e-3, 2e-5);

/// Games played at a time: as many as a vector has lanes, and more where throws are saved, since
/// turns of different numbers of throws share no vector.
const GAMES: usize = 16;
const GAMES_WITH_SAVED_THROWS: usize = 64;

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
        let e = |name: &str, default: f64| -> f64 {
            std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
        };
        let trace_decay = e("TRACE", TRACE);
        let rates = (e("R0", RATES.0.into()) as f32, e("R1", RATES.1.into()) as f32);
        let mut learned = Learned::untrained(sheet, self.seed);
        let mut adam = Adam::new(&learned.network);
        let mut rounds = Rounds::new(sheet);
        let (mut turns, mut games) = (0, 0);
        let at_once = if sheet.saves_throws() { GAMES_WITH_SAVED_THROWS } else { GAMES };
        let mut cards: Vec<Vec<Card>> = vec![Vec::new(); at_once];
        let (mut played, mut lesson) = (Vec::new(), Vec::new());
        while turns < self.turns && !self.stopped.is_some_and(|s| s.load(Ordering::Relaxed)) {
            let seat = |game| Seat::new(game, self.seed, games + game as u64);
            let mut seats: Vec<Seat> = (0..at_once).map(seat).collect();
            games += at_once as u64;
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
            lesson.clear();
            for cards in &cards {
                let mut trace = 0.0;
                for (turn, card) in cards.iter().enumerate().rev() {
                    trace = card.backed_up - card.value + trace_decay * trace;
                    let wanted = learned.encoder.output(card.state, card.value + trace);
                    lesson.push((turn, card.state, wanted));
                }
            }
            // Cards of one game have much in common, so steps go from game to game.
            lesson.sort_by_key(|&(turn, ..)| std::cmp::Reverse(turn));
            let done = (turns as f32 / self.turns as f32).min(1.0);
            let rate = rates.0 * (rates.1 / rates.0).powf(done);
            let (learned, adam) = (&mut learned, &mut adam);
            Isa::best().run(Lesson { learned, adam, cards: &lesson, rate });
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

/// What the network should output for some cards.
struct Lesson<'a> {
    learned: &'a mut Learned,
    adam: &'a mut Adam,
    cards: &'a [(usize, CardState, f32)],
    rate: f32,
}

impl WithSimd for Lesson<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { learned: Learned { encoder, network, .. }, adam, cards, rate } = self;
        let mut features = Vec::new();
        for &(_, state, wanted) in cards {
            features.clear();
            encoder.each(state, |feature, value| features.push((feature, value)));
            network.learn(adam, &features, wanted);
            network.step(adam, rate);
        }
    }
}
