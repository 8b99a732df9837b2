//! Games of self-play and their samples: the boards after every turn, and the return of the rest of
//! the game.

use dicepoker_engine::race::training::{Feature, Goal, Net, View, logistic};
use dicepoker_engine::race::training::{GreedyOpening, Opening, choose_for, throw};
use dicepoker_engine::race::{DeMao, RacePosition, RaceRules, turn_greedy};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

/// Points of one unit of the margin's target.
pub(crate) const GAP_SCALE: f32 = 100.0;

/// Turns after which a game of untrained players is abandoned.
const MOST_TURNS: usize = 1000;

/// The amount by which a move may be overvalued in a curious turn; at most twice this.
const CURIOSITY: f32 = 0.01;

/// The weights of later turns and of this one in a return of the margin.
const GAP_LAMBDA: f32 = 0.85;

/// One position after a turn and its return.
pub(crate) struct Sample {
    /// Its features.
    pub(crate) features: Box<[(u16, f32)]>,
    /// The stage of the game.
    pub(crate) stage: usize,
    /// The return of the goal, from 0 to 1.
    pub(crate) win: f32,
    /// The growth of the margin.
    pub(crate) growth: f32,
}

/// A turn of a game in progress.
struct Played {
    features: Vec<Feature>,
    stage: usize,
    player: usize,
    /// Value after the turn for the player who made it, and margin.
    value: f32,
    margin: f32,
    growth: f32,
    /// Exact expectation, before the turn, of the value after it; for the player who made it.
    expected: f32,
}

/// How games are played and valued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// The goal of the players.
    pub(crate) goal: Goal,
    /// See [`Step::lambda`](super::recipe::Step::lambda).
    pub(crate) lambda: f32,
    /// Whether luck is subtracted from returns.
    pub(crate) subtract_luck: bool,
    /// Whether one turn in four is played with moves that only look as good as the best.
    pub(crate) curious: bool,
    /// Whether rules are drawn anew for each game.
    pub(crate) any_rules: bool,
}

/// Rules that houses may play by, each variant in half of the games.
fn any_rules(rng: &mut impl Rng) -> RaceRules {
    RaceRules {
        poker_row: rng.random_bool(0.5),
        sum_of_figures: rng.random_bool(0.5),
        fullen_points: if rng.random_bool(0.25) { rng.random_range(5..=60) } else { 20 },
        de_mao: if rng.random_bool(0.25) { DeMao::FirstThrow } else { DeMao::AnyFullThrow },
        double_unopened: rng.random_bool(0.75),
        unclosed_rows_count: rng.random_bool(0.75),
    }
}

/// The opponents of the network that learns, if not itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Other<'n> {
    /// A network that does not change.
    Frozen(&'n Net),
    /// The turn-greedy player.
    Greedy,
}

/// Plays a game among `players` and appends its samples. With `other` all but one player are such,
/// and only that one's samples are kept.
pub(crate) fn game(
    net: &Net,
    other: Option<(Other<'_>, usize)>,
    players: usize,
    manner: Manner,
    rng: &mut ChaCha8Rng,
    samples: &mut Vec<Sample>,
) {
    let rules = if manner.any_rules { any_rules(rng) } else { RaceRules::default() };
    let mut position = RacePosition::start(rules, players);
    let mut turns: Vec<Played> = Vec::with_capacity(128);
    let end = loop {
        let player = position.to_move();
        let (mind, greedy) = match other {
            Some((Other::Frozen(frozen), learning)) if learning != player => (frozen, false),
            Some((Other::Greedy, learning)) if learning != player => (net, true),
            _ => (net, false),
        };
        let opening = (!greedy).then(|| Opening::solve(mind, &position, manner.goal));
        let expected = opening.as_ref().map_or_else(
            || GreedyOpening::solve(mind, &position, manner.goal).value(),
            Opening::value,
        );
        let mut recorded = false;
        let curious = manner.curious && rng.random_range(0..4) == 0;
        let end = loop {
            let look = |value: f32| match curious {
                true => value + CURIOSITY * (rng.random::<f32>() + rng.random::<f32>()),
                false => value,
            };
            let chosen = match &opening {
                None => turn_greedy(&position),
                Some(opening) if !recorded => opening.choose(mind, &position, look),
                Some(_) => choose_for(mind, &position, manner.goal, look),
            };
            let chosen = chosen.expect("a game that goes on has a move");
            let applied = position.apply(chosen, &throw(rng, chosen)).expect("a legal move");
            recorded |= applied.recorded.is_some();
            position = applied.position;
            if applied.turn_ended {
                break applied.end;
            }
        };
        let view = View::new(&rules, position.boards(), player);
        let (features, stage) = (view.features(), view.stage());
        let sums = mind.sum(&features);
        let totals = position.totals();
        turns.push(Played {
            features,
            stage,
            player,
            value: logistic(mind.log_odds(&sums, stage)),
            margin: margin(player, |other| totals[other].points, players),
            growth: mind.growth(&sums, stage),
            expected,
        });
        if let Some(end) = end {
            break end;
        }
        if turns.len() > MOST_TURNS {
            return;
        }
    };
    let gaps: Vec<f32> = (0..players)
        .map(|player| margin(player, |other| end.totals[other].points, players))
        .collect();
    let shares = (0..players)
        .map(|player| match end.winners.contains(&player) {
            true => 1.0 / end.winners.len() as f32,
            false => 0.0,
        })
        .zip(&gaps)
        .map(|(share, &gap)| manner.goal.worth(share, gap))
        .collect();
    returns(turns, shares, gaps, manner, other.map(|(_, learning)| learning), samples);
}

/// How far `player` is ahead of the best of the others.
fn margin(player: usize, points: impl Fn(usize) -> u32, players: usize) -> f32 {
    let others = (0..players).filter(|&other| other != player);
    points(player) as f32 - others.map(&points).max().unwrap_or(0) as f32
}

/// Computes the returns from the end backwards; `returns` and `gaps` hold them for each player just
/// after a turn. With two players their returns are complementary; with more, that of a player
/// between two of its own turns is unknown to the network and stays.
fn returns(
    turns: Vec<Played>,
    mut returns: Vec<f32>,
    mut gaps: Vec<f32>,
    manner: Manner,
    learning: Option<usize>,
    samples: &mut Vec<Sample>,
) {
    let last = turns.len() - 1;
    for (i, turn) in turns.into_iter().enumerate().rev() {
        let player = turn.player;
        if i != last && learning.is_none_or(|learning| learning == player) {
            samples.push(Sample {
                features: turn.features.iter().map(|&(f, value)| (f as u16, value)).collect(),
                stage: turn.stage,
                win: returns[player],
                growth: (gaps[player] - turn.margin) / GAP_SCALE,
            });
        }
        let after = if i == last { returns[player] } else { turn.value };
        // The value before the turn: its exact expectation, plus what later turns teach.
        let base = if manner.subtract_luck { turn.expected } else { after };
        let before = base + manner.lambda * (returns[player] - after);
        returns[player] = before;
        if let [first, second] = &mut returns[..] {
            *(if player == 0 { second } else { first }) = 1.0 - before;
            let gap = if i == last { gaps[player] } else { turn.margin + turn.growth };
            let before = (1.0 - GAP_LAMBDA) * gap + GAP_LAMBDA * gaps[player];
            gaps[player] = before;
            gaps[1 - player] = -before;
        }
    }
}
