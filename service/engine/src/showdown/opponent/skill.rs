//! The settings of an opponent, and its choice of a move.

use serde::{Deserialize, Serialize};

use crate::dice::{Keep, Roll};
use crate::opponent::draw;
use crate::showdown::{
    Order, Showdown, ShowdownMove, ShowdownPosition, ShowdownRanking, ShowdownValues, rank,
};

/// How much a player errs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownSkill {
    /// By how much a move must be worse to be chosen with odds 1 : e against the best, in
    /// probability to win; 0 always chooses the best.
    pub temperature: f64,
    /// The most that a move may give up, in the same unit.
    pub cap: f64,
}

impl ShowdownSkill {
    /// Best play.
    pub const PERFECT: Self = Self { temperature: 0.0, cap: 0.0 };
}

/// Players who follow a rule of thumb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShowdownProfile {
    /// Keeps the made set and throws the rest again.
    MadeSets,
    /// Keeps the most frequent face only, and raises whenever it may.
    Gambler,
    /// Stops as soon as it is ahead, and gives up to a raise when behind.
    Cautious,
}

impl ShowdownProfile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::MadeSets, Self::Gambler, Self::Cautious];

    /// The stable name of the profile.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::MadeSets => "made_sets",
            Self::Gambler => "gambler",
            Self::Cautious => "cautious",
        }
    }

    /// What the player is like, in one English sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::MadeSets => {
                "Keeps the made set and throws the rest again, whatever the others have."
            }
            Self::Gambler => "Keeps its most frequent face only, and raises whenever it may.",
            Self::Cautious => "Stops as soon as it is ahead, and gives up to a raise when behind.",
        }
    }

    /// The profile of this name, if there is one.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.id() == id)
    }

    /// The move of this player.
    #[must_use]
    pub fn choose(self, game: &Showdown, position: &ShowdownPosition) -> ShowdownMove {
        let Some(roll) = position.dice() else { return ShowdownMove::Keep(Keep::EMPTY) };
        let ahead = is_ahead(game, position, roll);
        let wanted = if position.is_betting(game) {
            match self {
                Self::Gambler => ShowdownMove::Raise(game.definition().raises),
                Self::Cautious if !ahead => ShowdownMove::GiveUp,
                _ => ShowdownMove::Accept,
            }
        } else {
            match self {
                Self::MadeSets => keep_or_stop(game, roll, position.held(), made(game, roll)),
                Self::Gambler => keep_or_stop(game, roll, position.held(), most(game, roll)),
                Self::Cautious if ahead => ShowdownMove::Stop,
                Self::Cautious => keep_or_stop(game, roll, position.held(), made(game, roll)),
            }
        };
        match position.check(game, wanted) {
            Ok(()) => wanted,
            Err(_) if position.is_betting(game) => ShowdownMove::Accept,
            Err(_) => ShowdownMove::Stop,
        }
    }
}

/// How an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShowdownOpponent {
    /// Best play with errors.
    Skill(ShowdownSkill),
    /// A rule of thumb.
    Profile(ShowdownProfile),
}

impl ShowdownOpponent {
    /// Best play.
    pub const PERFECT: Self = Self::Skill(ShowdownSkill::PERFECT);

    /// The move that the opponent makes in `position`, and what it gives up where that is known.
    /// The same for the same seed.
    #[must_use]
    pub fn choose(
        &self,
        game: &Showdown,
        values: &ShowdownValues,
        position: &ShowdownPosition,
        seed: u64,
    ) -> (ShowdownMove, Option<f64>) {
        let ranking = rank(game, values, position).ok();
        let regret = |chosen: ShowdownMove| {
            let moves = ranking.as_ref()?.moves.iter();
            moves.clone().find(|advice| advice.chosen == chosen).map(|advice| advice.regret)
        };
        let chosen = match (self, &ranking) {
            (Self::Profile(profile), _) => profile.choose(game, position),
            (Self::Skill(skill), Some(ranking)) => skill.choose(game, ranking, position, seed),
            // These positions are not solved; a rule of thumb replaces best play.
            (Self::Skill(_), None) => ShowdownProfile::MadeSets.choose(game, position),
        };
        (chosen, regret(chosen))
    }
}

