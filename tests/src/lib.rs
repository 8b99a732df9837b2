//! What the black-box tests share: a service process to talk to, requests in the words of a
//! player, and answers taken apart.
//!
//! A test holds an [`Arc`](std::sync::Arc) of a running [`Server`], opens a client of its own and
//! talks to it over the socket; when the last test lets go, the process is ended.
//!
//! ```no_run
//! # async fn example(program: &str) -> Result<(), tonic::Status> {
//! use dicepoker_tests::{Rules, Server, card, category, roll};
//!
//! let server = Server::shared(program);
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
mod server;

pub use answers::{category, fields, header_size, move_name, moves_named, reason};
pub use requests::{Client, Rules, card, keep, record, roll, start};
pub use server::{PATIENCE, Server};
