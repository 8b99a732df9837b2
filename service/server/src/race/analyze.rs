//! Analysis of the race: games among players of one kind.

use dicepoker_engine::race::opponent::{RaceGames, RaceSkill};
use dicepoker_engine::race::{MAX_PLAYERS, RaceRules};
use dicepoker_engine::statistics::FinalScores;
use dicepoker_proto::v1 as pb;

use super::opponent;
use crate::analysis::write::{figure, final_scores, lengths, scored_opponent, targets, win_share};
use crate::analysis::{Analyzing, Question, Slice, Table};
use crate::error::Error;
use crate::progress::Bounds;

/// Reads the request and begins.
pub(super) fn analyze(
    rules: &RaceRules,
    request: &pb::AnalyzeRequest,
    bounds: Bounds,
) -> Result<Box<dyn Analyzing>, Error> {
    let table = Table { players: 2..=MAX_PLAYERS, unless_said: 2, scored: true };
    let question = Question::read(request, bounds, &table, opponent::read)?;
    let games = |skill| RaceGames::new(*rules, question.players, skill);
    let strongest = games(RaceSkill::STRONGEST);
    let opponents = question.opponents.iter().map(|&(_, skill)| games(skill)).collect();
    Ok(Box::new(RaceAnalysis { strongest, opponents, question }))
}

struct RaceAnalysis {
    question: Question<RaceSkill>,
    strongest: RaceGames,
    opponents: Vec<RaceGames>,
}

impl RaceAnalysis {
    fn all(&self) -> impl Iterator<Item = &RaceGames> {
        std::iter::once(&self.strongest).chain(&self.opponents)
    }
}

impl Analyzing for RaceAnalysis {
    fn run_slice(&mut self, slice: Slice<'_>) -> Result<(), Error> {
        let (all, seed) = (self.question.games, self.question.seed);
        for games in std::iter::once(&mut self.strongest).chain(&mut self.opponents) {
            while games.statistics().games < all {
                games.play(seed);
                if !slice.lasts() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn progress(&self) -> f64 {
        let all = self.question.games * (1 + self.opponents.len() as u64);
        self.games() as f64 / all as f64
    }

    fn games(&self) -> u64 {
        self.all().map(|games| games.statistics().games).sum()
    }

    fn write(&self) -> pb::Analysis {
        let statistics = self.strongest.statistics();
        let scores = FinalScores::sampled(&statistics.players[0]);
        let named = self.question.opponents.iter().map(|(opponent, _)| opponent);
        pb::Analysis {
            expected_score: figure(scores.mean()),
            standard_deviation: figure(scores.deviation()),
            final_scores: final_scores(&scores),
            targets: targets(&scores, &self.question.targets),
            rows: self
                .strongest
                .rows()
                .map(|row| pb::RowAnalysis {
                    category: row.row.id().to_owned(),
                    mean_points: figure(row.mean_points),
                    zero_chance: figure(row.zero_chance),
                    closed_chance: figure(row.closed_chance),
                    ends_game_chance: figure(row.ends_game_chance),
                    ..pb::RowAnalysis::default()
                })
                .collect(),
            opponents: named
                .zip(&self.opponents)
                .filter(|(_, games)| games.statistics().games > 0)
                .map(|(opponent, games)| scored_opponent(opponent, &games.statistics().players[0]))
                .collect(),
            seats: statistics.players.iter().filter_map(win_share).collect(),
            lengths: lengths(self.strongest.lengths()),
            ..pb::Analysis::default()
        }
    }
}
