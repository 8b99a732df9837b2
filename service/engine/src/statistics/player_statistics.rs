//! Results of many games. A [`GameStatistics`] counts in integers, so that sums do not depend on
//! the order in which games are played or on the number of threads.

use std::collections::{BTreeMap, BTreeSet};

use crate::position::MAX_PLAYERS;

/// The results of games between the same players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameStatistics {
    /// Games played.
    pub games: u64,
    /// The results of each player, in the order of the table.
    pub players: Vec<PlayerStatistics>,
}

/// The results of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerStatistics {
    /// The number of games by final score.
    scores: BTreeMap<i32, u64>,
    /// `won_among[k]`: games won with `k` players sharing the win; 1 is outright.
    won_among: Vec<u64>,
    /// Moves made where there was a choice.
    decisions: u64,
    /// Their regret, in millionths of a point.
    regret: u64,
}

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// Standard errors on either side of an estimate in a 95 % confidence interval.
const Z: f64 = 1.959_964;

impl GameStatistics {
    /// No games yet of so many players.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { games: 0, players: vec![PlayerStatistics::default(); players] }
    }

    /// Counts a game that ended with these points and winners.
    pub fn count(&mut self, totals: &[i32], winners: &[usize]) {
        self.games += 1;
        for (player, (tally, &total)) in self.players.iter_mut().zip(totals).enumerate() {
            *tally.scores.entry(total).or_insert(0) += 1;
            if winners.contains(&player) {
                bump(&mut tally.won_among, winners.len());
            }
        }
    }

    /// Counts moves of a player and their regret in points.
    pub fn count_moves(&mut self, player: usize, regrets: impl Iterator<Item = f64>) {
        let tally = &mut self.players[player];
        for regret in regrets {
            tally.decisions += 1;
            tally.regret += (regret * 1e6).round() as u64;
        }
    }

    /// Adds the games of another count of the same players.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        for (mine, theirs) in self.players.iter_mut().zip(&other.players) {
            theirs
                .scores
                .iter()
                .for_each(|(score, n)| *mine.scores.entry(*score).or_insert(0) += n);
            add(&mut mine.won_among, &theirs.won_among);
            mine.decisions += theirs.decisions;
            mine.regret += theirs.regret;
        }
    }
}

fn bump(counts: &mut Vec<u64>, at: usize) {
    if counts.len() <= at {
        counts.resize(at + 1, 0);
    }
    counts[at] += 1;
}

fn add(mine: &mut Vec<u64>, theirs: &[u64]) {
    if mine.len() < theirs.len() {
        mine.resize(theirs.len(), 0);
    }
    mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
}

impl PlayerStatistics {
    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.scores.values().sum()
    }

    /// The number of games by final score.
    #[must_use]
    pub fn scores(&self) -> &BTreeMap<i32, u64> {
        &self.scores
    }

    /// Games that ended with at least so many points.
    #[must_use]
    pub fn games_from(&self, points: i32) -> u64 {
        self.scores.range(points..).map(|(_, count)| count).sum()
    }

    /// Mean final score.
    #[must_use]
    pub fn mean(&self) -> Interval {
        let games = self.games() as f64;
        let sum: f64 = self.points().map(|(score, count)| score * count).sum();
        let value = sum / games;
        let margin = Z * self.deviation() / games.sqrt();
        Interval { value, low: value - margin, high: value + margin }
    }

    /// Standard deviation of the final score of a game.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        let games = self.games() as f64;
        let mean = self.points().map(|(score, count)| score * count).sum::<f64>() / games;
        let squares: f64 = self.points().map(|(s, count)| (s - mean) * (s - mean) * count).sum();
        (squares / (games - 1.0).max(1.0)).sqrt()
    }

    /// The score that this share of the games, from 0 to 1, does not exceed.
    #[must_use]
    pub fn percentile(&self, share: f64) -> i32 {
        let wanted = share * self.games() as f64;
        let mut so_far = 0;
        for (&score, &count) in &self.scores {
            so_far += count;
            if so_far as f64 >= wanted && so_far > 0 {
                return score;
            }
        }
        self.scores.keys().last().copied().unwrap_or(0)
    }

    /// Games won outright.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.won_among.get(1).copied().unwrap_or(0)
    }

    /// Games won jointly.
    #[must_use]
    pub fn shared_wins(&self) -> u64 {
        self.won_among.iter().skip(2).sum()
    }

    /// The share of the games won, a win among `k` counting `1/k`, with Wilson's interval.
    #[must_use]
    pub fn win_share(&self) -> Interval {
        let games = self.games() as f64;
        let parts = self.won_among.iter().enumerate().take(MAX_PLAYERS + 1).skip(1);
        let share = parts.map(|(k, &n)| n as f64 / k as f64).sum::<f64>() / games;
        let z2 = Z * Z;
        let middle = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let spread = share * (1.0 - share) / games + z2 / (4.0 * games * games);
        let margin = Z * spread.max(0.0).sqrt() / (1.0 + z2 / games);
        Interval { value: share, low: middle - margin, high: middle + margin }
    }

    /// Moves made where there was a choice.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Mean regret of such a move, in points.
    #[must_use]
    pub fn regret_per_decision(&self) -> f64 {
        self.regret as f64 / 1e6 / (self.decisions as f64).max(1.0)
    }

    /// Probability that a game of this player ends above an independent game of `other`; a tie
    /// counts half.
    #[must_use]
    pub fn beats(&self, other: &Self) -> f64 {
        let mut below = 0.0;
        let mut wins = 0.0;
        let all: BTreeSet<i32> = self.scores.keys().chain(other.scores.keys()).copied().collect();
        for score in all {
            let theirs = other.scores.get(&score).copied().unwrap_or(0) as f64;
            let mine = self.scores.get(&score).copied().unwrap_or(0) as f64;
            wins += mine * (below + theirs / 2.0);
            below += theirs;
        }
        wins / (self.games() as f64 * other.games() as f64)
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.scores.iter().map(|(&score, &count)| (f64::from(score), count as f64))
    }
}
