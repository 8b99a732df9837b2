//! Many games of the race between the same players.

use std::ops::{ControlFlow, Range};

use super::skill::RaceSkill;
use crate::opponent::draw;
use crate::play::winners;
use crate::race::RacePosition;
use crate::statistics::{GameStatistics, Stopped, play_games};

/// Turns of each player after which a game that nobody ends is counted as it stands.
const MOST_TURNS: u32 = 400;

/// Plays the games of these numbers between `players` on so many threads, from `start` on, and tells
/// `progress` of them now and then, which may stop the rest. The same games for the same seed,
/// on any number of threads; see [`Simulation`](crate::statistics::Simulation).
///
/// # Errors
/// What was played until `progress` stopped it.
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
        let totals = play(start, players, draw::seed_of_game(seed, number));
        let totals: Vec<i32> = totals.into_iter().map(|total| total as i32).collect();
        statistics.count(&totals, &winners(&totals));
    };
    play_games(players.len(), games, threads, 1, play, progress)
}

/// Plays one game and tells what every player has at its end.
fn play(start: &RacePosition, players: &[RaceSkill], seed: u64) -> Vec<u32> {
    let mut position = start.clone();
    for turns in 0..MOST_TURNS * players.len() as u32 {
        let Some(turn) = players[position.to_move()].play_turn(&position, turns, seed) else {
            break;
        };
        position = turn.end;
        if turn.outcome.is_some() {
            break;
        }
    }
    position.totals().iter().map(|total| total.points).collect()
}
