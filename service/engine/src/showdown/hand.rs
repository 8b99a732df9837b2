//! The hands of rolls and their order: every roll has a number, its rank, and the greater rank
//! wins. Only this module handles the order of hands, ties, ranks of faces and wild faces.

use crate::definition::{Pattern, Points};
use crate::dice::{DiceSpace, Roll};
use crate::pattern::worth;

use super::definition::{Ranks, ShowdownDefinition, Ties};

/// The hand and the rank of every roll.
#[derive(Clone, Debug)]
pub struct Hands {
    /// The hand of each roll, an index of the definition's `hands`.
    hand: Vec<u8>,
    /// The rank of each roll, from 0 for the lowest.
    rank: Vec<u16>,
    /// The roll whose faces each roll counts as: itself without wild dice.
    counts_as: Vec<Roll>,
    /// A roll of each rank.
    example: Vec<Roll>,
    /// Probability that a throw of all dice has a rank below this one, and of all ranks.
    below: Vec<f64>,
    /// How many of all throws show each hand.
    throws: Vec<u64>,
}

/// The key that orders two rolls: the greater one wins. First the place of the hand, counted from
/// the worst, then the faces that decide within it.
type Key = (u8, Vec<u8>);

/// Whether dice with these counts show `pattern`.
#[must_use]
pub fn holds(pattern: &Pattern, counts: &[u8]) -> bool {
    match pattern {
        // Any roll may be recorded in the row of a face; a hand needs the face.
        Pattern::Face(face) => counts.get(usize::from(*face) - 1).is_some_and(|&n| n > 0),
        _ => worth(pattern, Points::fixed(1), counts) > 0,
    }
}

impl Hands {
    /// The hands of all rolls of `space`; a roll that shows no hand of a definition counts as the
    /// last one, which [`check`](super::check::check) excludes.
    #[must_use]
    pub fn new(definition: &ShowdownDefinition, space: &DiceSpace) -> Self {
        let natural: Vec<Key> =
            space.all_rolls().map(|roll| key(definition, space.roll_counts(roll))).collect();
        let counts_as = if definition.wild.is_empty() {
            space.all_rolls().collect()
        } else {
            best_with_wild(definition, space, &natural)
        };
        // Ranks number only what can be thrown: with wild dice the lowest hands may be impossible.
        let mut reached: Vec<&Key> = counts_as.iter().map(|r| &natural[r.index()]).collect();
        reached.sort_unstable();
        reached.dedup();
        let last = definition.hands.len().saturating_sub(1) as u8;
        let mut hands = Self {
            hand: Vec::with_capacity(space.rolls()),
            rank: Vec::with_capacity(space.rolls()),
            example: vec![counts_as[0]; reached.len()],
            below: vec![0.0; reached.len() + 1],
            throws: vec![0; definition.hands.len()],
            counts_as,
        };
        let all = (space.faces() as f64).powi(space.dice() as i32);
        for roll in space.all_rolls() {
            let key = &natural[hands.counts_as[roll.index()].index()];
            let rank = reached.binary_search(&key).expect("it is among them");
            hands.hand.push(last - key.0);
            hands.rank.push(rank as u16);
            hands.example[rank] = roll;
            hands.below[rank + 1] += space.probability(roll);
            hands.throws[usize::from(last - key.0)] +=
                (space.probability(roll) * all).round() as u64;
        }
        for rank in 1..hands.below.len() {
            hands.below[rank] += hands.below[rank - 1];
        }
        hands
    }

    /// The hand of `roll`, an index of the definition's `hands`.
    #[must_use]
    pub fn hand(&self, roll: Roll) -> usize {
        usize::from(self.hand[roll.index()])
    }

    /// The rank of `roll`: of two rolls that of the greater rank wins, and equal ranks tie.
    #[must_use]
    pub fn rank(&self, roll: Roll) -> usize {
        usize::from(self.rank[roll.index()])
    }

