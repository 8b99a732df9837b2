//! Plays a move: from one position, with the dice that were thrown, to the next.

use super::board::{Total, closed_rows, is_closed, is_doubled, totals, winners};
use super::moves::{IllegalMove, RaceMove};
use super::points::space;
use super::position::RacePosition;
use super::row::Row;
use super::rules::THROWS;
use crate::dice::Keep;
use crate::violation::Violations;

/// A record on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recorded {
    /// The row.
    pub row: Row,
    /// The cell, from 0 on the left.
    pub cell: usize,
    /// The points in it.
    pub points: u16,
    /// Whether it filled the row and so closed it for all players.
    pub closed: bool,
    /// Whether the row it closed counts double, because some player has no cell in it.
    pub doubled: bool,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceEnd {
    /// The totals of every player.
    pub totals: Vec<Total>,
    /// The players with the most points, in order; several if they tie.
    pub winners: Vec<usize>,
}

/// The result of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The position after it. When the game has ended it has no dice and no throws left, and the
    /// player to move is the one who ended it.
    pub position: RacePosition,
    /// What was recorded, if the move was a record.
    pub recorded: Option<Recorded>,
    /// Whether the turn ended, and with it the game or the next player is to throw.
    pub turn_ended: bool,
    /// How the game ended, if it did.
    pub end: Option<RaceEnd>,
}

/// The reasons why a move was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// It is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The dice thrown do not fit it: paths below the field of the dice thrown (empty for the field
    /// itself, `[1]` for its second element), and what would be valid.
    #[error("dice thrown: {0}")]
    Thrown(Violations),
}

impl RacePosition {
    /// Plays `chosen`. `thrown` are the faces of the dice thrown by a keep, as many as
    /// [`RaceMove::dice_to_throw`] says; none for the other moves.
    ///
    /// # Errors
    /// If the move is not legal or the dice thrown do not fit it.
    pub fn apply(&self, chosen: RaceMove, thrown: &[u8]) -> Result<Applied, ApplyError> {
        self.check(chosen)?;
        check_thrown(chosen.dice_to_throw(), thrown)?;
        Ok(match chosen {
            RaceMove::Keep(keep) => self.after_keep(keep, thrown),
            RaceMove::Record(row) => self.after_record(row),
            RaceMove::Stop => {
                let mut position = self.clone();
                position.pass_turn();
                Applied { position, recorded: None, turn_ended: true, end: None }
            }
        })
    }

    fn after_keep(&self, keep: Keep, thrown: &[u8]) -> Applied {
        let mut position = self.clone();
        let all = thrown.iter().try_fold(keep, |dice, &face| space().add(dice, face));
        position.running = self.dice.and_then(|roll| self.running_after(roll, keep));
        position.dice = all.and_then(|dice| space().as_roll(dice));
        position.full_throw = keep == Keep::EMPTY;
        position.rolls_left -= 1;
        Applied { position, recorded: None, turn_ended: false, end: None }
    }

    fn after_record(&self, row: Row) -> Applied {
        let mut position = self.clone();
        let points = self.dice.map_or(0, |roll| self.points(row, roll));
        let cell = self.board().count(row);
        position.boards[self.to_move].push(row, points);
        let closed = is_closed(&position.boards, row);
        let doubled = is_doubled(&self.rules, &position.boards, row);
        position.clear_table();
        let end = (closed_rows(&position.boards) >= super::board::ROWS_TO_END).then(|| {
            let totals = totals(&self.rules, &position.boards);
            RaceEnd { winners: winners(&totals), totals }
        });
        let turn_ended = self.rolls_left == 0 || end.is_some();
        if end.is_some() {
            position.rolls_left = 0;
        } else if turn_ended {
            position.pass_turn();
        }
        let recorded = Some(Recorded { row, cell, points, closed, doubled });
        Applied { position, recorded, turn_ended, end }
    }

    fn clear_table(&mut self) {
        self.dice = None;
        self.full_throw = false;
        self.running = None;
    }

    fn pass_turn(&mut self) {
        self.clear_table();
        self.to_move = (self.to_move + 1) % self.boards.len();
        self.rolls_left = THROWS;
    }
}

fn check_thrown(wanted: usize, thrown: &[u8]) -> Result<(), ApplyError> {
    let mut found = Violations::new();
    if thrown.len() != wanted {
        found.push("", format!("{} dice: must be {wanted}", thrown.len()));
    }
    for (i, face) in thrown.iter().enumerate() {
        if !(1..=6).contains(face) {
            let message = format!("{face} is no face: must be 1 (nine) to 6 (ace)");
            found.push(format!("[{i}]"), message);
        }
    }
    found.or(()).map_err(ApplyError::Thrown)
}
