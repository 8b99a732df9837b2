//! Dice poker: rules, scoring, exact solving and advice.
//!
//! Pure computation: no async, no I/O, no clock, no global state. Data flows one way: a ruleset's
//! [`Definition`](definition::Definition) becomes a [`Sheet`](sheet::Sheet), which is solved; input is
//! parsed into a [`Position`](position::Position), which is legal by construction, and is scored, played and
//! ranked.
//!
//! ```
//! use dicepoker_engine::moves::Move;
//! use dicepoker_engine::position::{Position, RawPosition};
//! use dicepoker_engine::ruleset::Ruleset;
//! use dicepoker_engine::sheet::Sheet;
//! use dicepoker_engine::{advice, solve::Solution};
//!
//! let rulesets = Ruleset::built_in();
//! let ruleset = rulesets.iter().find(|r| r.id == "dice-poker-13").unwrap();
//! let sheet = Sheet::new(ruleset.definition.clone()).unwrap();
//! let values = Solution::solve(&sheet, 2).unwrap();
//! let sent = RawPosition { dice: vec![2, 4, 6, 1, 1], rolls_left: 2, ..Default::default() };
//! let position = Position::parse(&sheet, &sent).unwrap();
//! let best = advice::rank(&sheet, &values, &position)[0];
//! assert_eq!(best.chosen, Move::Keep(sheet.space().keep_of(&[6]).unwrap()));
//! assert!((best.expected - 227.309178).abs() < 1e-4);
//! ```

#![forbid(unsafe_code)]

pub mod advice;
pub mod category;
pub mod check;
pub mod definition;
pub mod describe;
pub mod dice;
pub mod explain;
pub mod moves;
pub mod objective;
pub mod opponent;
pub mod parallel;
pub mod pattern;
pub mod play;
pub mod position;
pub mod race;
pub mod ruleset;
pub mod scorecard;
pub mod seeded;
pub mod sheet;
pub mod showdown;
pub mod solve;
pub mod solved_sheet;
pub mod statistics;
pub mod turn_solver;
pub mod violation;
