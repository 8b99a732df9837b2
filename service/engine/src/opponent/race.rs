//! Opponents at the traditional race. The lower levels look no further than the points of their
//! turn, the upper ones play to win by the learned value of boards; both err as players of score
//! sheets do, the more the closer moves are, and never beyond a bound.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::lot;
use super::race_calibration::RaceCalibration;
use super::review::{Grade, PlayerReview};
use super::simulate::Stopped;
use super::tally::Tally;
use crate::dice::Roll;
use crate::race::{
    ApplyError, MAX_MOVES, RaceEnd, RaceMove, RacePosition, Recorded, advise, turn_points,
};
use crate::seeded::SeededDice;

/// What a player of the race looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RaceSight {
    /// The points × multiplier of this turn.
    Points,
    /// The probability to win.
    Win,
}

/// The settings of a player of the race.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaceTemper {
    /// What it looks at. A player alone always looks at points, and hardly errs where it would
    /// look at the probability to win.
    pub sight: RaceSight,
    /// By how much a move must look worse to be chosen with odds 1 : e against the best, in
    /// points × multiplier or in probability to win; 0 always chooses what looks best.
    pub temperature: f64,
    /// The most that a move may give up, in the same measure.
    pub cap: f64,
}

/// A move of a turn and what it threw.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceStep {
    /// The dice on the table before the move.
    pub dice: Option<Roll>,
    /// The move.
    pub chosen: RaceMove,
    /// The faces that it threw, in the order in which they fell.
    pub thrown: ArrayVec<u8, 5>,
    /// What it recorded.
    pub recorded: Option<Recorded>,
}

/// A turn that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceTurn {
    /// Its moves.
    pub steps: Vec<RaceStep>,
    /// The position after it.
    pub end: RacePosition,
    /// How the game ended, if it did.
    pub outcome: Option<RaceEnd>,
}

impl RaceTemper {
    /// The strongest play there is.
    pub const STRONGEST: Self = Self { sight: RaceSight::Win, temperature: 0.0, cap: 0.0 };

    /// Takes the most points × multiplier of its turn, without errors.
    pub const GREEDY: Self = Self { sight: RaceSight::Points, temperature: 0.0, cap: 0.0 };

    /// The settings of `level` in the committed table, brought into 1 to
    /// [`LEVELS`](super::LEVELS).
    #[must_use]
    pub fn level(level: u8) -> Self {
        RaceCalibration::built_in().level(level).temper
    }

    /// The move of this player in `position` by `seed`; `turns_ended` tells the turns of a game
    /// apart. `None` if the game has ended.
    #[must_use]
    pub fn choose(&self, position: &RacePosition, turns_ended: u32, seed: u64) -> Option<RaceMove> {
        let moves = position.legal_moves();
        if moves.len() <= 1 {
            return moves.first().copied();
        }
        // Both lists are in an order of preference, so the first of equals is the one to play.
        let looks: ArrayVec<(RaceMove, f64), MAX_MOVES> = match self.sight {
            RaceSight::Win if position.players() > 1 => {
                advise(position).iter().map(|m| (m.chosen, m.win_probability)).collect()
            }
            _ => turn_points(position).iter().map(|m| (m.0, f64::from(m.1))).collect(),
        };
        let best = looks.iter().map(|m| m.1).fold(f64::NEG_INFINITY, f64::max);
        if self.temperature <= 0.0 {
            return match self.sight {
                RaceSight::Win => looks.first().map(|m| m.0).filter(|_| position.players() > 1),
                RaceSight::Points => None,
            }
            .or_else(|| looks.iter().find(|m| m.1 >= best).map(|m| m.0));
        }
        let odds = |looks: f64| match best - looks > self.cap {
            true => 0.0,
            false => lot::decay((best - looks) / self.temperature),
        };
        let weights: ArrayVec<f64, MAX_MOVES> = looks.iter().map(|m| odds(m.1)).collect();
        let drawn = lot::draw(seed, race_moment(position, turns_ended));
        Some(looks[lot::select(&weights, drawn)].0)
    }

    /// Plays the turn of `position` to its end, from wherever in the turn it is; `None` if the
    /// game has ended. The dice are those of `seed` when the moves are played one by one.
    #[must_use]
    pub fn play_turn(
        &self,
        position: &RacePosition,
        turns_ended: u32,
        seed: u64,
    ) -> Option<RaceTurn> {
        let mut turn = RaceTurn { steps: Vec::new(), end: position.clone(), outcome: None };
        loop {
            let chosen = self.choose(&turn.end, turns_ended, seed)?;
            let mut dice = SeededDice::new(seed, race_moment(&turn.end, turns_ended));
            let thrown: ArrayVec<u8, 5> =
                (0..chosen.dice_to_throw()).map(|_| dice.die(6)).collect();
            let applied = turn.end.apply(chosen, &thrown).ok()?;
            let recorded = applied.recorded;
            turn.steps.push(RaceStep { dice: turn.end.dice(), chosen, thrown, recorded });
            turn.end = applied.position;
            turn.outcome = applied.end;
            if applied.turn_ended {
                return Some(turn);
            }
        }
    }
}

