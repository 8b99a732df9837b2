//! The commands, and the client that they use.

use std::time::Duration;

use clap::{CommandFactory, Parser, Subcommand};
use dicepoker_client::Client;

use crate::args::Global;
use crate::commands::{
    analyze, apply, explore, moves, play, review, rulesets, score, simulate, suggest, turn,
    validate,
};
use crate::failure::Failure;
use crate::output::Output;

/// Timeout of connecting to a server.
const REACH: Duration = Duration::from_secs(10);

/// The default deadline of a call: the default time limit of the service.
const DEADLINE: Duration = Duration::from_secs(60);

/// The default deadline of a call within this process: practically none.
const EMBEDDED_DEADLINE: Duration = Duration::from_secs(24 * 3600);

/// Points, legal moves and perfect advice for dice games.
///
/// Dice are typed like 13244, or 1,3,2,4,4; where faces have names, like AAKKQ. Exit codes: 1 the
/// call failed, 2 an argument is invalid, 69 the service cannot be reached, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "dicepoker", version, about, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    command: Command,
}

/// The command.
#[derive(Debug, Subcommand)]
enum Command {
    /// Score a roll in each category, and add up a scorecard.
    Score(score::Args),
    /// List the legal moves of the player to move.
    Moves(moves::Args),
    /// Rank the moves by their values.
    Suggest(suggest::Args),
    /// Play a move and print the position after it.
    Apply(apply::Args),
    /// Have a player of any strength play a whole turn.
    Turn(turn::Args),
    /// List the built-in rulesets, or show one of them in full.
    Rulesets(rulesets::Args),
    /// Play in the terminal, with hints and a review of your moves at the end.
    Play(play::Args),
    /// Let players of any strength play many games, and print statistics.
    Simulate(simulate::Args),
    /// Analyze a ruleset: rows, bonuses, levels, final scores; optionally beside another.
    Analyze(analyze::Args),
    /// Review a game: the regret of each move and the luck of each throw.
    Review(review::Args),
    /// Check rules, and estimate the cost of solving them.
    Validate(validate::Args),
    /// Open the explorer in a browser: play, analyse, review and edit rules.
    Explore(explore::Args),
    /// Print the completions of a shell: `source <(dicepoker completions bash)`.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

impl Cli {
    /// Runs the command.
    pub(crate) async fn run(self, output: Output) -> Result<(), Failure> {
        match self.command {
            Command::Completions { shell } => {
                let mut out = std::io::stdout().lock();
                clap_complete::generate(shell, &mut Self::command(), "dicepoker", &mut out);
                return Ok(());
            }
            Command::Explore(args) => return explore::run(args).await,
            _ => {}
        }
        let client = &connect(&self.global).await?;
        match self.command {
            Command::Score(args) => score::run(client, args, output).await,
            Command::Moves(args) => moves::run(client, args, output).await,
            Command::Suggest(args) => suggest::run(client, args, output).await,
            Command::Apply(args) => apply::run(client, args, output).await,
            Command::Turn(args) => turn::run(client, args, output).await,
            Command::Rulesets(args) => rulesets::run(client, args, output).await,
            Command::Play(args) => play::run(client, args, output).await,
            Command::Simulate(args) => {
                simulate::run(client, args, self.global.timeout, output).await
            }
            Command::Analyze(args) => analyze::run(client, args, self.global.timeout, output).await,
            Command::Review(args) => review::run(client, args, output).await,
            Command::Validate(args) => validate::run(client, args, output).await,
            Command::Explore(_) | Command::Completions { .. } => Ok(()),
        }
    }
}

/// The client that the arguments describe, once the service serves.
async fn connect(global: &Global) -> Result<Client, Failure> {
    let mut builder = Client::builder();
    if let Some(token) = &global.token {
        builder = builder.bearer_token(token);
    }
    #[cfg(feature = "tls")]
    if let Some(ca) = &global.ca {
        let pem = std::fs::read(ca).map_err(|error| Failure::file(ca, error))?;
        builder = builder.tls(dicepoker_client::Tls::trusting(pem));
    }
    if global.embedded {
        let deadline = global.timeout.unwrap_or(EMBEDDED_DEADLINE);
        return Ok(builder.deadline(deadline).embedded()?);
    }
    let reach = global.timeout.map_or(REACH, |timeout| timeout.min(REACH));
    let client = builder.deadline(reach).connect(&global.server).await?;
    Ok(client.with_deadline(global.timeout.unwrap_or(DEADLINE)))
}
