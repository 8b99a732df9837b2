//! `dicepoker review`: the study of a game that was played, as `dicepoker play --save` writes it or
//! any program that keeps the steps of its games.

use std::path::PathBuf;

use dicepoker_client::{Client, Review, ReviewedStep, Ruleset};

use crate::args::{RulesArgs, read_text};
use crate::commands::played::read_game;
use crate::commands::rulesets::describe;
use crate::draw;
use crate::failure::Failure;
use crate::output::{Output, table};

/// What to study.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File with the game as JSON, or - for standard input: its `ruleset` (and `options`) or
    /// `definition`, the `position` at its start, and its `steps`, each a `move` and what was
    /// `thrown`; or all that `dicepoker --json turn` and `apply` printed in a game, in a row.
    #[arg(default_value = "-")]
    file: PathBuf,

    #[command(flatten)]
    rules: RulesArgs,

    /// Leave out the moves that were best.
    #[arg(long)]
    mistakes: bool,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let (written, game) =
        read_game(&read_text(&args.file)?).map_err(|wrong| Failure::in_file(&args.file, wrong))?;
    let rules = args.rules.read_or(written)?;
    let review = client.review(&rules, game).await?;
    let ruleset = describe(client, &rules).await?;
    output.answer(&review, |review| text(&ruleset, review, args.mistakes))
}

fn text(ruleset: &Ruleset, review: &Review, mistakes: bool) -> String {
    let unit = Unit::of(review);
    let row = |(number, step): (usize, &ReviewedStep)| {
        let best = step.best == step.chosen || step.regret == 0.0;
        vec![
            (number + 1).to_string(),
            (step.player + 1).to_string(),
            draw::faces(ruleset, &step.dice),
            draw::chosen(ruleset, &step.chosen),
            if best { String::new() } else { draw::chosen(ruleset, &step.best) },
            step.grade.to_string(),
            if best { String::new() } else { unit.write(-step.regret) },
            if step.luck == 0.0 { String::new() } else { unit.write(step.luck) },
        ]
    };
    let told = |(_, step): &(usize, &ReviewedStep)| !mistakes || step.regret > 0.0;
    let rows = review.steps.iter().enumerate().filter(told).map(row).collect();
    let header = ["#", "player", "dice", "move", "best was", "grade", "gave up", "luck"];
    let mut text = table(&header, 6, rows);
    text += "\n";
    for (player, of) in review.players.iter().enumerate() {
        let grades: Vec<String> = of
            .grades
            .iter()
            .filter(|grade| grade.count > 0)
            .map(|grade| format!("{} {}", grade.count, grade.grade))
            .collect();
        text += &format!("\nplayer {}: {}", player + 1, grades.join(", "));
        if let (Some(start), Some(end)) = (of.start_value, of.end_value) {
            text += &format!(
                "; expected {start:.1} {:+.1} luck {:+.1} mistakes = {end:.1}",
                of.luck,
                // Nothing has no sign of its own.
                0.0 - of.regret
            );
        } else {
            let (luck, lost) = (unit.write(of.luck), unit.write(-of.regret));
            text += &format!("; luck {luck}, mistakes {lost}");
        }
    }
    text
}

/// What the values of a review are in: points, or the probability to win.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    Points,
    Chance,
}

impl Unit {
    pub(crate) fn of(review: &Review) -> Self {
        let of_chances = review.players.len() > 1
            && review.players.iter().all(|player| player.start_value.is_none());
        if of_chances { Self::Chance } else { Self::Points }
    }

    /// A change, with its sign.
    pub(crate) fn write(self, change: f64) -> String {
        // Nothing has no sign of its own.
        let change = change + 0.0;
        match self {
            Self::Points => format!("{change:+.2}"),
            Self::Chance => format!("{:+.2} %", change * 100.0),
        }
    }
}
