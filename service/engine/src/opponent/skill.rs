//! The settings of players at score sheets: habits that change the values they see, and the
//! errors among these.

use serde::{Deserialize, Serialize};

use super::errors::Errors;
use crate::category::CategorySet;
use crate::definition::{Pattern, Section};
use crate::sheet::Sheet;

/// The settings of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// The weight of the rest of the card against the points of this turn: 1 is exact, at 0 only
    /// the points of this turn count.
    pub foresight: f64,
    /// Points that a score in a favourite row seems to be worth in addition, in this game.
    pub fondness: f64,
    /// The favourite rows.
    pub favourite: Favourite,
    /// The errors among the values that the player sees.
    pub errors: Errors,
}

/// Rows a player is fond of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Favourite {
    /// None.
    #[default]
    None,
    /// Straights and runs.
    Straights,
    /// The row of all dice alike.
    Alike,
    /// The upper section.
    Upper,
    /// Rows that almost any roll pays: chance and pairs.
    Easy,
}

impl Favourite {
    /// The rows of `sheet` in this group.
    #[must_use]
    pub fn rows(self, sheet: &Sheet) -> CategorySet {
        let is_meant = |section: Section, pattern: &Pattern| match self {
            Self::None => false,
            Self::Straights => matches!(pattern, Pattern::Straight(_) | Pattern::Run(_)),
            Self::Alike => false,
            Self::Upper => section == Section::Upper,
            Self::Easy => match pattern {
                Pattern::Any => true,
                Pattern::Groups(groups) => groups.sizes.iter().all(|&size| size <= 2),
                _ => false,
            },
        };
        let meant = sheet.categories().iter().filter(|c| {
            let row = sheet.row_of(*c);
            is_meant(row.section, &row.pattern)
        });
        let rows: CategorySet = meant.collect();
        match self {
            Self::Alike => sheet.alike_row().into_iter().collect(),
            _ => rows,
        }
    }
}

impl Skill {
    /// Perfect play.
    pub const PERFECT: Self =
        Self { foresight: 1.0, fondness: 0.0, favourite: Favourite::None, errors: Errors::NONE };

    /// Whether this is perfect play.
    #[must_use]
    pub fn is_perfect(&self) -> bool {
        let Errors { temperature, cap, caution, .. } = self.errors;
        cap <= 0.0 || (self.sees_clearly() && temperature <= 0.0 && caution == 0.0)
    }

    /// Whether the player sees the values of moves without error.
    #[must_use]
    pub fn sees_clearly(&self) -> bool {
        self.foresight == 1.0 && self.fondness == 0.0
    }
}

/// Players with a character of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Takes the sure thing: stops throwing early.
    Cautious,
    /// Throws as long as it may and hopes for all dice alike.
    Gambler,
    /// Loves straights.
    StraightChaser,
    /// Works on the upper section before anything else.
    BonusHunter,
    /// Takes the most points of this turn and thinks no further.
    Hasty,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 5] =
        [Self::Cautious, Self::Gambler, Self::StraightChaser, Self::BonusHunter, Self::Hasty];

    /// The stable name of the profile.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cautious => "cautious",
            Self::Gambler => "gambler",
            Self::StraightChaser => "straight_chaser",
            Self::BonusHunter => "bonus_hunter",
            Self::Hasty => "hasty",
        }
    }

    /// What the player is like, in one English sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Cautious => "Takes the sure thing and stops throwing early.",
            Self::Gambler => "Throws as long as it may and hopes for all dice alike.",
            Self::StraightChaser => {
                "Loves straights and keeps dice for them when others would not."
            }
            Self::BonusHunter => "Works on the upper section before anything else.",
            Self::Hasty => "Takes the most points of this turn and thinks no further.",
        }
    }

    /// The profile of this name, if there is one.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.id() == id)
    }

    /// The settings of the profile in a game whose average turn is worth so many points.
    #[must_use]
    pub fn skill(self, points_a_turn: f64) -> Skill {
        let t = points_a_turn;
        let errors = Errors { temperature: 0.06, cap: 0.7, caution: 0.0, considered: 5 };
        let base = Skill { errors, ..Skill::PERFECT };
        match self {
            Self::Cautious => Skill { errors: Errors { caution: 0.3, ..errors }, ..base },
            Self::Gambler => Skill {
                fondness: 1.2 * t,
                favourite: Favourite::Alike,
                errors: Errors { caution: -0.2, ..errors },
                ..base
            },
            Self::StraightChaser => {
                Skill { fondness: 0.8 * t, favourite: Favourite::Straights, ..base }
            }
            Self::BonusHunter => Skill { fondness: 0.35 * t, favourite: Favourite::Upper, ..base },
            Self::Hasty => Skill { foresight: 0.25, ..base },
        }
    }
}
