//! How a player errs. One machinery serves all levels and profiles: a [`Skill`] is its settings.
//!
//! A player who errs sees each move in the light of a few habits, drawn from what people do at
//! the table, and then chooses among the moves that look good to it, the more surely the further
//! they are apart. How far it may stray is bounded by what a move really gives up.

use serde::{Deserialize, Serialize};

use crate::category::CategorySet;
use crate::definition::{Pattern, Section};
use crate::sheet::Sheet;

/// The settings of a player. Points are those of the game at hand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// Points by which a move must look worse to be chosen with odds 1 : e against the best; 0
    /// always chooses what looks best.
    pub temperature: f64,
    /// How much the rest of the card weighs against the points of this turn: 1 sees it as it is,
    /// 0 takes what this turn brings and does not look further.
    pub foresight: f64,
    /// Points that throwing again seems to cost: the sure thing is overvalued. Below 0 the player
    /// likes to throw.
    pub caution: f64,
    /// Points that scoring in a favourite row seems to bring on top.
    pub fondness: f64,
    /// The favourite rows.
    pub favourite: Favourite,
    /// The most points a move may really give up; worse ones are never chosen.
    pub cap: f64,
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
    /// Rows that pay something for any roll, or little is needed for: chance and pairs.
    Easy,
}

impl Favourite {
    /// The rows of `sheet` that it means.
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
        let categories = &sheet.definition().categories;
        let meant = sheet.categories().iter().filter(|c| {
            let row = &categories[c.index()];
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
    pub const PERFECT: Self = Self {
        temperature: 0.0,
        foresight: 1.0,
        caution: 0.0,
        fondness: 0.0,
        favourite: Favourite::None,
        cap: 0.0,
    };

    /// Whether this is perfect play.
    #[must_use]
    pub fn is_perfect(&self) -> bool {
        self.cap <= 0.0 || (self.sees_clearly() && self.temperature <= 0.0)
    }

    /// Whether moves look to this player as they are.
    #[must_use]
    pub fn sees_clearly(&self) -> bool {
        self.foresight == 1.0 && self.caution == 0.0 && self.fondness == 0.0
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
        let base = Skill { temperature: 0.02 * t, cap: 0.9 * t, ..Skill::PERFECT };
        match self {
            Self::Cautious => Skill { caution: 0.3 * t, ..base },
            Self::Gambler => {
                let favourite = Favourite::Alike;
                Skill { caution: -0.2 * t, fondness: 1.2 * t, favourite, ..base }
            }
            Self::StraightChaser => {
                Skill { fondness: 0.8 * t, favourite: Favourite::Straights, ..base }
            }
            Self::BonusHunter => Skill { fondness: 0.35 * t, favourite: Favourite::Upper, ..base },
            Self::Hasty => Skill { foresight: 0.25, cap: 1.5 * t, ..base },
        }
    }
}
