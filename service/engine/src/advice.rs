//! Advice: every legal move of a position with its expected final score, best first.
//!
//! The table of a solved sheet has the value of every card at the start of a turn; the values of the
//! current turn are computed per position, one die at a time, in a few microseconds. An
//! [`Advisor`] keeps its memory between positions, so that ranking allocates only the result.

use arrayvec::ArrayVec;

use crate::category::{CategorySet, MAX_CATEGORIES};
use crate::dice::{MAX_DICE, Roll};
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{CardState, Sheet};
use crate::solve::Values;
use crate::solve::endings::Endings;
use crate::solve::kernel::{One, keep_values, raise_dense, raise_keeps, raise_rolls};
use crate::solve::stages::Stage;
use crate::solve::states::Turn;

/// Moves closer than this, in points, count as equal and have the same value: it is the rounding error of a
/// table in single precision.
pub const EQUAL: f64 = 5e-5;

/// The most moves a position can have: every proper part of a roll, and every category to record in
/// or to announce.
pub const MAX_MOVES: usize = (1 << MAX_DICE) - 1 + 2 * MAX_CATEGORIES;

/// A legal move and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The move.
    pub chosen: Move,
    /// Expected final score of the card with this move and best play after it, points on the
    /// card included.
    pub expected: f64,
    /// Regret: the difference to the value of the best move, in points.
    pub regret: f64,
}

/// Every legal move of `position`, best first, see [`Advisor::rank`].
#[must_use]
pub fn rank(sheet: &Sheet, values: &(impl Values + ?Sized), position: &Position) -> Vec<Ranked> {
    Advisor::new().rank(sheet, values, position).to_vec()
}

/// Ranks moves, and reuses its memory from one position to the next, also of another sheet.
#[derive(Clone, Debug, Default)]
pub struct Advisor {
    /// `[keep, then roll]`: values of the turn.
    rows: Vec<f64>,
    /// `[class of roll]`: value of recording a roll of this class in its category.
    recorded: Vec<f64>,
    /// Turns that are not plain.
    turn: Turn,
    moves: ArrayVec<Ranked, MAX_MOVES>,
}

impl Advisor {
    /// An advisor without memory; ranking allocates it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Every legal move of `position`, best first; none if the card of the player to move is
    /// complete. `values` are those of `sheet`.
    ///
    /// Moves of equal value (see [`EQUAL`]) are in this order: recording before keeping,
    /// categories in the order of the sheet; keeps of more dice before fewer, then those of the
    /// higher faces.
    pub fn rank(
        &mut self,
        sheet: &Sheet,
        values: &(impl Values + ?Sized),
        position: &Position,
    ) -> &[Ranked] {
        self.value_moves(sheet, values, position);
        order(&mut self.moves);
        &self.moves
    }

    /// Every legal move of `position` in no order, each with its own value and no regret; see
    /// [`Advisor::rank`].
    pub(crate) fn value_moves(
        &mut self,
        sheet: &Sheet,
        values: &(impl Values + ?Sized),
        position: &Position,
    ) -> &[Ranked] {
        self.moves.clear();
        let card = position.card();
        let state = card.state(sheet);
        if state.filled == sheet.categories() {
            return &self.moves;
        }
        let values = &Endings::new(sheet, values);
        let on_card = f64::from(card.totals(sheet).grand_total());
        match position.dice() {
            // Before the first throw there is nothing to decide.
            None => self.push(Move::Keep(crate::dice::Keep::EMPTY), on_card + values.value(state)),
            Some(roll) => {
                self.push_records(sheet, values, position, roll, on_card);
                if !sheet.has_plain_turns() {
                    self.push_stages(sheet, values, position, on_card);
                } else if position.rolls_left() > 0 {
                    self.solve_turn(sheet, values, state, position.rolls_left());
                    for keep in sheet.space().keeps_of(roll) {
                        let further = self.rows[keep.index()];
                        self.push(Move::Keep(keep), on_card + further);
                    }
                }
            }
        }
        &self.moves
    }

    fn push(&mut self, chosen: Move, expected: f64) {
        self.moves.push(Ranked { chosen, expected, regret: 0.0 });
    }

    fn push_records(
        &mut self,
        sheet: &Sheet,
        values: &impl Values,
        position: &Position,
        roll: Roll,
        on_card: f64,
    ) {
        let state = record_state(sheet, position);
        let throw = position.throw(sheet);
        for category in position.records(sheet).iter() {
            let gain = sheet.gain(state, roll, category, throw);
            let further = values.value(sheet.after(state, category, gain.points));
            self.push(Move::Record(category), on_card + f64::from(gain.total()) + further);
        }
    }

