//! Dice as multisets. The order in which dice lie on the table never matters to a score, so the
//! engine numbers every multiset of at most `n` dice and works with [`Roll`]s (all dice on the table) and
//! [`Keep`]s (the dice that stay while the others are thrown again). Five six-sided dice have 252 rolls and 462 keeps.

mod numbering;

use std::fmt;

/// The most dice of a game: the largest sheets, those of the maxi kind, need six.
pub const MAX_DICE: usize = 6;

/// The most faces a die may have.
pub const MAX_FACES: usize = 20;

/// The most keeps (multisets of at most all dice) a [`DiceSpace`] may number, so that a number
/// fits 16 bits and leaves one for "none". It admits five dice of 20 faces and six dice of 15.
pub const MAX_KEEPS: usize = (1 << 16) - 1;

/// Sentinel for "no such multiset" in the neighbour tables.
const NONE: u16 = u16::MAX;

/// All dice on the table, as a number in `0..DiceSpace::rolls()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll(u16);

impl Roll {
    /// The number of this roll, an index into tables of [`DiceSpace::rolls`] elements.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The roll of this number, which must be one of the space it is used with.
    pub(crate) fn at(index: usize) -> Self {
        Self(index as u16)
    }
}

/// A multiset of dice: any number of them from none to all, as a number in
/// `0..DiceSpace::keeps()`. Smaller multisets have smaller numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Keep(u16);

impl Keep {
    /// The multiset of no dice: everything is thrown.
    pub const EMPTY: Keep = Keep(0);

    /// The number of this keep, an index into tables of [`DiceSpace::keeps`] elements.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Every multiset of up to `dice` dice with faces `1..=faces`, numbered by size and, within a
/// size, in the order of their sorted faces; with the tables that lead from one to another.
#[derive(Clone)]
pub struct DiceSpace {
    dice: usize,
    faces: usize,
    /// `level[s]..level[s + 1]` are the numbers of the multisets of `s` dice.
    level: Vec<usize>,
    /// `counts[k * faces + f]`: how many dice of face `f + 1` are in `k`.
    counts: Vec<u8>,
    /// `add[k * faces + f]`: `k` and one more die of face `f + 1`.
    add: Vec<u16>,
    /// `remove[k * faces + f]`: `k` without one die of face `f + 1`.
    remove: Vec<u16>,
    /// Probability of each roll when all dice are thrown.
    probability: Vec<f64>,
}

impl fmt::Debug for DiceSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DiceSpace({}d{})", self.dice, self.faces)
    }
}

impl DiceSpace {
    /// Number of dice on the table.
    #[must_use]
    pub fn dice(&self) -> usize {
        self.dice
    }

    /// Number of faces of a die; faces are `1..=faces()`.
    #[must_use]
    pub fn faces(&self) -> usize {
        self.faces
    }

