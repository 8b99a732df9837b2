//! Explanations against known figures, and their plans.

use dicepoker_engine::advice;
use dicepoker_engine::definition::{CategoryDefinition, Definition};
use dicepoker_engine::explain::{Language, PERCENTILES};
use dicepoker_engine::objective::Forecast;
use dicepoker_engine::opponent::Skill;
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Simulation;

use crate::objectives::{SPREAD, THIRTEEN, card, position, small, thirteen};

#[test]
fn probabilities_of_an_explanation_add_up() {
    let game = thirteen();
    let sheet = game.sheet();
    let at = position(sheet, &[2, 4, 6, 1, 1], 2, &[card(&[])], 0);
    let ranked = advice::rank(sheet, &THIRTEEN.1, &at);
    for stated in &ranked {
        let explained = game.explain(&SPREAD, &at, Some(stated.chosen)).expect("legal");
        let recorded: f64 = explained.chances.iter().map(|chance| chance.recorded).sum();
        assert!((recorded - 1.0).abs() < 1e-9);
        assert!(explained.chances.iter().all(|chance| chance.made <= 1.0 + 1e-9));
        let Some(chance) = explained.chances.last() else { panic!("rows are open") };
        assert!((chance.made - 1.0).abs() < 1e-9, "chance always pays");
        assert!((explained.score.mean - stated.expected).abs() < 1e-4);
        assert!((explained.regret - stated.regret).abs() < 1e-4);
    }
    let best = game.explain(&SPREAD, &at, None).expect("a move");
    assert_eq!(best.chosen, ranked[0].chosen);
    let (next, lead) = best.runner_up.expect("another move");
    assert_eq!(next, ranked[1].chosen);
    assert!((lead - ranked[1].regret).abs() < 1e-4);
    assert!((best.score.deviation - 31.9).abs() < 1.0, "{:?}", best.score);
    let start = game.explain(&SPREAD, &Position::start(sheet, 1), None).expect("a move");
    assert!((start.score.deviation - 31.937).abs() < 1e-3);
    assert!((start.score.at_least(230) - 0.5).abs() < 0.06);
}

#[test]
fn the_scores_of_the_last_turn_are_exact() {
    let sheet = small();
    let values = Solution::solve(&sheet, 1).expect("within the budget");
    let game = SolvedSheet::new(&sheet, &values);
    // Only the pair is open, worth 5: one die is thrown again, or both are.
    let filled = card(&[("twos", 2), ("threes", 3), ("any", 4)]);
    let at = position(&sheet, &[3, 1], 1, &[filled], 0);
    let explained = game.explain(&Forecast::rough(&game), &at, None).expect("a move");
    let made = 1.0 / 3.0;
    assert!((explained.score.at_least(14) - made).abs() < 1e-9);
    assert_eq!(explained.score.at_least(9), 1.0);
    assert_eq!(explained.score.at_least(15), 0.0);
    assert!((explained.score.mean - (9.0 + 5.0 * made)).abs() < 1e-6);
    assert!((explained.score.deviation - 5.0 * (made * (1.0 - made)).sqrt()).abs() < 1e-6);
    assert_eq!([0.05, 0.6, 0.7, 0.95].map(|p| explained.score.percentile(p)), [9, 9, 14, 14]);
    let ranges = explained.score.histogram(3);
    assert_eq!(
        ranges.iter().map(|range| range.0.clone()).collect::<Vec<_>>(),
        [9..=10, 11..=12, 13..=14]
    );
    assert!(
        ranges.iter().zip([1.0 - made, 0.0, made]).all(|(range, p)| (range.1 - p).abs() < 1e-9)
    );
}

#[test]
fn ranges_of_a_histogram_follow_each_other_and_count_every_game() {
    let game = thirteen();
    let start = Position::start(game.sheet(), 1);
    let score = game.explain(&SPREAD, &start, None).expect("a move").score;
    let ranges = score.histogram(64);
    assert!(ranges.len() <= 64);
    assert!(ranges.windows(2).all(|pair| pair[0].0.end() + 1 == *pair[1].0.start()));
    assert!((ranges.iter().map(|range| range.1).sum::<f64>() - 1.0).abs() < 1e-9);
    let middle =
        |range: &std::ops::RangeInclusive<i32>| f64::from(range.start() + range.end()) / 2.0;
    let mean = ranges.iter().map(|(range, p)| middle(range) * p).sum::<f64>();
    assert!((mean - score.mean).abs() < 1.0, "{mean}, not {}", score.mean);
}

