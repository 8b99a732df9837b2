//! What boards are worth at the end of a turn: the learned part of the strongest player. A
//! [`Net`] of one hidden layer reads sparse features of the boards ([`features`]) and answers
//! with the probability to win and the expected final margin of the player who has just ended a
//! turn. During a turn the layer is kept up to date incrementally, so that one more record costs
//! a few vector additions.

mod features;
mod model;
mod net;
mod view;

pub use features::{FEATURES, Feature, is_of_variants};
pub(super) use model::{NetModel, Readout};
pub use net::{HIDDEN, Net, NetError, ROW, WeightRow, squash, squash_slope};
pub use view::View;
