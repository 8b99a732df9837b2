//! The settings of an opponent, and its choice of a move.

use serde::{Deserialize, Serialize};

use crate::dice::{Keep, Roll};
use crate::opponent::{Candidate, Errors, MoveKind, draw, rule_out, stake};
use crate::showdown::{
    EQUAL, Showdown, ShowdownAdvice, ShowdownMove, ShowdownPosition, ShowdownRanking,
    ShowdownValues, rank,
};

/// The settings of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownSkill {
    /// Errors among the moves by their values.
    pub errors: Errors,
}

impl ShowdownSkill {
    /// Best play.
    pub const PERFECT: Self = Self { errors: Errors::NONE };
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

/// A move that an opponent made, in the measure by which moves are ranked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShowdownDecision {
    /// The move.
    pub chosen: ShowdownMove,
    /// What it gave up against the best one.
    pub regret: f64,
    /// What was at stake, see [`stake`]; 0 if there was no choice.
    pub stake: f64,
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

    /// The move that the opponent makes in `position`. The same for the same seed.
    #[must_use]
    pub fn choose(
        &self,
        game: &Showdown,
        values: &ShowdownValues,
        position: &ShowdownPosition,
        seed: u64,
    ) -> ShowdownDecision {
        let ranking = rank(game, values, position);
        let chosen = match self {
            Self::Profile(profile) => profile.choose(game, position),
            Self::Skill(skill) => skill.choose(game, &ranking, position, seed),
        };
        let moves = &ranking.moves;
        let made = moves.iter().find(|advice| advice.chosen == chosen);
        let regret = made.expect("every legal move is ranked").regret;
        ShowdownDecision { chosen, regret, stake: stake(moves.iter().map(|m| m.value)) }
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
        let moves = &ranking.moves;
        let at = match *self {
            Self::PERFECT => 0,
            _ => {
                let candidates = candidates(game, position, moves);
                self.errors.choose(&candidates, seed, position.moment()).index
            }
        };
        // Where both choose at once equal moves are not alternatives: best play draws among them.
        if moves[at].regret == 0.0 && moves[at].probability.is_some() {
            let weights: Vec<f64> = moves.iter().map(|m| m.probability.unwrap_or(0.0)).collect();
            let drawn = draw::uniform(seed, position.moment() | MIXED);
            return moves[draw::select(&weights, drawn)].chosen;
        }
        moves[at].chosen
    }
}

/// The stream of draws among equal moves, apart from those of errors.
const MIXED: u64 = 1 << 62;

/// The ranked moves of `position` as a player may choose them.
fn candidates(
    game: &Showdown,
    position: &ShowdownPosition,
    moves: &[ShowdownAdvice],
) -> Vec<Candidate> {
    let kind = |chosen| match chosen {
        ShowdownMove::Keep(_) | ShowdownMove::Raise(_) => MoveKind::Throw,
        ShowdownMove::Stop | ShowdownMove::Accept | ShowdownMove::GiveUp => MoveKind::Settle,
    };
    // A sure end is one of the round, or the most that a pay table has.
    let pays = game.definition().hands.iter().map(|hand| f64::from(hand.pays));
    let payout = game.definition().payout;
    let (loss, win) =
        if payout { (f64::NEG_INFINITY, pays.fold(0.0, f64::max)) } else { (0.0, 1.0) };
    let sure = |advice: &ShowdownAdvice| match payout {
        true => Some(advice.value),
        false => advice.round.map(|round| round.win + round.draw / 2.0),
    };
    let ends: Option<Vec<f64>> = moves.iter().map(sure).collect();
    let ends = ends.filter(|_| !position.is_betting(game));
    let candidate = |(at, advice): (usize, &ShowdownAdvice)| {
        let end = ends.as_ref().map_or(advice.value, |ends| ends[at]);
        Candidate::new(end, kind(advice.chosen))
    };
    let mut candidates: Vec<Candidate> = moves.iter().enumerate().map(candidate).collect();
    if ends.is_some() {
        rule_out(&mut candidates, loss, win, EQUAL);
    }
    let seen = |(candidate, advice): (&mut Candidate, &ShowdownAdvice)| {
        *candidate = Candidate::new(advice.value, candidate.kind);
    };
    candidates.iter_mut().zip(moves).for_each(seen);
    candidates
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