#[test]
fn percentiles_agree_with_games() {
    let game = thirteen();
    let start = Position::start(game.sheet(), 1);
    let stated = game.explain(&SPREAD, &start, None).expect("a move").score;
    let simulation = Simulation::new(game, start, 5).on_threads(2);
    let tally = simulation
        .run(&[&Skill::PERFECT], 0..20_000, |_| std::ops::ControlFlow::Continue(()))
        .expect("all");
    for percent in PERCENTILES {
        let share = f64::from(percent) / 100.0;
        let (stated, found) = (stated.percentile(share), tally.players[0].percentile(share));
        assert!(stated.abs_diff(found) <= 3, "{percent}: {stated}, {found} in games");
    }
}

/// At the start of a game and in the middle of others, at a ruleset with several bonuses.
#[test]
fn percentiles_agree_with_games_at_every_stage() {
    let ruleset = Ruleset::built_in().into_iter().find(|r| r.id == "yahtzee").expect("built in");
    let sheet = Sheet::new(ruleset.definition).expect("sound");
    let values = Solution::solve(&sheet, 2).expect("within the budget");
    let solved = SolvedSheet::new(&sheet, &values);
    let forecast = Forecast::solve(&solved, 2);
    let start = Position::start(&sheet, 1);
    let played = Simulation::new(solved, start.clone(), 3);
    let mut wrong = Vec::new();
    for filled in [0, 2, 4, 6, 8, 10] {
        let turns = played.record(&[&Skill::PERFECT], filled as u64);
        let position = if filled == 0 { &start } else { &turns[filled - 1].1.end };
        let stated = solved.explain(&forecast, position, None).expect("a move").score;
        // At the start scores are spread most: so many games are off by about a point.
        let games = if filled == 0 { 40_000 } else { 150_000 / (13 - filled as u64) };
        let statistics = Simulation::new(solved, position.clone(), 5)
            .on_threads(2)
            .run(&[&Skill::PERFECT], 0..games, |_| std::ops::ControlFlow::Continue(()))
            .expect("all");
        for percent in PERCENTILES {
            let share = f64::from(percent) / 100.0;
            let (stated, found) =
                (stated.percentile(share), statistics.players[0].percentile(share));
            if stated.abs_diff(found) > 3 {
                wrong.push(format!("{filled} filled, {percent} %: {stated}, {found} in games"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn plans_are_plain_sentences() {
    let game = thirteen();
    let sheet = game.sheet();
    let at = position(sheet, &[6, 6, 6, 2, 1], 1, &[card(&[])], 0);
    let keep = game.explain(&SPREAD, &at, None).expect("a move");
    let at = position(sheet, &[1, 2, 3, 4, 5], 1, &[card(&[])], 0);
    let record = game.explain(&SPREAD, &at, None).expect("a move");
    let stated: Vec<String> = [&keep, &record]
        .iter()
        .flat_map(|one| Language::ALL.map(|language| one.plan(sheet, language)))
        .collect();
    assert_eq!(
        stated,
        [
            "Keep 6-6-6 and throw the other 2 dice: it most often scores in Three alike (36 %), \
             Four alike (28 %) and Sixes (22 %); the next best move gives up 2.5 points.",
            "Guarda 6-6-6 e lança os outros 2 dados: pontua mais vezes em 3 iguais (36 %), \
             4 iguais (28 %) e Seis (22 %); a segunda melhor jogada perde 2,5 pontos.",
            "Pasilik 6-6-6 ir mesk likusius kauliukus (2): dažniausiai gausi taškų čia: \
             Three alike (36 %), Four alike (28 %) ir Sixes (22 %); kitas geriausias ėjimas duoda \
             2,5 taško mažiau.",
            "Record these dice in Large straight; the next best move gives up 7.4 points.",
            "Regista estes dados em Sequência maior; a segunda melhor jogada perde 7,4 pontos.",
            "Įrašyk šiuos kauliukus čia: Large straight; kitas geriausias ėjimas duoda 7,4 taško \
             mažiau.",
        ]
    );
    // Titles may be left out of a definition; the plan then has the id.
    let untitled = THIRTEEN.0.definition().clone();
    let bare = |row: CategoryDefinition| CategoryDefinition { title: String::new(), ..row };
    let categories = untitled.categories.into_iter().map(bare).collect();
    let untitled = Sheet::new(Definition { categories, ..untitled }).expect("sound");
    let stated = record.plan(&untitled, Language::English);
    assert_eq!(
        stated,
        "Record these dice in large_straight; the next best move gives up 7.4 points."
    );
    assert_eq!(Language::from_tag("pt-BR"), Some(Language::Portuguese));
    assert_eq!(Language::from_tag("de"), None);
}
