//! Objectives against brute force on games small enough for it.

use std::collections::HashMap;
use std::sync::LazyLock;

use dicepoker_engine::advice;
use dicepoker_engine::definition::{
    CategoryDefinition, Definition, Groups, Pattern, Points, Section, Sum, UpperBonus,
};
use dicepoker_engine::objective::{Chances, Forecast, Objective, ObjectivePlayer, RankedByChances};
use dicepoker_engine::opponent::{Skill, stake, standard_skill};
use dicepoker_engine::position::{Position, RawPosition};
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{Player, Simulation};

use crate::brute_force::{BruteForce, to_win};

fn row(id: &str, section: Section, pattern: Pattern, points: Points) -> CategoryDefinition {
    let title = id.to_owned();
    CategoryDefinition { title, section, ..CategoryDefinition::new(id, pattern, points) }
}

/// A game of two dice of three faces.
fn two_dice(
    rolls: u8,
    categories: Vec<CategoryDefinition>,
    upper_bonuses: Vec<UpperBonus>,
) -> Sheet {
    let (dice, faces) = (2, 3);
    let plain = Definition::default();
    let definition = Definition { dice, faces, rolls, categories, upper_bonuses, ..plain };
    Sheet::new(definition).expect("sound")
}

const MATCHING: Points = Points { fixed: 0, sum: Sum::Matching, factor: 1 };
const ALL: Points = Points { fixed: 0, sum: Sum::All, factor: 1 };

fn pair() -> Pattern {
    Pattern::Groups(Groups { sizes: vec![2], distinct: true })
}

/// Two throws, four rows and a bonus.
pub(crate) fn small() -> Sheet {
    let categories = vec![
        row("twos", Section::Upper, Pattern::Face(2), MATCHING),
        row("threes", Section::Upper, Pattern::Face(3), MATCHING),
        row("pair", Section::Lower, pair(), Points::fixed(5)),
        row("any", Section::Lower, Pattern::Any, ALL),
    ];
    two_dice(2, categories, vec![UpperBonus { threshold: 6, points: 3 }])
}

pub(crate) fn card(entries: &[(&str, i32)]) -> RawScorecard {
    let entries = entries.iter().map(|&(category, points)| RawEntry {
        category: category.into(),
        points: vec![points],
        ..RawEntry::default()
    });
    RawScorecard { entries: entries.collect(), ..RawScorecard::default() }
}

pub(crate) fn position(
    sheet: &Sheet,
    dice: &[u32],
    left: u32,
    cards: &[RawScorecard],
    mover: u32,
) -> Position {
    let raw = RawPosition {
        dice: dice.to_vec(),
        rolls_left: left,
        scorecards: cards.to_vec(),
        to_move: mover,
        ..RawPosition::default()
    };
    Position::parse(sheet, &raw).expect("possible")
}

/// Compares every move of a position with brute force.
fn expect_exact(
    sheet: &Sheet,
    objective: Objective,
    position: &Position,
    judge: &dyn Fn(&[i32], usize) -> Chances,
) -> RankedByChances {
    let values = Solution::solve(sheet, 1).expect("within the budget");
    let game = SolvedSheet::new(sheet, &values);
    let aimed = game.rank_by_chances(&Forecast::rough(&game), objective, position);
    assert!(aimed.exact, "{position:?}");
    let mut brute = BruteForce { sheet, judge, known: HashMap::new() };
    let mut best = 0.0f64;
    for stated in &aimed.moves {
        let found = brute.after(position, stated.chosen)[position.to_move()].chances;
        let (win, draw) = (stated.chances.win - found.win, stated.chances.draw - found.draw);
        // Of moves with the same chances and points either may be made, with more draws or fewer.
        assert!(
            (win + draw / 2.0).abs() < 1e-9,
            "{stated:?} is {found:?} by brute force in {position:?}"
        );
        best = best.max(found.value());
    }
    assert_eq!(aimed.moves.len(), position.legal_moves(sheet).count());
    assert!((aimed.moves[0].chances.value() - best).abs() < 1e-9);
    aimed
}

