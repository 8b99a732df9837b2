//! Opponents at score sheets: players of graded skill, their moves and their turns.
//!
//! A [`Skill`] has the settings of a player. Its [`Errors`] are the same for every kind of game.
//! A level of a [`Calibration`] or a [`Profile`] is a skill with a name, and the calibration has
//! the scores of each level. `OPPONENTS.md` beside the crate's manifest explains how levels are made.
//!
//! ```
//! use dicepoker_engine::opponent::Skill;
//! use dicepoker_engine::position::Position;
//! use dicepoker_engine::ruleset::Ruleset;
//! use dicepoker_engine::sheet::Sheet;
//! use dicepoker_engine::solve::Solution;
//! use dicepoker_engine::solved_sheet::SolvedSheet;
//!
//! let ruleset = Ruleset::built_in().into_iter().find(|r| r.id == "dice-poker-13").unwrap();
//! let sheet = Sheet::new(ruleset.definition).unwrap();
//! let values = Solution::solve(&sheet, 1).unwrap();
//! let solved = SolvedSheet::new(&sheet, &values);
//! let turn = solved.play_turn(&Skill::PERFECT, &Position::start(&sheet, 1), 42);
//! assert_eq!(turn.end.cards()[0].filled().len(), 1);
//! assert_eq!(turn, solved.play_turn(&Skill::PERFECT, &Position::start(&sheet, 1), 42));
//! ```

mod calibration;
mod choice;
mod dominated;
pub(crate) mod draw;
mod errors;
mod skill;
mod turn_play;

pub use self::calibration::{
    Calibration, ErrorRates, FOOLISH, LEVELS, LevelRecord, NOVICE_SHARE, Opponent, ProfileRecord,
    standard_errors, standard_skill,
};
pub(crate) use self::choice::candidates;
pub use self::choice::{Decision, PlayerTurn};
pub use self::errors::{Candidate, Choice, ERROR, Errors, MoveKind, rule_out, stake};
pub use self::skill::{Favourite, Profile, Skill};
pub use self::turn_play::{PlayedTurn, TurnStep};
