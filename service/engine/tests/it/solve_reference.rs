//! The fast solver against the plain one, state by state.

use dicepoker_engine::category::CategorySet;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Isa, Reference, Solution, Solver, Values};

/// Every reachable state, by the plain solver.
pub(crate) fn states<'a>(
    sheet: &'a Sheet,
    reference: &'a Reference,
) -> impl Iterator<Item = (CardState, f64)> + 'a {
    let flags: &[bool] = if sheet.tracks_alike() { &[false, true] } else { &[false] };
    (0..=sheet.categories().bits())
        .map(CategorySet::from_bits)
        .flat_map(move |filled| flags.iter().map(move |&alike_scored| (filled, alike_scored)))
        .flat_map(move |(filled, alike_scored)| {
            (0..=sheet.upper_cap()).map(move |upper| CardState {
                filled,
                upper,
                alike_scored,
                ..CardState::EMPTY
            })
        })
        .map(|state| (state, reference.value(state)))
        .filter(|(_, value)| !value.is_nan())
}

fn expect_same(id: &str) {
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
    let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
    let solution = Solution::solve(&sheet, 2).expect("within the budget");
    let reference = Reference::solve(&sheet);
    let start = solution.value(CardState::EMPTY) - reference.value(CardState::EMPTY);
    assert!(start.abs() < 1e-5, "{id}: the empty card is off by {start:e}");
    let (mut seen, mut worst) = (0, 0f64);
    for (state, value) in states(&sheet, &reference) {
        worst = worst.max((solution.value(state) - value).abs());
        seen += 1;
    }
    println!("{id}: {seen} states, off by at most {worst:e}, the empty card by {start:e}");
    assert!(worst < 1e-4, "{id}: off by {worst:e}");
    assert!(seen >= solution.states(), "{id}: {seen} states");
}

#[test]
fn dice_poker_13() {
    expect_same("dice-poker-13");
}

#[test]
fn dice_poker_15() {
    expect_same("dice-poker-15");
}

#[test]
fn yahtzee() {
    expect_same("yahtzee");
}

#[test]
fn yahtzee_free_joker() {
    expect_same("yahtzee-free-joker");
}

#[test]
fn kniffel() {
    expect_same("kniffel");
}

#[test]
fn yatzy() {
    expect_same("yatzy");
}

#[test]
fn yacht() {
    expect_same("yacht");
}

#[test]
fn generala() {
    expect_same("generala");
}

/// Threads and instructions change the speed of solving, and no bit of the table.
#[test]
fn tables_are_bit_identical_on_any_threads_and_instructions() {
    for id in ["kniffel", "yahtzee", "dice-poker-13"] {
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
        let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
        let plain = Solver { isa: Isa::Portable, ..Solver::default() };
        let expected = plain.solve(&sheet).expect("solved");
        for isa in Isa::available() {
            for threads in [1, 2, 3, 8] {
                let solver = Solver { isa, threads, ..Solver::default() };
                let solution = solver.solve(&sheet).expect("solved");
                assert!(solution == expected, "{id}: {isa:?} on {threads} threads differs");
            }
        }
    }
}
