//! Opponents at a showdown: how they err, their turns and matches, and the review of a match.
//!
//! A level errs by what is at stake, see [`Errors`](crate::opponent::Errors). A profile plays by a
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