#[test]
fn to_win_with_the_others_finished_is_brute_force() {
    let sheet = small();
    let done = card(&[("twos", 2), ("threes", 3), ("pair", 0), ("any", 4)]);
    let more = card(&[("twos", 2), ("threes", 6), ("pair", 0), ("any", 3)]);
    for (dice, left) in [(&[2, 3][..], 1), (&[1, 1], 1), (&[3, 3], 0), (&[], 2)] {
        for own in [card(&[]), card(&[("twos", 4)]), card(&[("twos", 0), ("any", 6), ("pair", 5)])]
        {
            let three = [own.clone(), done.clone(), more.clone()];
            let at = position(&sheet, dice, left, &three, 0);
            expect_exact(&sheet, Objective::Win, &at, &to_win);
            let at = position(&sheet, dice, left, &[done.clone(), own], 1);
            expect_exact(&sheet, Objective::Win, &at, &to_win);
        }
    }
}

#[test]
fn to_win_against_a_player_with_open_rows_is_brute_force() {
    let sheet = small();
    let cards = [
        card(&[("twos", 2), ("any", 4)]),
        card(&[("threes", 3), ("pair", 0)]),
        card(&[("twos", 2), ("threes", 3), ("any", 5)]),
        card(&[("twos", 2), ("pair", 5), ("any", 3)]),
    ];
    for a in &cards {
        for b in &cards {
            for (dice, left) in [(&[2, 3][..], 1), (&[1, 2], 0), (&[], 2)] {
                let at = position(&sheet, dice, left, &[a.clone(), b.clone()], 0);
                expect_exact(&sheet, Objective::Win, &at, &to_win);
                let at = position(&sheet, dice, left, &[a.clone(), b.clone()], 1);
                expect_exact(&sheet, Objective::Win, &at, &to_win);
            }
        }
    }
}

#[test]
fn a_draw_is_worth_half_a_win_and_among_equal_chances_points_decide() {
    // At 1-1 the other player draws with its pairs; throwing again has the same chances and more
    // points.
    let categories = vec![
        row("twos", Section::Upper, Pattern::Face(2), MATCHING),
        row("ones", Section::Upper, Pattern::Face(1), MATCHING),
        row("chance", Section::Lower, Pattern::Any, ALL),
        row("pairs", Section::Lower, pair(), ALL),
    ];
    let sheet = two_dice(3, categories, Vec::new());
    let cards = [
        card(&[("ones", 2), ("chance", 2), ("pairs", 2)]),
        card(&[("twos", 2), ("ones", 2), ("chance", 4)]),
    ];
    let at = position(&sheet, &[2, 2], 0, &cards, 0);
    let aimed = expect_exact(&sheet, Objective::Win, &at, &to_win);
    let Chances { win, draw } = aimed.moves[0].chances;
    assert!((win - 28.0 / 81.0).abs() < 1e-9 && (draw - 1.0 / 81.0).abs() < 1e-9, "{win} {draw}");
}

#[test]
fn the_last_round_of_several_is_brute_force() {
    let sheet = small();
    let open = [
        card(&[("twos", 2), ("pair", 0), ("any", 4)]),
        card(&[("twos", 2), ("threes", 3), ("any", 3)]),
        card(&[("threes", 6), ("pair", 0), ("any", 2)]),
        card(&[("twos", 0), ("threes", 3), ("pair", 0)]),
        card(&[("twos", 2), ("threes", 3), ("any", 3)]),
    ];
    let done = card(&[("twos", 2), ("threes", 3), ("pair", 0), ("any", 4)]);
    for (dice, left) in [(&[2, 3][..], 1), (&[1, 3], 0), (&[], 2)] {
        for first in 0..3 {
            let mut cards = open[first..first + 3].to_vec();
            expect_exact(&sheet, Objective::Win, &position(&sheet, dice, left, &cards, 0), &to_win);
            // Seats that were played in this round already, and one more to move.
            cards.insert(0, done.clone());
            expect_exact(&sheet, Objective::Win, &position(&sheet, dice, left, &cards, 1), &to_win);
        }
        let at = position(&sheet, dice, left, &open[..4], 0);
        expect_exact(&sheet, Objective::Win, &at, &to_win);
    }
}

