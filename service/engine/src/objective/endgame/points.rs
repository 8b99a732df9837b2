//! Sets of numbers of points.

/// Numbers of points from a least one on, as bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PointSet {
    least: i32,
    words: Vec<u64>,
}

const BITS: usize = u64::BITS as usize;

impl PointSet {
    /// No points; none below `least` can be in it.
    pub(super) fn new(least: i32) -> Self {
        Self { least, words: Vec::new() }
    }

    fn place(&self, points: i32) -> (usize, u64) {
        let bit = (points - self.least) as usize;
        (bit / BITS, 1 << (bit % BITS))
    }

    pub(super) fn insert(&mut self, points: i32) {
        let (word, bit) = self.place(points);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    pub(super) fn contains(&self, points: i32) -> bool {
        let (word, bit) = self.place(points);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Adds every number of points of `other` and `gain` more; both have the same least one.
    pub(super) fn add_raised(&mut self, other: &Self, gain: i32) {
        let (words, bits) = (gain as usize / BITS, gain as usize % BITS);
        let end = words + other.words.len() + 1;
        if self.words.len() < end {
            self.words.resize(end, 0);
        }
        for (i, &word) in other.words.iter().enumerate() {
            self.words[words + i] |= word << bits;
            if bits > 0 {
                self.words[words + i + 1] |= word >> (BITS - bits);
            }
        }
    }

    /// All of them, ascending.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = i32> + '_ {
        let end = self.least + (self.words.len() * BITS) as i32;
        (self.least..end).filter(|&points| self.contains(points))
    }

    /// The same points of the other side: each with its sign changed.
    pub(super) fn turned(&self) -> Self {
        let mut turned = Self::new(self.least);
        self.iter().rev().for_each(|points| turned.insert(-points));
        turned
    }

    /// Those that `keep` holds for.
    pub(super) fn filter(&self, keep: impl Fn(i32) -> bool) -> Self {
        let mut some = Self::new(self.least);
        self.iter().filter(|&points| keep(points)).for_each(|points| some.insert(points));
        some
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_raised_and_turned_point_by_point() {
        let all = [-300, -64, -1, 0, 63, 64, 250];
        let mut set = PointSet::new(-400);
        all.iter().for_each(|&points| set.insert(points));
        assert_eq!(set.iter().collect::<Vec<_>>(), all);
        assert_eq!(set.turned().iter().collect::<Vec<_>>(), [-250, -64, -63, 0, 1, 64, 300]);
        for gain in [0, 1, 63, 64, 65, 150] {
            let mut raised = PointSet::new(-400);
            raised.insert(499);
            raised.add_raised(&set, gain);
            let wanted = all.iter().map(|points| points + gain).chain([499]);
            assert_eq!(raised.iter().collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{gain}");
        }
        assert_eq!(set.filter(|points| points > 0).iter().collect::<Vec<_>>(), [63, 64, 250]);
        assert!(set.contains(-1) && !set.contains(1) && !set.contains(5_000));
        assert!(set.filter(|_| false).is_empty());
    }
}
