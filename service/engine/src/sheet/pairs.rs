//! Which dice a turn leads to on sheets where kept dice stay.

use crate::dice::DiceSpace;

/// Pairs of kept dice and dice added since, for sheets where kept dice stay: every keep with every
/// multiset of the other dice.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// `[keep]`: the first of its pairs; these are in the order of the multisets added.
    pub(crate) start: Vec<usize>,
    /// `[pair]`: all the dice, as a keep or a roll.
    pub(crate) union: Vec<usize>,
    /// Slots for their values.
    pub(crate) len: usize,
}

impl Pairs {
    pub(crate) fn new(space: &DiceSpace) -> Self {
        let keeps = space.level(space.dice()).start;
        let mut pairs = Self { start: vec![0], union: Vec::new(), len: 0 };
        for keep in (0..keeps).map(|keep| space.keep(keep)) {
            let free = space.dice() - space.size(keep);
            for added in 0..space.level(free).end {
                let mut faces = space.faces_of(space.keep(added));
                let all = faces.try_fold(keep, |all, face| space.add(all, face));
                pairs.union.push(all.expect("so many dice fit").index());
            }
            pairs.start.push(pairs.union.len());
        }
        // Rolls of which nothing is kept need slots of their own.
        pairs.len = pairs.union.len().max(keeps + space.rolls());
        pairs
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.start[..]) + size_of_val(&self.union[..])
    }
}
