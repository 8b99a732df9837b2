//! Opponents at the race: how they err, their turns and games, and the review of a game. The lower
//! levels look no further than the points of their turn, the upper ones play to win by the learned
//! value of boards.

mod calibration;
mod outlook;
mod review;
mod simulate;
mod skill;
mod turn_play;

pub use self::calibration::{RaceCalibration, RaceLevelRecord};
pub use self::outlook::{RaceGames, RaceRowOutlook};
pub use self::review::{RaceReview, ReviewedRaceStep, review_race};
pub use self::simulate::simulate_race;
pub use self::skill::{RaceObjective, RaceSkill};
pub use self::turn_play::{RaceTurn, RaceTurnStep, race_moment};
