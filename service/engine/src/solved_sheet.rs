//! A ruleset with its values: the values of all records and moves, and turns solved for one card at
//! a time.

use arrayvec::ArrayVec;

use crate::advice::{self, Advisor, EQUAL, MAX_MOVES};
use crate::category::{Category, MAX_CATEGORIES};
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{CardState, Gain, Sheet};
use crate::solve::Values;
use crate::solve::states::value;
use crate::turn_solver::{SolvedTurn, Value};

/// A solved ruleset, which players play and reviews use. It borrows both; making one costs nothing.
#[derive(Clone, Copy)]
pub struct SolvedSheet<'a> {
    pub(crate) sheet: &'a Sheet,
    pub(crate) values: &'a (dyn Values + Sync),
}

impl std::fmt::Debug for SolvedSheet<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolvedSheet").field("sheet", self.sheet).finish_non_exhaustive()
    }
}

impl<'a> SolvedSheet<'a> {
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
        f64::from(self.sheet.starts_with()) + self.values.value(CardState::EMPTY)
    }

    /// The value of an average turn under best play in points: the unit of players' errors.
    #[must_use]
    pub fn points_a_turn(&self) -> f64 {
        (self.optimum() / self.sheet.categories().len() as f64).max(0.01)
    }

    /// The points that a card in `state` still gains on average; 0 if it is complete.
    pub(crate) fn value(&self, state: CardState) -> f64 {
        value(self.sheet, self.values, state)
    }

    /// The points that a card in `state` gains on average from recording this gain on.
    pub(crate) fn further(&self, state: CardState, category: Category, gain: Gain) -> f64 {
        f64::from(gain.total()) + self.value(self.sheet.after(state, category, gain.points))
    }

    /// The turn of a card in `state`, solved for points still to be gained.
    ///
    /// # Panics
    /// If the card is complete.
    #[must_use]
    pub fn turn(&self, state: CardState) -> SolvedTurn<f64> {
        assert!(state.filled != self.sheet.categories(), "a complete card has no turn");
        if !self.sheet.is_plain() {
            return SolvedTurn::other();
        }
        turn_of(self.sheet, state, |category, gain| self.further(state, category, gain))
    }

    /// Every legal move of `position` with the points still to be gained on average. `turn` is that
    /// of its card where the sheet is plain.
    pub(crate) fn move_values(
        &self,
        turn: &SolvedTurn<f64>,
        state: CardState,
        position: &Position,
    ) -> MoveValues {
        if !self.sheet.is_plain() {
            let on_card = f64::from(position.card().totals(self.sheet).grand_total());
            let ranked = advice::rank(self.sheet, self.values, position);
            return ranked
                .into_iter()
                .map(|move_| (move_.chosen, move_.expected - on_card))
                .collect();
        }
        let mut record = |category, gain| self.further(state, category, gain);
        position
            .legal_moves(self.sheet)
            .map(|chosen| (chosen, self.value_of_move(turn, position, chosen, &mut record)))
            .collect()
    }

    /// The same for one decision, in no order: nothing is worked out but what it needs.
    pub(crate) fn further_by_move(&self, position: &Position) -> MoveValues {
        let on_card = f64::from(position.card().totals(self.sheet).grand_total());
        let mut advisor = Advisor::new();
        let values = advisor.value_moves(self.sheet, self.values, position).iter();
        values.map(|value| (value.chosen, value.expected - on_card)).collect()
    }

    /// What `chosen` is worth in `position`, given the turn of its card and the worth of
    /// recording.
    pub(crate) fn value_of_move<W: Value>(
        &self,
        turn: &SolvedTurn<W>,
        position: &Position,
        chosen: Move,
        record: &mut impl FnMut(Category, Gain) -> W,
    ) -> W {
        match (chosen, position.dice()) {
            (Move::Keep(keep), Some(_)) => turn.keep(position.rolls_left() - 1, keep),
            (Move::Keep(_), None) => turn.start(self.sheet.lattice()),
            (Move::Record(category), Some(roll)) => {
                let state = position.card().state(self.sheet);
                record(category, self.sheet.gain(state, roll, category, position.throw(self.sheet)))
            }
            (Move::Record(_), None) | (Move::Announce(_), _) => W::WORST,
        }
    }
}

/// Moves with their values: points still to be gained.
pub(crate) type MoveValues = ArrayVec<(Move, f64), MAX_MOVES>;

/// The best of `moves`; among equal ones ([`EQUAL`]) recording before keeping, categories in the
/// order of the sheet, keeps of more dice before fewer, then those of the higher faces, which is
/// the order of advice.
pub(crate) fn best_of(moves: &[(Move, f64)]) -> (Move, f64) {
    let best = moves.iter().map(|m| m.1).fold(f64::NEG_INFINITY, f64::max);
    let equal = moves.iter().filter(|m| best - m.1 < EQUAL);
    let first = equal.min_by_key(|m| place(m.0)).expect("a position has a legal move");
    (first.0, best)
}

/// The order of equal moves, least first.
pub(crate) fn place(chosen: Move) -> usize {
    match chosen {
        Move::Record(category) => category.index(),
        Move::Announce(category) => MAX_CATEGORIES + category.index(),
        // Keeps are numbered with fewer dice first and, among those of one size, low faces first.
        Move::Keep(keep) => usize::MAX - keep.index(),
    }
}

/// The turn of a card in `state`, by the value of recording.
pub(crate) fn turn_of<W: Value>(
    sheet: &Sheet,
    state: CardState,
    mut worth: impl FnMut(Category, Gain) -> W,
) -> SolvedTurn<W> {
    let later = records(sheet, state, false, &mut worth);
    let first = if sheet.has_served() { records(sheet, state, true, worth) } else { Vec::new() };
    SolvedTurn::solve(sheet.lattice(), sheet.rolls(), [later, first])
}

/// The worth of recording each roll in the category that is best by `worth`, which is asked once
/// for all rolls that pay a category the same.
pub(crate) fn records<W: Value>(
    sheet: &Sheet,
    state: CardState,
    served: bool,
    mut worth: impl FnMut(Category, Gain) -> W,
) -> Vec<W> {
    let classes = sheet.classes(served);
    let open = sheet.categories().without(state.filled);
    let mut move_values = vec![W::WORST; classes.len()];
    for category in open.iter() {
        for class in classes.of(category) {
            move_values[class] =
                worth(category, sheet.gain_of_points(state, category, classes.points(class)));
        }
    }
    let open: ArrayVec<usize, MAX_CATEGORIES> = open.iter().map(Category::index).collect();
    let mut best: Vec<W> = sheet
        .space()
        .all_rolls()
        .map(|roll| {
            let class_of = classes.of_roll(roll);
            let move_values =
                open.iter().map(|&category| move_values[usize::from(class_of[category])]);
            move_values.fold(W::WORST, W::best)
        })
        .collect();
    for &roll in sheet.special_rolls() {
        let legal = sheet.legal(state, roll).iter();
        let move_values = legal.map(|c| worth(c, sheet.gain(state, roll, c, served)));
        best[roll.index()] = move_values.fold(W::WORST, W::best);
    }
    best
}
