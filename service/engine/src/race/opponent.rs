//! Opponents at the race: their errors, turns and games, and the review of a game. Levels
//! weigh the probability to win, by the learned value of boards, against the points of their turn:
//! the lower ones look little further than the latter.

mod calibration;
mod choice;
mod outlook;
mod review;
mod simulate;
mod skill;
mod turn_play;

pub use self::calibration::{RaceCalibration, RaceLevelRecord, standard_race_skill};
pub use self::choice::{RaceDecision, race_moment};
pub use self::outlook::{RaceGames, RaceRowOutlook};
pub use self::review::{RaceReview, ReviewedRaceStep, review_race};
pub use self::simulate::{record_race, simulate_race};
pub use self::skill::RaceSkill;
pub use self::turn_play::{RaceTurn, RaceTurnStep};
