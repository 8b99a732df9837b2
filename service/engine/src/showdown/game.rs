//! A sound definition, ready for play: its dice numbered and its hands ranked.

use super::check::{MAX_PLAYERS, check, warnings};
use super::definition::{Order, ShowdownDefinition};
use super::hand::Hands;
use crate::dice::DiceSpace;
use crate::violation::Violations;

/// The rules of a showdown, ready for play.
#[derive(Clone, Debug)]
pub struct Showdown {
    definition: ShowdownDefinition,
    space: DiceSpace,
    hands: Hands,
}

impl Showdown {
    /// Makes `definition` ready for play.
    ///
    /// # Errors
    /// Every violation in it.
    pub fn new(definition: ShowdownDefinition) -> Result<Self, Violations> {
        check(&definition).or(())?;
        let space = DiceSpace::new(definition.dice.into(), definition.faces.into());
        let hands = Hands::new(&definition, &space);
        Ok(Self { definition, space, hands })
    }

    /// The rules as data.
    #[must_use]
    pub fn definition(&self) -> &ShowdownDefinition {
        &self.definition
    }

    /// The dice of a player.
    #[must_use]
    pub fn space(&self) -> &DiceSpace {
        &self.space
    }

    /// The hands of all rolls.
    #[must_use]
    pub fn hands(&self) -> &Hands {
        &self.hands
    }

    /// Warnings about the definition.
    #[must_use]
    pub fn warnings(&self) -> Violations {
        warnings(&self.definition, &self.hands)
    }

    /// The numbers of players.
    #[must_use]
    pub fn players(&self) -> std::ops::RangeInclusive<usize> {
        let ShowdownDefinition { payout, order, raises, .. } = self.definition;
        match order {
            _ if payout => 1..=1,
            Order::Simultaneous => 2..=2,
            _ if raises > 0 => 2..=2,
            _ => 2..=MAX_PLAYERS,
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.definition.bytes() + self.space.bytes() + self.hands.bytes()
    }
}
