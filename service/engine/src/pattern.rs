//! Whether the dice show what a category asks for, and which of them match: the one place where
//! the meaning of a [`Pattern`] is spelt out. It is asked once per roll and category, when a
//! ruleset's lookup table is built.

use crate::definition::{Pattern, Points, Sum};

/// The points that a roll is worth under `pattern` and `points`; 0 if the pattern does not hold.
///
/// `counts[f]` is the number of dice that show face `f + 1`.
#[must_use]
pub fn worth(pattern: &Pattern, points: Points, counts: &[u8]) -> u32 {
    matching_sum(pattern, counts).map_or(0, |matching| {
        u32::from(points.fixed)
            + match points.sum {
                Sum::None => 0,
                Sum::All => sum(counts),
                Sum::Matching => matching,
            }
    })
}

/// The points that a joker is worth in a category it fills: those of a roll that holds the
/// pattern. `dice` dice all show `face`; where only matching dice pay, as many as the pattern has.
#[must_use]
pub fn joker_worth(pattern: &Pattern, points: Points, dice: u8, face: u8) -> u32 {
    let matching = match pattern {
        Pattern::Groups(groups) => groups.sizes.iter().sum(),
        Pattern::Straight(length) => *length,
        Pattern::Run(faces) => faces.len() as u8,
        _ => dice,
    };
    u32::from(points.fixed)
        + u32::from(face)
            * u32::from(match points.sum {
                Sum::None => 0,
                Sum::All => dice,
                Sum::Matching => matching,
            })
}

/// The sum of the dice that match `pattern`, the most it can be; `None` if it does not hold.
fn matching_sum(pattern: &Pattern, counts: &[u8]) -> Option<u32> {
    let all = || sum(counts);
    let even_faces = || counts.iter().skip(1).step_by(2).any(|&count| count > 0);
    let odd_faces = || counts.iter().step_by(2).any(|&count| count > 0);
    match pattern {
        Pattern::Face(face) => {
            Some(counts.get(usize::from(*face) - 1).map_or(0, |&n| u32::from(n) * u32::from(*face)))
        }
        Pattern::Any => Some(all()),
        Pattern::Groups(groups) => {
            // The largest groups of the highest faces first is not always best; trying all
            // assignments is, and there are few.
            best_groups(&groups.sizes, groups.distinct, &mut counts.to_vec(), 0)
        }
        Pattern::Straight(length) => {
            let length = usize::from(*length);
            (0..=counts.len().checked_sub(length)?)
                .rev()
                .find(|&low| counts[low..low + length].iter().all(|&count| count > 0))
                .map(|low| (low + 1..=low + length).map(|face| face as u32).sum())
        }
        Pattern::Run(faces) => faces
            .iter()
            .all(|&face| counts.get(usize::from(face) - 1).is_some_and(|&count| count > 0))
            .then(|| faces.iter().map(|&face| u32::from(face)).sum()),
        Pattern::AllEven => (!odd_faces()).then(all),
        Pattern::AllOdd => (!even_faces()).then(all),
        Pattern::SumAtLeast(least) => (all() >= u32::from(*least)).then(all),
        Pattern::SumAtMost(most) => (all() <= u32::from(*most)).then(all),
    }
}

fn sum(counts: &[u8]) -> u32 {
    (1..).zip(counts).map(|(face, &count): (u32, _)| face * u32::from(count)).sum()
}

