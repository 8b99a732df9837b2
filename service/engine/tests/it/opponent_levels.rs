//! The committed tables of levels: their shape, and their agreement with games.

use std::ops::ControlFlow;

use dicepoker_engine::opponent::{
    Calibration, LEVELS, NOVICE_SHARE, Opponent, Profile, Skill, standard_skill,
};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Simulation;

#[path = "../../examples/dominated/faults.rs"]
mod faults;

#[test]
fn levels_rise_in_even_steps_from_a_novice_to_the_optimum() {
    let mut calibrated = 0;
    for ruleset in Ruleset::built_in() {
        let Some(table) = Calibration::built_in(&ruleset.id) else { continue };
        calibrated += 1;
        assert!(table.games >= 2_000);
        assert_eq!(table.levels.len(), usize::from(LEVELS));
        let step = table.optimum * (1.0 - NOVICE_SHARE) / f64::from(LEVELS - 1);
        for pair in table.levels.windows(2) {
            let rise = pair[1].mean - pair[0].mean;
            assert!(rise > 0.1 * step && rise < 2.7 * step, "{}: {pair:?}", table.ruleset);
            assert!(pair[1].regret_per_decision < pair[0].regret_per_decision);
            assert!(pair[1].errors.best > pair[0].errors.best, "{}: {pair:?}", table.ruleset);
            assert!(pair[0].beats_next < 0.5, "{}: {pair:?}", table.ruleset);
        }
        let (first, last) = (table.levels[0], table.levels[usize::from(LEVELS) - 1]);
        assert!((first.mean / table.optimum - NOVICE_SHARE).abs() < 0.04, "{}", table.ruleset);
        let error = last.deviation / (table.games as f64).sqrt();
        assert!((last.mean - table.optimum).abs() < 3.0 * error, "{}: {last:?}", table.ruleset);
        assert_eq!(last.skill, Skill::PERFECT);
        // From level 6 no move gives up more than half of what is at stake.
        for level in 6..=LEVELS {
            assert!(table.skill(level).errors.cap <= 0.5, "{}: {level}", table.ruleset);
        }
        for level in &table.levels[..usize::from(LEVELS) - 1] {
            let late = level.errors.late_to_middle;
            assert!((0.7..=1.4).contains(&late), "{}: {level:?}", table.ruleset);
        }
        assert!(Profile::ALL.iter().all(|&p| table.profiles.iter().any(|r| r.profile == p)));
    }
    assert!(calibrated >= 9);
}

#[test]
fn games_agree_with_the_table() {
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
    assert_eq!(rows.fondness * 2.0, standard_skill(3, 20.0).fondness);
    for pair in (1..=10).map(|level| standard_skill(level, 10.0)).collect::<Vec<_>>().windows(2) {
        let [one, next] = [pair[0].errors, pair[1].errors];
        assert!(next.temperature < one.temperature && next.cap < one.cap);
    }
}

/// The example `dominated` plays games of every built-in sheet.
#[test]
fn no_level_makes_a_dominated_move() {
    let rulesets = Ruleset::built_in();
    let sheets = [("dice-poker-13", 2_000), ("yahtzee", 300), ("generala", 300), ("balut", 300)];
    for (id, games) in sheets {
        let ruleset = rulesets.iter().find(|r| r.id == id).expect("built in");
        let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
        let values = Solution::solve(&sheet, 2).expect("within the budget");
        let solved = SolvedSheet::new(&sheet, &values);
        let simulation = Simulation::new(solved, Position::start(&sheet, 1), 31);
        for level in 1..=LEVELS {
            let skill = Opponent::Level(level).skill(Some(id), solved.points_a_turn());
            let cap = if level < 6 { f64::INFINITY } else { 0.5 };
            let found = dicepoker_engine::parallel::share(2, 0..games, |next| {
                let mut found = 0;
                while let Some(number) = next() {
                    let mut before = Position::start(&sheet, 1);
                    for (_, turn) in simulation.record(&[&skill], number) {
                        found += faults::count(&sheet, &before, &turn, cap);
                        before = turn.end;
                    }
                }
                found
            });
            assert_eq!(found.iter().sum::<u32>(), 0, "{id}, level {level}");
        }
    }
}

/// Rules without a table: what a level gives up in a game falls from level to level.
#[test]
fn levels_rise_without_a_table() {
    for id in ["crag", "kismet", "forced-yatzy", "kosci"] {
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.iter().find(|r| r.id == id).expect("built in");
        assert!(!Calibration::is_kept(id));
        let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
        let values = Solution::solve(&sheet, 2).expect("within the budget");
        let game = SolvedSheet::new(&sheet, &values);
        let simulation = Simulation::new(game, Position::start(&sheet, 1), 5).on_threads(2);
        let regret = |level| {
            let skill = standard_skill(level, game.points_a_turn());
            let tally = simulation.run(&[&skill], 0..150, |_| ControlFlow::Continue(()));
            tally.expect("all").players[0].regret_per_decision()
        };
        let regrets: Vec<f64> = (1..=LEVELS).map(regret).collect();
        assert!(regrets.windows(2).all(|pair| pair[0] > pair[1]), "{id}: {regrets:?}");
        let optimum = game.optimum();
        assert!(regrets[0] > 4.0 * regrets[8] && regrets[8] < 0.002 * optimum, "{id}: {regrets:?}");
    }
}
