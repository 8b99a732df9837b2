//! The arguments that several commands share. Parsing them calls no service.

mod global;
mod players;
mod position;
mod rules;

pub(crate) use global::Global;
pub(crate) use players::{OpponentArgs, describe_player, objective, player};
pub(crate) use position::{CardArgs, MomentArgs};
pub(crate) use rules::{RulesArgs, option};
