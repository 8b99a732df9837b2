//! Client of the dicepoker service: scores, legal moves, advice, opponents and reviews for dice games.
//!
//! ```
//! # let server = dicepoker_testkit::InProcess::start();
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
//! assert_eq!(Move::try_from(advice.r#move)?, Move::keep([4, 4]));
//! # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
//! ```
//!
//! # Rules
//! Every call takes [`Rules`]: the id of a built-in ruleset converts, [`Rules::option`] sets options,
//! and a [`RulesetDefinition`] is a game of your own as data. [`Client::rulesets`] lists the built-in
//! rulesets.
//!
//! # Responses
//! Positions, scorecards and all responses are the generated messages of the contract, in [`proto`].
//! [`Json`] reads and writes them in their proto3 JSON form.
//!
//! # Deadlines, retries, replicas
//! Every call sends its deadline to the service and is retried where that helps, within a budget that
//! all clones of a client share ([`Retries`]). A [`Target`] of several addresses, or of a name that
//! resolves to several, is balanced over the healthy ones.
//!
//! # Errors
//! One type, [`Error`]: a status code, a stable reason, every invalid field at once, and whether a
//! retry may succeed.
//!
//! # Features
//! - `tls` (default): encrypted connections, by rustls.
//! - `cli` (default): the `dicepoker` command line; leave it out with `default-features = false`.
//! - `embedded` (with `cli`): the service inside the calling process, `Client::embedded`.
//! - `explorer` (with `cli`): that service on a port, with a page to play and analyse.
//! - `opentelemetry`: calls carry the trace context of OpenTelemetry's current span.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod balance;
mod builder;
mod call;
mod client;
mod connecting;
mod dice;
#[cfg(feature = "embedded")]
mod embedded;
mod error;
#[cfg(feature = "explorer")]
mod explorer;
mod moves;
mod opponent;
mod questions;
mod record;
mod resolve;
mod retries;
mod rules;
mod simulation;
mod target;
#[cfg(feature = "tls")]
mod tls;
mod trace;
mod transport;

pub use builder::ClientBuilder;
pub use client::Client;
pub use dice::{Dice, ParseDiceError};
pub use dicepoker_proto::Json;
pub use dicepoker_proto::v1 as proto;
pub use error::{Error, FieldViolation};
#[cfg(feature = "explorer")]
pub use explorer::serve_explorer;
pub use moves::Move;
pub use opponent::{Objective, Opponent, Player};
#[doc(no_inline)]
pub use proto::{
    Alternative, AnalyzeResponse, ApplyResponse, Category, CategoryScore, Face, Pattern,
    PlayTurnResponse, Points, Position, ReviewResponse, Ruleset, RulesetDefinition, ScoreResponse,
    Scorecard, SimulateResponse, SuggestResponse, TurnStep, ValidateRulesetResponse,
};
pub use questions::{ScoreQuery, SuggestQuery, Throw};
pub use record::GameRecord;
pub use retries::Retries;
pub use rules::Rules;
pub use simulation::{Analysis, AnalyzeQuery, Progress, SimulateQuery, Simulation};
pub use target::Target;
#[cfg(feature = "tls")]
pub use tls::Tls;
pub use tonic::Code;
pub use trace::{ParseTraceError, TraceContext};
pub use transport::Transport;
