//! The meaning of a [`Pattern`]: whether a roll shows it, and which dice match. Evaluated once per
//! roll and category, when a ruleset's lookup table is built.

use crate::definition::{Pattern, Points, Sum};

/// The points that a roll is worth under `pattern` and `points`; 0 if the pattern does not hold.
///
/// `counts[f]` is the number of dice that show face `f + 1`.
#[must_use]
pub fn worth(pattern: &Pattern, points: Points, counts: &[u8]) -> i32 {
    matching_sum(pattern, counts).map_or(0, |matching| {
        pay(
            points,
            match points.sum {
                Sum::None => 0,
                Sum::All => sum(counts),
                Sum::Matching => matching,
                Sum::Spread => spread(counts),
            },
        )
    })
}

fn pay(points: Points, sum: u32) -> i32 {
    i32::from(points.fixed) + i32::from(points.factor) * sum as i32
}

/// The points that a joker is worth in a category it fills: those of a roll that holds the
/// pattern. `dice` dice all show `face`; where only matching dice pay, as many as the pattern has.
#[must_use]
pub fn joker_worth(pattern: &Pattern, points: Points, dice: u8, face: u8) -> i32 {
    let counted = match points.sum {
        Sum::None | Sum::Spread => 0,
        Sum::All => dice,
        Sum::Matching => matching_dice(pattern, dice),
    };
    pay(points, u32::from(face) * u32::from(counted))
}

/// How many dice match if `pattern` holds.
fn matching_dice(pattern: &Pattern, dice: u8) -> u8 {
    match pattern {
        Pattern::Groups(groups) => groups.sizes.iter().sum(),
        Pattern::Straight(length) => *length,
        Pattern::Run(faces) => faces.len() as u8,
        Pattern::Among(inner) | Pattern::Wild(inner) => matching_dice(&inner.pattern, dice),
        Pattern::Best(best) => matching_dice(&best.pattern, best.dice),
        Pattern::AllOf(parts) | Pattern::AnyOf(parts) => {
            parts.first().map_or(dice, |part| matching_dice(part, dice))
        }
        _ => dice,
    }
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
            // Largest groups of the highest faces first is not always best; all assignments are
            // tried, and there are few.
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
        Pattern::SumIs(exactly) => (all() == u32::from(*exactly)).then(all),
        Pattern::Only(faces) => outside(faces, counts).next().is_none().then(all),
        Pattern::Among(inner) => {
            let mut those = counts.to_vec();
            outside(&inner.faces, counts).for_each(|face| those[face] = 0);
            matching_sum(&inner.pattern, &those)
        }
        Pattern::Wild(inner) => {
            let mut fixed = counts.to_vec();
            let mut wild = 0;
            for &face in &inner.faces {
                wild += std::mem::take(&mut fixed[usize::from(face) - 1]);
            }
            best_wild(&inner.pattern, &mut fixed, wild, 0)
        }
        Pattern::Best(best) => {
            let sums = &mut |counts: &[u8]| matching_sum(&best.pattern, counts);
            best_dice(best.lowest, sums, &mut counts.to_vec(), best.dice, 0)
        }
        Pattern::AllOf(parts) => {
            let mut sums = parts.iter().map(|part| matching_sum(part, counts));
            let first = sums.next()??;
            sums.all(|sum| sum.is_some()).then_some(first)
        }
        Pattern::AnyOf(parts) => parts.iter().filter_map(|part| matching_sum(part, counts)).max(),
        Pattern::Not(inner) => matching_sum(inner, counts).is_none().then(all),
    }
}

/// The faces on the table that are not among `faces`, counted from 0.
fn outside(faces: &[u8], counts: &[u8]) -> impl Iterator<Item = usize> {
    (0..counts.len()).filter(|&face| counts[face] > 0 && !faces.contains(&(face as u8 + 1)))
}

/// The largest face on the table less the smallest.
fn spread(counts: &[u8]) -> u32 {
    let on_table = |&face: &usize| counts[face] > 0;
    let low = (0..counts.len()).find(on_table).unwrap_or(0);
    let high = (0..counts.len()).rfind(on_table).unwrap_or(0);
    (high - low) as u32
}

/// The best sum with so many more dice that may show any face from `from` on, counted from 0.
fn best_wild(pattern: &Pattern, counts: &mut [u8], wild: u8, from: usize) -> Option<u32> {
    if wild == 0 {
        return matching_sum(pattern, counts);
    }
    let mut best = None;
    for face in from..counts.len() {
        counts[face] += 1;
        best = best.max(best_wild(pattern, counts, wild - 1, face));
        counts[face] -= 1;
    }
    best
}

