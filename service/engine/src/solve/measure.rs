//! Measures values by games played with them. The luck of the dice, by the values, is subtracted
//! from each score: the mean stays the same, and most of the deviation goes.

use super::endings::Endings;
use super::rounds::{Ahead, Rounds, Seat};
use super::{Solution, Values};
use crate::sheet::{CardState, Sheet};

/// The mean final score of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Mean of the scores less the luck.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Mean of the scores themselves.
    pub plain_mean: f64,
    /// Standard deviation of the scores themselves.
    pub deviation: f64,
}

/// Plays so many games of one player by `values` and returns their scores. Its last turns are
/// solved, as those of advice are. The same seed gives the same games.
#[must_use]
pub fn measure(sheet: &Sheet, values: &Solution, games: u64, seed: u64) -> Measured {
    play(sheet, values, games, seed)
}

/// The results of so many games of a player who looks at the points of each turn alone.
#[must_use]
pub fn measure_greedy(sheet: &Sheet, games: u64, seed: u64) -> Measured {
    play(sheet, &Nothing, games, seed)
}

/// No value for what is left of a card.
struct Nothing;

impl Values for Nothing {
    fn value(&self, _: CardState) -> f64 {
        0.0
    }
}

impl Ahead for Nothing {}

/// Games played at a time.
const AT_ONCE: u64 = 64;

fn play(sheet: &Sheet, values: &impl Ahead, games: u64, seed: u64) -> Measured {
    let values = &Endings::new(sheet, values);
    let start = f64::from(sheet.starts_with());
    let at_start = start + values.value(CardState::EMPTY);
    let (mut sums, mut squares) = ([0.0; 2], [0.0; 2]);
    let mut rounds = Rounds::new(sheet);
    let mut played = Vec::new();
    for first in (0..games).step_by(AT_ONCE as usize) {
        let number = AT_ONCE.min(games - first) as usize;
        let seats = (0..number).map(|game| Seat::new(game, seed, first + game as u64));
        let mut seats: Vec<Seat> = seats.collect();
        // Scores less the luck of the dice, and scores.
        let mut scores = vec![[at_start, start]; number];
        while !seats.is_empty() {
            rounds.play(values, &mut seats, &mut played);
            for (seat, played) in seats.iter_mut().zip(&played) {
                let [adjusted, score] = &mut scores[seat.game];
                *adjusted += played.value - values.value(seat.state);
                *score += f64::from(played.gain);
                seat.state = played.after;
            }
            seats.retain(|seat| seat.state.filled != sheet.categories());
        }
        values.forget();
        for score in scores {
            for (i, score) in score.into_iter().enumerate() {
                sums[i] += score;
                squares[i] += score * score;
            }
        }
    }
    let n = games as f64;
    let variance = |i: usize| (squares[i] - sums[i] * sums[i] / n) / (n - 1.0);
    let deviation = |i: usize| variance(i).max(0.0).sqrt();
    Measured {
        mean: sums[0] / n,
        error: deviation(0) / n.sqrt(),
        plain_mean: sums[1] / n,
        deviation: deviation(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;
    use crate::solve::{Training, upper_bound};

    fn sheet(id: &str) -> Sheet {
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
        Sheet::new(ruleset.definition.clone()).expect("sound")
    }

    fn optimum(sheet: &Sheet, solution: &Solution) -> f64 {
        f64::from(sheet.starts_with()) + solution.value(CardState::EMPTY)
    }

    /// With solved values nothing but luck makes scores differ, whatever the kind of turn: plain,
    /// with jokers, kept dice that stay and throws bought, or dice served at once.
    #[test]
    fn games_by_solved_values_score_the_optimum() {
        for id in ["crag", "kosci", "yahtzee", "yahtzee-free-joker", "kismet", "generala"] {
            let sheet = sheet(id);
            let solution = Solution::solve(&sheet, 1).expect("within the budget");
            let measured = measure(&sheet, &solution, 40, 1);
            let optimum = optimum(&sheet, &solution);
            assert!((measured.mean - optimum).abs() < 1e-2, "{id}: {measured:?}, not {optimum}");
            assert!(measured.error < 1e-2 && measured.deviation > 1.0, "{id}: {measured:?}");
        }
    }

    #[test]
    fn bounds_are_above_the_optimum() {
        for id in ["crag", "kniffel"] {
            let sheet = sheet(id);
            let solution = Solution::solve(&sheet, 1).expect("within the budget");
            let optimum = optimum(&sheet, &solution);
            let bound = upper_bound(&sheet).expect("no jokers");
            assert!((optimum..2.0 * optimum).contains(&bound), "{id}: {bound}, {optimum}");
        }
        assert_eq!(upper_bound(&sheet("yahtzee")), None);
    }

    #[test]
    fn a_little_training_beats_the_greedy() {
        let sheet = sheet("crag");
        let solution = Training { turns: 40_000, seed: 1, stopped: None }.run(&sheet);
        let learned = measure(&sheet, &solution, 500, 2);
        let greedy = measure_greedy(&sheet, 500, 2);
        assert!(learned.mean > greedy.mean + 2.0, "{learned:?}, {greedy:?}");
    }
}
