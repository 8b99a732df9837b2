//! The calls of the contract for rulesets of the score-sheet kind: what the request asks, put to
//! the engine.

use std::cell::RefCell;

use dicepoker_engine::advice::{Advisor, Ranked};
use dicepoker_engine::category::Category;
use dicepoker_engine::dice::Roll;
use dicepoker_engine::moves::Move;
use dicepoker_engine::opponent::{self, LEVELS, Strength};
use dicepoker_engine::play::{Illegal, winners};
use dicepoker_engine::position::{Position, parse_faces, parse_roll};
use dicepoker_engine::scorecard::{Scorecard, Totals};
use dicepoker_engine::seeded::SeededDice;
use dicepoker_engine::sheet::{Score, Scores, Sheet};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::error::{Error, both};
use crate::games::ScoreSheet;
use crate::wire;
use crate::wire::position::{
    read_move, read_position, read_scorecard, write_gain, write_move, write_position, write_totals,
};

thread_local! {
    /// The memory that ranking moves needs, kept between calls.
    static ADVISOR: RefCell<Advisor> = RefCell::new(Advisor::new());
}

/// What a roll is worth and what a scorecard adds up to.
pub(crate) fn score(sheet: &Sheet, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error> {
    let mut found = Violations::new();
    let only = read_category(sheet, &request.category, &mut found);
    let (card, roll, served) = match request.position {
        None => {
            let card = match request.scorecard {
                None => Scorecard::EMPTY,
                Some(card) => {
                    Scorecard::parse(sheet, &read_scorecard(card)).unwrap_or_else(|inner| {
                        found.extend_under("scorecard", inner);
                        Scorecard::EMPTY
                    })
                }
            };
            let roll = if request.dice.is_empty() {
                if card.filled().is_empty() && found.is_empty() {
                    found.push(
                        "dice",
                        format!(
                            "required: {} dice, unless a filled scorecard is to be added up",
                            sheet.space().dice()
                        ),
                    );
                }
                None
            } else {
                parse_roll(sheet.space(), &request.dice, &mut found)
            };
            (card, roll, false)
        }
        Some(position) => {
            if !request.dice.is_empty() {
                found.push("dice", "must be left out where position is given");
            }
            if request.scorecard.is_some() {
                found.push("scorecard", "must be left out where position is given");
            }
            let player = position.to_move as usize;
            let card = position.scorecards.get(player).cloned();
            match parse_position(sheet, position) {
                Ok(position) => (*position.card(), position.dice(), position.is_served(sheet)),
                // There is no move to make, but still something to add up.
                Err(Error::GameFinished(_)) => {
                    let card = read_scorecard(card.unwrap_or_default());
                    (Scorecard::parse(sheet, &card).unwrap_or_default(), None, false)
                }
                Err(error) => return Err(error),
            }
        }
    };
    found.or(()).map_err(Error::Invalid)?;
    let mut scores = Scores::new();
    if let Some(roll) = roll {
        sheet.score_all(card.state(sheet), roll, served, &mut scores);
    }
    let asked = scores.iter().filter(|score| only.is_none_or(|only| score.category == only));
    Ok(pb::ScoreResponse {
        scores: asked.map(|score| write_score(sheet, &card, score)).collect(),
        totals: Some(write_totals(&card.totals(sheet))),
    })
}

fn read_category(sheet: &Sheet, id: &str, found: &mut Violations) -> Option<Category> {
    if id.is_empty() {
        return None;
    }
    let category = sheet.category(id);
    if category.is_none() {
        found.push("category", sheet.unknown_category(id));
    }
    category
}

fn write_score(sheet: &Sheet, card: &Scorecard, score: &Score) -> pb::CategoryScore {
    let illegal = if card.filled().contains(score.category) {
        Some(pb::IllegalReason::Filled)
    } else if !score.legal {
        Some(pb::IllegalReason::JokerElsewhere)
    } else {
        None
    };
    write_gain(sheet, score.category, score.gain, illegal)
}

/// What the player to move may do.
pub(crate) fn legal_moves(
    sheet: &Sheet,
    request: pb::LegalMovesRequest,
) -> Result<pb::LegalMovesResponse, Error> {
    let position = required_position(sheet, request.position)?;
    let moves = position.legal_moves(sheet).map(|chosen| write_move(sheet, chosen)).collect();
    Ok(pb::LegalMovesResponse { moves })
}

/// Every legal move ranked.
pub(crate) async fn suggest(
    game: &ScoreSheet,
    request: pb::SuggestRequest,
) -> Result<pb::SuggestResponse, Error> {
    let sheet = game.sheet();
    let most = match request.max_alternatives {
        0 => usize::MAX,
        most => most as usize,
    };
    let strength = request.opponent.as_ref().map(wire::opponent::read).transpose();
    let (position, strength) = both(required_position(sheet, request.position), strength)?;
    let solution = game.solution().await?;
    let played = strength.map(|strength| {
        let game = opponent::Game::new(sheet, solution);
        let temper = strength.temper(built_in(&request.ruleset), game.points_a_turn());
        game.choose(&temper, &position, request.seed)
    });
    ADVISOR.with_borrow_mut(|advisor| {
        write_advice(sheet, advisor.rank(sheet, solution, &position), &position, played, most)
    })
}

fn write_advice(
    sheet: &Sheet,
    ranked: &[Ranked],
    position: &Position,
    played: Option<Move>,
    most: usize,
) -> Result<pb::SuggestResponse, Error> {
    let played = ranked.iter().find(|ranked| Some(ranked.chosen) == played);
    let Some(best) = played.or(ranked.first()) else {
        return Err(Error::complete(position.to_move()));
    };
    Ok(pb::SuggestResponse {
        r#move: Some(write_move(sheet, best.chosen)),
        expected_value: best.expected,
        alternatives: ranked
            .iter()
            .take(most)
            .map(|ranked| pb::Alternative {
                r#move: Some(write_move(sheet, ranked.chosen)),
                expected_value: ranked.expected,
                regret: ranked.regret,
                expected_margin: None,
            })
            .collect(),
    })
}

/// The id of the ruleset, if the request names one that is built in.
fn built_in(ruleset: &str) -> Option<&str> {
    Some(ruleset).filter(|id| !id.is_empty())
}

/// The turn that an opponent plays.
pub(crate) async fn play_turn(
    game: &ScoreSheet,
    request: pb::PlayTurnRequest,
) -> Result<pb::PlayTurnResponse, Error> {
    let sheet = game.sheet();
    let strength = match &request.opponent {
        Some(opponent) => wire::opponent::read(opponent),
        None => Ok(Strength::Level(LEVELS)),
    };
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let (position, (strength, seed)) =
        both(required_position(sheet, request.position), both(strength, seed))?;
    let players = opponent::Game::new(sheet, game.solution().await?);
    let temper = strength.temper(built_in(&request.ruleset), players.points_a_turn());
    let turn = players.play_turn(&temper, &position, seed);
    let space = sheet.space();
    let faces = |roll: Roll| space.faces_of(space.as_keep(roll)).map(u32::from);
    let steps = turn.steps.iter().map(|step| pb::TurnStep {
        dice: step.dice.into_iter().flat_map(faces).collect(),
        r#move: Some(write_move(sheet, step.chosen)),
        thrown: step.thrown.iter().copied().map(u32::from).collect(),
        recorded: step.recorded.map(|(category, gain)| write_gain(sheet, category, gain, None)),
    });
    let totals: Vec<Totals> = turn.end.cards().iter().map(|card| card.totals(sheet)).collect();
    Ok(pb::PlayTurnResponse {
        steps: steps.collect(),
        position: Some(write_position(sheet, &turn.end)),
        game_ended: turn.game_over,
        totals: totals.iter().map(write_totals).collect(),
        winners: winners_at_end(turn.game_over, &totals),
    })
}

/// Who has won, if the game is over.
fn winners_at_end(game_over: bool, totals: &[Totals]) -> Vec<u32> {
    let points: Vec<u32> = totals.iter().map(Totals::grand_total).collect();
    let winners = if game_over { winners(&points) } else { Vec::new() };
    winners.into_iter().map(|player| player as u32).collect()
}

/// The position after a move.
pub(crate) fn apply(sheet: &Sheet, request: pb::ApplyRequest) -> Result<pb::ApplyResponse, Error> {
    let chosen = read_move(request.r#move).and_then(|raw| {
        Move::parse(sheet, &raw).map_err(|violations| Error::invalid_under("move", violations))
    });
    let (position, chosen) = both(required_position(sheet, request.position), chosen)?;
    if let Some(reason) = position.why_illegal(sheet, chosen) {
        return Err(illegal(chosen, reason));
    }
    let thrown = thrown_dice(sheet, &position, chosen, &request.dice, request.seed)?;
    let played = position.play(sheet, chosen, &thrown).map_err(|reason| illegal(chosen, reason))?;
    let totals: Vec<Totals> =
        played.position.cards().iter().map(|card| card.totals(sheet)).collect();
    Ok(pb::ApplyResponse {
        position: Some(write_position(sheet, &played.position)),
        thrown: thrown.into_iter().map(u32::from).collect(),
        recorded: played.recorded.map(|(category, gain)| write_gain(sheet, category, gain, None)),
        turn_ended: played.recorded.is_some(),
        game_ended: played.game_over,
        totals: totals.iter().map(write_totals).collect(),
        winners: winners_at_end(played.game_over, &totals),
        row_closed: false,
        row_doubled: false,
    })
}

