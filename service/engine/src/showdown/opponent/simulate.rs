//! Many matches between the same players.

use std::ops::{ControlFlow, Range};

use super::skill::ShowdownOpponent;
use super::turn_play::ShowdownTurn;
use crate::opponent::draw;
use crate::showdown::{Showdown, ShowdownPosition, ShowdownValues};
use crate::statistics::{GameStatistics, Stopped, play_games};

/// Matches that a thread plays before it reports them.
const BATCH: u64 = 32;

/// Turns after which an unfinished match is counted as it is.
const MOST_TURNS: usize = 10_000;

/// Plays the matches of these numbers between `players` on so many threads, from `start` on.
/// Reports to `progress` at intervals, which may stop the rest. The same seed gives the same
/// matches on any number of threads. A winner scores 1, others 0; with a pay table the score is the
/// payout.
///
/// # Errors
/// The results so far, if `progress` stops it.
///
/// # Panics
/// If there are not as many players as seats.
#[expect(clippy::too_many_arguments, reason = "what a simulation needs")]
pub fn simulate_showdown(
    game: &Showdown,
    values: &ShowdownValues,
    start: &ShowdownPosition,
    players: &[ShowdownOpponent],
    games: Range<u64>,
    seed: u64,
    threads: usize,
    progress: impl FnMut(&GameStatistics) -> ControlFlow<()> + Send,
) -> Result<GameStatistics, Stopped> {
    assert_eq!(players.len(), start.seats().len(), "a player for each seat");
    let play = |number, statistics: &mut GameStatistics| {
        let seed = draw::seed_of_game(seed, number);
        let scores = play_match(game, values, start, players, seed, |seat, turn| {
            let decisions = turn.steps.iter().filter(|step| step.dice.is_some());
            statistics.count_moves(seat, decisions.map(|step| step.regret));
        });
        statistics.count(&scores, &crate::play::winners(&scores));
    };
    play_games(players.len(), games, threads, BATCH, play, progress)
}

/// Plays one match, calls `each` with the seat and the turn of everybody, and returns the scores.
pub(super) fn play_match(
    game: &Showdown,
    values: &ShowdownValues,
    start: &ShowdownPosition,
    players: &[ShowdownOpponent],
    seed: u64,
    mut each: impl FnMut(usize, &ShowdownTurn),
) -> Vec<i32> {
    let turns = record_showdown(game, values, start, players, seed);
    let mut scores = vec![0i32; players.len()];
    turns.iter().for_each(|(seat, turn)| each(*seat, turn));
    if let Some((_, ShowdownTurn { winners: Some(winners), round, .. })) = turns.last() {
        winners.iter().for_each(|&winner| scores[winner] = 1);
        if let Some(paid) = round.as_ref().and_then(|round| round.paid) {
            scores[0] = paid;
        }
    }
    scores
}

/// Every turn of the match of this seed between `players`, with its player.
#[must_use]
pub fn record_showdown(
    game: &Showdown,
    values: &ShowdownValues,
    start: &ShowdownPosition,
    players: &[ShowdownOpponent],
    seed: u64,
) -> Vec<(usize, ShowdownTurn)> {
    let mut turns: Vec<(usize, ShowdownTurn)> = Vec::new();
    while turns.len() < MOST_TURNS {
        let position = turns.last().map_or(start, |(_, turn)| &turn.end);
        let seat = position.to_move();
        let turn = players[seat].play_turn(game, values, position, seed);
        let over = turn.winners.is_some();
        turns.push((seat, turn));
        if over {
            break;
        }
    }
    turns
}
