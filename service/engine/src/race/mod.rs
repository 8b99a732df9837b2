//! The traditional Portuguese game, *póquer tradicional*: a race of boards whose rows close for all
//! players, played with five dice of nine, ten, jack, queen, king and ace.
//!
//! [`RaceRules`] are the variants and house rules. A [`RacePosition`] is a moment of a game: it
//! scores the dice ([`RacePosition::score`]), lists the legal moves ([`RacePosition::legal_moves`])
//! and plays one ([`RacePosition::apply`]). [`advise`] ranks all moves by the probability to win,
//! and [`opponent`] has players of graded strength. `RACE.md` beside the crate's manifest documents
//! the game, the player and its strength.
//!
//! ```
//! use dicepoker_engine::race::{RaceMove, RacePosition, RaceRules, Row};
//! let start = RacePosition::start(RaceRules::default(), 2);
//! // Five queens thrown together: 40 points in the first cell of the queens, and two throws more.
//! let thrown = start.apply(RaceMove::keep_of(&[]).unwrap(), &[4, 4, 4, 4, 4])?.position;
//! let after = thrown.apply(RaceMove::Record(Row::Queens), &[])?;
//! assert_eq!(after.position.boards()[0].cells(Row::Queens), [40]);
//! assert_eq!((after.position.to_move(), after.position.rolls_left()), (0, 2));
//! # Ok::<(), dicepoker_engine::race::ApplyError>(())
//! ```

mod advice;
mod apply;
mod board;
mod greedy;
mod moves;
pub mod opponent;
mod parse;
mod points;
mod position;
mod row;
mod rules;
mod throws;
#[cfg(any(test, feature = "training"))]
pub mod training;
// Training uses more of these two than play does.
#[cfg_attr(not(any(test, feature = "training")), allow(dead_code, unreachable_pub, unused_imports))]
mod turn_solver;
#[cfg_attr(not(any(test, feature = "training")), allow(dead_code, unreachable_pub, unused_imports))]
mod value;
mod weights;

pub use advice::{RaceAdvice, advise};
pub use apply::{Applied, ApplyError, RaceEnd, Recorded};
pub use board::{Board, ROWS_TO_END, Total, closed_rows, is_closed, is_doubled, totals, winners};
pub use greedy::{turn_greedy, turn_points};
pub use moves::{IllegalMove, MAX_MOVES, RaceMove};
pub use parse::{RaceRejection, RawRacePosition, RawRunningCount};
pub use points::{cell_accepts, count, points_of, space};
pub use position::{RacePosition, Refusal, RowScore, RunningCount};
pub use row::{ByRow, CELLS, ROWS, Row, face_label, face_name_pt};
pub use rules::{DeMao, MAX_FULLEN_POINTS, MAX_PLAYERS, OPTIONS, RaceOption, RaceRules, THROWS};
