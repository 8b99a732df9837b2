//! Many games between the same players. Game number `n` of a seed is the same game on every
//! machine and any number of threads: each has its own seed, and its results are whole numbers.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::opponent::PlayedTurn;
use crate::opponent::Skill;
use crate::opponent::draw;
use crate::position::Position;
use crate::solved_sheet::SolvedSheet;
use crate::statistics::GameStatistics;

/// A player of simulated games.
pub trait Player: Sync {
    /// Plays the turn of `position` to its end; the same for the same seed.
    fn take_turn(&self, solved: &SolvedSheet<'_>, position: &Position, seed: u64) -> PlayedTurn;
}

impl Player for Skill {
    fn take_turn(&self, solved: &SolvedSheet<'_>, position: &Position, seed: u64) -> PlayedTurn {
        solved.play_turn(self, position, seed)
    }
}

/// Games to be played.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    solved: SolvedSheet<'a>,
    start: Position,
    seed: u64,
    threads: usize,
}

/// The games were stopped before the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The results so far.
    pub so_far: GameStatistics,
}

/// Games that a thread plays between two reports.
const BATCH: u64 = 32;

impl<'a> Simulation<'a> {
    /// Games from `start` on, with the dice and decisions of `seed`, on one thread.
    #[must_use]
    pub fn new(solved: SolvedSheet<'a>, start: Position, seed: u64) -> Self {
        Self { solved, start, seed, threads: 1 }
    }

    /// Plays on so many threads.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// Plays the games of these numbers between `players`, one for each card of the start. After
    /// every few games `progress` gets the results so far and may stop the rest; it is never called
    /// concurrently. On one thread the games are played in order, so that a stopped run can be
    /// continued.
    ///
    /// # Errors
    /// The results so far, if `progress` stops it.
    ///
    /// # Panics
    /// If there are not as many players as cards, or the start is finished.
    pub fn run(
        &self,
        players: &[&dyn Player],
        games: Range<u64>,
        progress: impl FnMut(&GameStatistics) -> ControlFlow<()> + Send,
    ) -> Result<GameStatistics, Stopped> {
        assert_eq!(players.len(), self.start.cards().len(), "a player for each card");
        let play = |number, statistics: &mut GameStatistics| self.play(players, number, statistics);
        play_games(players.len(), games, self.threads, BATCH, play, progress)
    }

    /// Plays game number `number` and counts it.
    fn play(&self, players: &[&dyn Player], number: u64, tally: &mut GameStatistics) {
        let seed = draw::seed_of_game(self.seed, number);
        let mut position = self.start.clone();
        loop {
            let seat = position.to_move();
            let turn = players[seat].take_turn(&self.solved, &position, seed);
            let moves = turn.steps.iter().filter(|step| step.dice.is_some());
            tally.count_moves(seat, moves.map(|step| step.regret));
            position = turn.end;
            if turn.game_over {
                break;
            }
        }
        let totals: Vec<i32> = position
            .cards()
            .iter()
            .map(|card| card.totals(self.solved.sheet()).grand_total())
            .collect();
        tally.count(&totals, &position.winners(self.solved.sheet()));
    }

    /// Every turn of game number `number`, in the order of play.
    #[must_use]
    pub fn record(&self, players: &[&dyn Player], number: u64) -> Vec<(usize, PlayedTurn)> {
        let seed = draw::seed_of_game(self.seed, number);
        let mut position = self.start.clone();
        let mut turns = Vec::new();
        loop {
            let seat = position.to_move();
            let turn = players[seat].take_turn(&self.solved, &position, seed);
            position = turn.end.clone();
            let over = turn.game_over;
            turns.push((seat, turn));
            if over {
                return turns;
            }
        }
    }
}

/// Plays games of these numbers on `threads` threads, `batch` of them between two reports to
/// `progress`, which may stop the rest.
///
/// # Errors
/// The results so far, if `progress` stops it.
pub(crate) fn play_games(
    players: usize,
    games: Range<u64>,
    threads: usize,
    batch: u64,
    play: impl Fn(u64, &mut GameStatistics) + Sync,
    mut progress: impl FnMut(&GameStatistics) -> ControlFlow<()> + Send,
) -> Result<GameStatistics, Stopped> {
    let shared = Mutex::new((GameStatistics::new(players), &mut progress));
    let stopped = AtomicBool::new(false);
    let batches = games.clone().step_by(batch as usize);
    crate::parallel::share(threads, batches, |next| {
        while !stopped.load(Ordering::Relaxed)
            && let Some(from) = next()
        {
            let mut statistics = GameStatistics::new(players);
            for number in from..games.end.min(from + batch) {
                play(number, &mut statistics);
            }
            let mut shared = shared.lock().expect("no player panics");
            let (so_far, progress) = &mut *shared;
            so_far.add(&statistics);
            if progress(so_far).is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
    let (so_far, _) = shared.into_inner().expect("no player panics");
    match stopped.into_inner() && so_far.games < games.end.saturating_sub(games.start) {
        true => Err(Stopped { so_far }),
        false => Ok(so_far),
    }
}
