//! The calls of the contract for rulesets of the score-sheet kind: what the request asks, put to
//! the engine. A call has a room of its own below; here is what several share.

mod moves;
mod review;
mod score;
mod simulate;
mod suggest;
mod turn;

use dicepoker_engine::moves::Move;
use dicepoker_engine::objective::{Forecast, Objective};
use dicepoker_engine::opponent::{Opponent, Skill};
use dicepoker_engine::play::Illegal;
use dicepoker_engine::position::{Position, Rejection};
use dicepoker_engine::scorecard::Totals;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

pub(crate) use self::moves::{apply, legal_moves};
pub(crate) use self::review::review;
pub(crate) use self::score::score;
pub(crate) use self::simulate::simulate;
pub(crate) use self::suggest::suggest;
pub(crate) use self::turn::play_turn;
use crate::error::{Error, both};
use crate::games::ScoreSheet;
use crate::wire;
use crate::wire::position::read_position;

/// A player as a request asks for it.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// How it plays; perfectly if nothing is said.
    strength: Option<Opponent>,
    /// What it plays for.
    objective: Objective,
}

impl Asked {
    /// Reads a player from the fields that ask for it.
    fn read(opponent: Option<&pb::Opponent>, objective: i32, target: i32) -> Result<Self, Error> {
        let strength = opponent.map(wire::opponent::read).transpose();
        let objective = wire::opponent::read_objective(objective, target);
        both(strength, objective).map(|(strength, objective)| Self { strength, objective })
    }

    /// Refuses one that plays to win at a table of one.
    fn among(self, players: usize, field: &str) -> Result<(), Error> {
        match self.objective {
            Objective::Win if players == 1 => Err(Error::invalid(
                field,
                "a player alone has nobody to beat: give the scorecards of the others too",
            )),
            _ => Ok(()),
        }
    }

    /// The settings it plays with, by the table of the ruleset that the request names, if it does.
    fn skill(self, ruleset: &str, points_a_turn: f64) -> Skill {
        let ruleset = Some(ruleset).filter(|id| !id.is_empty());
        self.strength.map_or(Skill::PERFECT, |strength| strength.skill(ruleset, points_a_turn))
    }
}

/// The game with its values, which were waited for.
fn solved(game: &ScoreSheet) -> Result<SolvedSheet<'_>, Error> {
    let solution = game.solved().ok_or(Error::Internal("used before it was solved"))?;
    Ok(SolvedSheet::new(game.sheet(), solution))
}

/// The table of deviations, which was waited for.
fn spread(game: &ScoreSheet, reach: bool) -> Result<&Forecast, Error> {
    game.spread(reach).ok_or(Error::Internal("used before it was made"))
}

/// The sums of every card.
fn totals(sheet: &Sheet, position: &Position) -> Vec<Totals> {
    position.cards().iter().map(|card| card.totals(sheet)).collect()
}

/// Who has won, if the game is over.
fn winners_at_end(sheet: &Sheet, position: &Position, game_over: bool) -> Vec<u32> {
    let winners = if game_over { position.winners(sheet) } else { Vec::new() };
    winners.into_iter().map(|player| player as u32).collect()
}

/// Refuses a move that is not legal; the faces it throws stand in the field `thrown`.
fn illegal(chosen: Move, reason: Illegal, thrown: &str) -> Error {
    let field = match (chosen, reason) {
        (_, Illegal::WrongThrow { .. }) => thrown,
        (Move::Keep(_), Illegal::NoRollsLeft) => "move.keep",
        (Move::Keep(_), _) => "move.keep.dice",
        (Move::Record(_), Illegal::NotThrown) => "move.record",
        (Move::Announce(_), _) => "move.announce.category",
        (Move::Record(_), _) => "move.record.category",
    };
    Error::invalid(field, reason.to_string())
}

fn required_position(sheet: &Sheet, position: Option<pb::Position>) -> Result<Position, Error> {
    match position {
        None => Err(Error::invalid("position", "required")),
        Some(position) => parse_position(sheet, position),
    }
}

fn parse_position(sheet: &Sheet, position: pb::Position) -> Result<Position, Error> {
    let mut found = Violations::new();
    if position.turns_ended > 0 {
        found.push("turns_ended", "must be left out: only the race has it");
    }
    if position.running_count.is_some() {
        found.push("running_count", "must be left out: only the race has it");
    }
    match (Position::parse(sheet, &read_position(position)), found.is_empty()) {
        (Ok(position), true) => Ok(position),
        (Err(rejection), true) => Err(Error::rejected("position", rejection)),
        (parsed, false) => {
            if let Err(Rejection::Impossible(more)) = parsed {
                found.extend_under("", more);
            }
            Err(Error::invalid_under("position", found))
        }
    }
}
