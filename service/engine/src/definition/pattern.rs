//! Patterns of rows, and the points that they pay.

use serde::{Deserialize, Serialize};

/// What the dice must show for a category to pay.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Any roll; the dice of this face are the matching ones.
    Face(u8),
    /// Any roll; all dice match.
    Any,
    /// Groups of alike dice, such as `[3, 2]` for a full house.
    Groups(Groups),
    /// At least so many different faces in sequence. The dice of the sequence match, the highest
    /// sequence if there are several.
    Straight(u8),
    /// At least one die of each of these faces; they match, one die each.
    Run(Vec<u8>),
    /// Every die shows an even face; all match.
    AllEven,
    /// Every die shows an odd face; all match.
    AllOdd,
    /// The dice add up to so much or more; all match.
    SumAtLeast(u16),
    /// The dice add up to so much or less; all match.
    SumAtMost(u16),
    /// The dice add up to exactly so much; all match.
    SumIs(u16),
    /// Every die shows one of these faces; all match.
    Only(Vec<u8>),
    /// The dice that show some faces hold a pattern; those of it match.
    Among(Among),
    /// Dice of some faces, which may stand for any face, let the dice hold a pattern; what the
    /// dice then show is what matches.
    Wild(Among),
    /// Some of the dice, the best ones, hold a pattern.
    Best(Best),
    /// All of these patterns hold; the dice of the first match.
    AllOf(Vec<Pattern>),
    /// At least one of these patterns holds; the dice of the one that matches most match.
    AnyOf(Vec<Pattern>),
    /// This pattern does not hold; all dice match.
    Not(Box<Pattern>),
}

/// A pattern and the faces that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Among {
    /// The faces.
    pub faces: Vec<u8>,
    /// The pattern.
    pub pattern: Box<Pattern>,
}

/// A pattern of some of the dice, as though there were no others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// How many dice count.
    pub dice: u8,
    /// Whether those of the lowest sum are the best, not those of the highest.
    #[serde(default)]
    pub lowest: bool,
    /// The pattern.
    pub pattern: Box<Pattern>,
}

impl Pattern {
    /// The patterns directly inside.
    pub(crate) fn parts(&self) -> &[Pattern] {
        match self {
            Self::Among(inner) | Self::Wild(inner) => std::slice::from_ref(&inner.pattern),
            Self::Best(best) => std::slice::from_ref(&best.pattern),
            Self::Not(inner) => std::slice::from_ref(inner),
            Self::AllOf(parts) | Self::AnyOf(parts) => parts,
            _ => &[],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let lists = match self {
            Self::Run(faces) | Self::Only(faces) => faces.len(),
            Self::Among(inner) | Self::Wild(inner) => inner.faces.len(),
            Self::Groups(groups) => groups.sizes.len(),
            _ => 0,
        };
        lists + self.parts().iter().map(|part| size_of::<Self>() + part.bytes()).sum::<usize>()
    }
}

/// Groups of alike dice. The dice of the groups match, of the highest possible faces.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Size of each group: `[2]` a pair, `[2, 2]` two pairs, `[3, 2]` a full house, `[4, 2]` a
    /// tower, `[3, 3]` a villa, `[5]` five alike.
    pub sizes: Vec<u8>,
    /// Whether the groups must be of different faces. If not, five alike hold `[3, 2]` and four
    /// alike hold `[2, 2]`.
    #[serde(default = "yes")]
    pub distinct: bool,
}

fn yes() -> bool {
    true
}

/// The points of a category: `fixed` points, and `factor` times the sum that `sum` selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Points whatever the faces.
    #[serde(default)]
    pub fixed: i16,
    /// The dice whose faces are added.
    #[serde(default)]
    pub sum: Sum,
    /// Factor of the sum; may be negative.
    #[serde(default = "single", skip_serializing_if = "is_single")]
    pub factor: i16,
}

impl Default for Points {
    /// Nothing.
    fn default() -> Self {
        Self { fixed: 0, sum: Sum::None, factor: 1 }
    }
}

impl Points {
    /// So many points whatever the faces.
    #[must_use]
    pub fn fixed(points: i16) -> Self {
        Self { fixed: points, ..Self::default() }
    }

    /// The sum of these dice.
    #[must_use]
    pub fn sum(sum: Sum) -> Self {
        Self { sum, ..Self::default() }
    }
}

fn single() -> i16 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_single(factor: &i16) -> bool {
    *factor == 1
}

/// Which dice add their faces to the points of a category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sum {
    /// None.
    #[default]
    None,
    /// All dice on the table.
    All,
    /// The dice that match the pattern.
    Matching,
    /// The largest face less the smallest.
    Spread,
}
