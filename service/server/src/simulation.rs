//! Many games on the pool for long work, told to the caller as they go. The work ends with the
//! last game, or as soon as the caller has gone.

use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicepoker_engine::opponent::{Interval, PERCENTILES, SeatTally, Stopped, Tally};
use dicepoker_proto::v1 as pb;
use tokio::sync::mpsc;
use tokio_stream::{Stream, StreamExt};
use tonic::Status;

use crate::error::Error;
use crate::runtime::LongWork;

/// The answers to a call of Simulate.
pub(crate) type Progress = Pin<Box<dyn Stream<Item = Result<pb::SimulateResponse, Status>> + Send>>;

/// The least time between two words of progress.
const EVERY: Duration = Duration::from_millis(200);

/// How many games a request asks for, if it is as many as are allowed.
pub(crate) fn read_games(games: u32, most: u32) -> Result<u64, Error> {
    if (1..=most).contains(&games) {
        Ok(games.into())
    } else {
        Err(Error::invalid("games", format!("{games}: must be 1 to {most}")))
    }
}

/// What the statistics of a player need to know of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// Its target, if it has one.
    pub(crate) target: Option<u32>,
    /// Whether what its moves give up is in points, and so is told.
    pub(crate) counts_regret: bool,
}

/// Runs `play`, which plays games and tells of them to the function it is given, on `long_work`.
pub(crate) fn stream(
    long_work: &LongWork,
    seats: Vec<Seat>,
    play: impl FnOnce(&mut (dyn FnMut(&Tally) -> ControlFlow<()> + Send)) -> Result<Tally, Stopped>
    + Send
    + 'static,
) -> Progress {
    // One word of progress waits for a slow caller; the others are left out.
    let (tell, mut told) = mpsc::channel(1);
    let of_seats = seats.clone();
    let games = move |gone: &AtomicBool| {
        let mut last = Instant::now();
        play(&mut |tally| {
            if gone.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            if last.elapsed() >= EVERY && tell.try_send(write(&seats, tally)).is_ok() {
                last = Instant::now();
            }
            ControlFlow::Continue(())
        })
    };
    let long_work = long_work.clone();
    let all = async move {
        match long_work.run(games).await? {
            Ok(tally) => Ok(write(&of_seats, &tally)),
            // Only the caller's leaving stops them, and then nobody hears this.
            Err(Stopped { .. }) => Err(Error::Stopping),
        }
    };
    let mut all = Some(Box::pin(all));
    let answers = futures_util::stream::poll_fn(move |cx| {
        use std::task::Poll;
        let Some(running) = all.as_mut() else { return Poll::Ready(None) };
        if let Poll::Ready(Some(progress)) = told.poll_recv(cx) {
            return Poll::Ready(Some(Ok(progress)));
        }
        let end = std::task::ready!(running.as_mut().poll(cx));
        all = None;
        Poll::Ready(Some(end))
    });
    Box::pin(answers.map(|answer: Result<_, Error>| answer.map_err(Status::from)))
}

fn write(seats: &[Seat], tally: &Tally) -> pb::SimulateResponse {
    let players = tally.seats.iter().zip(seats).map(|(tally, seat)| write_seat(tally, *seat));
    pb::SimulateResponse { games_played: count(tally.games), players: players.collect() }
}

fn write_seat(tally: &SeatTally, seat: Seat) -> pb::PlayerStatistics {
    let percentile = |percent: u8| pb::Percentile {
        percent: percent.into(),
        score: tally.percentile(f64::from(percent) / 100.0).into(),
    };
    let reached = |target: u32| tally.scores().iter().skip(target as usize).sum();
    pb::PlayerStatistics {
        mean_score: Some(write_estimate(tally.mean())),
        standard_deviation: tally.deviation(),
        percentiles: PERCENTILES.map(percentile).to_vec(),
        wins: count(tally.wins()),
        shared_wins: count(tally.shared_wins()),
        win_share: Some(write_estimate(tally.win_share())),
        lost_per_decision: seat.counts_regret.then(|| tally.lost_per_decision()),
        targets_reached: seat.target.map(|target| count(reached(target))),
    }
}

fn write_estimate(interval: Interval) -> pb::Estimate {
    pb::Estimate { value: interval.value, low: interval.low, high: interval.high }
}

/// A number of games, no more of which are allowed than this type holds.
fn count(games: u64) -> u32 {
    u32::try_from(games).unwrap_or(u32::MAX)
}
