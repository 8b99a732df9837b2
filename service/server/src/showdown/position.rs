//! Positions and moves of showdowns.

use dicepoker_engine::dice::{Keep, Roll};
use dicepoker_engine::showdown::{
    IllegalMove, RawSeat, RawShowdownPosition, RawStakes, Showdown, ShowdownApplyError,
    ShowdownMove, ShowdownPosition,
};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::error::Error;

/// Reads a position.
pub(super) fn read(position: pb::Position) -> Result<RawShowdownPosition, Error> {
    let mut found = Violations::new();
    for (field, given) in [
        ("position.scorecards", !position.scorecards.is_empty()),
        ("position.full_throw", position.full_throw.is_some()),
        ("position.running_count", position.running_count.is_some()),
        ("position.turns_ended", position.turns_ended != 0),
        ("position.announced", position.announced.is_some()),
    ] {
        if given {
            found.push(field, "must be left out: a showdown has none");
        }
    }
    found.or(()).map_err(Error::Invalid)?;
    let showdown = position.showdown.unwrap_or_default();
    Ok(RawShowdownPosition {
        dice: position.dice,
        rolls_left: position.rolls_left,
        to_move: position.to_move,
        seats: showdown
            .players
            .into_iter()
            .map(|player| RawSeat {
                dice: player.dice,
                rounds_won: player.rounds_won,
                sits_out: player.sits_out,
            })
            .collect(),
        first: showdown.first,
        held: position.kept,
        first_throws: showdown.first_throws,
        choice: showdown.choice.map(|choice| choice.dice),
        rounds_played: showdown.rounds_played,
        stakes: showdown.stakes.map(|stakes| RawStakes {
            stake: stakes.stake,
            offered: stakes.offered,
            raises_made: stakes.raises_made,
            closed: stakes.closed,
        }),
    })
}

/// The error of an impossible position.
pub(super) fn impossible(violations: Violations) -> Error {
    let mut found = Violations::new();
    for violation in violations.as_slice() {
        let path = match violation.field.as_str() {
            field if field.starts_with("dice") => violation.field.clone(),
            "rolls_left" | "to_move" => violation.field.clone(),
            field if field.starts_with("held") => field.replacen("held", "kept", 1),
            field => format!("showdown.{field}"),
        };
        found.push(path, violation.description.clone());
    }
    Error::invalid_under("position", found)
}

/// Writes a position.
pub(super) fn write(game: &Showdown, position: &ShowdownPosition) -> pb::Position {
    let raw = position.to_raw(game);
    pb::Position {
        dice: raw.dice,
        rolls_left: raw.rolls_left,
        to_move: raw.to_move,
        kept: raw.held,
        showdown: Some(pb::ShowdownPosition {
            players: raw
                .seats
                .into_iter()
                .map(|seat| pb::ShowdownPlayer {
                    dice: seat.dice,
                    rounds_won: seat.rounds_won,
                    sits_out: seat.sits_out,
                })
                .collect(),
            first: raw.first,
            first_throws: raw.first_throws,
            choice: raw.choice.map(|dice| pb::ShowdownChoice { dice }),
            rounds_played: raw.rounds_played,
            stakes: raw.stakes.map(|stakes| pb::Stakes {
                stake: stakes.stake,
                offered: stakes.offered,
                raises_made: stakes.raises_made,
                closed: stakes.closed,
            }),
        }),
        ..Default::default()
    }
}

/// Reads a move.
pub(super) fn read_move(game: &Showdown, chosen: Option<pb::Move>) -> Result<ShowdownMove, Error> {
    use pb::r#move::Kind;
    Ok(match chosen.and_then(|chosen| chosen.kind) {
        Some(Kind::Keep(keep)) => ShowdownMove::Keep(read_keep(game, &keep.dice)?),
        Some(Kind::Stop(_)) => ShowdownMove::Stop,
        Some(Kind::Accept(_)) => ShowdownMove::Accept,
        Some(Kind::GiveUp(_)) => ShowdownMove::GiveUp,
        Some(Kind::Raise(raise)) => {
            ShowdownMove::Raise(u16::try_from(raise.amount).unwrap_or(u16::MAX))
        }
        _ => {
            let message = "required: one of keep, stop, raise, accept, give_up";
            return Err(Error::invalid("move", message));
        }
    })
}

fn read_keep(game: &Showdown, dice: &[u32]) -> Result<Keep, Error> {
    let space = game.space();
    let mut found = Violations::new();
    for (i, face) in dice.iter().enumerate() {
        if !(1..=space.faces()).contains(&(*face as usize)) {
            let message = format!("{face} is no face: must be 1 to {}", space.faces());
            found.push(format!("move.keep.dice[{i}]"), message);
        }
    }
    if dice.len() > space.dice() {
        let message = format!("{} dice: there are {}", dice.len(), space.dice());
        found.push("move.keep.dice", message);
    }
    found.or(()).map_err(Error::Invalid)?;
    let faces: Vec<u8> = dice.iter().map(|&face| face as u8).collect();
    space.keep_of(&faces).ok_or(Error::Internal("dice that were checked"))
}

/// Writes a move.
pub(super) fn write_move(game: &Showdown, chosen: ShowdownMove) -> pb::Move {
    use pb::r#move::Kind;
    let kind = match chosen {
        ShowdownMove::Keep(keep) => {
            Kind::Keep(pb::KeepMove { dice: faces(game, keep), ..Default::default() })
        }
        ShowdownMove::Stop => Kind::Stop(pb::StopMove {}),
        ShowdownMove::Accept => Kind::Accept(pb::AcceptMove {}),
        ShowdownMove::Raise(amount) => Kind::Raise(pb::RaiseMove { amount: amount.into() }),
        ShowdownMove::GiveUp => Kind::GiveUp(pb::GiveUpMove {}),
    };
    pb::Move { kind: Some(kind) }
}

/// The error of a move that is not legal.
pub(super) fn illegal(chosen: ShowdownMove, reason: IllegalMove) -> Error {
    let field = match chosen {
        ShowdownMove::Keep(_) => "move.keep.dice",
        ShowdownMove::Stop => "move.stop",
        ShowdownMove::Accept => "move.accept",
        ShowdownMove::Raise(_) => "move.raise.amount",
        ShowdownMove::GiveUp => "move.give_up",
    };
    Error::invalid(field, reason.to_string())
}

/// The error of a rejected move; the faces that it throws are in the field `thrown`.
pub(super) fn refused(chosen: ShowdownMove, thrown: &str, error: ShowdownApplyError) -> Error {
    match error {
        ShowdownApplyError::Illegal(reason) => illegal(chosen, reason),
        ShowdownApplyError::Thrown(found) => Error::invalid_under(thrown, found),
    }
}

/// The faces of some dice, in ascending order.
pub(super) fn faces(game: &Showdown, keep: Keep) -> Vec<u32> {
    game.space().faces_of(keep).map(u32::from).collect()
}

/// The faces of all dice of a player, none if it has not thrown.
pub(super) fn dice(game: &Showdown, roll: Option<Roll>) -> Vec<u32> {
    roll.map_or(Vec::new(), |roll| faces(game, game.space().as_keep(roll)))
}

/// Faces; one too great for the engine's type is invalid for the engine too.
pub(super) fn small_faces(faces: &[u32]) -> Vec<u8> {
    faces.iter().map(|&face| u8::try_from(face).unwrap_or(u8::MAX)).collect()
}
