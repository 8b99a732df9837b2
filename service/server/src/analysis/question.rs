//! The request of an analysis, parsed alike for all families.

use std::ops::RangeInclusive;

use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::error::Error;
use crate::progress::{Bounds, read_games};

/// The most targets and the most opponents of a request.
const MOST: usize = 16;

/// The highest target, above the score of any card.
const MOST_TARGET: i32 = 100_000;

/// A request with its opponents parsed.
#[derive(Clone, Debug)]
pub(crate) struct Question<O> {
    pub(crate) games: u64,
    pub(crate) seed: u64,
    pub(crate) targets: Vec<i32>,
    pub(crate) opponents: Vec<(pb::Opponent, O)>,
    pub(crate) players: usize,
}

/// The players of the games of an analysis.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The valid numbers of players; one where each plays alone.
    pub(crate) players: RangeInclusive<usize>,
    /// The default number.
    pub(crate) unless_said: usize,
    /// Whether games have scores.
    pub(crate) scored: bool,
}

impl<O> Question<O> {
    /// Reads a request.
    ///
    /// # Errors
    /// Every violation in it.
    pub(crate) fn read(
        request: &pb::AnalyzeRequest,
        bounds: Bounds,
        table: &Table,
        read_opponent: impl Fn(&pb::Opponent) -> Result<O, Error>,
    ) -> Result<Self, Error> {
        let mut found = Violations::new();
        let games = read_games(request.games, bounds);
        let games = games.map_err(|error| error.add_to(&mut found)).unwrap_or_default();
        if request.seed.is_none() {
            found.push("seed", "required");
        }
        read_targets(&request.targets, table.scored, &mut found);
        let opponents = read_opponents(&request.opponents, read_opponent, &mut found);
        let players = read_players(request.players, table, &mut found);
        let question = Self {
            games,
            seed: request.seed.unwrap_or_default(),
            targets: request.targets.clone(),
            opponents,
            players,
        };
        found.or(question).map_err(Error::Invalid)
    }
}

fn read_targets(targets: &[i32], scored: bool, found: &mut Violations) {
    if !scored && !targets.is_empty() {
        found.push("targets", "must be left out: games of this ruleset have no score");
        return;
    }
    if targets.len() > MOST {
        found.push("targets", format!("{} targets: must be at most {MOST}", targets.len()));
    }
    for (i, target) in targets.iter().enumerate().take(MOST) {
        if !(1..=MOST_TARGET).contains(target) {
            found.push(format!("targets[{i}]"), format!("{target}: must be 1 to {MOST_TARGET}"));
        }
    }
}

fn read_opponents<O>(
    opponents: &[pb::Opponent],
    read: impl Fn(&pb::Opponent) -> Result<O, Error>,
    found: &mut Violations,
) -> Vec<(pb::Opponent, O)> {
    if opponents.len() > MOST {
        found.push("opponents", format!("{} opponents: must be at most {MOST}", opponents.len()));
    }
    let mut all = Vec::new();
    for (i, opponent) in opponents.iter().enumerate().take(MOST) {
        match read(opponent) {
            Ok(player) => all.push((opponent.clone(), player)),
            Err(Error::Invalid(wrong)) => {
                for violation in wrong.as_slice() {
                    // Elsewhere an opponent is a field of this name.
                    let field = violation.field.trim_start_matches("opponent");
                    found.push(format!("opponents[{i}]{field}"), violation.description.clone());
                }
            }
            Err(error) => error.add_to(found),
        }
    }
    all
}

fn read_players(players: u32, table: &Table, found: &mut Violations) -> usize {
    let (fewest, most) = (table.players.start(), table.players.end());
    let asked = players as usize;
    match asked {
        0 => return table.unless_said,
        _ if *most == 1 => found.push("players", "must be left out: each player plays alone"),
        _ if table.players.contains(&asked) => {}
        _ if fewest == most => found.push("players", format!("{players}: must be {fewest}")),
        _ => found.push("players", format!("{players}: must be {fewest} to {most}")),
    }
    asked
}
