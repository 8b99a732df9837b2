//! The errors of players in any game: a choice among moves by their regret and the stake of the decision.
//!
//! A move is drawn by quantal response: its odds fall with what it seems to give up, as a share of
//! the stake of the decision, and with its place among the moves considered. So errors are as
//! frequent in a poor position, or late in a game, as where much is to be won. Only the few moves that
//! look best are considered, as people do, and how many they are makes no difference: over thirty
//! moves the bad ones would win by their number, and late in a game, where few moves are left,
//! players would hardly make errors.

use serde::{Deserialize, Serialize};

use super::draw;

/// The settings of a player's errors. Shares are of the [`stake`] of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// The regret with odds 1 : e against the best move, in shares of the stake; at 0 the move that
    /// looks best is always chosen.
    pub temperature: f64,
    /// The greatest regret of a chosen move; 0 is perfect play.
    pub cap: f64,
    /// The share that throwing again seems to cost, because players overvalue what is certain.
    /// Below 0 the player prefers to throw.
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

/// What a player chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The index of the candidate.
    pub index: usize,
    /// The [`stake`] among the candidates that are not dominated.
    pub stake: f64,
    /// Whether the player might have chosen a move that gives up more than [`ERROR`] of the stake.
    pub could_err: bool,
}

/// The share of what is at stake that an error gives up.
pub const ERROR: f64 = 0.2;

/// What a decision among moves of these values is about: the best value less the median one. Of an
/// even number of values the worse of the two in the middle counts, so that of two moves one is the
/// stake of the other.
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

    /// What the player chooses by `seed` at `moment` of a game: the same on every platform. Equal
    /// candidates stand in order of preference.
    ///
    /// # Panics
    /// If there is no candidate.
    #[must_use]
    pub fn choose(&self, candidates: &[Candidate], seed: u64, moment: u64) -> Choice {
        let sensible = || candidates.iter().filter(|c| c.kind != MoveKind::Dominated);
        let best = sensible().map(|c| c.value).fold(f64::NEG_INFINITY, f64::max);
        let noise = NOISE * best.abs().max(1.0);
        let at_stake = stake(sensible().map(|c| c.value));
        let seen_stake = stake(sensible().map(|c| c.apparent)).max(noise);
        let mut seen: Vec<(usize, f64)> = candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| candidate.kind != MoveKind::Dominated)
            .filter(|(_, candidate)| best - candidate.value <= self.cap * at_stake + noise)
            .map(|(index, candidate)| {
                let cost = if candidate.kind == MoveKind::Throw { self.caution } else { 0.0 };
                (index, candidate.apparent - cost * seen_stake)
            })
            .collect();
        // A stable sort, so that equal ones stay in order.
        seen.sort_by(|a, b| b.1.total_cmp(&a.1));
        seen.truncate(self.considered.max(1));
        let is_error = |&(index, _): &(usize, f64)| {
            at_stake > noise && best - candidates[index].value > ERROR * at_stake
        };
        let could_err = seen.iter().any(is_error);
        let choice = |index| Choice { index, stake: at_stake, could_err };
        if self.temperature <= 0.0 || seen_stake <= noise || seen.len() == 1 {
            return choice(seen[0].0);
        }
        let looks_worse = |(place, &(_, apparent)): (usize, &(usize, f64))| {
            let share = (seen[0].1 - apparent) / seen_stake;
            (1.0 - PLACE) * share + PLACE * place as f64 / self.considered as f64
        };
        let odds = |move_seen| draw::decay(looks_worse(move_seen) / self.temperature);
        let mut weights: Vec<f64> = seen.iter().enumerate().map(odds).collect();
        // However few the others are, together they weigh as much as if as many as are considered
        // were like them.
        let others = (self.considered - 1) as f64 / (weights.len() - 1) as f64;
        weights[1..].iter_mut().for_each(|weight| *weight *= others);
        choice(seen[draw::select(&weights, draw::uniform(seed, moment))].0)
    }
}

/// Marks as dominated what a sure end beats: anything short of a sure win, worth `win`, where there
/// is one, and a sure loss, worth `loss`, where there is anything else. Values closer than `equal`
/// are the same.
pub fn rule_out(candidates: &mut [Candidate], loss: f64, win: f64, equal: f64) {
    let best = candidates.iter().map(|c| c.value).fold(f64::NEG_INFINITY, f64::max);
    let wins = best > win - equal;
    let beaten = |value: f64| value < best - equal && (wins || value < loss + equal);
    candidates
        .iter_mut()
        .filter(|candidate| beaten(candidate.value))
        .for_each(|candidate| candidate.kind = MoveKind::Dominated);
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYER: Errors = Errors { temperature: 0.5, cap: 0.5, caution: 0.0, considered: 4 };

    fn shares(errors: Errors, values: &[(f64, MoveKind)]) -> Vec<f64> {
        let candidates: Vec<_> = values.iter().map(|&(v, kind)| Candidate::new(v, kind)).collect();
        let mut chosen = vec![0; values.len()];
        (0..2000).for_each(|seed| chosen[errors.choose(&candidates, seed, 0).index] += 1);
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
        // The stake of the others is 1, so that half of it allows 2.5 and more.
        let careful = Errors { cap: 0.5, ..PLAYER };
        assert_eq!(shares(careful, &values), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let found = shares(Errors { cap: 0.7, ..PLAYER }, &values);
        assert!(found[0] > 0.1 && found[2] > 0.1 && found[0] + found[2] == 1.0, "{found:?}");
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
    fn few_moves_are_missed_as_often_as_many() {
        let values = [1.0, 0.8, 0.8, 0.8, 0.0, 0.0, 0.0, 0.0].map(|v| (v, MoveKind::Throw));
        let hot = Errors { temperature: 1e9, ..PLAYER };
        let (many, few) = (shares(hot, &values)[0], shares(hot, &values[..2])[0]);
        assert!((many - 0.25).abs() < 0.05 && few == 1.0, "{many} {few}");
        let hot = Errors { cap: 1.0, ..hot };
        assert!((shares(hot, &values[..2])[0] - 0.25).abs() < 0.05);
    }

    #[test]
    fn a_sure_win_is_never_left_and_a_sure_loss_never_chosen() {
        let ruled_out = |values: &[f64]| -> Vec<bool> {
            let new = |&value: &f64| Candidate::new(value, MoveKind::Throw);
            let mut candidates: Vec<_> = values.iter().map(new).collect();
            rule_out(&mut candidates, 0.0, 1.0, 1e-6);
            candidates.iter().map(|c| c.kind == MoveKind::Dominated).collect()
        };
        assert_eq!(ruled_out(&[1.0, 0.9, 0.0, 1.0]), [false, true, true, false]);
        assert_eq!(ruled_out(&[0.9, 0.1, 0.0]), [false, false, true]);
        assert_eq!(ruled_out(&[0.0, 0.0]), [false, false]);
    }

    #[test]
    fn without_anything_at_stake_the_first_move_is_chosen() {
        assert_eq!(shares(PLAYER, &[(1.0, MoveKind::Throw); 5])[0], 1.0);
    }
}
