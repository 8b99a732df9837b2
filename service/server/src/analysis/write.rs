//! Figures of analyses as messages.

use dicepoker_engine::statistics::{Figure, FinalScores, PlayerStatistics};
use dicepoker_proto::v1 as pb;

/// A figure.
pub(crate) fn figure(figure: Figure) -> Option<pb::Figure> {
    let Figure { value, standard_error } = figure;
    Some(pb::Figure { value, standard_error })
}

/// Figures.
pub(crate) fn figures(figures: &[Figure]) -> Vec<pb::Figure> {
    figures.iter().copied().filter_map(figure).collect()
}

/// Every final score.
pub(crate) fn final_scores(scores: &FinalScores) -> Vec<pb::ScoreChance> {
    let each = scores.iter();
    each.map(|(score, chance)| pb::ScoreChance { score, chance: figure(chance) }).collect()
}

/// The chances of targets.
pub(crate) fn targets(scores: &FinalScores, targets: &[i32]) -> Vec<pb::TargetChance> {
    let chance =
        |&target: &i32| pb::TargetChance { target, chance: figure(scores.at_least(target)) };
    targets.iter().map(chance).collect()
}

/// What an opponent scored in its games.
pub(crate) fn scored_opponent(
    opponent: &pb::Opponent,
    games: &PlayerStatistics,
) -> pb::OpponentAnalysis {
    let scores = FinalScores::sampled(games);
    pb::OpponentAnalysis {
        opponent: Some(opponent.clone()),
        mean_score: figure(scores.mean()),
        standard_deviation: figure(scores.deviation()),
        win_share: None,
    }
}

/// The share of so many games that a player won.
pub(crate) fn win_share(player: &PlayerStatistics) -> Option<pb::Figure> {
    figure(Figure::chance(player.win_share().value, Some(player.games().max(1))))
}

/// Lengths of games.
pub(crate) fn lengths(lengths: impl Iterator<Item = (u32, Figure)>) -> Vec<pb::LengthChance> {
    let write = |(count, chance)| pb::LengthChance { count, chance: figure(chance) };
    lengths.map(write).collect()
}
