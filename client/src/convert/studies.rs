//! Explanations, statistics and reviews, read into this crate's types.

use dicepoker_proto::v1 as pb;

use super::{Malformed, read_move, read_position, read_totals};
use crate::{
    CategoryChance, Dice, Estimate, Explanation, Grade, GradeCount, Percentile, PlayerReview,
    PlayerStatistics, Review, ReviewedStep, RunnerUp, ScoreDistribution, Statistics,
};

pub(super) fn read_explanation(told: pb::Explanation) -> Result<Explanation, Malformed> {
    let chance = |chance: pb::CategoryChance| CategoryChance {
        category: chance.category,
        recorded: chance.recorded,
        made: chance.made,
    };
    let runner_up = |other: pb::RunnerUp| {
        Ok(RunnerUp { chosen: read_move(other.r#move)?, regret: other.regret })
    };
    let score = told.score.ok_or(Malformed("no distribution of the score"))?;
    Ok(Explanation {
        plan: told.plan,
        category_chances: told.category_chances.into_iter().map(chance).collect(),
        runner_up: told.runner_up.map(runner_up).transpose()?,
        score: ScoreDistribution {
            mean: score.mean,
            standard_deviation: score.standard_deviation,
            percentiles: read_percentiles(score.percentiles),
        },
    })
}

fn read_percentiles(percentiles: Vec<pb::Percentile>) -> Vec<Percentile> {
    let read = |one: pb::Percentile| Percentile { percent: one.percent, score: one.score };
    percentiles.into_iter().map(read).collect()
}

pub(crate) fn read_statistics(told: pb::SimulateResponse) -> Result<Statistics, Malformed> {
    let estimate = |estimate: Option<pb::Estimate>| {
        let estimate = estimate.ok_or(Malformed("no estimate"))?;
        Ok(Estimate { value: estimate.value, low: estimate.low, high: estimate.high })
    };
    let player = |player: pb::PlayerStatistics| {
        Ok(PlayerStatistics {
            mean_score: estimate(player.mean_score)?,
            standard_deviation: player.standard_deviation,
            percentiles: read_percentiles(player.percentiles),
            wins: player.wins,
            shared_wins: player.shared_wins,
            win_share: estimate(player.win_share)?,
            regret_per_decision: player.regret_per_decision,
            targets_reached: player.targets_reached,
        })
    };
    Ok(Statistics {
        games_played: told.games_played,
        expected_games: told.expected_games,
        players: told.players.into_iter().map(player).collect::<Result<_, _>>()?,
    })
}

pub(crate) fn read_review(told: pb::ReviewResponse) -> Result<Review, Malformed> {
    let step = |step: pb::ReviewedStep| {
        Ok(ReviewedStep {
            grade: read_grade(step.grade()),
            player: step.player,
            dice: Dice::from(step.dice),
            chosen: read_move(step.r#move)?,
            best: read_move(step.best_move)?,
            best_value: step.best_value,
            regret: step.regret,
            luck: step.luck,
        })
    };
    let count =
        |count: pb::GradeCount| GradeCount { grade: read_grade(count.grade()), count: count.count };
    let player = |player: pb::PlayerReview| PlayerReview {
        start_value: player.start_value,
        end_value: player.end_value,
        luck: player.luck,
        regret: player.regret,
        grades: player.grades.into_iter().map(count).collect(),
    };
    Ok(Review {
        steps: told.steps.into_iter().map(step).collect::<Result<_, _>>()?,
        players: told.players.into_iter().map(player).collect(),
        position: read_position(told.position.ok_or(Malformed("no position"))?),
        game_ended: told.game_ended,
        totals: told.totals.into_iter().map(read_totals).collect(),
        winners: told.winners,
    })
}

fn read_grade(grade: pb::Grade) -> Grade {
    match grade {
        pb::Grade::Best => Grade::Best,
        pb::Grade::Good => Grade::Good,
        pb::Grade::Inaccuracy => Grade::Inaccuracy,
        pb::Grade::Mistake => Grade::Mistake,
        pb::Grade::Blunder => Grade::Blunder,
        pb::Grade::Unspecified => Grade::Other,
    }
}
