//! Moves at score sheets that no player should make, found from the rules alone.

use dicepoker_engine::definition::ExtraThrows;
use dicepoker_engine::moves::Move;
use dicepoker_engine::opponent::PlayedTurn;
use dicepoker_engine::position::Position;
use dicepoker_engine::sheet::Sheet;

/// Points that count as lost.
const LOST: f64 = 1e-3;

/// How many moves of a turn, played from `start`, another legal move beats whatever the dice show: a
/// record of the least that its row can pay while throws are left, though more was to be had; in the
/// last row, a throw where its most lies on the table, and three or more dice alike broken up where only
/// all alike pay. `cap` is the greatest regret as a share of the stake; moves beyond it count too.
pub(crate) fn count(sheet: &Sheet, start: &Position, turn: &PlayedTurn, cap: f64) -> u32 {
    let mut now = start.clone();
    let mut faults = 0;
    for step in &turn.steps {
        let costly = step.regret > LOST;
        let beyond = step.regret > cap * step.stake + LOST;
        faults += u32::from(beyond || costly && is_foolish(sheet, &now, turn, step.chosen));
        now = now.play(sheet, step.chosen, &step.thrown).expect("legal").position;
    }
    faults
}

fn is_foolish(sheet: &Sheet, now: &Position, turn: &PlayedTurn, chosen: Move) -> bool {
    let (Some(dice), true) = (now.dice(), now.rolls_left() > 0) else { return false };
    let last = turn.steps.last().and_then(|step| step.recorded);
    let Some((row, gain)) = last else { return false };
    let possible = sheet.possible_points(row);
    match chosen {
        // A throw that is not used may be worth something later.
        Move::Record(_) => {
            let lost = sheet.definition().extra_throws == ExtraThrows::None;
            let nothing_else = gain.total() == i32::from(gain.points);
            lost && nothing_else && possible.first() == Some(&gain.points)
        }
        Move::Keep(keep) if sheet.is_plain() => {
            let filled = now.card().filled();
            if sheet.categories().without(filled).len() != 1 {
                return false;
            }
            let gain = sheet.gain(now.card().state(sheet), dice, row, false);
            let more = sheet.definition().five_alike_bonus > 0;
            let most = !more && possible.last() == Some(&gain.points);
            let alike = |counts: &[u8]| counts.iter().copied().max();
            let space = sheet.space();
            let shown = alike(space.roll_counts(dice));
            let broken = shown >= Some(3) && alike(space.counts(keep)) < shown;
            most || sheet.alike_row() == Some(row) && broken
        }
        Move::Keep(_) | Move::Announce(_) => false,
    }
}
