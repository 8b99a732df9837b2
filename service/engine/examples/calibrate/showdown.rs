//! Levels of showdowns: the regret of a decision falls in even steps to 0. One ladder serves all rules, fitted
//! to the mean over the built-in ones.

use dicepoker_engine::opponent::{Errors, LEVELS, standard_errors};
use dicepoker_engine::showdown::{
    Limit, Showdown, ShowdownCalibration, ShowdownLevelRecord, ShowdownOpponent, ShowdownPosition,
    ShowdownProfile, ShowdownProfileRecord, ShowdownRuleset, ShowdownSkill, ShowdownTables,
    ShowdownTurnStep, ShowdownValues, record_showdown, start,
};

use crate::measure::{Effort, Played, SEED, TRIAL_SEED, Trial, fit, ladder, rounded};
use crate::rates::Made;

pub(crate) const ID: &str = "showdown";

/// Temperature of the lowest level.
const NOVICE: f64 = 0.6;
/// Matches of each trial of a temperature, with the same dice for all trials.
const TRIAL_GAMES: u64 = 800;
/// The least stake of a counted decision.
const LEAST_STAKE: f64 = 1e-3;

struct Table {
    id: String,
    game: Showdown,
    values: ShowdownValues,
}

pub(crate) fn calibrate(effort: Effort) -> ShowdownTables {
    let tables: Vec<Table> = ShowdownRuleset::built_in()
        .into_iter()
        .map(|ruleset| {
            let game = Showdown::new(ruleset.definition).expect("built-in rules are sound");
            let players = *game.players().start();
            let values = ShowdownValues::solve(&game, players, Limit::default()).expect("small");
            Table { id: ruleset.id, game, values }
        })
        .collect();
    let skills = ladder(|level, before| fit_level(&tables, level, before, effort));
    let rulesets = tables.iter().map(|table| (table.id.clone(), table.measure(&skills, effort)));
    ShowdownTables { rulesets: rulesets.collect(), skills }
}

/// The settings of a level, with the temperature of its step.
fn fit_level(
    tables: &[Table],
    level: u8,
    before: Option<&ShowdownSkill>,
    effort: Effort,
) -> ShowdownSkill {
    let hot = |level, temperature| {
        let (_, errors) = standard_errors(level);
        ShowdownSkill { errors: Errors { temperature, ..errors } }
    };
    if level == 1 {
        return hot(1, NOVICE);
    }
    if level == LEVELS {
        return ShowdownSkill::PERFECT;
    }
    // Regret and the share of best moves.
    let play = |skill: ShowdownSkill, table: &Table| {
        let player = ShowdownOpponent::Skill(skill);
        let trial = table.play(player, ShowdownOpponent::PERFECT, TRIAL_GAMES, TRIAL_SEED, effort);
        (trial.statistics.players[0].regret_per_decision(), trial.rates.rates().best)
    };
    let novice: Vec<f64> = tables.iter().map(|table| play(hot(1, NOVICE), table).0).collect();
    let trial = |skill: ShowdownSkill| {
        let played: Vec<(f64, f64)> = tables.iter().map(|table| play(skill, table)).collect();
        let share = played.iter().zip(&novice).map(|(played, novice)| played.0 / novice);
        let result = 1.0 - share.sum::<f64>() / tables.len() as f64;
        Trial { result, best: played.iter().map(|played| played.1).collect() }
    };
    let before = before.map(|&before| (before.errors.temperature, trial(before)));
    let wanted = f64::from(level - 1) / f64::from(LEVELS - 1);
    hot(level, fit(wanted, before, |temperature| trial(hot(level, temperature))))
}

impl Table {
    fn measure(&self, skills: &[ShowdownSkill], effort: Effort) -> ShowdownCalibration {
        let alone = self.game.definition().payout;
        let figures = |one, other| {
            let played = self.play(one, other, effort.games, SEED, effort);
            let player = &played.statistics.players[0];
            // Payouts vary far more than regrets.
            let lost =
                player.regret_per_decision() * player.decisions() as f64 / effort.games as f64;
            let best = if alone { start(&self.game, &self.values, 1) } else { None };
            let share = best.map_or(player.win_share().value, |best| best - lost);
            let regret = (player.regret_per_decision() * 1e5).round() / 1e5;
            (rounded(share), regret, played.rates.rates())
        };
        let level = |i: usize| ShowdownOpponent::Skill(skills[i]);
        let levels = (0..skills.len()).map(|i| {
            let (beats_best, regret_per_decision, errors) =
                figures(level(i), ShowdownOpponent::PERFECT);
            let last = alone || i + 1 == skills.len();
            let beats_next = if last { 0.5 } else { figures(level(i), level(i + 1)).0 };
            let level = i as u8 + 1;
            ShowdownLevelRecord { level, beats_best, beats_next, regret_per_decision, errors }
        });
        let levels = levels.collect();
        let profiles = ShowdownProfile::ALL.map(|profile| {
            let player = ShowdownOpponent::Profile(profile);
            let (beats_best, regret_per_decision, _) = figures(player, ShowdownOpponent::PERFECT);
            ShowdownProfileRecord { profile, beats_best, regret_per_decision }
        });
        ShowdownCalibration { games: effort.games, levels, profiles: profiles.to_vec() }
    }

    /// Matches of `one`, counted as the first player, against `other`, or alone where there is a pay
    /// table; each throws first in every other match, and pairs of matches share their seed.
    fn play(
        &self,
        one: ShowdownOpponent,
        other: ShowdownOpponent,
        games: u64,
        seed: u64,
        effort: Effort,
    ) -> Played {
        let players = *self.game.players().start();
        let start = ShowdownPosition::start(&self.game, players);
        effort.play(players, games, |number, played| {
            let seat = number as usize % players;
            let mut seats = vec![other; players];
            seats[seat] = one;
            let seed = (seed << 32) | (number / players as u64);
            let turns = record_showdown(&self.game, &self.values, &start, &seats, seed);
            let own = turns.iter().filter(|(player, _)| *player == seat);
            let made: Vec<Vec<Made>> = own
                .map(|(_, turn)| {
                    let on_table = turn.steps.iter().filter(|step| step.dice.is_some());
                    let made = |step: &ShowdownTurnStep| Made {
                        regret: step.regret,
                        stake: step.stake,
                        could_err: false,
                    };
                    on_table.map(made).collect()
                })
                .collect();
            played.statistics.count_moves(0, made.iter().flatten().map(|made| made.regret));
            played.rates.count(&made, LEAST_STAKE);
            let end = turns.last().map(|(_, turn)| turn);
            let winners = end.and_then(|turn| turn.winners.clone()).unwrap_or_default();
            let paid = end.and_then(|turn| turn.round.as_ref()?.paid);
            // The player measured is the first one of the statistics.
            let winners: Vec<usize> =
                winners.iter().map(|&winner| (winner + players - seat) % players).collect();
            let mut scores: Vec<i32> =
                (0..players).map(|player| i32::from(winners.contains(&player))).collect();
            scores[0] = paid.unwrap_or(scores[0]);
            let all: Vec<usize> = (0..players).collect();
            played.statistics.count(&scores, if winners.is_empty() { &all } else { &winners });
        })
    }
}
