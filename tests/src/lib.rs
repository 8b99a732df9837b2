//! Shared by the black-box tests: short forms of requests, and short forms of responses to compare.
//! [`Server`] starts the service as a process.
//!
//! ```no_run
//! # async fn example(program: &str) -> Result<(), tonic::Status> {
//! use dicepoker_tests::{Rules, Server, card, category, roll};
//!
//! let server = Server::start(program, &[]);
//! let mut client = server.client().await;
//! let yatzy = Rules::of("yatzy");
//! let scores = yatzy.score(&mut client, &[3, 3, 3, 1, 2], card("ones 2, pair 12")).await?;
//! assert_eq!(category(&scores, "three_alike").points, 9);
//! let advice = yatzy.suggest(&mut client, roll(&[1, 1, 6, 6, 6], 2, card(""))).await?;
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod answers;
mod requests;

pub use answers::{category, fields, header_size, move_name, moves_named, reason};
pub use dicepoker_testkit::{Client, PATIENCE, Server, Signal};
pub use requests::{Rules, card, keep, record, roll, start};
