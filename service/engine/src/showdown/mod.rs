//! Showdowns: the dice poker in which all players throw, throw some dice again, and the best hand
//! wins.
//!
//! The rules are data: a [`ShowdownDefinition`] becomes a [`Showdown`], which ranks every roll;
//! input is parsed into a [`ShowdownPosition`], legal by construction, and a move leads to the next
//! one, through rounds and matches. Best play is exact: [`ShowdownValues`] are solved by backward
//! induction, and [`rank`] orders the moves of a position by the chance to win the match.
//!
//! ```
//! use dicepoker_engine::showdown::{
//!     Limit, RawSeat, RawShowdownPosition, Showdown, ShowdownMove, ShowdownPosition,
//!     ShowdownRuleset, ShowdownValues, rank,
//! };
//!
//! let ruleset = ShowdownRuleset::built_in().into_iter().find(|r| r.id == "dice-poker-classic");
//! let game = Showdown::new(ruleset.unwrap().definition).unwrap();
//! let values = ShowdownValues::solve(&game, 2, Limit::default()).unwrap();
//! let seat = |dice: &[u32]| RawSeat { dice: dice.to_vec(), ..RawSeat::default() };
//! let raw = RawShowdownPosition {
//!     seats: vec![seat(&[2, 2, 3, 4, 6]), seat(&[5, 5, 1, 2, 4])],
//!     to_move: 1,
//!     rolls_left: 1,
//!     ..RawShowdownPosition::default()
//! };
//! let position = ShowdownPosition::parse(&game, &raw).unwrap();
//! let best = rank(&game, &values, &position).moves[0];
//! assert_eq!(best.chosen, ShowdownMove::Stop);
//! assert_eq!(best.game.unwrap().win, 1.0);
//! ```

mod advice;
mod apply;
mod check;
mod contest;
mod definition;
mod game;
mod hand;
mod in_turn;
mod matrix;
mod moves;
mod open;
mod open_table;
mod opponent;
mod parse;
mod plan;
mod position;
mod ruleset;
mod several;
mod simultaneous;
mod solution;
mod stakes;
mod turn;

pub use advice::{Chances, ShowdownAdvice, ShowdownRanking, rank, start};
pub use apply::{RoundEnd, ShowdownApplied, ShowdownApplyError};
pub use check::{
    MAX_COST, MAX_HANDS, MAX_PAYS, MAX_PLAYERS, MAX_RAISE, MAX_RETHROWS, MAX_WINS, check, warnings,
};
pub use definition::{Draws, HandDefinition, NextFirst, Order, Ranks, ShowdownDefinition, Ties};
pub use game::Showdown;
pub use hand::{Hands, holds};
pub use moves::{IllegalMove, ShowdownMove};
pub use opponent::{
    ExactShowdown, HandOutlook, ReviewFault, ReviewedShowdownStep, ShowdownCalibration,
    ShowdownDecision, ShowdownGames, ShowdownLevelRecord, ShowdownOpponent, ShowdownProfile,
    ShowdownProfileRecord, ShowdownReview, ShowdownSkill, ShowdownTables, ShowdownTurn,
    ShowdownTurnStep, record_showdown, review_showdown, simulate_showdown,
};
pub use parse::{RawSeat, RawShowdownPosition, RawStakes, ShowdownRejection};
pub use plan::plan;
pub use position::{Seat, ShowdownPosition, Stakes};
pub use ruleset::{FaceNames, ShowdownRuleset};
pub use solution::{Limit, ShowdownValues, TooLarge};
pub use turn::EQUAL;
