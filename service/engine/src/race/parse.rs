//! Parses input into a [`RacePosition`], or lists all violations in it, each with the path of its
//! field and what is valid there.

use super::board::{Board, ROWS_TO_END, closed_rows, is_closed};
use super::points::{accepted, cell_accepts, space};
use super::position::{RacePosition, RunningCount};
use super::row::{CELLS, Row};
use super::rules::{MAX_PLAYERS, RaceRules, THROWS};
use crate::dice::Roll;
use crate::scorecard::{RawEntry, RawScorecard};
use crate::violation::{Violations, shorten};

/// A running count as a caller sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRunningCount {
    /// Name of the figure row it is for.
    pub category: String,
    /// The sum of the throws put aside.
    pub points: i32,
}

/// A position as a caller sends it, not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRacePosition {
    /// Faces on the table, 1 (nine) to 6 (ace); five of them, or none before a throw of all.
    pub dice: Vec<u32>,
    /// Throws still allowed this turn: 3 at its start.
    pub rolls_left: u32,
    /// Whether all dice on the table were thrown together. Left out it is true after the first
    /// throw of a turn, which throws all dice, and false otherwise.
    pub full_throw: Option<bool>,
    /// The board of each player, in the order of play: the rows that have a cell, with the points
    /// in their cells from the left. None at all means two empty boards.
    pub scorecards: Vec<RawScorecard>,
    /// Whose turn it is, an index of `scorecards`.
    pub to_move: u32,
    /// The count put aside before the dice on the table, in the variant that sums figures.
    pub running_count: Option<RawRunningCount>,
}

/// The reasons why an input is no [`RacePosition`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RaceRejection {
    /// No game can reach it; every violation.
    #[error("{0}")]
    Impossible(Violations),
    /// All is well, but the game has ended: six of the seven rows are closed.
    #[error("the game has ended: six of the seven rows are closed")]
    Finished,
}

impl Board {
    /// Reads the boards around a table as they arrive from outside, also those of a finished game;
    /// none at all means two empty boards.
    ///
    /// # Errors
    /// Everything on them that no game by these rules can reach.
    pub fn parse_all(rules: RaceRules, raw: &[RawScorecard]) -> Result<Vec<Self>, Violations> {
        let mut reader = Reader { rules, found: Violations::new() };
        let boards = reader.boards(raw);
        reader.found.or(boards)
    }
}

impl RacePosition {
    /// Parses a position.
    ///
    /// # Errors
    /// [`RaceRejection::Impossible`] with everything that no game by these rules can reach;
    /// [`RaceRejection::Finished`] if all is well but the game has ended.
    pub fn parse(rules: RaceRules, raw: &RawRacePosition) -> Result<Self, RaceRejection> {
        let mut reader = Reader { rules, found: Violations::new() };
        let boards = reader.boards(&raw.scorecards);
        let to_move = raw.to_move as usize;
        if to_move >= boards.len() {
            let last = boards.len() - 1;
            reader.note("to_move", format!("{to_move} is no player: must be 0 to {last}"));
        }
        let finished = closed_rows(&boards) == ROWS_TO_END;
        let dice = reader.dice(&raw.dice);
        let mut position = RacePosition {
            rules,
            to_move: to_move.min(boards.len() - 1),
            boards,
            dice: dice.unwrap_or(None),
            rolls_left: raw.rolls_left.min(THROWS.into()) as u8,
            full_throw: false,
            running: None,
        };
        if !finished && dice.is_some() {
            reader.turn(raw, &mut position);
        }
        match (reader.found.is_empty(), finished) {
            (false, _) => Err(RaceRejection::Impossible(reader.found)),
            (true, true) => Err(RaceRejection::Finished),
            (true, false) => Ok(position),
        }
    }