    /// Bytes that the tables take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.level[..])
            + size_of_val(&self.counts[..])
            + size_of_val(&self.add[..])
            + size_of_val(&self.remove[..])
            + size_of_val(&self.probability[..])
    }

    /// Number of distinct rolls; 252 for five six-sided dice.
    #[must_use]
    pub fn rolls(&self) -> usize {
        self.level[self.dice + 1] - self.level[self.dice]
    }

    /// Number of distinct keeps, the rolls included; 462 for five six-sided dice.
    #[must_use]
    pub fn keeps(&self) -> usize {
        self.level[self.dice + 1]
    }

    /// Every roll, in order of its number.
    pub fn all_rolls(&self) -> impl ExactSizeIterator<Item = Roll> + use<> {
        (0..self.rolls() as u16).map(Roll)
    }

    /// The numbers of the keeps of exactly `size` dice.
    #[must_use]
    pub fn level(&self, size: usize) -> std::ops::Range<usize> {
        self.level[size]..self.level[size + 1]
    }

    /// The keep of this number.
    ///
    /// # Panics
    /// If there is no such keep.
    #[must_use]
    pub fn keep(&self, index: usize) -> Keep {
        assert!(index < self.keeps());
        Keep(index as u16)
    }

    /// The multiset of these faces in any order, or `None` if there are too many of them or one
    /// of them is no face of these dice.
    #[must_use]
    pub fn keep_of(&self, faces: &[u8]) -> Option<Keep> {
        if faces.len() > self.dice {
            return None;
        }
        faces.iter().try_fold(Keep::EMPTY, |keep, &face| self.add(keep, face))
    }

    /// The roll of these faces in any order, or `None` if they are not [`DiceSpace::dice`] faces
    /// of these dice.
    #[must_use]
    pub fn roll_of(&self, faces: &[u8]) -> Option<Roll> {
        self.keep_of(faces).and_then(|keep| self.as_roll(keep))
    }

    /// The keep as a roll, if all dice are in it.
    #[must_use]
    pub fn as_roll(&self, keep: Keep) -> Option<Roll> {
        keep.index().checked_sub(self.level[self.dice]).map(|index| Roll(index as u16))
    }

    /// The roll as the keep of all its dice.
    #[must_use]
    pub fn as_keep(&self, roll: Roll) -> Keep {
        Keep((self.level[self.dice] + roll.index()) as u16)
    }

    /// `keep` and one more die; `None` if `face` is no face or all dice are kept already.
    #[must_use]
    pub fn add(&self, keep: Keep, face: u8) -> Option<Keep> {
        let face = usize::from(face).checked_sub(1).filter(|&face| face < self.faces)?;
        some(self.add[keep.index() * self.faces + face])
    }

    /// `keep` without one die of `face`; `None` if there is none in it.
    #[must_use]
    pub fn remove(&self, keep: Keep, face: u8) -> Option<Keep> {
        let face = usize::from(face).checked_sub(1).filter(|&face| face < self.faces)?;
        some(self.remove[keep.index() * self.faces + face])
    }

    /// `keep` and one more die, once for each face; nothing if all dice are kept already.
    pub fn more(&self, keep: Keep) -> impl Iterator<Item = Keep> + '_ {
        self.row(&self.add, keep)
    }

    /// `keep` without one die, once for each face in it.
    pub fn fewer(&self, keep: Keep) -> impl Iterator<Item = Keep> + '_ {
        self.row(&self.remove, keep)
    }

    fn row<'a>(&self, table: &'a [u16], keep: Keep) -> impl Iterator<Item = Keep> + use<'a> {
        table[keep.index() * self.faces..][..self.faces].iter().copied().filter_map(some)
    }

    /// How many dice of each face are in `keep`: element `f` counts face `f + 1`.
    #[must_use]
    pub fn counts(&self, keep: Keep) -> &[u8] {
        &self.counts[keep.index() * self.faces..][..self.faces]
    }

    /// How many dice of each face are in `roll`: element `f` counts face `f + 1`.
    #[must_use]
    pub fn roll_counts(&self, roll: Roll) -> &[u8] {
        self.counts(self.as_keep(roll))
    }

    /// How many dice are in `keep`.
    #[must_use]
    pub fn size(&self, keep: Keep) -> usize {
        self.counts(keep).iter().map(|&count| usize::from(count)).sum()
    }

    /// The faces in `keep`, in ascending order.
    pub fn faces_of(&self, keep: Keep) -> impl Iterator<Item = u8> + '_ {
        (1u8..)
            .zip(self.counts(keep))
            .flat_map(|(face, &count)| std::iter::repeat_n(face, usize::from(count)))
    }

    /// The sum of the faces in `keep`.
    #[must_use]
    pub fn sum(&self, keep: Keep) -> u32 {
        self.faces_of(keep).map(u32::from).sum()
    }

    /// The face that all dice of `roll` show, if they do.
    #[must_use]
    pub fn alike(&self, roll: Roll) -> Option<u8> {
        let all = self.dice as u8;
        (1u8..).zip(self.roll_counts(roll)).find(|&(_, &count)| count == all).map(|(face, _)| face)
    }

    /// The probability that a throw of all dice shows `roll`.
    #[must_use]
    pub fn probability(&self, roll: Roll) -> f64 {
        self.probability[roll.index()]
    }

    /// Whether `whole` contains every die of `part`.
    #[must_use]
    pub fn contains(&self, whole: Keep, part: Keep) -> bool {
        self.counts(whole).iter().zip(self.counts(part)).all(|(whole, part)| whole >= part)
    }

    /// Every multiset that can be kept of `roll`, each once, all dice excluded: keeping
    /// everything throws nothing. At most 31 for five dice.
    pub fn keeps_of(&self, roll: Roll) -> impl Iterator<Item = Keep> + '_ {
        let counts = self.roll_counts(roll);
        let mut digits = [0u8; MAX_FACES];
        let mut keep = Keep::EMPTY;
        let all = self.as_keep(roll);
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let current = keep;
            // Counts up in a mixed radix system: the greatest digit of a face is its count.
            done = true;
            for (face, (digit, &count)) in (1u8..).zip(digits.iter_mut().zip(counts)) {
                if *digit < count {
                    *digit += 1;
                    keep = self.add(keep, face).expect("part of the roll");
                    done = keep == all;
                    break;
                }
                while *digit > 0 {
                    *digit -= 1;
                    keep = self.remove(keep, face).expect("part of the roll");
                }
            }
            Some(current)
        })
    }
}

