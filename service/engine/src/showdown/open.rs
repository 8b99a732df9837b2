//! Rounds in which all throws lie open, solved by backward induction.
//!
//! Two players are solved for every pair of rolls. With more players there are too many rolls to
//! tabulate, but in a position all of them are known: the moves of the next players depend only on
//! the best rank among those who have thrown last, and on the number of its holders.

use super::game::Showdown;
use super::in_turn::Chance;
use super::moves::keeps;
use super::turn::{self, EQUAL};
use crate::dice::{Keep, Roll};

/// A solved open round of two players.
#[derive(Clone, Debug)]
pub(super) struct Open {
    rolls: usize,
    /// The value of a tie to the first player.
    tie: f64,
    /// By throw (the first player's, the second's, and so on lap by lap), the other's roll and the
    /// own one: the chances of the player who has thrown and ends with it.
    left_at: Vec<Vec<Chance>>,
    /// By the first player's roll: its chances before the second one's first throw.
    opening: Vec<Chance>,
    /// The first player's chances before it throws.
    start: Chance,
}

/// The other one's chances.
pub(super) fn flip([value, win, draw]: Chance) -> Chance {
    [1.0 - value, (1.0 - win - draw).max(0.0), draw]
}

/// The chances of a player who ends with the rank `own` against `other`, where a tie has the value
/// `tie`.
pub(super) fn compare(own: usize, other: usize, tie: f64) -> Chance {
    match own.cmp(&other) {
        std::cmp::Ordering::Less => [0.0; 3],
        std::cmp::Ordering::Equal => [tie, 0.0, 1.0],
        std::cmp::Ordering::Greater => [1.0, 1.0, 0.0],
    }
}

impl Open {
    /// Solves the round, where a tie has the value `tie` to the first player.
    pub(super) fn solve(game: &Showdown, tie: f64) -> Self {
        let (space, hands) = (game.space(), game.hands());
        let rolls = space.rolls();
        let throws = 2 * usize::from(game.definition().rethrows);
        let rank: Vec<usize> = space.all_rolls().map(|roll| hands.rank(roll)).collect();
        let mut left_at = vec![Vec::new(); throws];
        // The roll of the player about to throw; for the last throw only the rank of the other's
        // roll matters.
        let mut before: Vec<Vec<Chance>> = Vec::new();
        for throw in (0..throws).rev() {
            let last = throw + 1 == throws;
            let own_tie = if throw % 2 == 0 { tie } else { 1.0 - tie };
            let mut known: Vec<Option<usize>> = vec![None; hands.ranks()];
            let mut solved: Vec<Vec<Chance>> = Vec::with_capacity(rolls);
            for other in 0..rolls {
                if last && let Some(same) = known[rank[other]] {
                    solved.push(solved[same].clone());
                    continue;
                }
                known[rank[other]] = Some(other);
                let stop: Vec<Chance> = (0..rolls)
                    .map(|own| match last {
                        true => compare(rank[own], rank[other], own_tie),
                        false => flip(before[own][other]),
                    })
                    .collect();
                solved.push(turn::best_of_keeps(space, turn::expect(space, &stop), &stop));
                left_at[throw].extend(stop);
            }
            if last {
                left_at[throw] = Vec::new();
            }
            before = solved;
        }
        let first: Vec<Vec<Chance>> = if throws == 0 {
            let of =
                |other: usize| (0..rolls).map(|own| compare(rank[own], rank[other], tie)).collect();
            (0..rolls).map(of).collect()
        } else {
            before
        };
        let mean = |row: &mut dyn Iterator<Item = (usize, Chance)>| {
            row.fold([0.0; 3], |sum: Chance, (roll, chance)| {
                let share = space.probability(Roll::at(roll));
                std::array::from_fn(|i| sum[i] + share * chance[i])
            })
        };
        let opening: Vec<Chance> = (0..rolls)
            .map(|own| mean(&mut first.iter().enumerate().map(|(other, row)| (other, row[own]))))
            .collect();
        let start = mean(&mut opening.iter().copied().enumerate());
        Self { rolls, tie, left_at, opening, start }
    }

    /// The value of a tie to the first player.
    pub(super) fn tie(&self) -> f64 {
        self.tie
    }

    /// The first player's chances before it throws.
    pub(super) fn start(&self) -> Chance {
        self.start
    }

