//! `dicepoker review`: the review of a game that `dicepoker play --save` or another program wrote.

use std::path::PathBuf;

use dicepoker_client::proto::{Grade, GradeCount, ReviewedStep};
use dicepoker_client::{Client, Json, ReviewResponse, Ruleset};

use crate::args::RulesArgs;
use crate::documents::{read_game, read_text};
use crate::draw;
use crate::failure::Failure;
use crate::moment::describe;
use crate::output::{Output, table};

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File with the game as JSON, or - for standard input: its `ruleset` (and `options`) or
    /// `definition`, the `position` at its start, and its `steps`, each a `move` and the faces
    /// `thrown`; or the outputs of `dicepoker --json turn` and `apply` of a game, one after the
    /// other.
    #[arg(default_value = "-")]
    file: PathBuf,

    #[command(flatten)]
    rules: RulesArgs,

    /// Leave out the best moves.
    #[arg(long)]
    mistakes: bool,
}

pub(crate) async fn run(client: &Client, args: Args, output: Output) -> Result<(), Failure> {
    let (written, game) =
        read_game(&read_text(&args.file)?).map_err(|wrong| Failure::in_file(&args.file, wrong))?;
    let rules = args.rules.read_or(written)?;
    let review = client.review(&rules, game).await?;
    let ruleset = describe(client, &rules).await?;
    output.answer(&Json(review), |Json(review)| text(&ruleset, review, args.mistakes))
}

fn text(ruleset: &Ruleset, review: &ReviewResponse, mistakes: bool) -> String {
    let unit = Unit::of(review);
    let row = |(number, step): (usize, &ReviewedStep)| {
        let best = step.best_move == step.r#move || step.regret == 0.0;
        vec![
            (number + 1).to_string(),
            (step.player + 1).to_string(),
            draw::faces(ruleset, &step.dice),
            draw::answered(ruleset, step.r#move.as_ref()),
            if best { String::new() } else { draw::answered(ruleset, step.best_move.as_ref()) },
            grade(step.grade()),
            if best { String::new() } else { unit.write(-step.regret) },
            if step.luck == 0.0 { String::new() } else { unit.write(step.luck) },
        ]
    };
    let shown = |(_, step): &(usize, &ReviewedStep)| !mistakes || step.regret > 0.0;
    let rows = review.steps.iter().enumerate().filter(shown).map(row).collect();
    let header = ["#", "player", "dice", "move", "best was", "grade", "gave up", "luck"];
    let mut text = table(&header, 6, rows);
    text += "\n";
    for (player, of) in review.players.iter().enumerate() {
        let grades: Vec<String> = of
            .grades
            .iter()
            .filter(|of| of.count > 0)
            .map(|of: &GradeCount| format!("{} {}", of.count, grade(of.grade())))
            .collect();
        text += &format!("\nplayer {}: {}", player + 1, grades.join(", "));
        if let (Some(start), Some(end)) = (of.start_value, of.end_value) {
            text += &format!(
                "; expected {start:.1} {:+.1} luck {:+.1} mistakes = {end:.1}",
                of.luck,
                // No negative zero.
                0.0 - of.regret
            );
        } else {
            let (luck, lost) = (unit.write(of.luck), unit.write(-of.regret));
            text += &format!("; luck {luck}, mistakes {lost}");
        }
    }
    text
}

/// A grade in lower case: `best`.
pub(crate) fn grade(grade: Grade) -> String {
    grade.as_str_name().trim_start_matches("GRADE_").to_lowercase()
}

/// The unit of a review's values: points, or the probability to win.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    Points,
    Chance,
}

impl Unit {
    pub(crate) fn of(review: &ReviewResponse) -> Self {
        let of_chances = review.players.len() > 1
            && review.players.iter().all(|player| player.start_value.is_none());
        if of_chances { Self::Chance } else { Self::Points }
    }

    /// A change, with its sign.
    pub(crate) fn write(self, change: f64) -> String {
        // No negative zero.
        let change = change + 0.0;
        match self {
            Self::Points => format!("{change:+.2}"),
            Self::Chance => format!("{:+.2} %", change * 100.0),
        }
    }
}