fn some(number: u16) -> Option<Keep> {
    (number != NONE).then_some(Keep(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_dice_have_252_rolls_and_462_keeps() {
        let space = DiceSpace::new(5, 6);
        assert_eq!((space.rolls(), space.keeps()), (252, 462));
        let total: f64 = space.all_rolls().map(|roll| space.probability(roll)).sum();
        assert!((total - 1.0).abs() < 1e-12);
    }

    #[test]
    fn order_of_dice_does_not_matter() {
        let space = DiceSpace::new(5, 6);
        assert_eq!(space.roll_of(&[4, 1, 3, 2, 4]), space.roll_of(&[1, 2, 3, 4, 4]));
        assert_ne!(space.roll_of(&[4, 1, 3, 2, 4]), space.roll_of(&[1, 2, 3, 3, 4]));
        assert_eq!(space.roll_of(&[1, 2, 3, 4]), None);
        assert_eq!(space.roll_of(&[1, 2, 3, 4, 7]), None);
        assert_eq!(space.roll_of(&[0, 2, 3, 4, 5]), None);
        assert_eq!(space.roll_of(&[1; 6]), None);
    }

    #[test]
    fn adding_and_removing_are_inverse() {
        for (dice, faces) in [(1, 2), (3, 4), (5, 6), (6, 6), (2, 20)] {
            let space = DiceSpace::new(dice, faces);
            for keep in (0..space.level(dice).start).map(|index| space.keep(index)) {
                for face in 1..=faces as u8 {
                    let more = space.add(keep, face).expect("room for one more");
                    assert_eq!(space.remove(more, face), Some(keep));
                    assert_eq!(space.size(more), space.size(keep) + 1);
                    let faces: Vec<u8> = space.faces_of(more).collect();
                    assert_eq!(space.keep_of(&faces), Some(more));
                }
            }
        }
    }

    #[test]
    fn keeps_of_a_roll_are_distinct_parts_of_it() {
        let space = DiceSpace::new(5, 6);
        for roll in space.all_rolls() {
            let mut keeps: Vec<Keep> = space.keeps_of(roll).collect();
            let whole = space.as_keep(roll);
            assert!(keeps.iter().all(|&k| k != whole && space.contains(whole, k)));
            let expected: usize =
                space.roll_counts(roll).iter().map(|&c| usize::from(c) + 1).product();
            assert_eq!(keeps.len(), expected - 1);
            keeps.sort();
            keeps.dedup();
            assert_eq!(keeps.len(), expected - 1);
        }
    }

    #[test]
    fn the_limit_on_keeps_is_where_the_docs_say() {
        assert!(DiceSpace::fits(5, 20) && DiceSpace::fits(6, 15));
        assert!(!DiceSpace::fits(6, 16) && !DiceSpace::fits(7, 6) && !DiceSpace::fits(5, 21));
        assert!(!DiceSpace::fits(0, 6) && !DiceSpace::fits(5, 1));
    }
}