    /// How many ranks there are; they are `0..ranks()`.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.example.len()
    }

    /// The roll whose faces `roll` counts as; another one only where it has wild dice.
    #[must_use]
    pub fn counts_as(&self, roll: Roll) -> Roll {
        self.counts_as[roll.index()]
    }

    /// A roll of this rank.
    #[must_use]
    pub fn example(&self, rank: usize) -> Roll {
        self.example[rank]
    }

    /// Probability that a throw of all dice has a rank below `rank`.
    #[must_use]
    pub fn below(&self, rank: usize) -> f64 {
        self.below[rank]
    }

    /// How many of all `faces ^ dice` throws show each hand.
    #[must_use]
    pub fn throws(&self) -> &[u64] {
        &self.throws
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.hand[..])
            + size_of_val(&self.rank[..])
            + size_of_val(&self.counts_as[..])
            + size_of_val(&self.example[..])
            + size_of_val(&self.below[..])
            + size_of_val(&self.throws[..])
    }
}

/// The first hand whose pattern holds for dice with these counts.
pub(super) fn hand_of(definition: &ShowdownDefinition, counts: &[u8]) -> Option<usize> {
    definition.hands.iter().position(|hand| holds(&hand.pattern, counts))
}

/// The key of a roll at face value.
fn key(definition: &ShowdownDefinition, counts: &[u8]) -> Key {
    let last = definition.hands.len().saturating_sub(1);
    let hand = hand_of(definition, counts).unwrap_or(last);
    let pattern = definition.hands.get(hand).map(|hand| &hand.pattern);
    let height = |face: usize| match (definition.ranks, face) {
        (Ranks::OneHigh, 1) => definition.faces + 1,
        _ => face as u8,
    };
    let mut sets: Vec<(u8, u8)> = (1..)
        .zip(counts)
        .filter(|&(_, &count)| count > 0)
        .map(|(face, &count)| (count, height(face)))
        .collect();
    sets.sort_unstable_by(|a, b| b.cmp(a));
    // A straight ranks by its highest face, also where an ace at its low end outranks that face alone.
    let top = match pattern {
        Some(Pattern::Straight(length)) => straight_top(usize::from(*length), counts),
        _ => None,
    };
    let faces = match definition.ties {
        Ties::Class => Vec::new(),
        Ties::Sum => {
            let sum: u32 = (1..).zip(counts).map(|(f, &n): (u32, _)| f * u32::from(n)).sum();
            vec![sum as u8]
        }
        Ties::Sets => top.into_iter().chain(sets.iter().filter(|s| s.0 > 1).map(|s| s.1)).collect(),
        Ties::Kickers => top
            .into_iter()
            .chain(sets.iter().flat_map(|&(count, f)| std::iter::repeat_n(f, count.into())))
            .collect(),
    };
    ((last - hand) as u8, faces)
}

/// The highest face of the highest sequence of so many faces.
fn straight_top(length: usize, counts: &[u8]) -> Option<u8> {
    (length..=counts.len())
        .rev()
        .find(|&top| counts[top - length..top].iter().all(|&count| count > 0))
        .map(|top| top as u8)
}

/// The roll that each roll counts as when its wild dice make the best hand. The best hand of some
/// dice and any others is that of the best die to add, so one pass over all keeps finds it.
fn best_with_wild(
    definition: &ShowdownDefinition,
    space: &DiceSpace,
    natural: &[Key],
) -> Vec<Roll> {
    let mut best: Vec<Roll> = Vec::with_capacity(space.keeps());
    let full = space.level(space.dice()).start;
    let rolls: Vec<Roll> = space.all_rolls().collect();
    best.resize(full, rolls[0]);
    best.extend(&rolls);
    for index in (0..full).rev() {
        let candidates = space.more(space.keep(index)).map(|more| best[more.index()]);
        best[index] =
            candidates.max_by_key(|roll| &natural[roll.index()]).expect("dice have faces");
    }
    rolls
        .iter()
        .map(|&roll| {
            let mut fixed = space.as_keep(roll);
            for &wild in &definition.wild {
                while let Some(fewer) = space.remove(fixed, wild) {
                    fixed = fewer;
                }
            }
            best[fixed.index()]
        })
        .collect()
}
