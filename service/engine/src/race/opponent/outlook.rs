//! Rows and length of a race, counted over games among players of one kind.

use std::collections::BTreeMap;

use super::simulate::RaceGame;
use super::skill::RaceSkill;
use crate::opponent::draw;
use crate::play::winners;
use crate::race::{ByRow, RacePosition, RaceRules, Row, is_closed};
use crate::statistics::{Figure, GameStatistics, Mean};

/// A row at the end of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceRowOutlook {
    /// The row.
    pub row: Row,
    /// Mean points of it in the total of the first player.
    pub mean_points: Figure,
    /// Probability that it brings the first player nothing.
    pub zero_chance: Figure,
    /// Probability that some player fills it.
    pub closed_chance: Figure,
    /// Probability that filling it ends the game.
    pub ends_game_chance: Figure,
}

/// Games among players of one kind, counted row by row.
#[derive(Clone, Debug)]
pub struct RaceGames {
    start: RacePosition,
    players: Vec<RaceSkill>,
    statistics: GameStatistics,
    lengths: BTreeMap<u32, u64>,
    rows: ByRow<RaceRow>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RaceRow {
    points: Mean,
    held: u64,
    closed: u64,
    ended: u64,
}

impl RaceGames {
    /// No games yet, between so many players of this skill.
    #[must_use]
    pub fn new(rules: RaceRules, players: usize, skill: RaceSkill) -> Self {
        Self {
            start: RacePosition::start(rules, players),
            players: vec![skill; players],
            statistics: GameStatistics::new(players),
            lengths: BTreeMap::new(),
            rows: ByRow::from_fn(|_| RaceRow::default()),
        }
    }

    /// The results of the players.
    #[must_use]
    pub fn statistics(&self) -> &GameStatistics {
        &self.statistics
    }

    /// Plays the next game of `seed` and counts it: the same game that
    /// [`simulate_race`](super::simulate_race) plays under this number.
    pub fn play(&mut self, seed: u64) {
        let seed = draw::seed_of_game(seed, self.statistics.games);
        let game = RaceGame::play(&self.start, &self.players, seed);
        let totals = game.end.totals();
        let ended = game.last.map(|recorded| recorded.row);
        for (row, tally) in Row::ALL.into_iter().zip(&mut self.rows.0) {
            let points = totals[0].rows[row];
            tally.points.add(points.into());
            tally.held += u64::from(points > 0);
            tally.closed += u64::from(is_closed(game.end.boards(), row));
            tally.ended += u64::from(ended == Some(row));
        }
        *self.lengths.entry(game.turns).or_default() += 1;
        let points: Vec<i32> = totals.iter().map(|total| total.points as i32).collect();
        self.statistics.count(&points, &winners(&points));
    }

    /// The turns of all players in a game, with the probability of each number, ascending.
    pub fn lengths(&self) -> impl Iterator<Item = (u32, Figure)> + '_ {
        let games = self.statistics.games;
        self.lengths.iter().map(move |(&turns, &count)| (turns, Figure::share(count, games)))
    }

    /// The rows of the rules, in order.
    pub fn rows(&self) -> impl Iterator<Item = RaceRowOutlook> + '_ {
        let games = self.statistics.games;
        let rows = self.rows.iter().filter(|(row, _)| row.exists(self.start.rules()));
        rows.map(move |(row, tally)| RaceRowOutlook {
            row,
            mean_points: tally.points.figure(),
            zero_chance: Figure::share(games - tally.held, games),
            closed_chance: Figure::share(tally.closed, games),
            ends_game_chance: Figure::share(tally.ended, games),
        })
    }
}
