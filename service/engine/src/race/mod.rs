//! The traditional Portuguese game, *póquer tradicional*: a race of boards whose rows close for
//! everybody, played with five dice of nine, ten, jack, queen, king and ace.
//!
//! [`RaceRules`] say how a house plays it. A [`RacePosition`] is a moment of a game: it tells what
//! the dice are worth ([`RacePosition::score`]), what may be done ([`RacePosition::legal_moves`])
//! and what comes of it ([`RacePosition::apply`]). [`advise`] ranks all moves by the probability to
//! win, and a [`RaceLevel`] is an opponent of some strength. The game, how our player thinks and how
//! strong it is are told in `RACE.md` beside the crate's manifest.
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
pub mod learn;
mod level;
mod moves;
mod parse;
mod position;
mod row;
mod rules;
mod throws;
mod turn;
pub mod value;
mod weights;
mod worth;

pub use advice::{RaceAdvice, advise, advise_with};
pub use apply::{Applied, ApplyError, RaceEnd, Recorded};
pub use board::{Board, ROWS_TO_END, Total, closed_rows, is_closed, is_doubled, totals, winners};
pub use greedy::{turn_greedy, turn_points};
pub use level::RaceLevel;
pub use moves::{IllegalMove, MAX_MOVES, RaceMove};
pub use parse::{RaceRejection, RawRacePosition, RawRunningCount};
pub use position::{RacePosition, Refusal, RowScore, RunningCount};
pub use row::{ByRow, CELLS, ROWS, Row, face_label, face_name_pt};
pub use rules::{DeMao, MAX_FULLEN_POINTS, MAX_PLAYERS, OPTIONS, RaceOption, RaceRules, THROWS};
pub use weights::net_for;
pub use worth::{cell_accepts, count, space, worth};
