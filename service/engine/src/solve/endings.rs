//! The last turns of a game, solved exactly on top of values that are estimates: cards that few
//! others follow.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Values;
use super::rounds::{Ahead, Slots, ahead_each};
use super::stages::Stage;
use super::states::Turn;
use crate::category::CategorySet;
use crate::sheet::{CardState, Sheet};

/// Steps of the turns of all cards that may follow, see [`work`]: a fraction of a millisecond.
const MOST_WORK: usize = 2_000_000;

/// Values of a sheet, exact on cards near their end. Works for states in which columns that are alike
/// are filled in any order.
#[derive(Debug)]
pub(crate) struct Endings<'a, V: ?Sized> {
    sheet: &'a Sheet,
    values: &'a V,
    most_work: usize,
    known: RefCell<HashMap<CardState, f64>>,
    /// Room to work in, one for each turn of the recursion.
    turns: RefCell<Vec<Turn>>,
}

impl<'a, V: Values + ?Sized> Endings<'a, V> {
    pub(crate) fn new(sheet: &'a Sheet, values: &'a V) -> Self {
        let most_work = if values.is_exact() { 0 } else { MOST_WORK };
        let (known, turns) = (RefCell::default(), RefCell::default());
        Self { sheet, values, most_work, known, turns }
    }

    /// Whether the rest of the game of a card in `state` is solved.
    pub(super) fn solves(&self, state: CardState) -> bool {
        self.most_work > 0 && work(self.sheet, state, self.most_work) <= self.most_work
    }

    /// Forgets the cards of other games.
    pub(super) fn forget(&self) {
        self.known.borrow_mut().clear();
    }
}

impl<V: Values + ?Sized> Values for Endings<'_, V> {
    fn value(&self, state: CardState) -> f64 {
        if state.filled == self.sheet.categories() {
            return 0.0;
        }
        let state = self.sheet.canonical(state);
        if !self.solves(state) {
            return self.values.value(state);
        }
        if let Some(&value) = self.known.borrow().get(&state) {
            return value;
        }
        let mut turn = self.turns.borrow_mut().pop().unwrap_or_default();
        let value = turn.value(self.sheet, self, state);
        self.turns.borrow_mut().push(turn);
        self.known.borrow_mut().insert(state, value);
        value
    }

    fn is_exact(&self) -> bool {
        self.values.is_exact()
    }
}

impl<V: Ahead> Ahead for Endings<'_, V> {
    fn ahead(
        &self,
        sheet: &Sheet,
        slots: &Slots,
        state: CardState,
        open: CategorySet,
        worth: &mut [f32],
    ) {
        let mut solved = CategorySet::EMPTY;
        for category in open.iter() {
            let mut after = state;
            after.filled = after.filled.with(category);
            if self.solves(after) {
                solved = solved.with(category);
            }
        }
        self.values.ahead(sheet, slots, state, open.without(solved), worth);
        ahead_each(self, sheet, slots, state, solved, worth);
    }
}

/// About the steps that solving the rest of a game takes; more than `most` are not counted on.
fn work(sheet: &Sheet, state: CardState, most: usize) -> usize {
    let open = sheet.categories().without(state.filled);
    let lattice = sheet.lattice();
    let announced = open.and(sheet.cells().announced()).len();
    let stages = Stage::of_turn(sheet, state).len();
    let keeps = sheet.pairs().map_or(lattice.keeps, |pairs| pairs.len);
    let mut work = keeps * (lattice.faces + 4) * stages * (1 + announced);
    let by_points = sheet.leads_by_points();
    for category in open.iter() {
        // The box is still open, or holds one of these points.
        let kinds =
            if by_points.contains(category) { sheet.possible_points(category).len() } else { 1 };
        work = work.saturating_mul(1 + kinds);
        if work > most {
            break;
        }
    }
    work
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;
    use crate::solve::rounds::{Rounds, Seat};
    use crate::solve::{Solution, Training};

    #[test]
    fn the_last_turns_are_those_of_best_play() {
        let rulesets = Ruleset::built_in();
        for id in ["crag", "kniffel", "kosci", "generala"] {
            let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
            let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
            let best = Solution::solve(&sheet, 1).expect("within the budget");
            let learned = Training { turns: 1, seed: 1, stopped: None }.run(&sheet);
            let endings = Endings::new(&sheet, &learned);
            let mut rounds = Rounds::new(&sheet);
            let (mut seats, mut played) = (vec![Seat::new(0, 1, 1)], Vec::new());
            let (mut estimated, mut solved) = (0, 0);
            while seats[0].state.filled != sheet.categories() {
                let state = seats[0].state;
                if endings.solves(state) {
                    let (value, best) = (endings.value(state), best.value(state));
                    assert!((value - best).abs() < 1e-3, "{id}: {value}, not {best}: {state:?}");
                    solved += 1;
                } else {
                    assert_eq!(endings.value(state), learned.value(state));
                    estimated += 1;
                }
                rounds.play(&endings, &mut seats, &mut played);
                seats[0].state = played[0].after;
            }
            assert!(estimated >= 1 && solved >= 2, "{id}: {estimated} estimated, {solved} solved");
        }
    }
}
