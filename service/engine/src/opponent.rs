//! Opponents: players of graded strength, their whole turns and games, and the study of games
//! that were played.
//!
//! Perfect advice is a solved matter; somebody to play against is not. This room turns the value
//! of every card into players who err as people do. A [`Skill`] says how a player errs, a
//! level of a [`Calibration`] or a [`Profile`] is a skill with a name, and the former tells what
//! each level scores. A [`Game`] is a solved ruleset at which they play: one move ([`SolvedSheet::choose`]), a turn
//! ([`SolvedSheet::play_turn`]) or many games ([`Simulation`]), and at which a played game is reviewed
//! ([`SolvedSheet::review`]). How and why is told in `OPPONENTS.md`.
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
pub(crate) mod draw;
mod skill;
mod turn_play;

pub use self::calibration::{
    Calibration, LEVELS, LevelRecord, NOVICE_SHARE, Opponent, ProfileRecord, standard_skill,
};
pub use self::choice::PlayerTurn;
pub use self::skill::{Favourite, Profile, Skill};
pub use self::turn_play::{PlayedTurn, TurnStep};
