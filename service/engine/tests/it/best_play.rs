//! Best play of a sheet: exact figures against an enumeration of every game, and games against the
//! exact figures.

use std::collections::BTreeMap;

use dicepoker_engine::advice::rank;
use dicepoker_engine::definition::Definition;
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::{Estimate, Reference, Solution};
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::variants::{with_throws, without_row};
use dicepoker_engine::statistics::{BestPlay, Figure, SheetBonus, SheetGames, SheetOutlook};

/// Two dice of three faces: an upper bonus, a bonus for pairs after the first, and a forced joker.
const SMALL: &str = r#"
dice = 2
faces = 3
rolls = 2
five_alike_bonus = 7
joker = { policy = "forced", fills = ["high"] }
upper_bonuses = [{ threshold = 5, points = 4 }]
categories = [
  { id = "ones", title = "", section = "upper", pattern = { face = 1 }, points = { sum = "matching" } },
  { id = "threes", title = "", section = "upper", pattern = { face = 3 }, points = { sum = "matching" } },
  { id = "pair", title = "", section = "lower", pattern = { groups = { sizes = [2] } }, points = { fixed = 6 } },
  { id = "high", title = "", section = "lower", pattern = { sum_at_least = 5 }, points = { fixed = 3 }, served_points = { fixed = 5 } },
]
"#;

fn sheet(definition: &str) -> Sheet {
    Sheet::new(toml::from_str::<Definition>(definition).expect("written well")).expect("sound")
}

fn exactly(sheet: &Sheet, solution: &Solution) -> SheetOutlook {
    let mut walk = BestPlay::new(sheet).expect("plain and small");
    walk.run(&SolvedSheet::new(sheet, solution), || true).expect("to the end")
}

/// Every throw of so many dice, and its probability.
fn throws(dice: usize, faces: u8) -> Vec<(Vec<u8>, f64)> {
    let mut all = vec![(Vec::new(), 1.0)];
    for _ in 0..dice {
        let more = all.iter().flat_map(|(thrown, odds)| {
            (1..=faces).map(move |face| ([&thrown[..], &[face]].concat(), odds / f64::from(faces)))
        });
        all = more.collect();
    }
    all
}

/// The figures over all games, each move the best one.
#[derive(Default)]
struct Enumerated {
    points: Vec<f64>,
    zero: Vec<f64>,
    filled_in_turn: Vec<Vec<f64>>,
    scores: BTreeMap<i32, f64>,
    upper_bonus: f64,
    further_pairs: f64,
}

impl Enumerated {
    fn new(sheet: &Sheet, solution: &Solution) -> Self {
        let rows = sheet.categories().len();
        let mut found = Self {
            points: vec![0.0; rows],
            zero: vec![0.0; rows],
            filled_in_turn: vec![vec![0.0; rows]; rows],
            ..Self::default()
        };
        let mut positions = vec![(Position::start(sheet, 1), 1.0)];
        for turn in 0..rows {
            let mut next: BTreeMap<String, (Position, f64)> = BTreeMap::new();
            while let Some((position, odds)) = positions.pop() {
                let best = rank(sheet, solution, &position)[0].chosen;
                let faces = sheet.space().faces() as u8;
                for (thrown, share) in throws(position.dice_thrown(sheet, best), faces) {
                    let played = position.play(sheet, best, &thrown).expect("legal");
                    let odds = odds * share;
                    let Some((category, gain)) = played.recorded else {
                        positions.push((played.position, odds));
                        continue;
                    };
                    let row = category.index();
                    found.points[row] += odds * f64::from(gain.points);
                    found.zero[row] += if gain.points == 0 { odds } else { 0.0 };
                    found.filled_in_turn[row][turn] += odds;
                    let key = format!("{:?}", played.position);
                    next.entry(key).or_insert((played.position, 0.0)).1 += odds;
                }
            }
            positions = next.into_values().collect();
        }
        for (position, odds) in positions {
            let (card, totals) = (position.card(), position.card().totals(sheet));
            *found.scores.entry(totals.grand_total()).or_default() += odds;
            found.upper_bonus += if totals.upper_bonus > 0 { odds } else { 0.0 };
            found.further_pairs += if card.five_alike_bonuses() > 0 { odds } else { 0.0 };
        }
        found
    }
}

