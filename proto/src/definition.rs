//! Constructors of a ruleset as data, and readers of rulesets.

use crate::v1::{
    AllEven, AllOdd, AnyDice, Category, DiceSum, Groups, Pattern, Points, Ruleset,
    RulesetDefinition, Run, Section, UpperBonus, pattern::Kind,
};

/// ```
/// use dicepoker_proto::v1::{Category, Pattern, Points, RulesetDefinition};
///
/// let game = RulesetDefinition::new(3, 6, 2)
///     .category(Category::new("sixes", Pattern::face(6), Points::matching()).upper())
///     .category(Category::new("chance", Pattern::any(), Points::all()))
///     .category(Category::new("three_alike", Pattern::groups([3]), Points::fixed(20)))
///     .upper_bonus(12, 10);
/// assert_eq!(game.categories.len(), 3);
/// ```
impl RulesetDefinition {
    /// Rules without categories: number of dice, faces of a die, and throws a turn.
    #[must_use]
    pub fn new(dice: u32, faces: u32, rolls: u32) -> Self {
        Self { dice, faces, rolls, ..Self::default() }
    }

    /// Adds a row at the bottom of the sheet.
    #[must_use]
    pub fn category(mut self, category: Category) -> Self {
        self.categories.push(category);
        self
    }

    /// Adds a bonus of `points` for an upper section of `threshold` or more.
    #[must_use]
    pub fn upper_bonus(mut self, threshold: i32, points: i32) -> Self {
        self.upper_bonuses.push(UpperBonus { threshold, points });
        self
    }
}

impl Category {
    /// A row of the lower section.
    #[must_use]
    pub fn new(id: impl Into<String>, pattern: Pattern, points: Points) -> Self {
        Self {
            id: id.into(),
            section: Section::Lower.into(),
            pattern: Some(pattern),
            points: Some(points),
            ..Self::default()
        }
    }

    /// Moves the row to the upper section.
    #[must_use]
    pub fn upper(mut self) -> Self {
        self.set_section(Section::Upper);
        self
    }

    /// Sets the title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The name to show: the title, or the id if there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.title.is_empty() { &self.id } else { &self.title }
    }
}

impl Pattern {
    /// Any roll; the dice of `face` match.
    #[must_use]
    pub fn face(face: u32) -> Self {
        Kind::Face(face).into()
    }

    /// Any roll; all dice match.
    #[must_use]
    pub fn any() -> Self {
        Kind::Any(AnyDice {}).into()
    }

    /// Groups of alike dice, of different faces: `[2]` a pair, `[3, 2]` a full house.
    #[must_use]
    pub fn groups(sizes: impl Into<Vec<u32>>) -> Self {
        Kind::Groups(Groups { sizes: sizes.into(), allow_same_face: false }).into()
    }

    /// At least `length` different faces in sequence.
    #[must_use]
    pub fn straight(length: u32) -> Self {
        Kind::Straight(length).into()
    }

    /// At least one die of each of these faces.
    #[must_use]
    pub fn run(faces: impl Into<Vec<u32>>) -> Self {
        Kind::Run(Run { faces: faces.into() }).into()
    }

    /// Every die shows an even face.
    #[must_use]
    pub fn all_even() -> Self {
        Kind::AllEven(AllEven {}).into()
    }

    /// Every die shows an odd face.
    #[must_use]
    pub fn all_odd() -> Self {
        Kind::AllOdd(AllOdd {}).into()
    }

    /// A sum of all dice of `sum` or more.
    #[must_use]
    pub fn sum_at_least(sum: u32) -> Self {
        Kind::SumAtLeast(sum).into()
    }

    /// A sum of all dice of `sum` or less.
    #[must_use]
    pub fn sum_at_most(sum: u32) -> Self {
        Kind::SumAtMost(sum).into()
    }
}

impl From<Kind> for Pattern {
    fn from(kind: Kind) -> Self {
        Self { kind: Some(kind) }
    }
}

impl Points {
    /// Points whatever the faces.
    #[must_use]
    pub fn fixed(points: i32) -> Self {
        Self { fixed: points, ..Self::default() }
    }

    /// The sum of all dice.
    #[must_use]
    pub fn all() -> Self {
        Self { sum: DiceSum::All.into(), ..Self::default() }
    }

    /// The sum of the dice that match the pattern.
    #[must_use]
    pub fn matching() -> Self {
        Self { sum: DiceSum::Matching.into(), ..Self::default() }
    }
}

impl Ruleset {
    /// The rows of the score sheet from top to bottom; empty without a definition.
    #[must_use]
    pub fn categories(&self) -> &[Category] {
        self.definition.as_ref().map_or(&[], |definition| &definition.categories)
    }

    /// Throws a turn; 0 without a definition.
    #[must_use]
    pub fn rolls(&self) -> u32 {
        self.definition.as_ref().map_or(0, |definition| definition.rolls)
    }

    /// Whether a face has a label other than its number.
    #[must_use]
    pub fn has_labels(&self) -> bool {
        self.faces.iter().any(|face| face.label != face.value.to_string())
    }

    /// The label of a face; its number if it has none.
    #[must_use]
    pub fn label(&self, face: u32) -> String {
        let known = self.faces.iter().find(|known| known.value == face);
        known.map_or_else(|| face.to_string(), |known| known.label.clone())
    }
}
