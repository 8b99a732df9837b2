//! How players err in any game: a choice among moves by their regret and the stake of the decision.
//!
//! A move is drawn by quantal response: its odds fall with what it seems to give up, as a share of
//! the stake of the decision, and with its place among the moves considered. So a player errs as
//! often in a poor position, or late in a game, as where much is to be won. Only the few moves that
//! look best are considered, as people do; over thirty moves the bad ones would win by their number.

use serde::{Deserialize, Serialize};

use super::draw;

/// How a player errs. Shares are of the [`stake`] of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// The regret with odds 1 : e against the best move, in shares of the stake; at 0 the move that
    /// looks best is always chosen.
    pub temperature: f64,
    /// The greatest regret of a chosen move; 0 is perfect play.
    pub cap: f64,
    /// The share that throwing again seems to cost, because players overvalue what is certain.
    /// Below 0 the
    /// player likes to throw.
    pub caution: f64,
    /// The number of moves considered: those that look best.
    pub considered: usize,
}

/// The effect of a move on the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Throws dice.
    Throw,
    /// Records what is on the table.
    Settle,
    /// Worse than another legal move for all dice. No player makes it.
    Dominated,
}

/// A legal move to choose from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Its value, in any unit.
    pub value: f64,
    /// Its value as the player sees it.
    pub apparent: f64,
    /// Its effect on the turn.
    pub kind: MoveKind,
}

impl Candidate {
    /// A move that the player sees without error.
    #[must_use]
    pub fn new(value: f64, kind: MoveKind) -> Self {
        Self { value, apparent: value, kind }
    }
}

/// What a decision is about: the best value less the median one. Of an even number of values the
/// worse of the two in the middle counts, so that of two moves one is the stake of the other.
#[must_use]
pub fn stake(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    let middle = values.len() / 2;
    if middle == 0 {
        return 0.0;
    }
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    (values[0] - values[middle]).max(0.0)
}

/// The weight of a move's rank among those considered against its apparent regret: the farther the
/// second best move is behind, the less its regret affects how often it is taken for the best.
const PLACE: f64 = 0.6;

/// Stakes below this share of the values are rounding errors.
const NOISE: f64 = 1e-9;

impl Errors {
    /// Perfect play.
    pub const NONE: Self = Self { temperature: 0.0, cap: 0.0, caution: 0.0, considered: 1 };

    /// The index of the candidate that the player chooses by `seed` at `moment` of a game: the same
    /// one on every platform. Equal candidates stand in order of preference.
    ///
    /// # Panics
    /// If there is no candidate.
    #[must_use]
    pub fn choose(&self, candidates: &[Candidate], seed: u64, moment: u64) -> usize {
        let best = candidates.iter().map(|c| c.value).fold(f64::NEG_INFINITY, f64::max);
        let noise = NOISE * best.abs().max(1.0);
        let at_stake = stake(candidates.iter().map(|c| c.value));
        let seen_stake = stake(candidates.iter().map(|c| c.apparent)).max(noise);
        let allowed = |c: &Candidate| {
            c.kind != MoveKind::Dominated && best - c.value <= self.cap * at_stake + noise
        };
        let mut seen: Vec<(usize, f64)> = candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| allowed(candidate))
            .map(|(index, candidate)| {
                let cost = if candidate.kind == MoveKind::Throw { self.caution } else { 0.0 };
                (index, candidate.apparent - cost * seen_stake)
            })
            .collect();
        // A stable sort, so that equal ones stay in order.
        seen.sort_by(|a, b| b.1.total_cmp(&a.1));
        seen.truncate(self.considered.max(1));
        if self.temperature <= 0.0 || seen_stake <= noise {
            return seen[0].0;
        }
        let looks_worse = |(place, &(_, apparent)): (usize, &(usize, f64))| {
            let share = (seen[0].1 - apparent) / seen_stake;
            (1.0 - PLACE) * share + PLACE * place as f64 / self.considered as f64
        };
        let odds = |move_seen| draw::decay(looks_worse(move_seen) / self.temperature);
        let weights: Vec<f64> = seen.iter().enumerate().map(odds).collect();
        seen[draw::select(&weights, draw::uniform(seed, moment))].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYER: Errors = Errors { temperature: 0.5, cap: 0.5, caution: 0.0, considered: 4 };

    fn shares(errors: Errors, values: &[(f64, MoveKind)]) -> Vec<f64> {
        let candidates: Vec<_> = values.iter().map(|&(v, kind)| Candidate::new(v, kind)).collect();
        let mut chosen = vec![0; values.len()];
        (0..2000).for_each(|seed| chosen[errors.choose(&candidates, seed, 0)] += 1);
        chosen.into_iter().map(|times| f64::from(times) / 2000.0).collect()
    }

    #[test]
    fn errors_do_not_depend_on_the_scale_of_values() {
        let values = [3.0, 2.8, 2.0, 1.0, 0.0].map(|v| (v, MoveKind::Throw));
        let small = values.map(|(v, kind)| (v / 1000.0, kind));
        assert_eq!(shares(PLAYER, &values), shares(PLAYER, &small));
    }

    #[test]
    fn moves_beyond_the_cap_and_dominated_ones_are_never_chosen() {
        let values = [3.0, 2.9, 2.4, 2.0, 1.0, 0.0].map(|v| (v, MoveKind::Settle));
        let mut values = values.to_vec();
        values[1].1 = MoveKind::Dominated;
        // The stake is 1, so that half of it allows 2.5 and more.
        assert_eq!(shares(PLAYER, &values), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let found = shares(Errors { cap: 0.6, ..PLAYER }, &values);
        assert!(found[2] > 0.1 && found[0] > found[2], "{found:?}");
    }

    #[test]
    fn caution_prefers_what_is_on_the_table() {
        // The stake is 3, so that throwing seems to cost a player with caution 0.1 the value 0.3.
        let poor = (0.0, MoveKind::Throw);
        let values = [(3.0, MoveKind::Throw), (2.9, MoveKind::Settle), poor, poor];
        let sure = Errors { temperature: 0.0, ..PLAYER };
        assert_eq!(shares(sure, &values)[0], 1.0);
        assert_eq!(shares(Errors { caution: 0.1, ..sure }, &values)[1], 1.0);
    }

    #[test]
    fn without_anything_at_stake_the_first_move_is_chosen() {
        assert_eq!(shares(PLAYER, &[(1.0, MoveKind::Throw); 5])[0], 1.0);
    }
}
