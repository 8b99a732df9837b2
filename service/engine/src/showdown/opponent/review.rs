//! The review of a match that was played.

use crate::dice::Roll;
use crate::showdown::{
    Showdown, ShowdownApplied, ShowdownApplyError, ShowdownMove, ShowdownPosition, ShowdownRanking,
    ShowdownValues, rank,
};
use crate::statistics::{Grade, PlayerReview};

/// A decision of a match under review. Values are those by which moves are ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedShowdownStep {
    /// The player.
    pub player: usize,
    /// The player's dice; none before its first throw.
    pub dice: Option<Roll>,
    /// The best move.
    pub best: ShowdownMove,
    /// Its value.
    pub best_value: f64,
    /// Its value.
    pub chosen: ShowdownMove,
    /// Its regret.
    pub regret: f64,
    /// Its grade.
    pub grade: Grade,
    /// Its luck; 0 if it threw no dice, or where more than two play.
    pub luck: f64,
}

/// The review of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct ShowdownReview {
    /// Every decision, in the order of play.
    pub steps: Vec<ReviewedShowdownStep>,
    /// The sums for each player.
    pub players: Vec<PlayerReview>,
    /// The position at the end.
    pub end: ShowdownPosition,
    /// The winners of the match, if it ended.
    pub winners: Option<Vec<usize>>,
}

/// The reasons why a match cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewFault {
    /// A move was not legal, or its dice do not fit it.
    #[error(transparent)]
    Move(#[from] ShowdownApplyError),
    /// The match was over before it.
    #[error("the match is over: no move is legal")]
    Finished,
}

/// The probability to win that counts as an average turn when moves are graded: a blunder loses
/// three hundredths.
const GRADED: f64 = 0.1;

/// Reviews a match: every move from `start` on, with the faces that it threw.
///
/// # Errors
/// The index of the first move that cannot be reviewed, and why.
pub fn review_showdown(
    game: &Showdown,
    values: &ShowdownValues,
    start: &ShowdownPosition,
    moves: &[(ShowdownMove, Vec<u8>)],
) -> Result<ShowdownReview, (usize, ReviewFault)> {
    let mut review = ShowdownReview {
        steps: Vec::with_capacity(moves.len()),
        players: vec![PlayerReview::default(); start.seats().len()],
        end: start.clone(),
        winners: None,
    };
    for (index, (chosen, thrown)) in moves.iter().enumerate() {
        let fault = |fault: ReviewFault| (index, fault);
        if review.winners.is_some() {
            return Err(fault(ReviewFault::Finished));
        }
        let before = &review.end;
        let applied = before.apply(game, *chosen, thrown).map_err(|error| fault(error.into()))?;
        let ranking = rank(game, values, before);
        let step = step(game, values, before, &ranking, *chosen, &applied, thrown.is_empty());
        let of_player = &mut review.players[step.player];
        of_player.regret += step.regret;
        of_player.luck += step.luck;
        if step.dice.is_some() {
            of_player.grades[step.grade as usize] += 1;
        }
        review.steps.push(step);
        review.end = applied.position;
        review.winners = applied.winners;
    }
    Ok(review)
}

fn step(
    game: &Showdown,
    values: &ShowdownValues,
    before: &ShowdownPosition,
    ranking: &ShowdownRanking,
    chosen: ShowdownMove,
    applied: &ShowdownApplied,
    threw_none: bool,
) -> ReviewedShowdownStep {
    let best = ranking.moves[0];
    let made = ranking.moves.iter().find(|advice| advice.chosen == chosen).unwrap_or(&best);
    let after = if threw_none { None } else { after(game, values, before, applied) };
    let unit = if game.definition().payout { 10.0 } else { 1.0 };
    ReviewedShowdownStep {
        player: before.to_move(),
        dice: before.dice(),
        best: best.chosen,
        best_value: best.value,
        chosen,
        regret: made.regret,
        grade: Grade::of(made.regret, GRADED * unit),
        luck: after.map_or(0.0, |after| after - made.value),
    }
}

/// The value of the result of a move, for the player who made it, where one or two play.
fn after(
    game: &Showdown,
    values: &ShowdownValues,
    before: &ShowdownPosition,
    applied: &ShowdownApplied,
) -> Option<f64> {
    let player = before.to_move();
    if before.seats().len() > 2 {
        return None;
    }
    if let Some(round) = &applied.round {
        if game.definition().payout {
            let roll = round.dice[player]?;
            return Some(f64::from(game.definition().hands[game.hands().hand(roll)].pays));
        }
        if game.definition().raises > 0 {
            let won = round.winners.contains(&player);
            let stake = f64::from(round.stake);
            return Some(match round.winners.len() {
                1 if won => stake,
                1 => -stake,
                _ => 0.0,
            });
        }
    }
    if let Some(winners) = &applied.winners {
        let won = winners.contains(&player);
        return Some(if won { 1.0 / winners.len() as f64 } else { 0.0 });
    }
    let ranking = rank(game, values, &applied.position);
    let value = ranking.moves[0].value;
    let value = if game.definition().order == crate::showdown::Order::Simultaneous {
        // Every choice of a mixed strategy has the same value.
        ranking.moves.iter().map(|m| m.value).fold(value, f64::max)
    } else {
        value
    };
    ranking.exact.then_some(
        match (applied.position.to_move() == player, game.definition().raises) {
            (true, _) => value,
            (false, 0) => 1.0 - value,
            (false, _) => -value,
        },
    )
}