fn assert_near(figure: Figure, expected: f64, what: &str) {
    assert_eq!(figure.standard_error, None, "{what} is exact");
    assert!((figure.value - expected).abs() < 1e-9, "{what}: {} not {expected}", figure.value);
}

#[test]
fn best_play_equals_an_enumeration_of_all_games() {
    let sheet = sheet(SMALL);
    let solution = Solution::solve(&sheet, 1).expect("small");
    let found = exactly(&sheet, &solution);
    let all = Enumerated::new(&sheet, &solution);
    for category in sheet.categories().iter() {
        let (row, index) = (&found.rows[category.index()], category.index());
        assert_near(row.mean_points, all.points[index], sheet.id(category));
        assert_near(row.zero_chance, all.zero[index], sheet.id(category));
        for (turn, &chance) in row.filled_in_turn.iter().enumerate() {
            assert_near(chance, all.filled_in_turn[index][turn], sheet.id(category));
        }
    }
    let bonuses = SheetBonus::all(&sheet);
    let fields: Vec<&str> = bonuses.iter().map(|bonus| &bonus.field[..]).collect();
    assert_eq!(fields, ["upper_bonuses[0]", "five_alike_bonus"]);
    assert_near(found.bonuses[0].chance, all.upper_bonus, "upper bonus");
    assert_near(found.bonuses[0].mean_points, 4.0 * all.upper_bonus, "upper bonus");
    assert_near(found.bonuses[1].chance, all.further_pairs, "further pairs");
    assert!(found.bonuses[1].chance.value > 0.01, "there are further pairs");
    let scores: BTreeMap<i32, f64> =
        found.final_scores.iter().map(|(score, chance)| (score, chance.value)).collect();
    assert_eq!(scores.keys().collect::<Vec<_>>(), all.scores.keys().collect::<Vec<_>>());
    for (score, chance) in &all.scores {
        assert!((scores[score] - chance).abs() < 1e-9, "{score}: {} not {chance}", scores[score]);
    }
    assert_near(found.mean, found.final_scores.mean().value, "the mean");
    assert_near(found.deviation, found.final_scores.deviation().value, "the deviation");
    let optimum = SolvedSheet::new(&sheet, &solution).optimum();
    assert!((found.mean.value - optimum).abs() < 1e-4, "{} not {optimum}", found.mean.value);
}

#[test]
fn interrupted_play_has_the_same_result() {
    let sheet = sheet(SMALL);
    let solution = Solution::solve(&sheet, 1).expect("small");
    let solved = SolvedSheet::new(&sheet, &solution);
    let mut walk = BestPlay::new(&sheet).expect("plain and small");
    let mut before = walk.progress();
    let found = loop {
        if let Some(found) = walk.run(&solved, || false) {
            break found;
        }
        assert!(walk.progress() > before, "{} after {before}", walk.progress());
        before = walk.progress();
    };
    assert_eq!(found, exactly(&sheet, &solution));
}

/// Asserts that a sampled figure lies within five standard errors of an exact one.
fn assert_sampled(sampled: Figure, exact: Figure, what: &str) {
    let error = sampled.standard_error.expect("sampled").max(1e-4);
    let off = (sampled.value - exact.value).abs();
    assert!(off < 5.0 * error, "{what}: {} off by {off}, error {error}", exact.value);
}

