//! The committed tables of levels: whether they are what levels are for, and true.

use std::ops::ControlFlow;

use dicepoker_engine::opponent::{
    Calibration, LEVELS, NOVICE_SHARE, Profile, Skill, standard_skill,
};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Simulation;

#[test]
fn levels_rise_in_even_steps_from_a_novice_to_the_optimum() {
    let mut calibrated = 0;
    for ruleset in Ruleset::built_in() {
        let Some(table) = Calibration::built_in(&ruleset.id) else { continue };
        calibrated += 1;
        assert!(table.games >= 10_000);
        assert_eq!(table.levels.len(), usize::from(LEVELS));
        let step = table.optimum * (1.0 - NOVICE_SHARE) / f64::from(LEVELS - 1);
        for pair in table.levels.windows(2) {
            let rise = pair[1].mean - pair[0].mean;
            assert!(rise > 0.5 * step && rise < 1.6 * step, "{}: {pair:?}", table.ruleset);
            assert!(pair[1].regret_per_decision < pair[0].regret_per_decision);
            assert!(pair[0].beats_next < 0.5, "{}: {pair:?}", table.ruleset);
        }
        let (first, last) = (table.levels[0], table.levels[usize::from(LEVELS) - 1]);
        assert!((first.mean / table.optimum - NOVICE_SHARE).abs() < 0.02, "{}", table.ruleset);
        let error = last.deviation / (table.games as f64).sqrt();
        assert!((last.mean - table.optimum).abs() < 3.0 * error, "{}: {last:?}", table.ruleset);
        assert_eq!(last.skill, Skill::PERFECT);
        // At middle levels no move gives up what a turn is worth.
        let middle = table.skill(5);
        assert!(middle.cap < table.optimum / ruleset.definition.categories.len() as f64);
        assert!(Profile::ALL.iter().all(|&p| table.profiles.iter().any(|r| r.profile == p)));
    }
    assert!(calibrated >= 9);
}

#[test]
fn a_table_tells_what_games_come_to() {
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|r| r.id == "dice-poker-13").expect("built in");
    let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
    let values = Solution::solve(&sheet, 2).expect("within the budget");
    let game = SolvedSheet::new(&sheet, &values);
    let table = Calibration::built_in(&ruleset.id).expect("a table");
    assert!((table.optimum - game.optimum()).abs() < 1e-3);
    let simulation = Simulation::new(game, Position::start(&sheet, 1), 77).on_threads(2);
    for level in &table.levels {
        let tally = simulation.run(&[&level.skill], 0..400, |_| ControlFlow::Continue(()));
        let seat = &tally.expect("all").players[0];
        let error = level.deviation / 20.0;
        assert!((seat.mean().value - level.mean).abs() < 4.0 * error, "{level:?}");
        assert!((seat.deviation() / level.deviation - 1.0).abs() < 0.2, "{level:?}");
        let lost = (seat.regret_per_decision() - level.regret_per_decision).abs();
        assert!(lost < 0.1 * level.regret_per_decision + 1e-9, "{level:?}");
    }
}

#[test]
fn rules_without_a_table_have_the_same_levels() {
    let rows = standard_skill(3, 10.0);
    assert_eq!(standard_skill(10, 10.0), Skill::PERFECT);
    assert_eq!(standard_skill(0, 10.0), standard_skill(1, 10.0));
    assert_eq!(rows.temperature * 2.0, standard_skill(3, 20.0).temperature);
    for pair in (1..=10).map(|level| standard_skill(level, 10.0)).collect::<Vec<_>>().windows(2) {
        assert!(pair[1].temperature < pair[0].temperature && pair[1].cap < pair[0].cap);
    }
}
