//! Scoring on a card: where a roll may be recorded, its points there, and the next state of the
//! card.

use arrayvec::ArrayVec;

use super::Sheet;
use super::state::{CardState, Gain, MAX_TALLIES, Score, Throw};
use crate::category::{Category, CategorySet, MAX_CATEGORIES};
use crate::definition::{ExtraThrows, Served};
use crate::dice::Roll;

/// The scores of a roll in all categories, in the order of the sheet.
pub type Scores = ArrayVec<Score, MAX_CATEGORIES>;

impl Sheet {
    /// The boxes that are open on a card in `state`: those that may be filled next, in announced
    /// columns only once they are announced.
    #[must_use]
    pub fn open(&self, state: CardState) -> CategorySet {
        self.cells.open(state.filled)
    }

    /// The categories in which `roll` may be recorded on a card in `state` without being announced:
    /// the open ones, of which a forced joker leaves some.
    #[must_use]
    pub fn legal(&self, state: CardState, roll: Roll) -> CategorySet {
        let open = self.open(state).without(self.cells.announced());
        let forced = open.and(self.order(state, roll));
        // A forced row that is not open yet does not exclude the others.
        if forced.is_empty() { open } else { forced }
    }

    /// The points that `roll` writes into `category` of a card in `state`. Where the joker's order
    /// forbids the category, the points of the roll itself.
    #[must_use]
    pub fn points(
        &self,
        state: CardState,
        roll: Roll,
        category: Category,
        throw: impl Into<Throw>,
    ) -> i16 {
        let natural = self.points_by_roll(category, throw)[roll.index()];
        if !self.joker_fills.contains(category) {
            return natural;
        }
        match self.joker_face(state, roll) {
            Some(face) if self.legal(state, roll).contains(category) => {
                let faces = self.space.faces();
                natural.max(self.joker[category.index() * faces + usize::from(face) - 1])
            }
            _ => natural,
        }
    }

    /// What recording `roll` in `category` brings on a card in `state`.
    #[must_use]
    pub fn gain(
        &self,
        state: CardState,
        roll: Roll,
        category: Category,
        throw: impl Into<Throw>,
    ) -> Gain {
        let points = self.points(state, roll, category, throw);
        let five_alike_bonus = self.five_alike_gain(state, roll) * self.column_weight(category);
        Gain { five_alike_bonus, ..self.gain_of_points(state, category, points) }
    }

    /// What recording `points` in `category` brings on a card in `state`, but for the bonus for
    /// all dice alike.
    #[must_use]
    pub fn gain_of_points(&self, state: CardState, category: Category, points: i16) -> Gain {
        let mut upper_bonus = self.upper_bonus_gain(state, category, points);
        let mut other = i32::from(points) * (self.weight(category) - 1);
        if self.tallies.members().contains(category) {
            let (brought, _) = self.tallies.record(
                &mut { state.tallies },
                state.filled.with(category),
                category,
                points,
            );
            upper_bonus += brought.upper_bonus;
            other += brought.other();
        }
        Gain { points, upper_bonus, five_alike_bonus: 0, other }
    }

    /// The gains of `roll` in every category of a card in `state`, filled ones included:
    /// [`Sheet::gain`] and [`Sheet::legal`] for each, at the cost of one.
    pub fn score_all(
        &self,
        state: CardState,
        roll: Roll,
        throw: impl Into<Throw>,
        scores: &mut Scores,
    ) {
        let classes = self.classes(throw);
        let joker = self.joker_face(state, roll);
        let legal = self.legal(state, roll);
        let five_alike_bonus = self.five_alike_gain(state, roll);
        scores.clear();
        for (category, &class) in self.categories().iter().zip(classes.of_roll(roll)) {
            let legal = legal.contains(category);
            let mut points = classes.points(class.into());
            if let Some(joker) = joker.filter(|_| legal) {
                points = points.max(self.joker_points(category, joker).unwrap_or(0));
            }
            let gain = self.gain_of_points(state, category, points);
            let five_alike_bonus = five_alike_bonus * self.column_weight(category);
            scores.push(Score { category, gain: Gain { five_alike_bonus, ..gain }, legal });
        }
    }

    /// The bonus for rolling all dice alike again on a card in `state`, in a column of weight 1.
    #[must_use]
    pub fn five_alike_gain(&self, state: CardState, roll: Roll) -> i32 {
        let again = state.alike_scored && self.alike[roll.index()] > 0;
        if again { self.definition.five_alike_bonus.into() } else { 0 }
    }

    /// The factor of bonuses of the column of `category`.
    pub(crate) fn column_weight(&self, category: Category) -> i32 {
        let column = self.definition.columns.get(self.cells.get(category).column);
        column.map_or(1, |column| column.weight.into())
    }

    /// The upper bonus of a single column that recording `points` in `category` brings on a card
    /// in `state`.
    pub(crate) fn upper_bonus_gain(
        &self,
        state: CardState,
        category: Category,
        points: i16,
    ) -> i32 {
        if self.upper_cap == 0 || !self.upper.contains(category) {
            return 0;
        }
        let sum = i32::from(state.upper) + i32::from(points);
        let more =
            i32::from(self.upper_bonus(sum)) - i32::from(self.upper_bonus(state.upper.into()));
        more * self.column_weight(category)
    }

    /// The upper bonuses earned by an upper section of this sum, on a sheet of one column.
    #[must_use]
    pub fn upper_bonus(&self, sum: i32) -> u16 {
        self.upper_bonus[sum.clamp(0, self.upper_cap.into()) as usize]
    }

    /// The state of a card after `points` were recorded in `category`. Throws that were saved or
    /// bought stay as they are.
    #[must_use]
    pub fn after(&self, state: CardState, category: Category, points: i16) -> CardState {
        let mut next = CardState { filled: state.filled.with(category), ..state };
        if self.wins_with(category, points) {
            next.filled = self.categories();
            next.tallies = [0; MAX_TALLIES];
            return next;
        }
        if self.upper.contains(category) {
            let upper = i32::from(state.upper) + i32::from(points);
            next.upper = upper.clamp(0, self.upper_cap.into()) as u16;
        }
        let mut scored = points > 0 && self.tracks_alike() && self.alike_cells.contains(category);
        if self.tallies.members().contains(category) {
            let sums = &mut next.tallies;
            let (_, all) = self.tallies.record(sums, next.filled, category, points);
            scored &= all || self.alike_cells.len() == 1;
        }
        next.alike_scored |= scored;
        next
    }

    /// The points of an empty card: bonuses whose first step is at 0.
    #[must_use]
    pub fn starts_with(&self) -> i32 {
        self.tallies.at_start()
    }

    /// Which throw a roll is after so many throws of its turn before it; `whole` if all dice were
    /// thrown at once.
    pub(crate) fn throw(&self, before: usize, whole: bool) -> Throw {
        match self.definition.served {
            Served::FirstRoll => Throw::number(before),
            Served::WholeThrow if whole => Throw::SERVED,
            Served::WholeThrow => Throw::number(before.max(1)),
        }
    }

    /// How many throws may be bought in a game, and what each costs.
    pub(crate) fn bought(&self) -> Option<(u8, u16)> {
        match self.definition.extra_throws {
            ExtraThrows::Bought(bought) => Some((bought.number, bought.price)),
            _ => None,
        }
    }

    /// Whether throws that a turn does not use are kept for later ones.
    pub(crate) fn saves_throws(&self) -> bool {
        self.definition.extra_throws == ExtraThrows::Saved
    }
}
