//! Opponents: players of graded strength, their whole turns and games, and the study of games
//! that were played.
//!
//! Perfect advice is a solved matter; somebody to play against is not. This room turns the value
//! of every card into players who err as people do. A [`Temper`] says how a player errs, a
//! level of a [`Calibration`] or a [`Profile`] is a temper with a name, and the former tells what
//! each level scores. A [`Game`] is a solved ruleset at which they play: one move ([`Game::choose`]), a turn
//! ([`Game::play_turn`]) or many games ([`Simulation`]), and at which a played game is reviewed
//! ([`Game::review`]). How and why is told in `OPPONENTS.md`.
//!
//! ```
//! use dicepoker_engine::opponent::{Game, Temper};
//! use dicepoker_engine::position::Position;
//! use dicepoker_engine::ruleset::Ruleset;
//! use dicepoker_engine::sheet::Sheet;
//! use dicepoker_engine::solve::Solution;
//!
//! let ruleset = Ruleset::built_in().into_iter().find(|r| r.id == "dice-poker-13").unwrap();
//! let sheet = Sheet::new(ruleset.definition).unwrap();
//! let values = Solution::solve(&sheet, 1).unwrap();
//! let game = Game::new(&sheet, &values);
//! let turn = game.play_turn(&Temper::PERFECT, &Position::start(&sheet, 1), 42);
//! assert_eq!(turn.end.cards()[0].filled().len(), 1);
//! assert_eq!(turn, game.play_turn(&Temper::PERFECT, &Position::start(&sheet, 1), 42));
//! ```

mod aim;
mod calibration;
mod choose;
mod endgame;
mod finish;
mod game;
mod grid;
mod last_round;
mod lot;
mod outcome;
mod plan;
mod play;
mod race;
mod race_calibration;
mod reach;
mod reasons;
mod review;
mod simulate;
mod spread;
mod tally;
mod temper;
mod turn;
mod ways;

pub use aim::{Aim, Aimed, AimedMove, EXACT_AGAINST, EXACT_ALONE, Memory, Objective};
pub use calibration::{
    Calibration, LEVELS, LevelRecord, NOVICE_SHARE, ProfileRecord, Strength, standard_temper,
};
pub use choose::Mind;
pub use game::Game;
pub use outcome::Prospect;
pub use plan::Language;
pub use play::{PlayedTurn, Step};
pub use race::{
    RaceDecision, RaceReview, RaceSight, RaceStep, RaceTemper, RaceTurn, race_moment, review_race,
    simulate_race,
};
pub use race_calibration::{RaceCalibration, RaceLevelRecord};
pub use reach::Reach;
pub use reasons::{CategoryChance, PERCENTILES, Reasons, ScoreSpread};
pub use review::{GRADES, Grade, PlayerReview, RecordError, RecordFault, Review, ReviewedStep};
pub use simulate::{Player, Simulation, Stopped};
pub use spread::Spread;
pub use tally::{Interval, SeatTally, Tally};
pub use temper::{Favourite, Profile, Temper};
pub use turn::{Turn, Worth};
