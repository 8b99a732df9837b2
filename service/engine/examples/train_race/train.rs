//! Rounds of self-play and learning. Within a round the network does not change and every game has
//! dice of its own, so that the result is the same on any number of threads.

use std::time::Instant;

use dicepoker_engine::parallel::share;
use dicepoker_engine::race::training::{Goal, Net, choose_for, play, throw};

use dicepoker_engine::race::{RaceMove, RacePosition, RaceRules, turn_greedy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::learner::{Learner, Limits, draw_near};
use crate::recipe::Step;
use crate::selfplay::{Manner, Other, Sample, game};

/// Games of a round.
const ROUND: usize = 100;
/// Samples of a step of the learner.
const BATCH: usize = 512;
/// Seed of the games that measure learning curves.
const CURVE_SEED: u64 = 77_000_000;

/// The settings of training beyond those of the step.
#[derive(Clone, Debug)]
pub(crate) struct Training {
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Games per point of the curve.
    pub(crate) measured: usize,
    pub(crate) goal: Goal,
    pub(crate) subtract_luck: bool,
    /// See [`Manner::curious`].
    pub(crate) curious: bool,
    pub(crate) limits: Limits,
}

/// A point of a learning curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) games: usize,
    pub(crate) error: f32,
    pub(crate) share: f64,
    pub(crate) deviation: f64,
}

/// Trains `net` and reports every point of the curve to `report`; with `frozen` against that
/// network.
pub(crate) fn train(
    net: Net,
    frozen: Option<&Net>,
    step: &Step,
    training: &Training,
    mut report: impl FnMut(&Net, Point),
) -> Net {
    let manner = Manner {
        goal: training.goal,
        lambda: step.lambda,
        subtract_luck: training.subtract_luck,
        curious: training.curious,
        any_rules: step.options,
    };
    let dice = |stream: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(training.seed);
        rng.set_stream(stream);
        rng
    };
    let mut draws = dice(u64::MAX);
    let mut mean = net.clone();
    let mut learner = Learner::new(net, training.limits.clone(), step.options);
    let mut buffer: Vec<Sample> = Vec::new();
    let (mut games, mut checks, mut error) = (0, 0, 0.0);
    while games < step.games {
        let found = in_order(training.threads, ROUND, |i| {
            let number = games + i;
            let players = step.players[number % step.players.len()];
            let mut samples = Vec::new();
            let round = number / step.players.len();
            let seat = (round / step.greedy.max(1) + number) % players;
            let other = match frozen {
                Some(net) => Some((Other::Frozen(net), seat)),
                None if step.greedy > 0 && round.is_multiple_of(step.greedy) => {
                    Some((Other::Greedy, seat))
                }
                None => None,
            };
            let mut rng = dice(number as u64);
            game(&learner.net, other, players, manner, &mut rng, &mut samples);
            samples
        });
        games += ROUND;
        // The buffer holds samples of the latest games.
        let room = (games * 10).clamp(20_000, 400_000);
        let mut fresh = 0;
        for sample in found.into_iter().flatten() {
            fresh += 1;
            if buffer.len() < room {
                buffer.push(sample);
            } else {
                let old = draws.random_range(0..buffer.len());
                buffer[old] = sample;
            }
        }
        // The rate falls with the cube of the remaining share.
        let left = 1.0 - games as f32 / step.games as f32;
        let rate = step.rate * (left * left * left).max(0.003);
        let batches = fresh * step.reuse / BATCH;
        for _ in 0..batches {
            let batch = learner.batch(&buffer, BATCH, rate, &mut draws);
            error += (batch - error) * 0.01;
        }
        // The result is a running mean of the weights, which wander about the best.
        draw_near(&mut mean, &mut learner.net, 0.02);
        if games * step.checks >= (checks + 1) * step.games || games >= step.games {
            checks += 1;
            let players = step.players[0];
            let (share, deviation) = measure(&mean, &turn_greedy, players, training);
            report(&mean, Point { games, error: error.sqrt(), share, deviation });
        }
    }
    mean
}

/// The opponents of a measurement.
pub(crate) type Rival<'r> = &'r (dyn Fn(&RacePosition) -> Option<RaceMove> + Sync);

/// Share of wins of one among such opponents and its standard error, seats exchanged on the same
/// dice.
pub(crate) fn measure(
    net: &Net,
    rival: Rival<'_>,
    players: usize,
    training: &Training,
) -> (f64, f64) {
    let shares = in_order(training.threads, training.measured / players, |set| {
        let mut share = 0.0;
        for seat in 0..players {
            let mut dice: Vec<ChaCha8Rng> = (0..players)
                .map(|player| {
                    let mut rng = ChaCha8Rng::seed_from_u64(CURVE_SEED + set as u64);
                    rng.set_stream(player as u64);
                    rng
                })
                .collect();
            let end = play(
                RacePosition::start(RaceRules::default(), players),
                2000,
                |position| match position.to_move() == seat {
                    true => choose_for(net, position, training.goal, |value| value),
                    false => rival(position),
                },
                |player, chosen| throw(&mut dice[player], chosen),
            );
            if let Some((end, _)) = end
                && end.winners.contains(&seat)
            {
                share += 1.0 / end.winners.len() as f64;
            }
        }
        share / players as f64
    });
    let sets = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / sets;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>();
    (mean, (variance / (sets * (sets - 1.0).max(1.0))).sqrt())
}

/// The results of `work` for 0 to `count`, in this order for any number of threads.
fn in_order<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let made = share(threads, 0..count, |next| {
        std::iter::from_fn(next).map(|i| (i, work(i))).collect::<Vec<_>>()
    });
    let mut made: Vec<_> = made.into_iter().flatten().collect();
    made.sort_by_key(|made| made.0);
    made.into_iter().map(|made| made.1).collect()
}

/// Prints a point of a curve.
pub(crate) fn print(name: &str, began: Instant, point: Point) {
    println!(
        "{name:>16} {:7.0} s {:7} games, error {:.4}, against turn-greedy {:.2} ± {:.2} %",
        began.elapsed().as_secs_f64(),
        point.games,
        point.error,
        100.0 * point.share,
        100.0 * point.deviation,
    );
}
