//! Many games between the same players. Game number `n` of a seed is the same game on every
//! machine and any number of threads: each has its own seed, and its results are whole numbers.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::game::Game;
use super::lot;
use super::play::PlayedTurn;
use super::tally::Tally;
use super::temper::Temper;
use crate::position::Position;

/// Whoever can play a turn.
pub trait Player: Sync {
    /// Plays the turn of `position` to its end; the same for the same seed.
    fn take_turn(&self, game: &Game<'_>, position: &Position, seed: u64) -> PlayedTurn;
}

impl Player for Temper {
    fn take_turn(&self, game: &Game<'_>, position: &Position, seed: u64) -> PlayedTurn {
        game.play_turn(self, position, seed)
    }
}

/// Games to be played.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    game: Game<'a>,
    start: Position,
    seed: u64,
    threads: usize,
}

/// The games were stopped before the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// What had been played.
    pub so_far: Tally,
}

/// Games that a thread plays before it tells of them.
const BATCH: u64 = 32;

impl<'a> Simulation<'a> {
    /// Games from `start` on, with the dice and decisions of `seed`, on one thread.
    #[must_use]
    pub fn new(game: Game<'a>, start: Position, seed: u64) -> Self {
        Self { game, start, seed, threads: 1 }
    }

    /// The same on so many threads.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// Plays the games of these numbers between `players`, one for each card of the start. After
    /// every few games `progress` is told of all games so far and may stop the rest; it is never
    /// called twice at once. On one thread the games are played in order, so that what was stopped
    /// can go on later.
    ///
    /// # Errors
    /// What was played until `progress` stopped it.
    ///
    /// # Panics
    /// If there are not as many players as cards, or the start is finished.
    pub fn run(
        &self,
        players: &[&dyn Player],
        games: Range<u64>,
        mut progress: impl FnMut(&Tally) -> ControlFlow<()> + Send,
    ) -> Result<Tally, Stopped> {
        assert_eq!(players.len(), self.start.cards().len(), "a player for each card");
        let next = AtomicU64::new(games.start);
        let shared = Mutex::new((Tally::new(players.len()), &mut progress, false));
        let work = || {
            loop {
                let from = next.fetch_add(BATCH, Ordering::Relaxed);
                if from >= games.end {
                    return;
                }
                let mut tally = Tally::new(players.len());
                for number in from..games.end.min(from + BATCH) {
                    self.play(players, number, &mut tally);
                }
                let mut shared = shared.lock().expect("no player panics");
                let (so_far, progress, stopped) = &mut *shared;
                so_far.add(&tally);
                *stopped = *stopped || progress(so_far).is_break();
                if *stopped {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        let (so_far, _, _) = shared.into_inner().expect("no player panics");
        if so_far.games < games.end.saturating_sub(games.start) {
            Err(Stopped { so_far })
        } else {
            Ok(so_far)
        }
    }

    /// Plays game number `number` and counts it.
    fn play(&self, players: &[&dyn Player], number: u64, tally: &mut Tally) {
        let seed = lot::seed_of_game(self.seed, number);
        let mut position = self.start.clone();
        loop {
            let seat = position.to_move();
            let turn = players[seat].take_turn(&self.game, &position, seed);
            let moves = turn.steps.iter().filter(|step| step.dice.is_some());
            tally.count_moves(seat, moves.map(|step| step.regret));
            position = turn.end;
            if turn.game_over {
                break;
            }
        }
        let totals: Vec<u32> = position
            .cards()
            .iter()
            .map(|card| card.totals(self.game.sheet()).grand_total())
            .collect();
        tally.count(&totals);
    }

    /// Every turn of game number `number`, in the order of play.
    #[must_use]
    pub fn record(&self, players: &[&dyn Player], number: u64) -> Vec<(usize, PlayedTurn)> {
        let seed = lot::seed_of_game(self.seed, number);
        let mut position = self.start.clone();
        let mut turns = Vec::new();
        loop {
            let seat = position.to_move();
            let turn = players[seat].take_turn(&self.game, &position, seed);
            position = turn.end.clone();
            let over = turn.game_over;
            turns.push((seat, turn));
            if over {
                return turns;
            }
        }
    }
}
