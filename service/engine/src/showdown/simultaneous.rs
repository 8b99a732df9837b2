//! Rounds in which two players choose at once what to keep: matrix games of the keeps.

use super::game::Showdown;
use super::in_turn::Chance;
use super::matrix::{self, Equilibrium};
use super::moves::keeps;
use super::turn;
use crate::dice::{Keep, Roll};

/// A solved round of simultaneous choices. It is symmetric, so a tie is worth a half to both.
#[derive(Clone, Debug)]
pub(super) struct Simultaneous {
    /// By laps left from 1 on, own roll and other roll: the chances under best play.
    laps: Vec<Vec<Chance>>,
}

/// A choice in the position it was solved for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The keep, all dice included.
    pub(super) keep: Keep,
    /// Its chances against the other's best play.
    pub(super) chance: Chance,
    /// The probability with which best play chooses it.
    pub(super) probability: f64,
}

impl Simultaneous {
    /// Solves all laps but the first, which is solved for each position.
    pub(super) fn solve(game: &Showdown) -> Self {
        let mut solved = Self { laps: Vec::new() };
        for left in 1..game.definition().rethrows {
            let mut lap = Vec::new();
            for own in game.space().all_rolls() {
                for other in game.space().all_rolls() {
                    let choices = solved.choices(game, own, other, left, true);
                    lap.push(mean(&choices));
                }
            }
            solved.laps.push(lap);
        }
        solved
    }

    /// Every choice of the player of `own` against the one of `other`, with so many rethrows left.
    /// A game may have several solutions; `first` says which of the two is the first player, so
    /// that both play the same one.
    pub(super) fn choices(
        &self,
        game: &Showdown,
        own: Roll,
        other: Roll,
        left: u8,
        first: bool,
    ) -> Vec<Choice> {
        let options = |roll: Roll| -> Vec<Keep> {
            let whole = game.space().as_keep(roll);
            let parts = if left == 0 { Vec::new() } else { keeps(game, roll, Keep::EMPTY) };
            std::iter::once(whole).chain(parts).collect()
        };
        let (own, other) = (options(own), options(other));
        let table = self.table(game, &own, &other, left);
        let (mine, theirs) = if first {
            let payoff: Vec<Vec<f64>> =
                table.iter().map(|row| row.iter().map(|chance| chance[0]).collect()).collect();
            let Equilibrium { rows, columns } = matrix::solve(&payoff);
            (rows, columns)
        } else {
            let of = |column: usize| table.iter().map(|row| 1.0 - row[column][0]).collect();
            let payoff: Vec<Vec<f64>> = (0..other.len()).map(of).collect();
            let Equilibrium { rows, columns } = matrix::solve(&payoff);
            (columns, rows)
        };
        own.iter()
            .zip(table)
            .zip(mine)
            .map(|((&keep, row), probability)| {
                let chance = row.iter().zip(&theirs).fold([0.0; 3], |sum: Chance, (cell, y)| {
                    std::array::from_fn(|i| sum[i] + y * cell[i])
                });
                Choice { keep, chance, probability }
            })
            .collect()
    }

    /// The chances of each keep against each keep of the other.
    fn table(&self, game: &Showdown, own: &[Keep], other: &[Keep], left: u8) -> Vec<Vec<Chance>> {
        match left.checked_sub(2) {
            None => compared(game, own, other),
            Some(lap) => self.played_on(game, own, other, usize::from(lap)),
        }
    }

    /// After a throw that is not the last the next lap is played.
    fn played_on(
        &self,
        game: &Showdown,
        own: &[Keep],
        other: &[Keep],
        lap: usize,
    ) -> Vec<Vec<Chance>> {
        let space = game.space();
        let rolls = space.rolls();
        let reply: Vec<Vec<(Roll, f64)>> = other.iter().map(|&keep| listed(game, keep)).collect();
        own.iter()
            .map(|&keep| {
                let mut row = vec![[0.0; 3]; rolls];
                turn::outcomes(space, keep, &mut |roll, chance| {
                    let from = roll.index() * rolls;
                    for (sum, cell) in row.iter_mut().zip(&self.laps[lap][from..from + rolls]) {
                        (0..3).for_each(|i| sum[i] += chance * cell[i]);
                    }
                });
                reply
                    .iter()
                    .map(|outcomes| {
                        outcomes.iter().fold([0.0; 3], |sum: Chance, &(roll, chance)| {
                            let cell = row[roll.index()];
                            std::array::from_fn(|i| sum[i] + chance * cell[i])
                        })
                    })
                    .collect()
            })
            .collect()
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.laps.iter().map(Vec::len).sum::<usize>() * size_of::<Chance>()
    }
}

/// The chances of each keep against each keep of the other when hands are compared after the throw.
fn compared(game: &Showdown, own: &[Keep], other: &[Keep]) -> Vec<Vec<Chance>> {
    let ranks = game.hands().ranks();
    // By keep of the other and rank: the probability to end below it, and at it.
    let reply: Vec<Vec<(f64, f64)>> = other
        .iter()
        .map(|&keep| {
            let mut at = vec![(0.0, 0.0); ranks];
            for (roll, chance) in listed(game, keep) {
                at[game.hands().rank(roll)].1 += chance;
            }
            let mut below = 0.0;
            for cell in &mut at {
                cell.0 = below;
                below += cell.1;
            }
            at
        })
        .collect();
    own.iter()
        .map(|&keep| {
            let mut outcomes: Vec<(usize, f64)> = listed(game, keep)
                .into_iter()
                .map(|(roll, chance)| (game.hands().rank(roll), chance))
                .collect();
            merge(&mut outcomes);
            reply
                .iter()
                .map(|at| {
                    let (win, draw) =
                        outcomes.iter().fold((0.0, 0.0), |(win, draw), &(rank, p)| {
                            (win + p * at[rank].0, draw + p * at[rank].1)
                        });
                    [win + draw / 2.0, win, draw]
                })
                .collect()
        })
        .collect()
}

/// Sums the probabilities of equal ranks.
fn merge(outcomes: &mut Vec<(usize, f64)>) {
    outcomes.sort_unstable_by_key(|outcome| outcome.0);
    outcomes.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 += next.1;
        }
        same
    });
}

fn listed(game: &Showdown, keep: Keep) -> Vec<(Roll, f64)> {
    let mut outcomes = Vec::new();
    turn::outcomes(game.space(), keep, &mut |roll, chance| outcomes.push((roll, chance)));
    outcomes
}

/// The chances under best play of both.
pub(super) fn mean(choices: &[Choice]) -> Chance {
    choices.iter().fold([0.0; 3], |sum: Chance, choice| {
        std::array::from_fn(|i| sum[i] + choice.probability * choice.chance[i])
    })
}
