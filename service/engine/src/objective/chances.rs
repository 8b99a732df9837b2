//! The possible ends of a game for one player: won, drawn or lost.

use crate::turn_solver::Value;

/// Chances of a player. A target that is reached counts as won.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chances {
    /// Probability to win alone, or to reach the target.
    pub win: f64,
    /// Probability to share the win.
    pub draw: f64,
}

impl Chances {
    /// Probability to lose, or to miss the target.
    #[must_use]
    pub fn loss(self) -> f64 {
        (1.0 - self.win - self.draw).max(0.0)
    }

    /// The value that is maximised: a win counts one, a draw half.
    #[must_use]
    pub fn value(self) -> f64 {
        self.win + self.draw / 2.0
    }
}

impl Value for Chances {
    // Half of this is far below any chance, and sums of it stay finite.
    const WORST: Self = Self { win: -1e30, draw: 0.0 };
    const ZERO: Self = Self { win: 0.0, draw: 0.0 };

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        Self { win: self.win + weight * other.win, draw: self.draw + weight * other.draw }
    }

    #[inline(always)]
    fn best(self, other: Self) -> Self {
        if other.value() > self.value() { other } else { self }
    }
}

/// Chances closer than this count as equal.
pub(super) const EQUAL_CHANCE: f64 = 1e-9;

/// The expected end of the game for a player who plays for chances and, where these are equal, for
/// points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) chances: Chances,
    /// The final score of the player.
    pub(super) points: f64,
}

impl Outcome {
    /// Whether `other` is better: better chances or, where these are equal, more points.
    #[inline(always)]
    pub(super) fn is_beaten_by(&self, other: &Self) -> bool {
        let ahead = other.chances.value() - self.chances.value();
        let alike = ahead > -EQUAL_CHANCE;
        ahead > EQUAL_CHANCE || (alike && other.points > self.points + EQUAL_CHANCE)
    }
}

impl Value for Outcome {
    const WORST: Self = Self { chances: Chances::WORST, points: 0.0 };
    const ZERO: Self = Self { chances: Chances::ZERO, points: 0.0 };

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        Self {
            chances: self.chances.plus(weight, other.chances),
            points: self.points + weight * other.points,
        }
    }

    #[inline(always)]
    fn best(self, other: Self) -> Self {
        if self.is_beaten_by(&other) { other } else { self }
    }
}
