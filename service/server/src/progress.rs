//! Streams of progress: long work that sends intermediate results. It ends with the last result, or
//! when the caller cancels the call.

use std::ops::{ControlFlow, Range};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicepoker_engine::explain::PERCENTILES;
use dicepoker_engine::statistics::{GameStatistics, Interval, PlayerStatistics, Stopped};
use dicepoker_proto::v1 as pb;
use futures_util::stream::{Stream, TryStreamExt, try_unfold};
use tonic::Status;

use crate::error::Error;
use crate::runtime::{LongWork, Place};

/// The responses of a call that streams its progress.
pub(crate) type Progress<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// Receives the games so far, and may stop the rest.
pub(crate) type Watch<'a> = &'a mut (dyn FnMut(&GameStatistics) -> ControlFlow<()> + Send);

/// How long the work of one caller runs before it sends a result and others have their turn.
pub(crate) const SLICE: Duration = Duration::from_millis(100);

/// Limits of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Number of games.
    pub(crate) games: u32,
    /// When the call times out.
    pub(crate) end: Option<Instant>,
}

/// The number of games of a request.
pub(crate) fn read_games(games: u32, bounds: Bounds) -> Result<u64, Error> {
    if (1..=bounds.games).contains(&games) {
        Ok(games.into())
    } else {
        Err(Error::invalid("games", format!("{games}: must be 1 to {}", bounds.games)))
    }
}

/// The properties of a player that decide which statistics are reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// Its target, if it has one.
    pub(crate) target: Option<i32>,
    /// Whether regret is in points, and so is reported.
    pub(crate) counts_regret: bool,
    /// Whether its games have scores.
    pub(crate) scored: bool,
}

/// Plays `games` games by `play`, which gets a range of their numbers and calls its progress
/// function after each, which may stop it. They are played in slices on `long_work`, so that others
/// have their turns, and only as fast as the caller reads the responses.
pub(crate) fn games(
    long_work: &LongWork,
    seats: Vec<Seat>,
    games: u64,
    bounds: Bounds,
    play: impl Fn(Range<u64>, Watch<'_>) -> Result<Result<GameStatistics, Stopped>, Error>
    + Send
    + Sync
    + 'static,
) -> Result<Progress<pb::SimulateResponse>, Error> {
    let (place, play) = (long_work.reserve()?, Arc::new(play));
    let begun = Instant::now();
    let slices =
        try_unfold((place, None), move |(place, so_far): (Place, Option<GameStatistics>)| {
            let (play, seats) = (Arc::clone(&play), seats.clone());
            async move {
                let played = so_far.as_ref().map_or(0, |tally| tally.games);
                if played >= games {
                    return Ok(None);
                }
                let slice = move |cancelled: &AtomicBool| {
                    let begun = Instant::now();
                    play(played..games, &mut |_| match cancelled.load(Ordering::Relaxed) {
                        false if begun.elapsed() < SLICE => ControlFlow::Continue(()),
                        _ => ControlFlow::Break(()),
                    })
                };
                let (Ok(slice) | Err(Stopped { so_far: slice })) = place.run(slice).await??;
                let tally = match so_far {
                    None => slice,
                    Some(mut tally) => {
                        tally.add(&slice);
                        tally
                    }
                };
                let mut response = write(&seats, &tally);
                let left = bounds.end.map(|end| end.saturating_duration_since(Instant::now()));
                response.expected_games =
                    left.and_then(|left| expected(tally.games, games, begun.elapsed(), left));
                Ok::<_, Error>(Some((response, (place, Some(tally)))))
            }
        });
    Ok(Box::pin(slices.map_err(Status::from)))
}

fn write(seats: &[Seat], tally: &GameStatistics) -> pb::SimulateResponse {
    let players = tally.players.iter().zip(seats).map(|(tally, seat)| write_seat(tally, *seat));
    pb::SimulateResponse {
        games_played: count(tally.games),
        players: players.collect(),
        expected_games: None,
    }
}

fn write_seat(tally: &PlayerStatistics, seat: Seat) -> pb::PlayerStatistics {
    let percentile = |percent: u8| pb::Percentile {
        percent: percent.into(),
        score: tally.percentile(f64::from(percent) / 100.0).into(),
    };
    let scored = seat.scored;
    let reached = |target: i32| tally.games_from(target);
    pb::PlayerStatistics {
        mean_score: scored.then(|| write_estimate(tally.mean())),
        standard_deviation: scored.then(|| tally.deviation()),
        percentiles: if scored { PERCENTILES.map(percentile).to_vec() } else { Vec::new() },
        wins: count(tally.wins()),
        shared_wins: count(tally.shared_wins()),
        win_share: Some(write_estimate(tally.win_share())),
        regret_per_decision: seat.counts_regret.then(|| tally.regret_per_decision()),
        targets_reached: seat.target.map(|target| count(reached(target))),
    }
}

fn write_estimate(interval: Interval) -> pb::Estimate {
    pb::Estimate { value: interval.value, low: interval.low, high: interval.high }
}

/// The games that can be played in the time `left`, if fewer than `games`.
fn expected(played: u64, games: u64, took: Duration, left: Duration) -> Option<u32> {
    let more = played as f64 * left.as_secs_f64() / took.as_secs_f64().max(1e-9);
    let expected = played + more as u64;
    (expected < games).then(|| count(expected))
}

/// A number of games; the limit fits this type.
fn count(games: u64) -> u32 {
    u32::try_from(games).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_report_how_many_games_the_deadline_allows() {
        let [second, minute] = [1, 60].map(Duration::from_secs);
        assert_eq!(expected(500, 100_000, second, minute), Some(30_500));
        assert_eq!(expected(500, 30_000, second, minute), None);
        assert_eq!(expected(500, 501, second, Duration::ZERO), Some(500));
        assert_eq!(expected(500, 500, second, Duration::ZERO), None);
    }
}
