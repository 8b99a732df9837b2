//! Dominated moves, which no player makes: those that another move beats with any dice of the turn, and
//! hopeless ones in the last row.
//!
//! A move beats another one if no dice make it worse and some make it better. Three comparisons find
//! most such moves: a move with one whose least outcome is as good as its best; a keep with one that
//! throws the same dice, or some of them, and is worth as much whatever they and the others show (three
//! alike are never broken up where only five alike pays); and, where the turn is not solved roll by
//! roll, a record of the least that its row can pay with throwing on and recording there in the end.

use arrayvec::ArrayVec;

use crate::advice::MAX_MOVES;
use crate::dice::Roll;
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{Lattice, Sheet};

/// With one row open, nobody makes a move that is worth less than this share of the best one, though
/// there are dice that would prove it right: three alike are not thrown away for a pair.
const HOPELESS: f64 = 1.0 / 3.0;

/// Which of the moves of `position` with these `values` another one beats. `roll` is the worth of a
/// roll with so many throws left, in the same measure, and asked only of plain sheets
/// ([`Sheet::is_plain`]). Values closer than `equal` are the same.
pub(crate) fn dominated(
    sheet: &Sheet,
    position: &Position,
    values: &[(Move, f64)],
    equal: f64,
    roll: impl Fn(u8, Roll) -> f64,
) -> ArrayVec<bool, MAX_MOVES> {
    let (Some(dice), Some(left)) = (position.dice(), position.rolls_left().checked_sub(1)) else {
        return values.iter().map(|_| false).collect();
    };
    let best = values.iter().map(|value| value.1).fold(f64::NEG_INFINITY, f64::max);
    if !sheet.is_plain() {
        let wasted = |&(chosen, value): &(Move, f64)| {
            value < best - equal && gains_nothing(sheet, position, dice, chosen)
        };
        return values.iter().map(wasted).collect();
    }
    let outcomes = Outcomes::new(sheet.lattice(), equal, |dice| roll(left, dice));
    let filled = position.card().filled();
    let last = sheet.categories().without(filled).len() == 1;
    let hopeless = |value: f64| last && value < HOPELESS * best - equal;
    let beaten = |one: (Move, f64)| values.iter().any(|&other| outcomes.beats(other, one));
    values.iter().map(|&one| hopeless(one.1) || beaten(one)).collect()
}

/// Whether a move records the least that a row can pay, in a game in which a throw that is left over
/// is worth nothing later.
fn gains_nothing(sheet: &Sheet, position: &Position, dice: Roll, chosen: Move) -> bool {
    let Move::Record(category) = chosen else { return false };
    let state = position.card().state(sheet);
    let gain = sheet.gain(state, dice, category, position.throw(sheet));
    let least = sheet.possible_points(category).first().copied().unwrap_or(0);
    !sheet.saves_throws() && gain.total() == gain.points.into() && gain.points <= least
}

/// The least and the greatest worth of what dice may become with one throw, by row of the lattice.
struct Outcomes<'s> {
    lattice: &'s Lattice,
    equal: f64,
    least: Vec<f64>,
    most: Vec<f64>,
}

impl<'s> Outcomes<'s> {
    fn new(lattice: &'s Lattice, equal: f64, worth: impl Fn(Roll) -> f64) -> Self {
        let mut least = vec![0.0; lattice.keeps];
        least.extend((0..lattice.rolls).map(|roll| worth(Roll::at(roll))));
        let mut most = least.clone();
        for keep in (0..lattice.keeps).rev() {
            let more = &lattice.more[keep * lattice.faces..][..lattice.faces];
            let of = |worths: &[f64], best: fn(f64, f64) -> f64| {
                more.iter().map(|&row| worths[usize::from(row)]).reduce(best).unwrap_or(0.0)
            };
            (least[keep], most[keep]) = (of(&least, f64::min), of(&most, f64::max));
        }
        Self { lattice, equal, least, most }
    }

    /// Whether `move_` beats `other`.
    fn beats(&self, move_: (Move, f64), other: (Move, f64)) -> bool {
        if move_.1 < other.1 + self.equal {
            return false;
        }
        match (move_.0, other.0) {
            (Move::Keep(keep), Move::Keep(fewer)) => {
                let (keep, fewer) = (keep.index(), fewer.index());
                // Keeps are numbered with fewer dice first.
                self.as_good(keep, fewer, 0)
            }
            (Move::Keep(keep), Move::Record(_)) => self.least[keep.index()] >= other.1,
            (Move::Record(_), Move::Keep(keep)) => move_.1 >= self.most[keep.index()],
            // No dice fall between two records.
            _ => false,
        }
    }

    /// Whether dice of row `more` with any thrown to them are worth as much as those of row `fewer`
    /// with the same and, as there are fewer of them, any others. Faces below `from` have been tried.
    fn as_good(&self, more: usize, fewer: usize, from: usize) -> bool {
        let Lattice { faces, keeps, .. } = *self.lattice;
        if self.least[more] >= self.most[fewer] {
            return true;
        }
        if self.most[more] < self.most[fewer] || self.least[more] < self.least[fewer] {
            return false;
        }
        let with = |row: usize, face| usize::from(self.lattice.more[row * faces + face]);
        // Here `most[fewer]` is above `least[more]`, so that dice are still to fall.
        more < keeps
            && fewer < keeps
            && (from..faces).all(|face| self.as_good(with(more, face), with(fewer, face), face))
    }
}
