//! Opponents at the race: the same game for the same seed, and a review of it.

use std::ops::ControlFlow;

use dicepoker_engine::opponent::LEVELS;
use dicepoker_engine::race::opponent::{
    RaceCalibration, RaceSkill, race_moment, record_race, review_race, simulate_race,
};
use dicepoker_engine::race::{RaceMove, RacePosition, RaceRules, advise, closed_rows, turn_greedy};
use dicepoker_engine::seeded::SeededDice;
use dicepoker_engine::statistics::Grade;

fn start(players: usize) -> RacePosition {
    RacePosition::start(RaceRules::default(), players)
}

#[test]
fn a_turn_is_the_same_played_at_once_or_move_by_move() {
    let player = RaceSkill::level(3);
    for seed in 0..10 {
        let turn = player.play_turn(&start(2), 0, seed).expect("a turn");
        let mut position = start(2);
        for step in &turn.steps {
            let made = player.choose(&position, 0, seed).expect("a move");
            assert_eq!((made.chosen, made.regret), (step.chosen, step.regret));
            let mut dice = SeededDice::new(seed, race_moment(&position, 0));
            let thrown = dice.throw(step.chosen.dice_to_throw(), 6);
            assert_eq!(thrown, step.thrown.to_vec());
            position = position.apply(step.chosen, &thrown).expect("legal").position;
        }
        assert_eq!(position, turn.end);
        assert_eq!(position.to_move(), 1);
    }
}

#[test]
fn turn_greedy_and_the_strongest_make_no_errors() {
    let variants = RaceRules { poker_row: true, sum_of_figures: true, ..RaceRules::default() };
    for (rules, players) in [(RaceRules::default(), 2), (variants, 3), (RaceRules::default(), 1)] {
        let mut position = RacePosition::start(rules, players);
        for number in 0..400 {
            let advice = advise(&position);
            let of = |skill: RaceSkill| skill.choose(&position, number, 1).expect("it goes on");
            assert_eq!(of(RaceSkill::level(LEVELS)).chosen, advice[0].chosen);
            assert_eq!(of(RaceSkill::level(LEVELS)).regret, 0.0);
            assert_eq!(Some(of(RaceSkill::GREEDY).chosen), turn_greedy(&position));
            let chosen = advice[0].chosen;
            let thrown = SeededDice::new(7, number.into()).throw(chosen.dice_to_throw(), 6);
            let applied = position.apply(chosen, &thrown).expect("legal");
            if applied.end.is_some() {
                break;
            }
            position = applied.position;
        }
        assert!(closed_rows(position.boards()) > 0);
    }
}

#[test]
fn turn_greedy_beats_a_beginner_on_any_number_of_threads() {
    let players = [RaceSkill::GREEDY, RaceSkill::level(1)];
    let run = |threads| {
        simulate_race(&start(2), &players, 0..12, 5, threads, |_| ControlFlow::Continue(()))
            .expect("all")
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert!(one.players[0].wins() > one.players[1].wins());
}

#[test]
fn the_strongest_has_no_regret_in_review() {
    let (strong, weak) = (RaceSkill::level(10), RaceSkill::level(2));
    let mut position = start(2);
    let mut moves = Vec::new();
    for turns in 0..6 {
        let player = if position.to_move() == 0 { strong } else { weak };
        let turn = player.play_turn(&position, turns, 9).expect("a turn");
        moves.extend(turn.steps.iter().map(|step| (step.chosen, step.thrown.to_vec())));
        position = turn.end;
    }
    let review = review_race(&start(2), &moves).expect("legal");
    assert_eq!(review.steps.len(), moves.len());
    assert_eq!(review.end, position);
    let strongest = review.steps.iter().filter(|decision| decision.player == 0);
    assert!(strongest.clone().count() > 3);
    assert!(strongest.clone().all(|d| d.grade == Grade::Best && d.regret < 1e-5));
    assert!(review.players[1].regret > 0.0);
    moves[0].1.pop();
    assert_eq!(review_race(&start(2), &moves).expect_err("four dice").0, 0);
}

#[test]
fn levels_rise_from_a_beginner_to_the_strongest() {
    let table = RaceCalibration::built_in();
    assert_eq!(table.ruleset, "poquer-tradicional");
    assert!(table.games >= 200);
    let numbers: Vec<u8> = table.levels.iter().map(|record| record.level).collect();
    assert_eq!(numbers, (1..=LEVELS).collect::<Vec<u8>>());
    for pair in table.levels.windows(2) {
        assert!(pair[0].beats_next < 0.5, "{pair:?}");
        assert!(pair[0].beats_greedy < pair[1].beats_greedy, "{pair:?}");
        assert!(pair[0].regret_per_decision > pair[1].regret_per_decision, "{pair:?}");
        assert!(pair[0].errors.best < pair[1].errors.best, "{pair:?}");
        assert!(pair[0].mean < pair[1].mean, "{pair:?}");
        let late = pair[0].errors.late_to_middle;
        // The lower levels play for points, which costs less late in a race.
        let least = if pair[0].level < 6 { 0.35 } else { 0.7 };
        assert!((least..=1.4).contains(&late), "{pair:?}");
    }
    for record in &table.levels[5..] {
        assert!(record.skill.errors.cap <= 0.5, "{record:?}");
    }
    assert_eq!(RaceSkill::level(LEVELS), RaceSkill::STRONGEST);
    assert_eq!(table.level(0), &table.levels[0]);
}

#[test]
fn games_agree_with_the_table() {
    let record = RaceCalibration::built_in().level(2);
    let games = 200;
    let players = [record.skill, RaceSkill::GREEDY];
    let tally = simulate_race(&start(2), &players, 0..games, 17, 2, |_| ControlFlow::Continue(()));
    let found = tally.expect("all").players[0].clone();
    let error = (record.beats_greedy * (1.0 - record.beats_greedy) / games as f64).sqrt();
    let (share, wanted) = (found.win_share().value, record.beats_greedy);
    assert!((share - wanted).abs() < 4.0 * error + 0.01, "{share}, not {wanted}");
    assert!((found.mean().value / record.mean - 1.0).abs() < 0.1, "{:?}", found.mean());
}

/// In games of each level against itself: no stop with throws left where throwing is worth more, no end
/// short of a sure win, and from level 6 no move beyond half of the stake.
#[test]
fn no_level_of_the_race_makes_a_dominated_move() {
    for level in 1..=LEVELS {
        let wrong = dicepoker_engine::parallel::share(2, 0..12, |next| {
            let mut wrong = 0;
            while let Some(seed) = next() {
                let mut before = start(2);
                for (_, turn) in record_race(&before, &[RaceSkill::level(level); 2], seed) {
                    for step in turn.steps {
                        let left = before.rolls_left();
                        let wins = advise(&before);
                        let best = wins.first().map_or(0.0, |best| best.win_probability);
                        let left_sure_win = best >= 1.0 - 1e-6 && step.regret > 1e-4;
                        let stopped =
                            step.chosen == RaceMove::Stop && left > 0 && step.regret > 1e-4;
                        let beyond = level >= 6 && step.regret > 0.5 * step.stake + 2e-5;
                        wrong += u32::from(left_sure_win || stopped || beyond);
                        before = before.apply(step.chosen, &step.thrown).expect("legal").position;
                    }
                }
            }
            wrong
        });
        assert_eq!(wrong.iter().sum::<u32>(), 0, "level {level}");
    }
}