/// The dice that `chosen` throws: the caller's, or those of its seed.
fn thrown_dice(
    sheet: &Sheet,
    position: &Position,
    chosen: Move,
    dice: &[u32],
    seed: Option<u64>,
) -> Result<Vec<u8>, Error> {
    let count = position.dice_thrown(sheet, chosen);
    let faces = sheet.space().faces();
    match (dice, seed) {
        ([], _) if count == 0 => Ok(Vec::new()),
        ([], Some(seed)) => Ok(SeededDice::for_position(seed, position).throw(count, faces as u8)),
        (_, Some(_)) if count > 0 => {
            Err(Error::invalid("seed", "must be left out where dice are given"))
        }
        _ => {
            let mut found = Violations::new();
            if dice.len() != count {
                let or = if count > 0 { ", or none and a seed" } else { "" };
                found.push("dice", format!("{} dice: this move throws {count}{or}", dice.len()));
            }
            let thrown = parse_faces(sheet.space(), dice, "dice", &mut found);
            found.or(thrown).map_err(Error::Invalid)
        }
    }
}

fn illegal(chosen: Move, reason: Illegal) -> Error {
    let field = match (chosen, reason) {
        (_, Illegal::WrongThrow { .. }) => "dice",
        (Move::Keep(_), Illegal::NoRollsLeft) => "move.keep",
        (Move::Keep(_), _) => "move.keep.dice",
        (Move::Record(_), Illegal::NotThrown) => "move.record",
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
    if position.full_throw.is_some() {
        found.push("full_throw", "must be left out: only the race has it");
    }
    if position.running_count.is_some() {
        found.push("running_count", "must be left out: only the race has it");
    }
    match (Position::parse(sheet, &read_position(position)), found.is_empty()) {
        (Ok(position), true) => Ok(position),
        (Err(rejection), true) => Err(Error::rejected("position", rejection)),
        (parsed, false) => {
            if let Err(dicepoker_engine::position::Rejection::Impossible(more)) = parsed {
                found.extend_under("", more);
            }
            Err(Error::invalid_under("position", found))
        }
    }
}
