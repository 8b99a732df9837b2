//! Figures as messages.

use dicepoker_engine::statistics::{Figure, FinalScores};
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

/// Lengths of games.
pub(crate) fn lengths(lengths: impl Iterator<Item = (u32, Figure)>) -> Vec<pb::LengthChance> {
    let write = |(count, chance)| pb::LengthChance { count, chance: figure(chance) };
    lengths.map(write).collect()
}