/// A number that no two throws of a game share: which stream of a seed they come from.
#[must_use]
pub fn race_moment(position: &RacePosition, turns_ended: u32) -> u64 {
    u64::from(turns_ended) << 16
        | (position.to_move() as u64) << 8
        | u64::from(position.rolls_left())
}

/// Turns of each player after which a game that nobody ends is counted as it stands.
const MOST_TURNS: u32 = 400;

/// Plays the games of these numbers between `players` on so many threads, from `start` on, and tells
/// `progress` of them now and then, which may stop the rest. The same games for the same seed,
/// on any number of threads; see [`Simulation`](super::Simulation).
///
/// # Errors
/// What was played until `progress` stopped it.
///
/// # Panics
/// If there are not as many players as boards.
pub fn simulate_race(
    start: &RacePosition,
    players: &[RaceTemper],
    games: Range<u64>,
    seed: u64,
    threads: usize,
    mut progress: impl FnMut(&Tally) -> ControlFlow<()> + Send,
) -> Result<Tally, Stopped> {
    assert_eq!(players.len(), start.players(), "a player for each board");
    let next = AtomicU64::new(games.start);
    let shared = Mutex::new((Tally::new(players.len()), &mut progress, false));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games.end {
                return;
            }
            let totals = play(start, players, lot::seed_of_game(seed, number));
            let mut shared = shared.lock().expect("no player panics");
            let (so_far, progress, stopped) = &mut *shared;
            so_far.count(&totals);
            *stopped = *stopped || progress(so_far).is_break();
            if *stopped {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
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

/// Plays one game and tells what every player has at its end.
fn play(start: &RacePosition, players: &[RaceTemper], seed: u64) -> Vec<u32> {
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

/// A decision of a race under review. Values are the mover's probability to win; for a player
/// alone, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceDecision {
    /// Whose it was.
    pub player: usize,
    /// The dice on the table; none where a throw of all five was due.
    pub dice: Option<Roll>,
    /// The best move.
    pub best: RaceMove,
    /// Its value.
    pub best_value: f64,
    /// The move made.
    pub chosen: RaceMove,
    /// What it gave up.
    pub regret: f64,
    /// How good it was.
    pub grade: Grade,
    /// What the dice it threw brought; 0 if it threw none.
    pub luck: f64,
}

/// The review of a race.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceReview {
    /// Every decision, in the order of play.
    pub decisions: Vec<RaceDecision>,
    /// What they come to for each player; without values at the start and the end, which are
    /// known for the player to move alone.
    pub players: Vec<PlayerReview>,
    /// The position at the end.
    pub end: RacePosition,
    /// Turns that ended.
    pub turns_ended: u32,
    /// How the game ended, if it did.
    pub outcome: Option<RaceEnd>,
}

/// Probability to win that stands for an average turn's worth when moves are graded: a blunder
/// gives up three hundredths.
const GRADED: f64 = 0.1;

/// Reviews a race: every move from `start` on, with the faces that it threw. Values are those of
/// the strongest play known, which is learned and not proved, so luck and regret do not add up to
/// the outcome exactly.
///
/// # Errors
/// The index of the first move that the rules do not allow, and why.
pub fn review_race(
    start: &RacePosition,
    moves: &[(RaceMove, Vec<u8>)],
) -> Result<RaceReview, (usize, ApplyError)> {
    let mut review = RaceReview {
        decisions: Vec::with_capacity(moves.len()),
        players: vec![PlayerReview::default(); start.players()],
        end: start.clone(),
        turns_ended: 0,
        outcome: None,
    };
    let alone = start.players() == 1;
    let value = |position: &RacePosition| -> Vec<(RaceMove, f64)> {
        let worth = |win: f64, points: f64| if alone { points } else { win };
        advise(position).iter().map(|m| (m.chosen, worth(m.win_probability, m.margin))).collect()
    };
    let mut values = value(start);
    for (index, (chosen, thrown)) in moves.iter().enumerate() {
        let applied = review.end.apply(*chosen, thrown).map_err(|error| (index, error))?;
        let Some(&(best, best_value)) = values.first() else { break };
        let chosen_value = values.iter().find(|m| m.0 == *chosen).map_or(best_value, |m| m.1);
        let player = review.end.to_move();
        let after = value(&applied.position);
        let luck = match after.first() {
            Some(next) if chosen.dice_to_throw() > 0 => next.1 - chosen_value,
            _ => 0.0,
        };
        let regret = (best_value - chosen_value).max(0.0);
        let scale = if alone { GRADED * 1000.0 } else { GRADED };
        let grade = Grade::of(regret, scale);
        review.decisions.push(RaceDecision {
            player,
            dice: review.end.dice(),
            best,
            best_value,
            chosen: *chosen,
            regret,
            grade,
            luck,
        });
        let of_player = &mut review.players[player];
        of_player.regret += regret;
        of_player.luck += luck;
        if review.end.dice().is_some() {
            of_player.grades[grade as usize] += 1;
        }
        review.turns_ended += u32::from(applied.turn_ended);
        review.end = applied.position;
        review.outcome = applied.end;
        values = after;
    }
    Ok(review)
}
