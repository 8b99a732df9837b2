//! Scorecards and positions, typed or read from files.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use dicepoker_client::{Dice, Position, Scorecard};
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// A scorecard.
#[derive(Clone, Debug, Args)]
pub(crate) struct CardArgs {
    /// What is on the card: ones=3,chance=22, or a file with a scorecard as JSON (- for standard
    /// input). In the race a row's cells are joined by +: aces=7+8.
    #[arg(long, value_name = "CARD")]
    card: Option<String>,

    /// How many bonuses for a further roll of all dice alike the card holds.
    #[arg(long, value_name = "COUNT", requires = "card")]
    bonuses: Option<u32>,
}

impl CardArgs {
    /// The card, if one was given.
    pub(crate) fn read(&self) -> Result<Option<Scorecard>, Failure> {
        let Some(text) = &self.card else { return Ok(None) };
        let card = if text.is_empty() {
            Scorecard::new()
        } else if text.contains('=') {
            parse_card(text)?
        } else {
            read_json(Path::new(text))?
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
        let wrong =
            || Failure::Typed(format!("--card: \"{part}\" is no entry: write it like chance=22"));
        let (category, cells) = part.split_once('=').ok_or_else(wrong)?;
        for points in cells.split('+') {
            card = card.with(category.trim(), points.trim().parse().map_err(|_| wrong())?);
        }
    }
    Ok(card)
}

/// A moment in a game.
#[derive(Clone, Debug, Args)]
pub(crate) struct PositionArgs {
    /// The dice on the table.
    #[arg(required_unless_present = "position")]
    pub(crate) dice: Option<Dice>,

    /// Throws left in this turn: 2 after the first of three, 0 after the last.
    #[arg(short = 'n', long, default_value_t = 0, value_name = "COUNT")]
    rolls_left: u32,

    #[command(flatten)]
    card: CardArgs,

    /// File with a whole position as JSON (- for standard input), as for several players.
    #[arg(
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["dice", "rolls_left", "card"]
    )]
    position: Option<PathBuf>,
}

impl PositionArgs {
    /// The position that these arguments describe.
    pub(crate) fn read(&self) -> Result<Position, Failure> {
        if let Some(file) = &self.position {
            return read_json(file);
        }
        let position = Position::new(self.dice.clone().unwrap_or_default(), self.rolls_left);
        Ok(match self.card.read()? {
            Some(card) => position.with_card(card),
            None => position,
        })
    }
}

/// Reads a JSON file, or standard input where it is named `-`.
pub(crate) fn read_json<T: DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    let failed = |error| Failure::file(file, error);
    let text = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(failed)?;
        text
    } else {
        std::fs::read_to_string(file).map_err(failed)?
    };
    serde_json::from_str(&text)
        .map_err(|error| Failure::Typed(format!("{}: {error}", file.display())))
}
