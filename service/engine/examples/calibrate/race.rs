//! Levels of the race: shares of wins against the strongest player rise in even steps of log-odds from a
//! novice's share to half of the games.

use dicepoker_engine::opponent::{Errors, LEVELS};
use dicepoker_engine::race::opponent::{
    RaceCalibration, RaceLevelRecord, RaceSkill, RaceTurn, RaceTurnStep, record_race,
    standard_race_skill,
};
use dicepoker_engine::race::{ROWS_TO_END, RacePosition, RaceRules, advise, closed_rows};

use crate::measure::{Effort, Played, SEED, TRIAL_SEED, Trial, fit, ladder, rounded};
use crate::rates::{Made, Stage};

pub(crate) const ID: &str = "poquer-tradicional";

/// Share of the games that the lowest level wins against the strongest.
const NOVICE_SHARE: f64 = 0.05;
/// Games of each trial of a temperature, with the same dice for all trials.
const TRIAL_GAMES: u64 = 16;
/// The least stake of a counted decision, in probability to win.
const LEAST_STAKE: f64 = 1e-3;

pub(crate) fn calibrate(effort: Effort) -> RaceCalibration {
    let skills = ladder(|level, before| fit_level(level, before, effort));
    let games = effort.games / 2;
    let levels = (1..=LEVELS).zip(&skills).map(|(level, &skill)| {
        let greedy = play(skill, RaceSkill::GREEDY, games, SEED, effort);
        let next = skills.get(usize::from(level));
        let beats_next = next.map_or(0.5, |&next| share(&play(skill, next, games, SEED, effort)));
        let player = &greedy.statistics.players[0];
        let won = player.win_share().value;
        println!(
            "level {level} wins {won:.3} against turn-greedy, {:.3} without luck",
            share(&greedy)
        );
        RaceLevelRecord {
            level,
            beats_next,
            beats_greedy: share(&greedy),
            mean: rounded(player.mean().value),
            regret_per_decision: (player.regret_per_decision() * 1e6).round() / 1e6,
            errors: greedy.rates.rates(),
            skill,
        }
    });
    let levels = levels.collect();
    RaceCalibration { ruleset: ID.to_owned(), games, seed: SEED, levels }
}

/// The share of games that the first player wins, without the luck of the dice: half, plus the regrets of the
/// other player, less its own. It varies far less than the games won.
fn share(played: &Played) -> f64 {
    let lost = |player: usize| {
        let player = &played.statistics.players[player];
        player.regret_per_decision() * player.decisions() as f64 / played.statistics.games as f64
    };
    rounded(0.5 + lost(1) - lost(0))
}

/// The regret of the moves of a turn from `before` on.
fn regrets(before: &RacePosition, turn: &RaceTurn) -> Vec<f64> {
    let mut position = before.clone();
    let of_step = |step: &RaceTurnStep| {
        let found = advise(&position).iter().find(|advice| advice.chosen == step.chosen).copied();
        let regret = found.filter(|_| step.dice.is_some()).map(|advice| advice.regret);
        position = position.apply(step.chosen, &step.thrown).expect("it was played").position;
        regret
    };
    turn.steps.iter().filter_map(of_step).collect()
}

/// Games of `one`, counted as the first player, against `other`; each begins every other game, and
/// pairs of games share their seed.
fn play(one: RaceSkill, other: RaceSkill, games: u64, seed: u64, effort: Effort) -> Played {
    let start = RacePosition::start(RaceRules::default(), 2);
    effort.play(2, games, |number, played| {
        let seat = (number % 2) as usize;
        let players = if seat == 0 { [one, other] } else { [other, one] };
        let turns = record_race(&start, &players, (seed << 32) | (number / 2));
        let mut before = &start;
        for (player, turn) in &turns {
            if *player == seat {
                let on_table = turn.steps.iter().filter(|step| step.dice.is_some());
                let made = on_table.map(|step| Made {
                    regret: step.regret,
                    stake: step.stake,
                    could_err: step.could_err,
                });
                let made: Vec<Made> = made.collect();
                played.statistics.count_moves(0, made.iter().map(|made| made.regret));
                // Which turn is the last one depends on how it is played, so that errors would seem rare
                // in it. Closed rows divide a game beforehand.
                let closed = closed_rows(before.boards());
                let late = closed + 1 == ROWS_TO_END;
                let stage = Stage { third: closed / 2, late, last: late };
                played.rates.count_turn(&made, LEAST_STAKE, stage);
            } else if other == RaceSkill::GREEDY {
                // It computes no chances itself.
                played.statistics.count_moves(1, regrets(before, turn).into_iter());
            } else {
                let on_table = turn.steps.iter().filter(|step| step.dice.is_some());
                played.statistics.count_moves(1, on_table.map(|step| step.regret));
            }
            before = &turn.end;
        }
        let end = turns.last().map_or(&start, |(_, turn)| &turn.end);
        let total = |player: usize| end.totals()[player].points as i32;
        let totals = [total(seat), total(1 - seat)];
        let winners: &[usize] = match totals[0].cmp(&totals[1]) {
            std::cmp::Ordering::Less => &[1],
            std::cmp::Ordering::Equal => &[0, 1],
            std::cmp::Ordering::Greater => &[0],
        };
        played.statistics.count(&totals, winners);
    })
}

/// The settings of a level, with the temperature of its step.
fn fit_level(level: u8, before: Option<&RaceSkill>, effort: Effort) -> RaceSkill {
    let skill = standard_race_skill(level);
    if level == LEVELS {
        return skill;
    }
    let hot = |temperature| RaceSkill { errors: Errors { temperature, ..skill.errors }, ..skill };
    // Against perfect play the share of wins is a half minus the regrets of a game,
    // which vary far less.
    let trial = |skill: RaceSkill| {
        let played = play(skill, RaceSkill::STRONGEST, TRIAL_GAMES, TRIAL_SEED, effort);
        let player = &played.statistics.players[0];
        let decisions = player.decisions() as f64 / TRIAL_GAMES as f64;
        let result = 0.5 - player.regret_per_decision() * decisions;
        Trial { result, best: vec![played.rates.rates().best] }
    };
    let novice = (NOVICE_SHARE / (1.0 - NOVICE_SHARE)).ln();
    let odds = novice * f64::from(LEVELS - level) / f64::from(LEVELS - 1);
    let before = before.map(|&before| (before.errors.temperature, trial(before)));
    hot(fit(1.0 / (1.0 + (-odds).exp()), before, |temperature| trial(hot(temperature))))
}