    /// The first player's chances once it has thrown `roll` and before the second one throws.
    pub(super) fn opening(&self, roll: Roll) -> Chance {
        self.opening[roll.index()]
    }

    /// The value of each roll to the player of this throw, counted from 0, who ends it with that
    /// roll against the other's; `None` for the last throw, after which hands are compared.
    pub(super) fn left_at(&self, throw: usize, other: Roll) -> Option<&[Chance]> {
        let table = &self.left_at[throw];
        let from = other.index() * self.rolls;
        (!table.is_empty()).then(|| &table[from..from + self.rolls])
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let tables = self.left_at.iter().map(Vec::len).sum::<usize>();
        (tables + self.opening.len()) * size_of::<Chance>()
    }
}

/// The chances of the first of `rolls`, whose last throw is next, by each roll that it may end
/// with. `to_beat` is the best rank of those who have thrown, and the number of its holders; the
/// other `rolls` are those of the next players, each with one throw left.
pub(super) fn last_lap(
    game: &Showdown,
    rolls: &[Roll],
    to_beat: Option<(usize, usize)>,
    players: usize,
) -> Vec<Chance> {
    let ranks = game.hands().ranks();
    let share = |holders: usize| match holders {
        1 => [1.0, 1.0, 0.0],
        _ => [1.0 / holders as f64, 0.0, 1.0],
    };
    // By holders and rank: the chances of one who holds it once all up to some player have thrown.
    let mut held: Vec<Vec<Chance>> =
        (1..=players).map(|holders| vec![share(holders); ranks]).collect();
    for (place, &roll) in rolls.iter().enumerate().skip(1).rev() {
        // Before this player threw, at most so many can have held a rank.
        let most = players - (rolls.len() - place);
        let choices = distributions(game, roll);
        held = before_throw(&choices, &held, most, ranks);
    }
    let own = game.space().all_rolls().map(|roll| game.hands().rank(roll));
    own.map(|own| match to_beat {
        Some((best, _)) if own < best => [0.0; 3],
        Some((best, holders)) if own == best => held[holders][own],
        _ => held[0][own],
    })
    .collect()
}

/// The probability of each rank, by keep of `roll`: all of it, then in the order of moves.
fn distributions(game: &Showdown, roll: Roll) -> Vec<Vec<f64>> {
    let space = game.space();
    let ranks = game.hands().ranks();
    std::iter::once(space.as_keep(roll))
        .chain(keeps(game, roll, Keep::EMPTY))
        .map(|keep| {
            let mut chances = vec![0.0; ranks];
            turn::outcomes(space, keep, &mut |roll, chance| {
                chances[game.hands().rank(roll)] += chance;
            });
            chances
        })
        .collect()
}

/// The chances of holders before a player throws who has these `choices` of ranks, given the
/// chances after it.
fn before_throw(
    choices: &[Vec<f64>],
    held: &[Vec<Chance>],
    most: usize,
    ranks: usize,
) -> Vec<Vec<Chance>> {
    // By choice and rank: what the player gains by ending above it, and the chance to end below.
    let above: Vec<Vec<f64>> = choices
        .iter()
        .map(|chances| {
            let mut above = vec![0.0; ranks];
            for rank in (0..ranks - 1).rev() {
                above[rank] = above[rank + 1] + chances[rank + 1] * held[0][rank + 1][0];
            }
            above
        })
        .collect();
    let below: Vec<Vec<f64>> = choices
        .iter()
        .map(|chances| {
            let mut sum = 0.0;
            chances
                .iter()
                .map(|chance| {
                    sum += chance;
                    sum - chance
                })
                .collect()
        })
        .collect();
    (1..=most)
        .map(|holders| {
            let at = |rank: usize| {
                let joined = held[holders][rank];
                let worth = |c: usize| above[c][rank] + choices[c][rank] * joined[0];
                // Choices are in the order of preference.
                let better = |a: usize, b: usize| if worth(b) > worth(a) + EQUAL { b } else { a };
                let chosen = (0..choices.len()).reduce(better).unwrap_or(0);
                let alone = held[holders - 1][rank];
                std::array::from_fn(|i| {
                    below[chosen][rank] * alone[i] + choices[chosen][rank] * joined[i]
                })
            };
            (0..ranks).map(at).collect()
        })
        .collect()
}