#[test]
fn chances_against_several_near_their_end_are_close() {
    // Two rows open each: others are assumed to play for points, which costs them little.
    let sheet = small();
    let values = Solution::solve(&sheet, 1).expect("within the budget");
    let game = SolvedSheet::new(&sheet, &values);
    let forecast = Forecast::solve(&game, 1);
    let cards = [
        card(&[("twos", 2), ("any", 4)]),
        card(&[("threes", 3), ("pair", 0)]),
        card(&[("twos", 2), ("any", 5)]),
    ];
    let mut off = Vec::new();
    for dice in [[2, 3], [1, 2], [3, 3], [1, 1]] {
        let at = position(&sheet, &dice, 1, &cards, 0);
        let aimed = game.rank_by_chances(&forecast, Objective::Win, &at);
        assert!(!aimed.exact);
        let mut brute = BruteForce { sheet: &sheet, judge: &to_win, known: HashMap::new() };
        for stated in &aimed.moves {
            let found = brute.after(&at, stated.chosen)[0].chances.value();
            off.push((stated.chances.value() - found).abs());
        }
    }
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    let most = off.iter().copied().fold(0.0, f64::max);
    assert!(mean < 0.01 && most < 0.03, "{mean} on average, {most} at most");
}

#[test]
fn to_reach_a_target_is_brute_force() {
    let sheet = small();
    for target in [5, 9, 12, 14, 17, 23] {
        let reached = move |totals: &[i32], player: usize| Chances {
            win: f64::from(u8::from(totals[player] >= target)),
            draw: 0.0,
        };
        for (dice, left) in [(&[2, 3][..], 1), (&[1, 1], 0), (&[], 2)] {
            let at = position(&sheet, dice, left, &[card(&[])], 0);
            let aimed = expect_exact(&sheet, Objective::ReachTarget(target), &at, &reached);
            assert!(aimed.moves.iter().all(|m| m.chances.draw == 0.0));
        }
    }
}

#[test]
fn the_table_of_chances_is_near_brute_force() {
    let sheet = small();
    let values = Solution::solve(&sheet, 1).expect("within the budget");
    let game = SolvedSheet::new(&sheet, &values);
    let forecast = Forecast::solve(&game, 1).with_target_chances(&game, 1);
    let reach = forecast.target_chances().expect("few categories");
    let alone = Position::start(&sheet, 1);
    for target in 6..20 {
        let exact = game.rank_by_chances(&forecast, Objective::ReachTarget(target), &alone);
        assert!(exact.exact);
        let stated = reach.chance(&game, &forecast, CardState::EMPTY, target.into());
        let found = exact.moves[0].chances.win;
        assert!((stated - found).abs() < 0.002, "{target}: {stated}, not {found}");
    }
}

pub(crate) static THIRTEEN: LazyLock<(Sheet, Solution)> = LazyLock::new(|| {
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|r| r.id == "dice-poker-13").expect("built in");
    let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
    let values = Solution::solve(&sheet, 2).expect("within the budget");
    (sheet, values)
});

pub(crate) fn thirteen() -> SolvedSheet<'static> {
    SolvedSheet::new(&THIRTEEN.0, &THIRTEEN.1)
}

pub(crate) static SPREAD: LazyLock<Forecast> = LazyLock::new(|| Forecast::solve(&thirteen(), 2));