    /// Adds the keeps and the announcements of a turn of any kind.
    fn push_stages(
        &mut self,
        sheet: &Sheet,
        values: &impl Values,
        position: &Position,
        on_card: f64,
    ) {
        let Some(roll) = position.dice() else { return };
        let state = position.card().state(sheet);
        let here = Stage::at(sheet, position.rolls_left(), state.extra_throws);
        let further = here.onwards(sheet).split_off(1);
        self.turn.forget();
        if position.may_throw(sheet) {
            self.turn.keeps(sheet, values, state, position.announced(), &further);
            for keep in sheet.space().keeps_of(roll) {
                if sheet.space().contains(keep, position.kept()) {
                    self.push(Move::Keep(keep), on_card + self.turn.rows.rows[keep.index()]);
                }
            }
        }
        for category in position.announcements(sheet).iter() {
            self.turn.keeps(sheet, values, state, Some(category), &further);
            let recorded = here.state(state);
            let gain = sheet.gain(recorded, roll, category, position.throw(sheet));
            let after = sheet.after(recorded, category, gain.points);
            let record = f64::from(gain.total()) + values.value(after);
            let keeps = sheet.space().keeps_of(roll).filter(|_| !further.is_empty());
            let best = keeps.map(|keep| self.turn.rows.rows[keep.index()]).fold(record, f64::max);
            self.push(Move::Announce(category), on_card + best);
        }
    }

    /// Sets the row of every keep to its value with `left` throws left, the throw that it makes
    /// included.
    fn solve_turn(&mut self, sheet: &Sheet, values: &impl Values, state: CardState, left: u8) {
        let lattice = sheet.lattice();
        self.rows.clear();
        self.rows.resize(lattice.keeps + lattice.rolls, 0.0);
        self.record_rolls(sheet, values, state);
        for throw in 1..=left {
            keep_values(One, lattice, &mut self.rows);
            if throw < left {
                raise_keeps(One, lattice, &mut self.rows);
                raise_rolls(One, lattice, &mut self.rows);
            }
        }
    }

    /// Sets the row of every roll to the value of recording it in its best category. No roll is the
    /// first of its turn.
    fn record_rolls(&mut self, sheet: &Sheet, values: &impl Values, state: CardState) {
        let classes = sheet.classes(false);
        let open = sheet.open(state);
        let by_points = sheet.leads_by_points();
        self.recorded.clear();
        self.recorded.resize(classes.len(), 0.0);
        for category in open.iter() {
            let mut after = None;
            for class in classes.of(category) {
                let points = classes.points(class);
                let next = || sheet.after(state, category, points);
                let known = after.filter(|_| !by_points.contains(category));
                let further = known.unwrap_or_else(|| values.value(next()));
                after = Some(further);
                let gain = sheet.gain_of_points(state, category, points);
                self.recorded[class] = f64::from(gain.total()) + further;
            }
        }
        // As in solving, one miss represents all rolls that a category with few paying rolls does not pay.
        let sparse = open.and(classes.sparse());
        let miss = sparse
            .iter()
            .map(|category| self.recorded[classes.of(category).start])
            .fold(f64::NEG_INFINITY, f64::max);
        let rolls = &mut self.rows[sheet.lattice().keeps..];
        rolls.fill(miss);
        raise_dense(One, classes, open.without(sparse), &self.recorded, rolls);
        for category in sparse.iter() {
            for &(roll, class) in classes.paid(category) {
                let roll = &mut rolls[usize::from(roll)];
                *roll = roll.max(self.recorded[usize::from(class)]);
            }
        }
        for &roll in sheet.special_rolls() {
            let legal = sheet.legal(state, roll);
            rolls[roll.index()] = best_record(sheet, values, state, roll, legal);
        }
    }
}

/// The state of the card in which the roll on the table is recorded, bought throws included.
fn record_state(sheet: &Sheet, position: &Position) -> CardState {
    let state = position.card().state(sheet);
    Stage::at(sheet, position.rolls_left(), state.extra_throws).state(state)
}

/// The value of recording `roll` in the best of these categories.
fn best_record(
    sheet: &Sheet,
    values: &impl Values,
    state: CardState,
    roll: Roll,
    legal: CategorySet,
) -> f64 {
    legal
        .iter()
        .map(|category| {
            let gain = sheet.gain(state, roll, category, false);
            f64::from(gain.total()) + values.value(sheet.after(state, category, gain.points))
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Sorts `moves` best first, equal ones by rule, and sets their regrets.
fn order(moves: &mut [Ranked]) {
    moves.sort_unstable_by(|a, b| {
        b.expected.total_cmp(&a.expected).then_with(|| place(a.chosen).cmp(&place(b.chosen)))
    });
    let best = moves.first().map_or(0.0, |ranked| ranked.expected);
    let mut from = 0;
    while from < moves.len() {
        let most = moves[from].expected;
        let equal = moves[from..].iter().take_while(|m| most - m.expected < EQUAL).count();
        let group = &mut moves[from..from + equal];
        group.sort_unstable_by_key(|ranked| place(ranked.chosen));
        for ranked in group {
            ranked.expected = most;
            ranked.regret = best - most;
        }
        from += equal;
    }
}

/// The order of equal moves, least first.
fn place(chosen: Move) -> usize {
    match chosen {
        Move::Record(category) => category.index(),
        Move::Announce(category) => MAX_CATEGORIES + category.index(),
        // Keeps are numbered with fewer dice first and, among those of one size, low faces first.
        Move::Keep(keep) => usize::MAX - keep.index(),
    }
}
