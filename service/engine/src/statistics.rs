//! Simulated games and their statistics, the review of a game, and the rows and bonuses of a sheet under best
//! play.

mod best_play;
mod figure;
mod player_statistics;
mod review;
mod sheet_bonus;
mod sheet_outlook;
mod simulate;
pub mod variants;

pub use self::best_play::BestPlay;
pub use self::figure::{Figure, FinalScores, Mean};
pub use self::player_statistics::{GameStatistics, Interval, PlayerStatistics};
pub use self::review::{
    GRADES, Grade, PlayerReview, RecordError, RecordFault, Review, ReviewedStep,
};
pub use self::sheet_bonus::SheetBonus;
pub use self::sheet_outlook::{BonusOutlook, RowOutlook, SheetGames, SheetOutlook};
pub(crate) use self::simulate::play_games;
pub use self::simulate::{Player, Simulation, Stopped};
