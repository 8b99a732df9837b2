//! A ruleset with its values, ready for players: what each roll may be recorded as, and turns
//! solved for one card at a time.

use arrayvec::ArrayVec;

use super::turn::{Turn, Worth};
use crate::category::{Category, MAX_CATEGORIES};
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{CardState, Gain, Sheet};
use crate::solve::Values;

/// What recording a roll that is not all dice alike brings, if it pays `points`.
fn plain_gain(sheet: &Sheet, state: CardState, category: Category, points: u16) -> Gain {
    let upper_bonus = sheet.upper_bonus_gain(state, category, points);
    Gain { points, upper_bonus, five_alike_bonus: 0 }
}

/// A solved ruleset at which players play and games are studied. It only borrows; making one
/// costs nothing.
#[derive(Clone, Copy)]
pub struct Game<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) values: &'a (dyn Values + Sync),
}

impl std::fmt::Debug for Game<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("sheet", self.sheet).finish_non_exhaustive()
    }
}

impl<'a> Game<'a> {
    /// The game of `sheet` with its `values`.
    #[must_use]
    pub fn new(sheet: &'a Sheet, values: &'a (dyn Values + Sync)) -> Self {
        Self { sheet, values }
    }

    /// The rules.
    #[must_use]
    pub fn sheet(&self) -> &'a Sheet {
        self.sheet
    }

    /// Expected final score of an empty card under best play.
    #[must_use]
    pub fn optimum(&self) -> f64 {
        self.values.value(CardState::EMPTY)
    }

    /// Points that an average turn is worth under best play: the scale on which players err.
    #[must_use]
    pub fn points_a_turn(&self) -> f64 {
        self.optimum() / self.sheet.categories().len() as f64
    }

    /// What a card in `state` gains further, on average, by recording this gain.
    pub(super) fn further(&self, state: CardState, category: Category, gain: Gain) -> f64 {
        f64::from(gain.total()) + self.values.value(self.sheet.after(state, category, gain.points))
    }

    /// The turn of a card in `state`, solved for points still to be gained.
    ///
    /// # Panics
    /// If the card is complete.
    #[must_use]
    pub fn turn(&self, state: CardState) -> Turn<f64> {
        assert!(state.filled != self.sheet.categories(), "a complete card has no turn");
        turn_of(self.sheet, state, |category, gain| self.further(state, category, gain))
    }

    /// What `chosen` is worth in `position`, given the turn of its card and the worth of
    /// recording.
    pub(super) fn worth_of<W: Worth>(
        &self,
        turn: &Turn<W>,
        position: &Position,
        chosen: Move,
        record: &mut impl FnMut(Category, Gain) -> W,
    ) -> W {
        match (chosen, position.dice()) {
            (Move::Keep(keep), Some(_)) => turn.keep(position.rolls_left() - 1, keep),
            (Move::Keep(_), None) => turn.start(self.sheet.lattice()),
            (Move::Record(category), Some(roll)) => {
                let state = position.card().state(self.sheet);
                let served = position.is_served(self.sheet);
                record(category, self.sheet.gain(state, roll, category, served))
            }
            (Move::Record(_), None) => W::WORST,
        }
    }
}

/// The turn of a card in `state`, by the worth of recording.
pub(super) fn turn_of<W: Worth>(
    sheet: &Sheet,
    state: CardState,
    mut worth: impl FnMut(Category, Gain) -> W,
) -> Turn<W> {
    let later = records(sheet, state, false, &mut worth);
    let first = if sheet.has_served() { records(sheet, state, true, worth) } else { Vec::new() };
    Turn::solve(sheet.lattice(), sheet.rolls(), [later, first])
}

/// The worth of recording each roll in the category that is best by `worth`, which is asked once
/// for all rolls that pay a category the same.
fn records<W: Worth>(
    sheet: &Sheet,
    state: CardState,
    served: bool,
    mut worth: impl FnMut(Category, Gain) -> W,
) -> Vec<W> {
    let classes = sheet.classes(served);
    let open = sheet.categories().without(state.filled);
    let mut worths = vec![W::WORST; classes.len()];
    for category in open.iter() {
        for class in classes.of(category) {
            worths[class] =
                worth(category, plain_gain(sheet, state, category, classes.points(class)));
        }
    }
    let open: ArrayVec<usize, MAX_CATEGORIES> = open.iter().map(Category::index).collect();
    let mut best: Vec<W> = sheet
        .space()
        .all_rolls()
        .map(|roll| {
            let class_of = classes.of_roll(roll);
            let worths = open.iter().map(|&category| worths[usize::from(class_of[category])]);
            worths.fold(W::WORST, W::best)
        })
        .collect();
    for &roll in sheet.special_rolls() {
        let legal = sheet.legal(state, roll).iter();
        let worths = legal.map(|c| worth(c, sheet.gain(state, roll, c, served)));
        best[roll.index()] = worths.fold(W::WORST, W::best);
    }
    best
}