#[test]
fn the_spread_of_an_empty_card_is_the_published_one() {
    let deviation = SPREAD.variance(CardState::EMPTY).sqrt();
    assert!((deviation - 31.937).abs() < 1e-3, "{deviation}");
    assert_eq!(Forecast::solve(&thirteen(), 1), *SPREAD);
    let rough = Forecast::rough(&thirteen()).variance(CardState::EMPTY).sqrt();
    assert!((rough / deviation - 1.0).abs() < 0.2, "{rough}");
}

#[test]
fn far_from_the_end_chances_are_marked_as_estimates() {
    let game = thirteen();
    let sheet = game.sheet();
    let start = position(sheet, &[2, 4, 6, 1, 1], 2, &[card(&[]), card(&[])], 0);
    let aimed = game.rank_by_chances(&SPREAD, Objective::Win, &start);
    assert!(!aimed.exact);
    let best = aimed.moves[0];
    assert!((0.4..0.6).contains(&best.chances.value()), "{best:?}");
    assert!(best.chances.draw > 0.001 && best.chances.draw < 0.02, "{best:?}");
    assert_eq!(best.regret, 0.0);
    let by_score = game.rank_by_chances(&SPREAD, Objective::ExpectedScore, &start);
    let ranked = advice::rank(sheet, &THIRTEEN.1, &start);
    assert_eq!(by_score.moves[0].chosen, ranked[0].chosen);
    assert!((by_score.moves[0].expected - ranked[0].expected).abs() < 1e-4);
    let alone = position(sheet, &[2, 4, 6, 1, 1], 2, &[card(&[])], 0);
    let aimed = game.rank_by_chances(&SPREAD, Objective::ReachTarget(230), &alone);
    assert!((0.4..0.6).contains(&aimed.moves[0].chances.win));
}

#[test]
fn playing_for_a_target_reaches_it_more_often() {
    let game = thirteen();
    let simulation = Simulation::new(game, Position::start(game.sheet(), 1), 11).on_threads(2);
    let reached = |player: &dyn Player, target: i32| -> u64 {
        let all = |_: &_| std::ops::ControlFlow::Continue(());
        let tally = simulation.run(&[player], 0..400, all).expect("all");
        tally.players[0].games_from(target)
    };
    let aim = ObjectivePlayer::new(Objective::ReachTarget(250), &SPREAD);
    let (aimed, plain) = (reached(&aim, 250), reached(&Skill::PERFECT, 250));
    assert!(aimed > plain, "{aimed} against {plain} of 400");
}

#[test]
fn errors_about_chances_scale_with_the_stake() {
    let game = thirteen();
    let sheet = game.sheet();
    let at = position(sheet, &[2, 4, 6, 1, 1], 2, &[card(&[]), card(&[])], 0);
    let aimed = game.rank_by_chances(&SPREAD, Objective::Win, &at);
    let perfect = ObjectivePlayer::new(Objective::Win, &SPREAD).thorough();
    assert_eq!(perfect.choose(&game, &at, 1), aimed.moves[0].chosen);
    let weak = ObjectivePlayer::new(Objective::Win, &SPREAD)
        .with_skill(standard_skill(3, 17.0))
        .thorough();
    let regret = |seed| {
        let chosen = weak.choose(&game, &at, seed);
        assert_eq!(chosen, weak.choose(&game, &at, seed), "the same seed makes the same error");
        aimed.moves.iter().find(|m| m.chosen == chosen).expect("legal").regret
    };
    let regrets: Vec<f64> = (0..200).map(regret).collect();
    let mean = regrets.iter().sum::<f64>() / 200.0;
    assert!((0.0005..0.02).contains(&mean), "{mean}");
    // No more than the cap of what is at stake.
    let most = regrets.iter().copied().fold(0.0, f64::max);
    let at_stake = stake(aimed.moves.iter().map(|m| m.chances.value()));
    assert!(most <= standard_skill(3, 17.0).errors.cap * at_stake + 1e-9, "{most} of {at_stake}");
}
