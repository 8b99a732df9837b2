//! Rounds in which two players choose at once what to keep: matrix games of the keeps.

use std::sync::Arc;

use super::game::Showdown;
use super::in_turn::Chance;
use super::matrix::{self, Equilibrium};
use super::moves::keeps;
use super::open::flip;
use super::turn;
use crate::dice::{Keep, Roll};

/// A solved round of simultaneous choices.
#[derive(Clone, Debug)]
pub(super) struct Simultaneous {
    /// What a tie is worth to the first player.
    tie: f64,
    /// The keeps against each other when hands are compared after the throw, shared by all rounds of
    /// a match.
    duels: Arc<Duels>,
    /// By laps left but for none, the first player's roll and the other's: its chances under best
    /// play.
    laps: Vec<Vec<Chance>>,
}

/// The probabilities that each keep wins against each other keep, and ties with it.
#[derive(Debug)]
pub(super) struct Duels {
    keeps: usize,
    cells: Vec<[f64; 2]>,
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

impl Duels {
    pub(super) fn new(game: &Showdown) -> Self {
        let space = game.space();
        // By keep and rank: the probability to end at the rank, and below it.
        let of = |keep: usize| {
            let mut at = vec![[0.0; 2]; game.hands().ranks()];
            turn::outcomes(space, space.keep(keep), &mut |roll, chance| {
                at[game.hands().rank(roll)][0] += chance;
            });
            let mut below = 0.0;
            for cell in &mut at {
                cell[1] = below;
                below += cell[0];
            }
            at
        };
        let keeps = space.keeps();
        let ends: Vec<Vec<[f64; 2]>> = (0..keeps).map(of).collect();
        let duel = |own: &[[f64; 2]], other: &[[f64; 2]]| {
            own.iter().zip(other).fold([0.0; 2], |[win, draw], (own, other)| {
                [win + own[0] * other[1], draw + own[0] * other[0]]
            })
        };
        let cells = ends.iter().flat_map(|own| ends.iter().map(|other| duel(own, other)));
        Self { keeps, cells: cells.collect() }
    }

    /// The first player's chances if it keeps `own` and the other one `other`.
    fn chance(&self, own: Keep, other: Keep, tie: f64) -> Chance {
        let [win, draw] = self.cells[own.index() * self.keeps + other.index()];
        [win + tie * draw, win, draw]
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
    }
}

impl Simultaneous {
    /// Solves all laps but the first, which is solved when a position asks for it. A tie is worth
    /// `tie` to the first player.
    pub(super) fn solve(game: &Showdown, tie: f64, duels: Arc<Duels>) -> Self {
        let mut solved = Self { tie, duels, laps: Vec::new() };
        for left in 1..game.definition().rethrows {
            let lap = solved.lap(game, left);
            solved.laps.push(lap);
        }
        solved
    }

    /// The first player's chances in each pair of rolls, so many rethrows being left.
    fn lap(&self, game: &Showdown, left: u8) -> Vec<Chance> {
        let options: Vec<Vec<Keep>> =
            game.space().all_rolls().map(|roll| options(game, roll, left)).collect();
        let pairs = options.iter().flat_map(|own| options.iter().map(move |other| (own, other)));
        pairs
            .map(|(own, other)| {
                let table = self.table(game, own, other, left);
                let Equilibrium { rows, columns } = solve(&table);
                let cells = table.iter().zip(rows).flat_map(|(row, x)| {
                    row.iter().zip(&columns).map(move |(&cell, y)| (cell, x * y))
                });
                mean(cells)
            })
            .collect()
    }

    /// The first player's chances before anybody throws.
    pub(super) fn start(&self, game: &Showdown) -> Chance {
        let rolls = game.space().rolls();
        let lap = self.lap(game, game.definition().rethrows);
        let probability = |roll: usize| game.space().probability(Roll::at(roll));
        let pair = |at: usize| probability(at / rolls) * probability(at % rolls);
        mean(lap.into_iter().enumerate().map(|(at, chance)| (chance, pair(at))))
    }

    /// Every choice of the player of `own` against the one of `other`, so many rethrows being left;
    /// `first` says whether it is the first player. Chances are those of the player of `own`.
    pub(super) fn choices(
        &self,
        game: &Showdown,
        own: Roll,
        other: Roll,
        left: u8,
        first: bool,
    ) -> Vec<Choice> {
        let (own, other) = (options(game, own, left), options(game, other, left));
        // A game may have several solutions. Both players solve the first one's, so that both play
        // the same one.
        if first {
            let table = self.table(game, &own, &other, left);
            let Equilibrium { rows, columns } = solve(&table);
            let against =
                |row: &Vec<Chance>| mean(row.iter().copied().zip(columns.iter().copied()));
            let choices = own.iter().zip(&table).zip(rows);
            let of =
                |((&keep, row), probability)| Choice { keep, chance: against(row), probability };
            choices.map(of).collect()
        } else {
            let table = self.table(game, &other, &own, left);
            let Equilibrium { rows, columns } = solve(&table);
            let against =
                |at: usize| flip(mean(table.iter().map(|row| row[at]).zip(rows.iter().copied())));
            let choices = own.iter().enumerate().zip(&columns);
            let of =
                |((at, &keep), &probability)| Choice { keep, chance: against(at), probability };
            choices.map(of).collect()
        }
    }

    /// The first player's chances of each of its keeps against each keep of the other.
    fn table(&self, game: &Showdown, own: &[Keep], other: &[Keep], left: u8) -> Vec<Vec<Chance>> {
        match left.checked_sub(2) {
            None => {
                let row = |&one: &Keep| {
                    other.iter().map(|&two| self.duels.chance(one, two, self.tie)).collect()
                };
                own.iter().map(row).collect()
            }
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

    /// Bytes that the tables take, those that the rounds of a match share apart.
    pub(super) fn bytes(&self) -> usize {
        self.laps.iter().map(Vec::len).sum::<usize>() * size_of::<Chance>()
    }
}

/// What may be kept of `roll`: all of it, then its parts if there is a throw left.
fn options(game: &Showdown, roll: Roll, left: u8) -> Vec<Keep> {
    let whole = game.space().as_keep(roll);
    let parts = if left == 0 { Vec::new() } else { keeps(game, roll, Keep::EMPTY) };
    std::iter::once(whole).chain(parts).collect()
}

/// The best play of both in a table of the first player's chances.
fn solve(table: &[Vec<Chance>]) -> Equilibrium {
    let payoff: Vec<Vec<f64>> =
        table.iter().map(|row| row.iter().map(|chance| chance[0]).collect()).collect();
    matrix::solve(&payoff)
}

fn listed(game: &Showdown, keep: Keep) -> Vec<(Roll, f64)> {
    let mut outcomes = Vec::new();
    turn::outcomes(game.space(), keep, &mut |roll, chance| outcomes.push((roll, chance)));
    outcomes
}

fn mean(chances: impl Iterator<Item = (Chance, f64)>) -> Chance {
    chances.fold([0.0; 3], |sum: Chance, (chance, share)| {
        std::array::from_fn(|i| sum[i] + share * chance[i])
    })
}
