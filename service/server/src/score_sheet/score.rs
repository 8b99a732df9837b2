//! The score of a roll on a score sheet, and the sheet's totals.

use dicepoker_engine::category::Category;
use dicepoker_engine::position::parse_roll;
use dicepoker_engine::scorecard::Scorecard;
use dicepoker_engine::sheet::{Score, Scores, Sheet, Throw};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::parse_position;
use super::position::{write_gain, write_totals};
use crate::error::Error;
use crate::wire::scorecard::read_scorecard;

/// The score of a roll and the totals of a scorecard.
pub(super) fn score(sheet: &Sheet, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error> {
    let mut found = Violations::new();
    let only = read_category(sheet, &request.category, &mut found);
    let mut announced = None;
    let (card, roll, throw) = match request.position {
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
                            "required: {} dice, unless scorecard has entries to add up",
                            sheet.space().dice()
                        ),
                    );
                }
                None
            } else {
                parse_roll(sheet.space(), &request.dice, &mut found)
            };
            (card, roll, Throw::LATE)
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
                Ok(position) => {
                    announced = position.announced();
                    (*position.card(), position.dice(), position.throw(sheet))
                }
                // A finished game has totals too.
                Err(Error::GameFinished(_)) => {
                    let card = read_scorecard(card.unwrap_or_default());
                    (Scorecard::parse(sheet, &card).unwrap_or_default(), None, Throw::LATE)
                }
                Err(error) => return Err(error),
            }
        }
    };
    found.or(()).map_err(Error::Invalid)?;
    let mut scores = Scores::new();
    if let Some(roll) = roll {
        sheet.score_all(card.state(sheet), roll, throw, &mut scores);
    }
    let row = |category| sheet.id(category);
    let shown = scores.iter().filter(|score| only.is_none_or(|o| row(score.category) == row(o)));
    // A row of several entries shows the next one.
    let shown = shown.filter(|score| card.next_of_row(sheet, score.category) == score.category);
    Ok(pb::ScoreResponse {
        scores: shown.map(|score| write_score(sheet, &card, announced, score)).collect(),
        totals: Some(write_totals(sheet, &card)),
        hands: Vec::new(),
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

fn write_score(
    sheet: &Sheet,
    card: &Scorecard,
    announced: Option<Category>,
    score: &Score,
) -> pb::CategoryScore {
    let category = score.category;
    let illegal = if card.filled().contains(category) {
        Some(pb::IllegalReason::Filled)
    } else if announced.is_some_and(|announced| announced != category) {
        Some(pb::IllegalReason::AnnouncedElsewhere)
    } else if announced.is_some() || score.legal {
        None
    } else if !sheet.open(card.state(sheet)).contains(category) {
        Some(pb::IllegalReason::NotOpen)
    } else if sheet.is_announced(category) {
        Some(pb::IllegalReason::NotAnnounced)
    } else {
        Some(pb::IllegalReason::JokerElsewhere)
    };
    write_gain(sheet, score.category, score.gain, illegal)
}
