//! The review of a race that was played.

use crate::dice::Roll;
use crate::race::{ApplyError, RaceEnd, RaceMove, RacePosition, advise};
use crate::statistics::{Grade, PlayerReview};

/// A decision of a race under review. Values are the mover's probability to win; for a single
/// player, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReviewedRaceStep {
    /// The player.
    pub player: usize,
    /// The dice on the table; none before a throw of all five.
    pub dice: Option<Roll>,
    /// The best move.
    pub best: RaceMove,
    /// Its value.
    pub best_value: f64,
    /// The move made.
    pub chosen: RaceMove,
    /// Its regret.
    pub regret: f64,
    /// Its grade.
    pub grade: Grade,
    /// Its luck; 0 if it threw no dice.
    pub luck: f64,
}

/// The review of a race.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceReview {
    /// Every decision, in the order of play.
    pub steps: Vec<ReviewedRaceStep>,
    /// The sums for each player; without values at the start and the end, which are known only for
    /// the player to move.
    pub players: Vec<PlayerReview>,
    /// The position at the end.
    pub end: RacePosition,
    /// Turns that ended.
    pub turns_ended: u32,
    /// How the game ended, if it did.
    pub outcome: Option<RaceEnd>,
}

/// The probability to win that counts as an average turn when moves are graded: a blunder loses
/// three hundredths.
const GRADED: f64 = 0.1;

/// Reviews a race: every move from `start` on, with the faces that it threw. Values are those of
/// the strongest player, which are learned, so luck and regret do not add up to the outcome
/// exactly.
///
/// # Errors
/// The index of the first move that the rules do not allow, and why.
pub fn review_race(
    start: &RacePosition,
    moves: &[(RaceMove, Vec<u8>)],
) -> Result<RaceReview, (usize, ApplyError)> {
    let mut review = RaceReview {
        steps: Vec::with_capacity(moves.len()),
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
        review.steps.push(ReviewedRaceStep {
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
