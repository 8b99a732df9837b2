//! The joker rule: when a roll of all dice alike is a joker, which categories its order allows, and
//! its points.

use super::Sheet;
use super::state::CardState;
use crate::category::{Category, CategorySet};
use crate::definition::JokerPolicy;
use crate::dice::Roll;

impl Sheet {
    /// The face of the joker that `roll` is on a card in `state`, if it is one.
    #[must_use]
    pub fn joker_face(&self, state: CardState, roll: Roll) -> Option<u8> {
        let face = self.alike[roll.index()];
        if face == 0 || self.alike_cells.is_empty() {
            return None;
        }
        let filled = || self.alike_cells.without(state.filled).is_empty();
        let in_force = match self.definition.joker.policy {
            JokerPolicy::None => false,
            JokerPolicy::Free => filled() && self.open_of_face(state, face).is_empty(),
            JokerPolicy::Forced => filled(),
            JokerPolicy::ForcedWhileScored => state.alike_scored,
        };
        in_force.then_some(face)
    }

    /// The empty upper boxes of this face.
    fn open_of_face(&self, state: CardState, face: u8) -> CategorySet {
        self.face_rows[usize::from(face) - 1].without(state.filled)
    }

    /// The categories that the joker's order allows on a card in `state`, open or not; all of them
    /// for a roll that may go anywhere.
    #[must_use]
    pub(crate) fn order(&self, state: CardState, roll: Roll) -> CategorySet {
        let all = self.categories();
        let forced = matches!(
            self.definition.joker.policy,
            JokerPolicy::Forced | JokerPolicy::ForcedWhileScored
        );
        match self.joker_face(state, roll).filter(|_| forced) {
            None => all,
            Some(face) => {
                let rows = self.open_of_face(state, face);
                if !rows.is_empty() {
                    return rows;
                }
                let lower = all.without(self.upper);
                if lower.without(state.filled).is_empty() { all } else { lower }
            }
        }
    }

    /// The points of a joker of this face in `category`, if it fills it.
    #[must_use]
    pub(crate) fn joker_points(&self, category: Category, face: u8) -> Option<i16> {
        let faces = self.space.faces();
        let points = self.joker[category.index() * faces + usize::from(face) - 1];
        self.joker_fills.contains(category).then_some(points)
    }

    /// Whether a roll of all dice alike may be a joker.
    #[must_use]
    pub fn has_joker(&self) -> bool {
        self.definition.joker.policy != JokerPolicy::None
    }
}
