//! What keeps one call, or one caller, from costing the others: how long a call may take
//! ([`deadline`]), how large its message may be and what it may hold until it has come
//! ([`message`], [`whole`], [`arriving`]), how many calls run at a time ([`concurrency`]), how long
//! one may wait for its turn ([`queue`]), how many one caller may make ([`rate`]) and how many of
//! them may be in error ([`pace`]). Who may call at all, and how often, is decided at a [`gate`]
//! before any work is done; what becomes of a call that may not is a [`refusal`].

mod arriving;
mod concurrency;
mod deadline;
mod gate;
mod held;
mod message;
mod pace;
mod queue;
mod rate;
mod refusal;
mod whole;

pub(crate) use arriving::Arriving;
pub(crate) use concurrency::Concurrency;
pub(crate) use deadline::{Deadline, Timed, timeout};
pub(crate) use gate::{Gate, Gated};
pub(crate) use held::Held;
pub(crate) use message::LimitedMessage;
pub(crate) use pace::Paced;
pub(crate) use queue::Queue;
pub(crate) use rate::Rate;
pub(crate) use whole::Whole;
