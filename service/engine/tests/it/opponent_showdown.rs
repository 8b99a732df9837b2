//! Levels of showdowns: the committed tables rise, and no level makes a dominated move.

use dicepoker_engine::opponent::LEVELS;
use dicepoker_engine::showdown::{
    Limit, Showdown, ShowdownAdvice, ShowdownCalibration, ShowdownOpponent, ShowdownPosition,
    ShowdownRuleset, ShowdownSkill, ShowdownValues, rank, record_showdown,
};

#[test]
fn levels_rise_to_best_play() {
    for ruleset in ShowdownRuleset::built_in() {
        let table = ShowdownCalibration::of(&ruleset.id).expect("a table");
        assert_eq!(table.levels.len(), usize::from(LEVELS));
        for pair in table.levels.windows(2) {
            let [one, next] = [pair[0], pair[1]];
            assert!(one.regret_per_decision > next.regret_per_decision, "{}: {pair:?}", ruleset.id);
            assert!(one.beats_best < next.beats_best, "{}: {pair:?}", ruleset.id);
            assert!(one.errors.best < next.errors.best, "{}: {pair:?}", ruleset.id);
            assert!(one.beats_next <= 0.5, "{}: {pair:?}", ruleset.id);
        }
    }
    assert_eq!(ShowdownSkill::level(LEVELS), ShowdownSkill::PERFECT);
    for level in 1..LEVELS {
        let cap = ShowdownSkill::level(level).errors.cap;
        assert!(level < 6 || cap <= 0.5, "{level}: {cap}");
    }
}

/// In 300 matches of each level: nothing but a sure win of the round where there is one, no sure loss where
/// there is anything else, and from level 6 no move beyond half of the stake.
#[test]
fn no_level_of_a_showdown_makes_a_dominated_move() {
    for ruleset in ShowdownRuleset::built_in() {
        if ruleset.definition.payout {
            continue;
        }
        let game = Showdown::new(ruleset.definition).expect("sound");
        let values = ShowdownValues::solve(&game, 2, Limit::default()).expect("small");
        for level in 1..=LEVELS {
            let players = [ShowdownOpponent::Skill(ShowdownSkill::level(level)); 2];
            for number in 0..300 {
                let mut before = ShowdownPosition::start(&game, 2);
                for (_, turn) in record_showdown(&game, &values, &before, &players, number) {
                    for step in &turn.steps {
                        let moves = rank(&game, &values, &before).moves;
                        let chosen = moves.iter().find(|advice| advice.chosen == step.chosen);
                        let chosen = chosen.expect("a legal move");
                        let sure = |advice: &&ShowdownAdvice, win: bool| {
                            advice.round.is_some_and(|round| match win {
                                true => round.win > 1.0 - 1e-9,
                                false => round.loss > 1.0 - 1e-9,
                            })
                        };
                        if !before.is_betting(&game) {
                            let sure_win = moves.iter().any(|advice| sure(&advice, true));
                            assert!(!sure_win || sure(&chosen, true), "{level}: {step:?}");
                            let doomed = moves.iter().all(|advice| sure(&advice, false));
                            assert!(doomed || !sure(&chosen, false), "{level}: {step:?}");
                        }
                        assert!(level < 6 || step.regret <= 0.5 * step.stake + 1e-9, "{step:?}");
                        let applied = before.apply(&game, step.chosen, &step.thrown);
                        before = applied.expect("legal").position;
                    }
                    before = turn.end;
                }
            }
        }
    }
}
