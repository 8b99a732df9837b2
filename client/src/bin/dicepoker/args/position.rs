//! Scorecards and positions as arguments.

use std::path::{Path, PathBuf};

use clap::Args;
use dicepoker_client::Scorecard;

use crate::args::RulesArgs;
use crate::documents::read_message;
use crate::failure::Failure;

/// A scorecard.
#[derive(Clone, Debug, Args)]
pub(crate) struct CardArgs {
    /// The card: ones=3,chance=22, or a file with a scorecard as JSON (- for standard input). In the
    /// race a row's cells are joined by +: aces=7+8.
    #[arg(long, value_name = "CARD")]
    card: Option<String>,

    /// Number of bonuses for further rolls of all dice alike on the card.
    #[arg(long, value_name = "COUNT", requires = "card")]
    bonuses: Option<u32>,
}

impl CardArgs {
    /// The card, if given.
    pub(crate) fn read(&self) -> Result<Option<Scorecard>, Failure> {
        let Some(text) = &self.card else { return Ok(None) };
        let card = if text.is_empty() {
            Scorecard::new()
        } else if text.contains('=') {
            parse_card(text)?
        } else {
            read_message(Path::new(text))?
        };
        Ok(Some(match self.bonuses {
            Some(count) => card.with_five_alike_bonuses(count),
            None => card,
        }))
    }
}

fn parse_card(text: &str) -> Result<Scorecard, Failure> {
    let mut card = Scorecard::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let wrong = || {
            Failure::Argument(format!("--card: \"{part}\" is no entry: write it like chance=22"))
        };
        let (category, cells) = part.split_once('=').ok_or_else(wrong)?;
        for points in cells.split('+') {
            card = card.with(category.trim(), points.trim().parse().map_err(|_| wrong())?);
        }
    }
    Ok(card)
}

/// A moment in a game, and its rules.
#[derive(Clone, Debug, Args)]
pub(crate) struct MomentArgs {
    /// The dice on the table, by number or by name: 13244, AAKKQ; none before the first throw of a
    /// turn.
    pub(crate) dice: Option<String>,

    /// Throws left in this turn: 2 after the first of three, 0 after the last. Unless set, 0; before
    /// the first throw, those of a whole turn.
    #[arg(short = 'n', long, value_name = "COUNT")]
    pub(crate) rolls_left: Option<u32>,

    #[command(flatten)]
    pub(crate) card: CardArgs,

    /// File with a whole position as JSON (- for standard input), for example of several players; or
    /// the output of `dicepoker --json suggest`, `turn`, `apply` or `play`, rules included.
    #[arg(
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["dice", "rolls_left", "card"]
    )]
    pub(crate) position: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,
}