    /// The input that parses to this position.
    #[must_use]
    pub fn to_raw(&self) -> RawRacePosition {
        let entries = |board: &Board| {
            let rows = Row::ALL.into_iter().filter(|&row| board.count(row) > 0);
            rows.map(|row| RawEntry {
                category: row.id().to_owned(),
                points: board.cells(row).iter().map(|&points| points.into()).collect(),
                ..RawEntry::default()
            })
            .collect()
        };
        let faces = self.dice.map(|roll| space().faces_of(space().as_keep(roll)));
        RawRacePosition {
            dice: faces.into_iter().flatten().map(u32::from).collect(),
            rolls_left: self.rolls_left.into(),
            full_throw: Some(self.full_throw),
            scorecards: self
                .boards
                .iter()
                .map(|b| RawScorecard { entries: entries(b), ..RawScorecard::default() })
                .collect(),
            to_move: self.to_move as u32,
            running_count: self.running.map(|running| RawRunningCount {
                category: running.row.id().to_owned(),
                points: running.points.into(),
            }),
        }
    }
}

struct Reader {
    rules: RaceRules,
    found: Violations,
}

impl Reader {
    fn note(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(path, message);
    }

    /// The row of this name on a board of the game.
    fn row(&mut self, path: String, id: &str) -> Option<Row> {
        let row = Row::from_id(id).filter(|row| row.exists(&self.rules));
        if row.is_none() {
            let rows = Row::ALL.into_iter().filter(|row| row.exists(&self.rules));
            let ids: Vec<&str> = rows.map(Row::id).collect();
            let hint = if id == Row::Poker.id() { " without the option `poker_row`" } else { "" };
            self.note(
                path,
                format!("no row `{}`{hint}: must be one of {}", shorten(id), ids.join(", ")),
            );
        }
        row
    }

    /// At least one board, for any input.
    fn boards(&mut self, raw: &[RawScorecard]) -> Vec<Board> {
        if raw.is_empty() {
            return vec![Board::new(); 2];
        }
        if raw.len() > MAX_PLAYERS {
            self.note("scorecards", format!("{} players: must be 1 to {MAX_PLAYERS}", raw.len()));
        }
        let mut boards = Vec::with_capacity(raw.len().min(MAX_PLAYERS));
        for (player, raw) in raw.iter().take(MAX_PLAYERS).enumerate() {
            let board = self.board(player, raw, &boards);
            boards.push(board);
        }
        let closed = closed_rows(&boards);
        if closed > ROWS_TO_END {
            self.note(
                "scorecards",
                format!("{closed} rows are closed: the game ends at once when {ROWS_TO_END} are"),
            );
        }
        boards
    }

    fn board(&mut self, player: usize, raw: &RawScorecard, before: &[Board]) -> Board {
        let mut board = Board::new();
        let mut seen = Vec::new();
        if raw.five_alike_bonuses > 0 {
            self.note(
                format!("scorecards[{player}].five_alike_bonuses"),
                "must be left out: the race has none",
            );
        }
        for (i, entry) in raw.entries.iter().enumerate() {
            let path = format!("scorecards[{player}].entries[{i}]");
            let Some(row) = self.row(format!("{path}.category"), &entry.category) else { continue };
            if seen.contains(&row) {
                self.note(format!("{path}.category"), format!("a second row `{row}`"));
                continue;
            }
            seen.push(row);
            let cells = entry.points.len();
            if cells > CELLS {
                self.note(
                    format!("{path}.points"),
                    format!("{cells} values: a row has {CELLS} cells"),
                );
            } else if cells == CELLS && is_closed(before, row) {
                self.note(
                    format!("{path}.points"),
                    "another player has filled this row, which closed it: at most 4 values",
                );
            }
            for (cell, &points) in entry.points.iter().take(CELLS).enumerate() {
                if cell_accepts(&self.rules, row, cell, points) {
                    board.push(row, points as u16);
                } else {
                    self.note(
                        format!("{path}.points[{cell}]"),
                        format!(
                            "{points} cannot stand in this cell: must be {}",
                            accepted(&self.rules, row, cell)
                        ),
                    );
                    // A placeholder, so that the row counts as filled as far as it was.
                    board.push(row, 0);
                }
            }
        }
        board
    }

