//! Many games of the race between the same players.

use std::ops::{ControlFlow, Range};

use super::skill::RaceSkill;
use super::turn_play::RaceTurn;
use crate::opponent::draw;
use crate::play::winners;
use crate::race::{RacePosition, Recorded};
use crate::statistics::{GameStatistics, Stopped, play_games};

/// Turns of each player after which an unfinished game is counted as it is.
const MOST_TURNS: u32 = 400;

/// Plays the games of these numbers between `players` on so many threads, from `start` on, and reports to
/// `progress` now and then, which may stop the rest. The same games for the same seed,
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
        let turns = record_race(start, players, seed);
        let end = turns.last().map_or(start, |(_, turn)| &turn.end).clone();
        let last = turns.last().filter(|(_, turn)| turn.outcome.is_some());
        let last =
            last.and_then(|(_, turn)| turn.steps.iter().rev().find_map(|step| step.recorded));
        Self { end, turns: turns.len() as u32, last }
    }
}

/// Every turn of the game of this seed between `players`, with its player.
#[must_use]
pub fn record_race(
    start: &RacePosition,
    players: &[RaceSkill],
    seed: u64,
) -> Vec<(usize, RaceTurn)> {
    let mut turns: Vec<(usize, RaceTurn)> = Vec::new();
    for number in 0..MOST_TURNS * players.len() as u32 {
        let position = turns.last().map_or(start, |(_, turn)| &turn.end);
        let player = position.to_move();
        let Some(turn) = players[player].play_turn(position, number, seed) else { break };
        let over = turn.outcome.is_some();
        turns.push((player, turn));
        if over {
            break;
        }
    }
    turns
}