/// The greatest sum of dice in groups of these sizes taken from `counts`; with `distinct` no face
/// serves two groups (`used` has a bit for each face taken).
fn best_groups(sizes: &[u8], distinct: bool, counts: &mut [u8], used: u32) -> Option<u32> {
    let Some((&size, rest)) = sizes.split_first() else { return Some(0) };
    let mut best = None;
    for face in 0..counts.len() {
        if counts[face] < size || (distinct && used >> face & 1 == 1) {
            continue;
        }
        counts[face] -= size;
        let others = best_groups(rest, distinct, counts, used | 1 << face);
        counts[face] += size;
        best = best.max(others.map(|sum| sum + u32::from(size) * (face as u32 + 1)));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Groups;

    fn counts(dice: &[u8]) -> Vec<u8> {
        let mut counts = vec![0; 6];
        dice.iter().for_each(|&face| counts[usize::from(face) - 1] += 1);
        counts
    }

    fn groups(sizes: &[u8], distinct: bool) -> Pattern {
        Pattern::Groups(Groups { sizes: sizes.to_vec(), distinct })
    }

    const ALL: Points = Points { fixed: 0, sum: Sum::All };
    const MATCHING: Points = Points { fixed: 0, sum: Sum::Matching };
    const FIXED: Points = Points { fixed: 30, sum: Sum::None };

    #[test]
    fn straights_are_sequences_of_different_faces() {
        let small = Pattern::Straight(4);
        for dice in [[1, 2, 3, 3, 4], [4, 2, 3, 3, 1], [1, 3, 2, 4, 4], [2, 3, 4, 5, 6]] {
            assert_eq!(worth(&small, FIXED, &counts(&dice)), 30, "{dice:?}");
        }
        for dice in [[1, 2, 4, 5, 6], [3, 4, 4, 6, 6], [1, 2, 3, 5, 6]] {
            assert_eq!(worth(&small, FIXED, &counts(&dice)), 0, "{dice:?}");
        }
        let large = Pattern::Straight(5);
        assert_eq!(worth(&large, FIXED, &counts(&[1, 2, 3, 4, 6])), 0);
        assert_eq!(worth(&large, FIXED, &counts(&[5, 4, 3, 2, 1])), 30);
        assert_eq!(worth(&Pattern::Run(vec![2, 3, 4, 5, 6]), FIXED, &counts(&[1, 2, 3, 4, 5])), 0);
        assert_eq!(worth(&small, MATCHING, &counts(&[1, 2, 3, 4, 5])), 14);
    }

    #[test]
    fn groups_of_different_faces_or_not() {
        let full_house = groups(&[3, 2], true);
        for dice in [[4, 4, 6, 4, 4], [2, 2, 2, 2, 2]] {
            assert_eq!(worth(&full_house, FIXED, &counts(&dice)), 0, "{dice:?}");
        }
        assert_eq!(worth(&full_house, FIXED, &counts(&[2, 2, 2, 3, 3])), 30);
        assert_eq!(worth(&groups(&[3, 2], false), ALL, &counts(&[2, 2, 2, 2, 2])), 10);
        assert_eq!(worth(&groups(&[2, 2], true), ALL, &counts(&[3, 3, 3, 3, 1])), 0);
        assert_eq!(worth(&groups(&[2, 2], false), ALL, &counts(&[3, 3, 3, 3, 1])), 13);
        assert_eq!(worth(&groups(&[2, 2], true), ALL, &counts(&[2, 2, 2, 5, 5])), 16);
    }

    #[test]
    fn matching_dice_are_the_highest_that_match() {
        assert_eq!(worth(&groups(&[2], true), MATCHING, &counts(&[3, 3, 3, 4, 4])), 8);
        assert_eq!(worth(&groups(&[2], true), MATCHING, &counts(&[3, 3, 3, 3, 1])), 6);
        assert_eq!(worth(&groups(&[3], true), MATCHING, &counts(&[3, 3, 3, 1, 2])), 9);
        assert_eq!(worth(&groups(&[3], true), ALL, &counts(&[3, 3, 3, 1, 2])), 12);
        // Greedy assignment (the pair to the sixes first) would find no three of another face.
        assert_eq!(worth(&groups(&[2, 3], true), MATCHING, &counts(&[6, 6, 6, 1, 1])), 20);
    }

    #[test]
    fn even_odd_and_sums() {
        assert_eq!(worth(&Pattern::AllEven, FIXED, &counts(&[2, 4, 6, 6, 2])), 30);
        assert_eq!(worth(&Pattern::AllEven, FIXED, &counts(&[2, 4, 6, 6, 1])), 0);
        assert_eq!(worth(&Pattern::AllOdd, ALL, &counts(&[1, 3, 5, 5, 1])), 15);
        assert_eq!(worth(&Pattern::AllOdd, ALL, &counts(&[1, 3, 5, 5, 2])), 0);
        assert_eq!(worth(&Pattern::SumAtLeast(20), FIXED, &counts(&[6, 6, 6, 1, 1])), 30);
        assert_eq!(worth(&Pattern::SumAtLeast(21), FIXED, &counts(&[6, 6, 6, 1, 1])), 0);
        assert_eq!(worth(&Pattern::SumAtMost(5), FIXED, &counts(&[1, 1, 1, 1, 1])), 30);
    }

    #[test]
    fn a_joker_pays_as_though_the_pattern_held() {
        assert_eq!(joker_worth(&groups(&[2, 2], true), ALL, 5, 4), 20);
        assert_eq!(joker_worth(&groups(&[2, 2], true), MATCHING, 5, 4), 16);
        assert_eq!(joker_worth(&Pattern::Straight(4), FIXED, 5, 4), 30);
    }
}
