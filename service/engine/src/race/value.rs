//! The value of boards at the end of a turn: the learned part of the strongest player. A [`Net`] of
//! one hidden layer maps sparse features of the boards ([`features`]) to the probability to win and
//! the expected final margin of the player who has just ended a turn. During a turn the layer is
//! updated incrementally, so that one more record costs a few vector additions.

mod batch;
mod features;
mod model;
mod net;
mod view;

pub use features::{FEATURES, Feature, Knowledge, STAGES, margin_features};
pub use model::Goal;
pub(super) use model::{NetModel, Plain, Readout};
pub use net::{HIDDEN, Net, NetError, ROW, WeightRow, logistic, squash, squash_slope};
pub use view::View;
