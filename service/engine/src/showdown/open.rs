//! Rounds of two players in which all throws lie open, solved by backward induction for every pair of
//! rolls.

use super::game::Showdown;
use super::in_turn::Chance;
use super::turn;
use crate::dice::Roll;

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
