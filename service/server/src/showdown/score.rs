//! The hands of dice, their ranks, and the best of several.

use dicepoker_engine::dice::Roll;
use dicepoker_engine::showdown::{RoundEnd, Showdown};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::Table;
use super::position::dice;
use crate::error::Error;

/// The most hands of a request.
const MAX_HANDS: usize = 256;

/// The hands of a request.
pub(super) fn score(table: &Table, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error> {
    let game = &table.game;
    let mut found = Violations::new();
    for (field, given) in
        [("scorecard", request.scorecard.is_some()), ("category", !request.category.is_empty())]
    {
        if given {
            found.push(field, "must be left out: a showdown has none");
        }
    }
    let given = [!request.dice.is_empty(), !request.hands.is_empty(), request.position.is_some()];
    if given.into_iter().filter(|&given| given).count() != 1 {
        found.push("dice", "required: dice, or hands, or position, and only one of them");
        return Err(Error::Invalid(found));
    }
    if request.hands.len() > MAX_HANDS {
        let message = format!("{} hands: must be 1 to {MAX_HANDS}", request.hands.len());
        return Err(Error::invalid("hands", message));
    }
    let rolls: Vec<Option<Roll>> = match request.position {
        Some(position) => {
            found.or(()).map_err(Error::Invalid)?;
            found = Violations::new();
            table.position(position)?.seats().iter().map(|seat| seat.dice).collect()
        }
        None if !request.hands.is_empty() => (0..)
            .zip(&request.hands)
            .map(|(i, hand): (usize, _)| {
                read_dice(game, &format!("hands[{i}].dice"), &hand.dice, &mut found)
            })
            .collect(),
        None => vec![read_dice(game, "dice", &request.dice, &mut found)],
    };
    found.or(()).map_err(Error::Invalid)?;
    Ok(pb::ScoreResponse { hands: write_hands(game, &rolls), ..Default::default() })
}

fn read_dice(game: &Showdown, path: &str, dice: &[u32], found: &mut Violations) -> Option<Roll> {
    let space = game.space();
    if dice.len() != space.dice() {
        found.push(path, format!("{} dice: must be {}", dice.len(), space.dice()));
    }
    for (i, face) in dice.iter().enumerate() {
        if !(1..=space.faces()).contains(&(*face as usize)) {
            let message = format!("{face} is no face: must be 1 to {}", space.faces());
            found.push(format!("{path}[{i}]"), message);
        }
    }
    let faces: Vec<u8> = dice.iter().map(|&face| face.min(255) as u8).collect();
    space.roll_of(&faces)
}

/// Writes hands with their ranks; without dice for players who have not thrown.
pub(super) fn write_hands(game: &Showdown, rolls: &[Option<Roll>]) -> Vec<pb::HandScore> {
    let rank = |roll: &Roll| game.hands().rank(*roll);
    let place = |roll: &Roll| {
        let better = rolls.iter().flatten().filter(|other| rank(other) > rank(roll));
        better.count() as u32 + 1
    };
    rolls
        .iter()
        .map(|roll| {
            roll.map_or_else(pb::HandScore::default, |roll| write_hand(game, roll, place(&roll)))
        })
        .collect()
}

fn write_hand(game: &Showdown, roll: Roll, place: u32) -> pb::HandScore {
    let hands = game.hands();
    let definition = game.definition();
    let (hand, rank) = (hands.hand(roll), hands.rank(roll));
    let counts_as = Some(hands.counts_as(roll)).filter(|&other| other != roll);
    let next = (rank + 1 < hands.ranks()).then(|| hands.example(rank + 1));
    pb::HandScore {
        dice: dice(game, Some(roll)),
        hand: definition.hands[hand].id.clone(),
        title: definition.hands[hand].title.clone(),
        rank: rank as u32,
        ranks: hands.ranks() as u32,
        counts_as: dice(game, counts_as),
        beats: hands.below(rank),
        ties: hands.below(rank + 1) - hands.below(rank),
        beaten: (1.0 - hands.below(rank + 1)).max(0.0),
        beaten_by: definition.hands[..hand].iter().map(|hand| hand.id.clone()).collect(),
        next_better: dice(game, next),
        place,
        pays: definition.payout.then(|| definition.hands[hand].pays.into()),
    }
}

/// Writes the end of a round.
pub(super) fn write_round(game: &Showdown, round: &RoundEnd) -> pb::RoundResult {
    pb::RoundResult {
        winners: round.winners.iter().map(|&player| player as u32).collect(),
        hands: write_hands(game, &round.dice),
        gave_up: round.gave_up.map(|player| player as u32),
        stake: round.stake.into(),
        again: round.again,
        paid: round.paid,
    }
}
