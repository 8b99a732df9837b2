//! Advice: every legal move of a position with its exact expected final score, best first.

use crate::dice::DiceSpace;
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::Sheet;
use crate::solve::{Values, turn};

/// Values closer than this, in points, are held equal: far below what any game can show, and
/// above the rounding of the solver.
pub const EQUAL: f64 = 1e-6;

/// A legal move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The move.
    pub chosen: Move,
    /// Expected final score of the card with this move and best play after it, points on the
    /// card included.
    pub expected: f64,
    /// What the move gives up against the best one, in points.
    pub regret: f64,
}

/// Every legal move of `position`, best first. Moves of equal value (see [`EQUAL`]) stand in
/// this order: recording before keeping, categories in the order of the sheet; keeps of more dice
/// before fewer, then those of the higher faces.
#[must_use]
pub fn rank(sheet: &Sheet, values: &impl Values, position: &Position) -> Vec<Ranked> {
    let card = position.card();
    let state = card.state(sheet);
    let on_card = f64::from(card.totals(sheet).grand_total());
    let Some(tables) = turn(sheet, values, state) else { return Vec::new() };
    let served = position.is_served(sheet);
    let mut moves: Vec<Ranked> = position
        .legal_moves(sheet)
        .map(|chosen| {
            let further = match chosen {
                // A throw made leaves one fewer; the keep is valued by what is left after it.
                Move::Keep(keep) => tables.keep(position.rolls_left() - 1, keep),
                Move::Record(category) => {
                    let roll = position.dice().expect("recording needs dice");
                    let gain = sheet.gain(state, roll, category, served);
                    f64::from(gain.total())
                        + values.value(sheet.after(state, category, gain.points))
                }
            };
            Ranked { chosen, expected: on_card + further, regret: 0.0 }
        })
        .collect();
    order(sheet.space(), &mut moves);
    moves
}

/// Sorts `moves` best first, equal ones by rule, and sets their regrets.
fn order(space: &DiceSpace, moves: &mut [Ranked]) {
    moves.sort_unstable_by(|a, b| {
        b.expected
            .total_cmp(&a.expected)
            .then_with(|| place(space, a.chosen).cmp(&place(space, b.chosen)))
    });
    let mut from = 0;
    while from < moves.len() {
        let best = moves[from].expected;
        let equal = moves[from..].iter().take_while(|m| best - m.expected < EQUAL).count();
        moves[from..from + equal].sort_unstable_by_key(|m| place(space, m.chosen));
        from += equal;
    }
    let best = moves.iter().map(|m| m.expected).fold(f64::NEG_INFINITY, f64::max);
    for ranked in moves {
        ranked.regret = best - ranked.expected;
    }
}

/// The order of equal moves, least first.
fn place(space: &DiceSpace, chosen: Move) -> (bool, usize, usize) {
    match chosen {
        Move::Record(category) => (false, category.index(), 0),
        // Keeps of one size are numbered with the low faces first.
        Move::Keep(keep) => (true, space.dice() - space.size(keep), usize::MAX - keep.index()),
    }
}