#[test]
fn games_agree_with_the_exact_figures() {
    // The last rows of yacht: enough cards to be a game, few enough to follow at once.
    let all = Ruleset::built_in();
    let yacht = all.iter().find(|ruleset| ruleset.id == "yacht").expect("built in");
    let mut definition = yacht.definition.clone();
    definition.categories.drain(1..5);
    definition.upper_bonuses[0].threshold = 20;
    let sheet = Sheet::new(definition).expect("sound");
    let solution = Solution::solve(&sheet, 1).expect("small");
    let exact = exactly(&sheet, &solution);
    let mut games = SheetGames::new(&sheet);
    for _ in 0..4000 {
        games.play(&SolvedSheet::new(&sheet, &solution), 42);
    }
    let sampled = games.outlook();
    assert_sampled(sampled.mean, exact.mean, "the mean");
    assert_sampled(sampled.deviation, exact.deviation, "the deviation");
    assert_sampled(sampled.bonuses[0].chance, exact.bonuses[0].chance, "the bonus");
    for (category, (one, other)) in
        sheet.categories().iter().zip(sampled.rows.iter().zip(&exact.rows))
    {
        assert_sampled(one.mean_points, other.mean_points, sheet.id(category));
        assert_sampled(one.zero_chance, other.zero_chance, sheet.id(category));
        for (one, other) in one.filled_in_turn.iter().zip(&other.filled_in_turn) {
            assert_sampled(*one, *other, sheet.id(category));
        }
    }
}

#[test]
fn bonuses_of_columns_and_steps_are_earned_as_the_card_counts_them() {
    for id in ["escalero", "triple-yahtzee", "kismet", "balut"] {
        let all = Ruleset::built_in();
        let ruleset = all.iter().find(|ruleset| ruleset.id == id).expect("built in");
        let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
        let bonuses = SheetBonus::all(&sheet);
        let estimate = Estimate::of(sheet.definition());
        if bonuses.is_empty() || estimate.seconds(1) > 2.0 {
            continue;
        }
        let solution = Solution::solve(&sheet, 1).expect("quickly solved");
        let mut games = SheetGames::new(&sheet);
        for _ in 0..20 {
            games.play(&SolvedSheet::new(&sheet, &solution), 7);
        }
        let outlook = games.outlook();
        let rows: f64 = outlook.rows.iter().map(|row| row.mean_points.value).sum();
        let bonuses: f64 = outlook.bonuses.iter().map(|bonus| bonus.mean_points.value).sum();
        let counts = sheet.definition().columns.iter().all(|column| column.weight == 1)
            && sheet.definition().products.is_empty();
        let total = outlook.mean.value;
        if counts && sheet.definition().final_score == Default::default() {
            assert!((rows + bonuses - total).abs() < 1e-6, "{id}: {rows} + {bonuses} not {total}");
        }
    }
}

#[test]
fn a_row_less_and_a_throw_more_are_sound_rules() {
    let definition = sheet(SMALL).definition().clone();
    let optimum = |definition: &Definition| {
        let sheet = Sheet::new(definition.clone()).expect("sound");
        SolvedSheet::new(&sheet, &Reference::solve(&sheet)).optimum()
    };
    let all = optimum(&definition);
    let without = without_row(&definition, 3).expect("three rows are a game");
    assert_eq!(without.categories.len(), 3);
    assert!(without.joker.fills.is_empty());
    assert!(optimum(&without) < all);
    // Without the pair, its bonus and joker are removed, too.
    let without = without_row(&definition, 2).expect("three rows are a game");
    assert_eq!((without.five_alike_bonus, &without.joker), (0, &Default::default()));
    let without = without_row(&without_row(&without, 0).expect("a game"), 0).expect("a game");
    assert!(without.upper_bonuses.is_empty(), "no upper row is left");
    assert_eq!(without_row(&without, 0), None, "a sheet has a row");
    assert!(optimum(&with_throws(&definition, 3).expect("a game")) > all);
    assert!(optimum(&with_throws(&definition, 1).expect("a game")) < all);
    assert_eq!(with_throws(&definition, 0), None);
}
