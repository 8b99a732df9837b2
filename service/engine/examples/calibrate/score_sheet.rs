//! Levels of score sheets: mean scores rise in even steps from a novice's to the optimum.

use dicepoker_engine::opponent::{
    Calibration, Errors, LEVELS, LevelRecord, NOVICE_SHARE, Profile, ProfileRecord, Skill,
    standard_skill,
};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Simulation;

use crate::measure::{Effort, Played, SEED, TRIAL_SEED, Trial, fit, ladder, rounded};
use crate::rates::Made;

/// Games of each trial of a temperature, with the same dice for all trials.
const TRIAL_GAMES: u64 = 150;

/// The least stake of a counted decision, in points.
const LEAST_STAKE: f64 = 1e-3;

pub(crate) fn calibrate(ruleset: Ruleset, effort: Effort) -> Calibration {
    let sheet = Sheet::new(ruleset.definition).expect("built-in rules are sound");
    let values = Solution::solve(&sheet, effort.threads).expect("within the budget");
    let solved = SolvedSheet::new(&sheet, &values);
    let skills = ladder(|level, before| fit_level(solved, level, before, effort));
    let played: Vec<Played> =
        skills.iter().map(|skill| play(solved, skill, effort.games, SEED, effort)).collect();
    let levels = (0..skills.len()).map(|i| {
        let player = &played[i].statistics.players[0];
        let next = &played.get(i + 1).unwrap_or(&played[i]).statistics.players[0];
        LevelRecord {
            level: i as u8 + 1,
            mean: rounded(player.mean().value),
            deviation: rounded(player.deviation()),
            regret_per_decision: rounded(player.regret_per_decision()),
            beats_next: rounded(player.beats(next)),
            errors: played[i].rates.rates(),
            skill: skills[i],
        }
    });
    let levels = levels.collect();
    let profiles = Profile::ALL.map(|profile| {
        let skill = profile.skill(solved.points_a_turn());
        let player = &play(solved, &skill, effort.games, SEED, effort).statistics.players[0];
        ProfileRecord {
            profile,
            mean: rounded(player.mean().value),
            deviation: rounded(player.deviation()),
            regret_per_decision: rounded(player.regret_per_decision()),
        }
    });
    Calibration {
        ruleset: ruleset.id,
        games: effort.games,
        seed: SEED,
        optimum: rounded(solved.optimum()),
        levels,
        profiles: profiles.to_vec(),
    }
}

/// Games of a player alone.
fn play(solved: SolvedSheet<'_>, skill: &Skill, games: u64, seed: u64, effort: Effort) -> Played {
    let simulation = Simulation::new(solved, Position::start(solved.sheet(), 1), seed);
    effort.play(1, games, |number, played| {
        let turns = simulation.record(&[skill], number);
        let made: Vec<Vec<Made>> = turns
            .iter()
            .map(|(_, turn)| {
                let on_table = turn.steps.iter().filter(|step| step.dice.is_some());
                on_table
                    .map(|step| Made {
                        regret: step.regret,
                        stake: step.stake,
                        could_err: step.could_err,
                    })
                    .collect()
            })
            .collect();
        played.statistics.count_moves(0, made.iter().flatten().map(|made| made.regret));
        played.rates.count(&made, LEAST_STAKE);
        let end = &turns.last().expect("a game has turns").1.end;
        played.statistics.count(&[end.cards()[0].totals(solved.sheet()).grand_total()], &[0]);
    })
}

/// The settings of a level, with the temperature of its step.
fn fit_level(solved: SolvedSheet<'_>, level: u8, before: Option<&Skill>, effort: Effort) -> Skill {
    let skill = standard_skill(level, solved.points_a_turn());
    if level == LEVELS {
        return skill;
    }
    let hot = |temperature| {
        let errors = Errors { temperature, ..skill.errors };
        Skill { fondness: rounded(skill.fondness), errors, ..skill }
    };
    // The mean score is the optimum less the regrets, which vary far less than the score itself.
    let trial = |skill: &Skill| {
        let played = play(solved, skill, TRIAL_GAMES, TRIAL_SEED, effort);
        let player = &played.statistics.players[0];
        let decisions = player.decisions() as f64 / TRIAL_GAMES as f64;
        let result = solved.optimum() - player.regret_per_decision() * decisions;
        Trial { result, best: vec![played.rates.rates().best] }
    };
    let step = f64::from(level - 1) / f64::from(LEVELS - 1);
    let wanted = solved.optimum() * (NOVICE_SHARE + (1.0 - NOVICE_SHARE) * step);
    let before = before.map(|before| (before.errors.temperature, trial(before)));
    hot(fit(wanted, before, |temperature| trial(&hot(temperature))))
}