impl ShowdownSkill {
    /// The move of a player of this skill, by `seed`.
    #[must_use]
    pub fn choose(
        &self,
        game: &Showdown,
        ranking: &ShowdownRanking,
        position: &ShowdownPosition,
        seed: u64,
    ) -> ShowdownMove {
        let unit = unit(game, position);
        let mixed = game.definition().order == Order::Simultaneous;
        let weight = |regret: f64, probability: Option<f64>| match probability {
            // Best play draws its choice, an erring player now and then draws another one.
            Some(probability) if probability > 0.0 => probability,
            Some(_) if self.temperature <= 0.0 => 0.0,
            _ if regret > self.cap * unit => 0.0,
            _ => draw::decay(regret / (self.temperature * unit)),
        };
        if self.temperature <= 0.0 && !(mixed && ranking.moves[0].probability.is_some()) {
            return ranking.moves[0].chosen;
        }
        let weights: Vec<f64> =
            ranking.moves.iter().map(|m| weight(m.regret, m.probability)).collect();
        let drawn = draw::uniform(seed, position.moment());
        ranking.moves[draw::select(&weights, drawn)].chosen
    }
}

/// What the probability 1 is worth in the unit by which moves are ranked.
fn unit(game: &Showdown, position: &ShowdownPosition) -> f64 {
    match game.definition().raises {
        0 => 1.0,
        _ => 2.0 * f64::from(position.stakes().stake),
    }
}

/// Whether `roll` is above all other dice on the table and, where there are none, is better than
/// most throws.
fn is_ahead(game: &Showdown, position: &ShowdownPosition, roll: Roll) -> bool {
    let own = game.hands().rank(roll);
    let seats = position.seats().iter().enumerate();
    let others = seats.filter(|(player, _)| *player != position.to_move());
    let best = others.filter_map(|(_, seat)| seat.dice).map(|roll| game.hands().rank(roll)).max();
    match best {
        Some(best) => own > best,
        None => game.hands().below(own) > 0.5,
    }
}

/// The dice that make the hand: those of faces that show at least twice, wild ones included; all
/// dice if the hand needs every one of them.
fn made(game: &Showdown, roll: Roll) -> Keep {
    let space = game.space();
    let counts = space.roll_counts(roll);
    let wild = &game.definition().wild;
    let whole = space.as_keep(roll);
    let sets = space
        .faces_of(whole)
        .filter(|face| counts[usize::from(*face) - 1] > 1 || wild.contains(face));
    let keep = sets.fold(Keep::EMPTY, |keep, face| space.add(keep, face).unwrap_or(keep));
    // A hand of different faces above the last one is a straight or the like: a made hand.
    let last = game.definition().hands.len() - 1;
    if keep == Keep::EMPTY && game.hands().hand(roll) < last { whole } else { keep }
}

/// The dice of the most frequent face, the highest of several, wild ones included.
fn most(game: &Showdown, roll: Roll) -> Keep {
    let space = game.space();
    let wild = &game.definition().wild;
    let counts = (1u8..).zip(space.roll_counts(roll));
    let best = counts.filter(|(face, _)| !wild.contains(face)).max_by_key(|(_, count)| **count);
    let faces = space.faces_of(space.as_keep(roll));
    faces
        .filter(|face| wild.contains(face) || best.is_some_and(|(most, _)| most == *face))
        .fold(Keep::EMPTY, |keep, face| space.add(keep, face).unwrap_or(keep))
}

/// Keeps `wanted` and what was set aside; stops if that is everything.
fn keep_or_stop(game: &Showdown, roll: Roll, held: Keep, wanted: Keep) -> ShowdownMove {
    let space = game.space();
    let mut keep = wanted;
    for face in 1..=space.faces() as u8 {
        let at = usize::from(face) - 1;
        let missing = space.counts(held)[at].saturating_sub(space.counts(wanted)[at]);
        (0..missing).for_each(|_| keep = space.add(keep, face).unwrap_or(keep));
    }
    if keep == space.as_keep(roll) { ShowdownMove::Stop } else { ShowdownMove::Keep(keep) }
}