/// The best sum of `sums` over all choices of `dice` of the dice in `counts`. Dice of faces below
/// `from`, counted from 0, are chosen already.
fn best_dice(
    lowest: bool,
    sums: &mut impl FnMut(&[u8]) -> Option<u32>,
    counts: &mut [u8],
    dice: u8,
    from: usize,
) -> Option<u32> {
    let on_table: u8 = counts.iter().sum();
    if on_table <= dice {
        return sums(counts);
    }
    let mut best: Option<u32> = None;
    for face in (from..counts.len()).filter(|&face| counts[face] > 0).collect::<Vec<_>>() {
        counts[face] -= 1;
        let sum = best_dice(lowest, sums, counts, dice, face);
        counts[face] += 1;
        best = match (best, sum) {
            (Some(a), Some(b)) if lowest => Some(a.min(b)),
            (a, b) => a.max(b),
        };
    }
    best
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
    use crate::definition::{Among, Best, Groups};

    fn counts(dice: &[u8]) -> Vec<u8> {
        let mut counts = vec![0; 6];
        dice.iter().for_each(|&face| counts[usize::from(face) - 1] += 1);
        counts
    }

    fn groups(sizes: &[u8], distinct: bool) -> Pattern {
        Pattern::Groups(Groups { sizes: sizes.to_vec(), distinct })
    }

    const ALL: Points = Points { fixed: 0, sum: Sum::All, factor: 1 };
    const MATCHING: Points = Points { fixed: 0, sum: Sum::Matching, factor: 1 };
    const FIXED: Points = Points { fixed: 30, sum: Sum::None, factor: 1 };

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

    fn boxed(faces: &[u8], pattern: Pattern) -> Among {
        Among { faces: faces.to_vec(), pattern: Box::new(pattern) }
    }

    #[test]
    fn patterns_are_composed() {
        let thirteen = Pattern::SumIs(13);
        assert_eq!(worth(&thirteen, FIXED, &counts(&[6, 6, 1])), 30);
        assert_eq!(worth(&thirteen, FIXED, &counts(&[6, 6, 2])), 0);
        let crag = Pattern::AllOf(vec![groups(&[2], true), thirteen.clone()]);
        assert_eq!(worth(&crag, FIXED, &counts(&[6, 6, 1])), 30);
        assert_eq!(worth(&crag, MATCHING, &counts(&[6, 6, 1])), 12);
        assert_eq!(worth(&crag, FIXED, &counts(&[6, 5, 2])), 0);
        let neither = Pattern::Not(Box::new(Pattern::AnyOf(vec![thirteen, Pattern::Straight(3)])));
        assert_eq!(worth(&neither, FIXED, &counts(&[1, 1, 3])), 30);
        assert_eq!(worth(&neither, FIXED, &counts(&[1, 2, 3])), 0);
    }

    #[test]
    fn colours_are_groups_of_faces() {
        let colours = [[1, 6], [2, 5], [3, 4]];
        let flush = Pattern::AnyOf(colours.map(|faces| Pattern::Only(faces.to_vec())).to_vec());
        assert_eq!(worth(&flush, FIXED, &counts(&[1, 6, 6, 1, 6])), 30);
        assert_eq!(worth(&flush, FIXED, &counts(&[1, 6, 6, 1, 5])), 0);
        let pairs = |faces: [u8; 2]| Pattern::Among(boxed(&faces, groups(&[2, 2], true)));
        let two_pairs = Pattern::AnyOf(colours.map(pairs).to_vec());
        assert_eq!(worth(&two_pairs, ALL, &counts(&[1, 6, 6, 1, 5])), 19);
        assert_eq!(worth(&two_pairs, MATCHING, &counts(&[1, 6, 6, 1, 5])), 14);
        assert_eq!(worth(&two_pairs, ALL, &counts(&[1, 1, 5, 5, 6])), 0);
    }

    #[test]
    fn wild_dice_stand_for_any_face() {
        let four = Pattern::Wild(boxed(&[1], groups(&[4], true)));
        assert_eq!(worth(&four, MATCHING, &counts(&[1, 1, 5, 5, 3])), 20);
        assert_eq!(worth(&four, ALL, &counts(&[1, 1, 5, 5, 3])), 15);
        assert_eq!(worth(&four, MATCHING, &counts(&[1, 2, 5, 5, 3])), 0);
        assert_eq!(worth(&four, MATCHING, &counts(&[1, 1, 1, 1, 3])), 24);
    }

    #[test]
    fn the_best_dice_count() {
        let best =
            |lowest, pattern| Pattern::Best(Best { dice: 5, lowest, pattern: Box::new(pattern) });
        let dice = counts(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(worth(&best(false, Pattern::Any), MATCHING, &dice), 20);
        assert_eq!(worth(&best(true, Pattern::Any), MATCHING, &dice), 15);
        assert_eq!(worth(&best(false, Pattern::Run(vec![2, 3, 4, 5, 6])), MATCHING, &dice), 20);
        assert_eq!(worth(&best(false, Pattern::AllEven), MATCHING, &dice), 0);
    }

    #[test]
    fn points_may_be_a_multiple_a_spread_or_negative() {
        let points = |fixed, sum, factor| Points { fixed, sum, factor };
        let dice = counts(&[2, 2, 5, 5, 5]);
        assert_eq!(worth(&Pattern::Any, points(0, Sum::Spread, 1), &dice), 3);
        assert_eq!(worth(&groups(&[3], true), points(50, Sum::Matching, 2), &dice), 80);
        assert_eq!(worth(&Pattern::Any, points(-5, Sum::All, -1), &dice), -24);
    }

    #[test]
    fn a_joker_pays_as_though_the_pattern_held() {
        assert_eq!(joker_worth(&groups(&[2, 2], true), ALL, 5, 4), 20);
        assert_eq!(joker_worth(&groups(&[2, 2], true), MATCHING, 5, 4), 16);
        assert_eq!(joker_worth(&Pattern::Straight(4), FIXED, 5, 4), 30);
    }
}
