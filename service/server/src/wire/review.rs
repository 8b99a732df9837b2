//! Reviews of games.

use dicepoker_engine::statistics::{GRADES, Grade, PlayerReview};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::error::Error;

/// The most steps of a record: more than any game of a score sheet takes.
const MOST_STEPS: usize = 4096;

/// Reads the steps of a record by `read`, which reports the violations of one.
pub(crate) fn read_steps<M>(
    steps: &[pb::TurnStep],
    read: impl Fn(&pb::TurnStep, &mut Violations) -> Option<M>,
) -> Result<Vec<M>, Error> {
    if !(1..=MOST_STEPS).contains(&steps.len()) {
        let wrong = format!("{} steps: must be 1 to {MOST_STEPS}", steps.len());
        return Err(Error::invalid("steps", wrong));
    }
    let mut found = Violations::new();
    let mut moves = Vec::with_capacity(steps.len());
    for (i, step) in steps.iter().enumerate() {
        let mut wrong = Violations::new();
        moves.extend(read(step, &mut wrong));
        found.extend_under(&format!("steps[{i}]"), wrong);
    }
    found.or(moves).map_err(Error::Invalid)
}

/// Rejects steps whose `dice` are not those on the table.
pub(crate) fn same_dice(
    steps: &[pb::TurnStep],
    on_table: impl Iterator<Item = Vec<u32>>,
) -> Result<(), Error> {
    let mut found = Violations::new();
    for (i, (step, on_table)) in steps.iter().zip(on_table).enumerate() {
        let mut dice = step.dice.clone();
        dice.sort_unstable();
        if !dice.is_empty() && dice != on_table {
            let what = format!("must be the dice on the table, {on_table:?}, or left out");
            found.push(format!("steps[{i}].dice"), what);
        }
    }
    found.or(()).map_err(Error::Invalid)
}

/// Writes a grade.
pub(crate) fn write_grade(grade: Grade) -> pb::Grade {
    match grade {
        Grade::Best => pb::Grade::Best,
        Grade::Good => pb::Grade::Good,
        Grade::Inaccuracy => pb::Grade::Inaccuracy,
        Grade::Mistake => pb::Grade::Mistake,
        Grade::Blunder => pb::Grade::Blunder,
    }
}

/// Writes the sums of a game for a player, with its values at start and end if `valued`.
pub(crate) fn write_player(player: &PlayerReview, valued: bool) -> pb::PlayerReview {
    let grades = GRADES.iter().zip(player.grades);
    pb::PlayerReview {
        start_value: valued.then_some(player.start_value),
        end_value: valued.then_some(player.end_value),
        luck: player.luck,
        regret: player.regret,
        grades: grades
            .map(|(&(grade, _), count)| pb::GradeCount { grade: write_grade(grade).into(), count })
            .collect(),
    }
}
