//! What may be typed: the commands, and the arguments that several of them share.

mod global;
mod players;
mod position;
mod rules;

use clap::{Parser, Subcommand};

pub(crate) use global::Global;
pub(crate) use players::{OpponentArgs, objective, player, spelled};
pub(crate) use position::{
    CardArgs, Moment, MomentArgs, read_dice, read_move, read_position, read_text,
};
pub(crate) use rules::{RulesArgs, WrittenRules, option};

use crate::commands::{
    apply, bench, moves, play, review, rulesets, score, simulate, suggest, turn, validate,
};

/// Points, legal moves and perfect advice for dice poker.
///
/// Dice are typed like 13244, or 1,3,2,4,4; where faces have names, like AAKKQ. Exit codes: 1 the
/// call failed, 2 something was typed that cannot be, 69 the service cannot be reached, 130
/// interrupted.
#[derive(Debug, Parser)]
#[command(name = "dicepoker", version, about, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What a roll is worth in each category, and what a scorecard adds up to.
    Score(score::Args),
    /// What the player to move may do.
    Moves(moves::Args),
    /// The best move, and what every other is worth.
    Suggest(suggest::Args),
    /// Play a move: the position after it.
    Apply(apply::Args),
    /// Have somebody play a whole turn.
    Turn(turn::Args),
    /// The built-in rulesets, or one of them in full.
    Rulesets(rulesets::Args),
    /// Play in the terminal, with hints and a review of your moves at the end.
    Play(play::Args),
    /// Let players of any strength play many games, and tell how they end.
    Simulate(simulate::Args),
    /// Study a game that was played: what each move gave up, and what the dice brought.
    Review(review::Args),
    /// Whether rules are sound, and what solving them takes.
    Validate(validate::Args),
    /// Measure how fast the service answers.
    Bench(bench::Args),
    /// Print the completions of a shell: `source <(dicepoker completions bash)`.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}
