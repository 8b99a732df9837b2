//! Scorecards and positions, typed or read from files.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::Args;
use dicepoker_client::{Client, Dice, Family, Move, Position, Rules, Ruleset, Scorecard};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::rules::{RulesArgs, WrittenRules};
use crate::commands::rulesets::describe;
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

/// A moment in a game, and the rules that it is played by.
#[derive(Clone, Debug, Args)]
pub(crate) struct MomentArgs {
    /// The dice on the table, by number or by name: 13244, AAKKQ; left out before the first throw
    /// of a turn.
    dice: Option<String>,

    /// Throws left in this turn: 2 after the first of three, 0 after the last. 0 unless set; before
    /// the first throw those of a whole turn.
    #[arg(short = 'n', long, value_name = "COUNT")]
    rolls_left: Option<u32>,

    #[command(flatten)]
    card: CardArgs,

    /// File with a whole position as JSON (- for standard input), as for several players; or what
    /// `dicepoker --json suggest`, `turn`, `apply` or `play` printed, which says by which rules.
    #[arg(
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["dice", "rolls_left", "card"]
    )]
    position: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesArgs,
}

/// A moment in a game.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) rules: Rules,
    /// The rules as the service describes them.
    pub(crate) ruleset: Ruleset,
    pub(crate) position: Position,
}

impl MomentArgs {
    /// The moment that these arguments describe.
    pub(crate) async fn read(&self, client: &Client) -> Result<Moment, Failure> {
        if let Some(file) = &self.position {
            let (written, position) = read_position(file)?;
            let rules = self.rules.read_or(written)?;
            let ruleset = describe(client, &rules).await?;
            return Ok(Moment { rules, ruleset, position });
        }
        let rules = self.rules.read()?;
        let ruleset = describe(client, &rules).await?;
        let dice = read_dice(&ruleset, self.dice.as_deref().unwrap_or_default())?;
        let unless_set = if dice.is_empty() { ruleset.definition.rolls } else { 0 };
        let position = Position::new(dice, self.rolls_left.unwrap_or(unless_set));
        let mut cards = Vec::from_iter(self.card.read()?);
        if ruleset.family == Family::Race {
            // Nobody races alone.
            cards.resize(2, Scorecard::new());
        }
        Ok(Moment { rules, ruleset, position: position.with_cards(cards) })
    }
}

/// Dice as typed.
pub(crate) fn read_dice(ruleset: &Ruleset, text: &str) -> Result<Dice, Failure> {
    ruleset.read_dice(text).map_err(|error| Failure::Typed(error.to_string()))
}

/// Reads a position from a file: one by itself, or the one that a command printed among its
/// answers, with the rules that it wrote beside it.
pub(crate) fn read_position(file: &Path) -> Result<(Option<Rules>, Position), Failure> {
    #[derive(Deserialize)]
    struct Printed {
        #[serde(flatten)]
        rules: WrittenRules,
        position: Position,
    }
    let text = read_text(file)?;
    let failed = |error| Failure::json(file, error);
    let document: Value = serde_json::from_str(&text).map_err(failed)?;
    if document.get("position").is_none() {
        return Ok((None, serde_json::from_str(&text).map_err(failed)?));
    }
    let Printed { rules, position } = serde_json::from_str(&text).map_err(failed)?;
    Ok((rules.read(), position))
}

/// Reads a move from a file: one by itself, or the one that a command printed among its answers.
pub(crate) fn read_move(file: &Path) -> Result<Move, Failure> {
    let document: Value = read_json(file)?;
    // Who asked what an opponent plays has that played.
    let chosen = ["opponent_move", "move"].into_iter().find_map(|name| document.get(name));
    Move::deserialize(chosen.unwrap_or(&document))
        .map_err(|error| Failure::in_file(file, format!("no move: {error}")))
}

/// Reads a JSON file, or standard input where it is named `-`.
pub(crate) fn read_json<T: DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    serde_json::from_str(&read_text(file)?).map_err(|error| Failure::json(file, error))
}

/// Reads a file, or standard input where it is named `-`.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    // Kept, for arguments that read the same document: the position and the move of an advice.
    static STDIN: LazyLock<std::io::Result<String>> =
        LazyLock::new(|| std::io::read_to_string(std::io::stdin()));
    if file != Path::new("-") {
        return std::fs::read_to_string(file).map_err(|error| Failure::file(file, error));
    }
    STDIN.as_ref().cloned().map_err(|error| Failure::in_file(file, error))
}
