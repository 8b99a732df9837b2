//! Typed client of the dicepoker service: what a roll of dice poker is worth, what may be played,
//! what should be played, and what comes of it.
//!
//! ```
//! # let server = dicepoker_client_testkit::Server::start();
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use dicepoker_client::{Client, Move, Position, Scorecard};
//!
//! let client = Client::connect(server.url()).await?; // as "http://localhost:50051"
//!
//! // What is this roll worth?
//! let scores = client.score("dice-poker-13", [1, 3, 2, 4, 4]).await?;
//! assert_eq!(scores.get("small_straight").unwrap().points, 30);
//!
//! // What to do with it, with the straights already on the card and one throw left?
//! let card = Scorecard::new().with("small_straight", 30).with("large_straight", 0);
//! let position = Position::new([1, 3, 2, 4, 4], 1).with_card(card);
//! let advice = client.suggest("dice-poker-13", position).await?;
//! assert_eq!(advice.best, Move::keep([4, 4]));
//! # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
//! ```
//!
//! # Rules
//! Wherever rules are asked for, the id of a built-in ruleset will do; [`Rules`] adds options, and
//! a [`Definition`] is a game of one's own as data. [`Client::rulesets`] lists what is built in.
//!
//! # Deadlines, retries, replicas
//! Every call has a deadline, which the service is told, and is tried again where that helps, within
//! a budget that all clones of a client share ([`Retries`]). A [`Target`] of several addresses, or
//! of a name that resolves to several, is balanced over those that say they are healthy.
//!
//! # Errors
//! One type, [`Error`]: a status code, a stable reason, every wrong field at once, and whether the
//! same call may succeed later.
//!
//! # Features
//! - `tls` (default): encrypted connections, by rustls.
//! - `cli` (default): the `dicepoker` command line; leave it out with `default-features = false`.
//! - `embedded` (with `cli`): the service inside the calling process, `Client::embedded`.
//! - `opentelemetry`: calls carry the trace context of OpenTelemetry's current span.
//!
//! [`proto`] holds the generated messages and stubs, for what this crate does not cover.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answers;
mod balance;
mod builder;
mod call;
mod client;
mod convert;
mod definition;
mod dice;
#[cfg(feature = "embedded")]
mod embedded;
mod error;
mod explanation;
mod moves;
mod opponent;
mod position;
mod questions;
mod resolve;
mod retries;
mod review;
mod rules;
mod ruleset;
mod scorecard;
mod simulation;
mod target;
#[cfg(feature = "tls")]
mod tls;
mod trace;
mod transport;

pub use answers::{
    Advice, Alternative, Applied, CategoryScore, Chances, IllegalReason, PlayedTurn, RaceScore,
    Scores, TurnStep, Validated,
};
pub use builder::ClientBuilder;
pub use client::Client;
pub use definition::{
    Category, Definition, DiceSum, Joker, JokerPolicy, Pattern, Points, RaceRow, Section,
    UpperBonus,
};
pub use dice::{Dice, ParseDiceError};
pub use dicepoker_proto::v1 as proto;
pub use error::{Error, FieldViolation};
pub use explanation::{CategoryChance, Explanation, Percentile, RunnerUp, ScoreDistribution};
pub use moves::Move;
pub use opponent::{Objective, Opponent, Player};
pub use position::{Position, RunningCount};
pub use questions::{ScoreQuery, SuggestQuery, Throw};
pub use retries::Retries;
pub use review::{GameRecord, Grade, GradeCount, PlayerReview, Review, ReviewedStep};
pub use rules::{OptionValue, Rules};
pub use ruleset::{
    Face, Family, OpponentLevel, OpponentProfile, OptionKind, Ruleset, RulesetOption,
};
pub use scorecard::{Entry, RowTotal, Scorecard, Totals};
pub use simulation::{Estimate, PlayerStatistics, SimulateQuery, Simulation, Statistics};
pub use target::Target;
#[cfg(feature = "tls")]
pub use tls::Tls;
pub use tonic::Code;
pub use trace::{ParseTraceError, TraceContext};
pub use transport::Transport;
