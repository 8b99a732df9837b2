//! Opponents at a showdown: their errors, turns and matches, and the review of a match.
//!
//! The errors of a level depend on the stake, see [`Errors`](crate::opponent::Errors). A profile plays by a
//! rule of thumb, as most programs do.

mod calibration;
mod outlook;
mod review;
mod simulate;
mod skill;
mod turn_play;

pub use self::calibration::{
    ShowdownCalibration, ShowdownLevelRecord, ShowdownProfileRecord, ShowdownTables,
};
pub use self::outlook::{ExactShowdown, HandOutlook, ShowdownGames};
pub use self::review::{ReviewFault, ReviewedShowdownStep, ShowdownReview, review_showdown};
pub use self::simulate::{record_showdown, simulate_showdown};
pub use self::skill::{ShowdownDecision, ShowdownOpponent, ShowdownProfile, ShowdownSkill};
pub use self::turn_play::{ShowdownTurn, ShowdownTurnStep};