    /// The dice, if any; `None` if they are no dice at all.
    fn dice(&mut self, raw: &[u32]) -> Option<Option<Roll>> {
        let before = self.found.as_slice().len();
        if !matches!(raw.len(), 0 | 5) {
            self.note(
                "dice",
                format!("{} dice: must be five, or none before a throw of all", raw.len()),
            );
        }
        for (i, face) in raw.iter().enumerate() {
            if !(1..=6).contains(face) {
                self.note(
                    format!("dice[{i}]"),
                    format!("{face} is no face: must be 1 (nine) to 6 (ace)"),
                );
            }
        }
        let faces: Vec<u8> = raw.iter().map(|&face| face.min(7) as u8).collect();
        (self.found.as_slice().len() == before).then(|| space().roll_of(&faces))
    }

    /// The state of the turn: throws, full throw and running count.
    fn turn(&mut self, raw: &RawRacePosition, position: &mut RacePosition) {
        let before = self.found.as_slice().len();
        match (position.dice, raw.rolls_left) {
            (Some(_), 0..=2) | (None, 3) => {}
            (Some(_), left) => {
                self.note("rolls_left", format!("{left} with dice on the table: must be 0 to 2"));
            }
            (None, 1 | 2) => {
                if Row::ALL.iter().all(|&row| position.board().count(row) == 0) {
                    self.note(
                        "rolls_left",
                        "1 or 2 without dice is a turn in which something was recorded, and the \
                         board of the player to move is empty: must be 3",
                    );
                }
            }
            (None, left) => self.note(
                "rolls_left",
                format!(
                    "{left} without dice: must be 3 at the start of a turn, 1 or 2 after recording"
                ),
            ),
        }
        let first = position.dice.is_some() && raw.rolls_left == 2;
        match (raw.full_throw, position.dice) {
            (Some(true), None) => self.note("full_throw", "there are no dice: must be false"),
            (Some(false), Some(_)) if first => {
                self.note("full_throw", "the first throw is of all dice: must be true");
            }
            (full, _) => position.full_throw = full.unwrap_or(first),
        }
        if let Some(running) = &raw.running_count {
            let sound = self.found.as_slice().len() == before;
            self.running_count(running, position, sound);
        }
    }

    /// The running count; `sound` if the turn is, so that its points can be checked.
    fn running_count(&mut self, raw: &RawRunningCount, position: &mut RacePosition, sound: bool) {
        if !self.rules.sum_of_figures {
            self.note("running_count", "must be absent without the option `sum_of_figures`");
            return;
        }
        let row = self.row("running_count.category".to_owned(), &raw.category);
        if let Some(row) = row
            && (row.figure().is_none() || is_closed(&position.boards, row))
        {
            let what = if row.figure().is_none() { "no figure row" } else { "closed" };
            self.note("running_count.category", format!("{row} is {what}: must be an open figure"));
        }
        if !sound {
            return;
        }
        // A throw put aside counts 6 to 10, or 5 to 10 if the count had begun. How many can have
        // been put aside depends on the number of throws before the dice on the table; the throw
        // after one put aside is a full throw.
        let valid = match (position.dice, position.rolls_left, position.full_throw) {
            (Some(_), 1, true) | (Some(_), 0, false) => 6..=10,
            (Some(_), 0, true) => 6..=20,
            _ => {
                self.note(
                    "running_count",
                    "must be absent: no throw of this turn can have been put aside for it",
                );
                return;
            }
        };
        if !valid.contains(&raw.points) {
            self.note(
                "running_count.points",
                format!("{}: must be {} to {}", raw.points, valid.start(), valid.end()),
            );
        } else if let Some(row) = row {
            position.running = Some(RunningCount { row, points: raw.points as u16 });
        }
    }
}
