//! Solving and advice on random small rulesets, against the plain solver, and the plain solver
//! against the definition of an expectation.

use std::collections::HashMap;

use super::definitions::{Choose, Seeded, Size, rich, sound, wild};
use dicepoker_engine::advice::Advisor;
use dicepoker_engine::category::MAX_CATEGORIES;
use dicepoker_engine::check::check;
use dicepoker_engine::definition::CategoryDefinition;
use dicepoker_engine::dice::Keep;
use dicepoker_engine::moves::Move;
use dicepoker_engine::position::{Position, RawPosition};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_engine::sheet::{CardState, Scores, Sheet};
use dicepoker_engine::solve::{Budget, Estimate, Isa, Key, Reference, Solution, Solver, Values};

use crate::solve_reference::states;

/// The number of random rulesets: `DICEPOKER_RULESETS`, or a default.
fn rulesets(otherwise: u64) -> u64 {
    std::env::var("DICEPOKER_RULESETS").ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn the_fast_solver_agrees_with_the_plain_one() {
    for seed in 0..rulesets(300) {
        let size = Size { dice: 5, faces: 6, rolls: 4, categories: 6 };
        let definition = sound(&mut Seeded(seed), size);
        let sheet = Sheet::new(definition.clone()).expect("sound");
        let reference = Reference::solve(&sheet);
        let isa = Isa::available().nth(seed as usize % Isa::available().count()).expect("one");
        let solver = Solver { isa, threads: 1 + seed as usize % 3, ..Solver::default() };
        let solution = solver.solve(&sheet).expect("small");
        let estimate = Estimate::of(&definition).states;
        assert!((estimate / 2..=estimate).contains(&(solution.states() as u64)), "{definition:?}");
        for (state, value) in states(&sheet, &reference) {
            let fast = solution.value(state);
            assert!((fast - value).abs() < 1e-4, "{fast}, not {value}: {state:?} {definition:?}");
        }
        advice_agrees(&sheet, &solution, &reference, seed);
    }
}

/// Positions of random games, each move compared with the plain solver.
fn advice_agrees(sheet: &Sheet, solution: &Solution, reference: &Reference, seed: u64) {
    let mut dice = Seeded(seed);
    let mut advisor = Advisor::new();
    let mut scores = Scores::new();
    let mut position = Position::start(sheet, 1);
    loop {
        let state = position.card().state(sheet);
        let turn = reference.turn(sheet, state).expect("a move is left");
        let on_card = f64::from(position.card().totals(sheet).grand_total());
        let ranked = advisor.rank(sheet, solution, &position).to_vec();
        assert_eq!(ranked.len(), position.legal_moves(sheet).count());
        assert_eq!(ranked[0].regret, 0.0);
        assert!(ranked.is_sorted_by(|a, b| a.expected >= b.expected && a.regret <= b.regret));
        let served = position.throw(sheet);
        for ranked in &ranked {
            let plain = match ranked.chosen {
                Move::Keep(keep) => turn.keep(position.rolls_left() - 1, keep),
                Move::Announce(_) => continue,
                Move::Record(category) => {
                    let roll = position.dice().expect("recording needs dice");
                    let gain = sheet.gain(state, roll, category, served);
                    f64::from(gain.total())
                        + reference.value(sheet.after(state, category, gain.points))
                }
            };
            let off = ranked.expected - on_card - plain;
            assert!(off.abs() < 2e-4, "{ranked:?}, not {plain}: {:?}", sheet.definition());
        }
        if let Some(roll) = position.dice() {
            sheet.score_all(state, roll, served, &mut scores);
            let legal = sheet.legal(state, roll);
            for (category, score) in sheet.categories().iter().zip(&scores) {
                assert_eq!(score.category, category);
                assert_eq!(score.legal, legal.contains(category));
                assert_eq!(score.gain, sheet.gain(state, roll, category, served));
            }
        }
        let chosen = ranked[dice.below(ranked.len() as u32) as usize].chosen;
        let thrown: Vec<u8> = (0..position.dice_thrown(sheet, chosen))
            .map(|_| dice.below(sheet.space().faces() as u32) as u8 + 1)
            .collect();
        let played = position.play(sheet, chosen, &thrown).expect("legal");
        if played.game_over {
            break;
        }
        position = played.position;
    }
}

/// All fields of a position of one player.
fn moment(position: &Position) -> Vec<i64> {
    let card = position.card();
    let entry = |c| [position_of(c), i64::from(card.points(c).unwrap_or(0))];
    let position_of_announced = position.announced().map_or(-1, position_of);
    let of_turn = [
        position.dice().map_or(-1, |roll| roll.index() as i64),
        position.rolls_left().into(),
        position.full_throw().into(),
        position_of_announced,
        position.kept().index() as i64,
        card.five_alike_bonuses().into(),
        card.extra_throws().into(),
    ];
    of_turn.into_iter().chain(card.filled().iter().flat_map(entry)).collect()
}

fn position_of(category: dicepoker_engine::category::Category) -> i64 {
    category.index() as i64
}

/// The expected further gain of a position by definition: every move, every throw of every die;
/// only positions already seen are cached.
fn expectimax(sheet: &Sheet, position: &Position, seen: &mut HashMap<Vec<i64>, f64>) -> f64 {
    let key = moment(position);
    if let Some(&value) = seen.get(&key) {
        return value;
    }
    let faces = sheet.space().faces() as u32;
    let on_card = position.card().totals(sheet).grand_total();
    let best = position
        .legal_moves(sheet)
        .map(|chosen| {
            let thrown = position.dice_thrown(sheet, chosen) as u32;
            let throws = faces.pow(thrown);
            let sum: f64 = (0..throws)
                .map(|number| {
                    let dice: Vec<u8> = (0..thrown)
                        .map(|die| (number / faces.pow(die) % faces) as u8 + 1)
                        .collect();
                    let played = position.play(sheet, chosen, &dice).expect("legal");
                    let card = &played.position.cards()[0];
                    let gain = f64::from(card.totals(sheet).grand_total() - on_card);
                    let further = if played.game_over {
                        0.0
                    } else {
                        expectimax(sheet, &played.position, seen)
                    };
                    gain + further
                })
                .sum();
            sum / f64::from(throws)
        })
        .fold(f64::NEG_INFINITY, f64::max);
    seen.insert(key, best);
    best
}

#[test]
fn the_plain_solver_agrees_with_expectimax() {
    let mut compared = 0;
    for seed in 0.. {
        let size = Size { dice: 3, faces: 4, rolls: 3, categories: 4 };
        let definition = sound(&mut Seeded(1_000_000 + seed), size);
        // Small enough for brute force, large enough to be significant.
        if definition.categories.len() < 3 || definition.dice < 2 || definition.rolls < 2 {
            continue;
        }
        let sheet = Sheet::new(definition.clone()).expect("sound");
        let value = Reference::solve(&sheet).value(CardState::EMPTY);
        let fast = Solution::solve(&sheet, 1).expect("small").value(CardState::EMPTY);
        let plain = expectimax(&sheet, &Position::start(&sheet, 1), &mut HashMap::new());
        assert!((value - plain).abs() < 1e-9, "{value}, not {plain}: {definition:?}");
        assert!((fast - plain).abs() < 1e-4, "{fast}, not {plain}: {definition:?}");
        compared += 1;
        if compared == 12 {
            break;
        }
    }
}

/// Every part of the language at once: 200 random rulesets, solved twice and played through by the
/// definition of an expectation, without states, groups or stages.
#[test]
fn solvers_agree_with_expectimax_on_the_whole_language() {
    let (mut compared, mut fast_runs) = (0, 0);
    for seed in 0.. {
        let size = Size { dice: 2, faces: 3, rolls: 3, categories: 3 };
        let definition = rich(&mut Seeded(5_000_000 + seed), size);
        let sheet = Sheet::new(definition.clone()).expect("sound");
        if sheet.categories().len() > 5 || sheet.is_plain() {
            continue;
        }
        let value = Reference::solve(&sheet).value(CardState::EMPTY);
        let fast = Solution::solve(&sheet, 1).expect("small").value(CardState::EMPTY);
        let plain = expectimax(&sheet, &Position::start(&sheet, 1), &mut HashMap::new());
        assert!((value - plain).abs() < 1e-9, "{value}, not {plain}: {seed} {definition:?}");
        assert!((fast - plain).abs() < 1e-4, "{fast}, not {plain}: {seed} {definition:?}");
        fast_runs += usize::from(sheet.rolls() > 1);
        compared += 1;
        if compared == rulesets(200) {
            break;
        }
    }
    assert!(fast_runs > 20);
}

/// Moves of random games of the whole language: legal moves can be played, totals grow by the
/// gains, scores agree with gains, and advice ranks the same moves.
#[test]
fn rich_games_are_played_to_their_end() {
    let mut dice = Seeded(11);
    let mut scores = Scores::new();
    for seed in 0..rulesets(100) {
        let size = Size { dice: 3, faces: 4, rolls: 3, categories: 4 };
        let definition = rich(&mut Seeded(7_000_000 + seed), size);
        let sheet = Sheet::new(definition).expect("sound");
        let Ok(solution) = Solution::solve(&sheet, 1) else { continue };
        let mut position = Position::start(&sheet, 1);
        loop {
            let before = position.card().totals(&sheet).grand_total();
            let moves: Vec<Move> = position.legal_moves(&sheet).collect();
            let ranked = Advisor::new().rank(&sheet, &solution, &position).to_vec();
            assert_eq!(moves.len(), ranked.len(), "{position:?} {:?}", sheet.definition());
            assert!(ranked.iter().all(|r| moves.contains(&r.chosen) && r.expected.is_finite()));
            let at_start = solution.value(sheet.canonical(position.card().state(&sheet)));
            if position.dice().is_none() {
                assert!((ranked[0].expected - f64::from(before) - at_start).abs() < 1e-3);
            }
            if let Some(roll) = position.dice() {
                let (state, throw) = (position.card().state(&sheet), position.throw(&sheet));
                sheet.score_all(state, roll, throw, &mut scores);
                for score in &scores {
                    assert_eq!(score.gain, sheet.gain(state, roll, score.category, throw));
                }
            }
            let chosen = moves[dice.below(moves.len() as u32) as usize];
            let found = ranked.iter().find(|ranked| ranked.chosen == chosen).expect("ranked");
            let mean = mean_of_best(&sheet, &solution, &position, chosen);
            if let Some(mean) = mean {
                assert!((found.expected - mean).abs() < 1e-3, "{found:?}, not {mean}: {seed}");
            }
            let thrown: Vec<u8> = (0..position.dice_thrown(&sheet, chosen))
                .map(|_| dice.below(sheet.space().faces() as u32) as u8 + 1)
                .collect();
            let buys = matches!(chosen, Move::Keep(_)) && position.may_buy(&sheet);
            let played = position.play(&sheet, chosen, &thrown).expect("legal");
            let after = played.position.cards()[0].totals(&sheet).grand_total();
            match played.recorded {
                Some((_, gain)) => assert_eq!(after - before, gain.total()),
                None => assert!(after == before || buys),
            }
            if played.game_over {
                break;
            }
            position = played.position;
        }
    }
}

/// The value of a keep by the values of the best moves after each of its throws.
fn mean_of_best(
    sheet: &Sheet,
    solution: &Solution,
    position: &Position,
    chosen: Move,
) -> Option<f64> {
    if !matches!(chosen, Move::Keep(_)) {
        return None;
    }
    let (faces, thrown) = (sheet.space().faces(), position.dice_thrown(sheet, chosen) as u32);
    let throws = faces.pow(thrown);
    let mut advisor = Advisor::new();
    let best = (0..throws).map(|number| {
        let die = |die| (number / faces.pow(die) % faces) as u8 + 1;
        let dice: Vec<u8> = (0..thrown).map(die).collect();
        let played = position.play(sheet, chosen, &dice).expect("legal");
        advisor.rank(sheet, solution, &played.position)[0].expected
    });
    Some(best.sum::<f64>() / throws as f64)
}

/// Any definition is rejected with reasons, or rejected as too large, or solved; nothing panics,
/// and nothing takes more memory than its estimate.
#[test]
fn wild_rulesets_are_refused_or_solved() {
    let budget = Budget { bytes: 8 << 20, work: 20_000_000 };
    let (mut unsound, mut large, mut solved) = (0, 0, 0);
    for seed in 0..rulesets(5_000) {
        let definition = wild(&mut Seeded(seed));
        let estimate = Estimate::of(&definition);
        if !check(&definition).is_empty() {
            unsound += 1;
            continue;
        }
        let _ = Key::of(&definition);
        if estimate.within(&budget).is_err() {
            large += 1;
            continue;
        }
        let sheet = Sheet::new(definition).expect("checked");
        let solver = Solver { budget, ..Solver::default() };
        let solution = solver.solve(&sheet).expect("within the budget");
        assert!(solution.bytes() as u64 <= estimate.bytes());
        let start = Position::start(&sheet, 1);
        let value = Advisor::new().rank(&sheet, &solution, &start)[0];
        assert_eq!(value.chosen, Move::Keep(Keep::EMPTY));
        assert!(value.expected.is_finite());
        solved += 1;
    }
    assert!(unsound > 0 && large > 0 && solved > 0, "{unsound} unsound, {large} large, {solved}");
}

#[test]
fn the_most_categories_are_scored() {
    let mut definition = sound(&mut Seeded(3), Size { dice: 2, faces: 2, rolls: 1, categories: 1 });
    definition.joker = Default::default();
    definition.five_alike_bonus = 0;
    let row = definition.categories[0].clone();
    definition.categories = (0..MAX_CATEGORIES)
        .map(|i| CategoryDefinition { id: format!("row_{i}"), ..row.clone() })
        .collect();
    let sheet = Sheet::new(definition).expect("sound");
    let roll = sheet.space().all_rolls().next().expect("one");
    let mut scores = Scores::new();
    sheet.score_all(CardState::EMPTY, roll, true, &mut scores);
    assert_eq!(scores.len(), MAX_CATEGORIES);
    Solution::solve(&sheet, 1).expect_err("too large to solve");
}

#[test]
fn a_solve_can_be_cancelled() {
    let cancelled = std::sync::atomic::AtomicBool::new(true);
    let definition = sound(&mut Seeded(3), Size { dice: 5, faces: 6, rolls: 3, categories: 6 });
    let sheet = Sheet::new(definition).expect("sound");
    let solver = Solver { cancelled: Some(&cancelled), ..Solver::default() };
    let error = solver.solve(&sheet).expect_err("cancelled");
    assert_eq!(error.to_string(), "solving was cancelled");
}

/// Any position that a caller sends is ranked or rejected.
#[test]
fn any_position_is_ranked_or_rejected() {
    let mut choose = Seeded(7);
    for seed in 0..rulesets(100) {
        let size = Size { dice: 4, faces: 6, rolls: 3, categories: 5 };
        let definition = sound(&mut Seeded(seed), size);
        let sheet = Sheet::new(definition.clone()).expect("sound");
        let solution = Solution::solve(&sheet, 1).expect("small");
        for _ in 0..20 {
            let dice = (0..choose.below(6)).map(|_| choose.below(7)).collect();
            let entries = (0..choose.below(6))
                .map(|i| RawEntry {
                    category: format!("row_{}", (b'a' + i as u8) as char),
                    points: vec![(choose.below(8) * choose.below(6)) as i32],
                    ..RawEntry::default()
                })
                .collect();
            let raw = RawPosition {
                dice,
                rolls_left: choose.below(4),
                scorecards: vec![RawScorecard {
                    entries,
                    five_alike_bonuses: choose.below(2),
                    extra_throws: 0,
                }],
                ..RawPosition::default()
            };
            if let Ok(position) = Position::parse(&sheet, &raw) {
                let mut advisor = Advisor::new();
                let ranked = advisor.rank(&sheet, &solution, &position);
                assert_eq!(ranked.len(), position.legal_moves(&sheet).count());
                assert!(ranked.iter().all(|ranked| ranked.expected.is_finite()));
            }
        }
    }
}
