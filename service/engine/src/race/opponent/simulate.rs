//! Many games of the race between the same players.

use std::ops::{ControlFlow, Range};

use super::skill::RaceSkill;
use crate::opponent::draw;
use crate::play::winners;
use crate::race::{RacePosition, Recorded};
use crate::statistics::{GameStatistics, Stopped, play_games};

/// Turns of each player after which an unfinished game is counted as it is.
const MOST_TURNS: u32 = 400;

/// Plays the games of these numbers between `players` on so many threads, from `start` on, and tells
/// `progress` of them now and then, which may stop the rest. The same games for the same seed,
/// on any number of threads; see [`Simulation`](crate::statistics::Simulation).
///
/// # Errors
/// The results so far, if `progress` stops it.
///
/// # Panics
/// If there are not as many players as boards.
pub fn simulate_race(
    start: &RacePosition,
    players: &[RaceSkill],
    games: Range<u64>,
    seed: u64,
    threads: usize,
    progress: impl FnMut(&GameStatistics) -> ControlFlow<()> + Send,
) -> Result<GameStatistics, Stopped> {
    assert_eq!(players.len(), start.players(), "a player for each board");
    let play = |number, statistics: &mut GameStatistics| {
        let game = RaceGame::play(start, players, draw::seed_of_game(seed, number));
        let totals: Vec<i32> = game.end.totals().iter().map(|total| total.points as i32).collect();
        statistics.count(&totals, &winners(&totals));
    };
    play_games(players.len(), games, threads, 1, play, progress)
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(super) struct RaceGame {
    /// The position at its end.
    pub(super) end: RacePosition,
    /// Turns of all players.
    pub(super) turns: u32,
    /// The record that ended it; none if nobody did.
    pub(super) last: Option<Recorded>,
}

impl RaceGame {
    /// Plays one game.
    pub(super) fn play(start: &RacePosition, players: &[RaceSkill], seed: u64) -> Self {
        let mut game = Self { end: start.clone(), turns: 0, last: None };
        while game.turns < MOST_TURNS * players.len() as u32 {
            let player = players[game.end.to_move()];
            let Some(turn) = player.play_turn(&game.end, game.turns, seed) else { break };
            game.end = turn.end;
            game.turns += 1;
            if turn.outcome.is_some() {
                game.last = turn.steps.iter().rev().find_map(|step| step.recorded);
                break;
            }
        }
        game
    }
}
