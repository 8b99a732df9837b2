//! Rulesets of all kinds, sound or not: each is refused with reasons, refused as too large, or
//! solved and ranked. `just fuzz SECONDS definitions` runs it.

#![no_main]

#[path = "../../tests/it/definitions.rs"]
mod definitions;

use definitions::{Choose, wild};
use dicepoker_engine::advice::Advisor;
use dicepoker_engine::check::check;
use dicepoker_engine::position::Position;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::{Budget, Estimate, Key, Solver};
use libfuzzer_sys::fuzz_target;

/// Choices from the fuzzer's bytes; the first of everything once they are used up.
struct Bytes<'a>(&'a [u8]);

impl Choose for Bytes<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        u32::from(first) % bound
    }
}

fuzz_target!(|data: &[u8]| {
    let budget = Budget { bytes: 8 << 20, work: 2_000_000 };
    let definition = wild(&mut Bytes(data));
    let estimate = Estimate::of(&definition);
    if !check(&definition).is_empty() {
        assert!(Sheet::new(definition).is_err());
        return;
    }
    let _ = Key::of(&definition);
    if estimate.within(&budget).is_err() {
        return;
    }
    let sheet = Sheet::new(definition).expect("checked");
    let solution = Solver { budget, ..Solver::default() }.solve(&sheet).expect("within the budget");
    let start = Position::start(&sheet, 1);
    let ranked = Advisor::new().rank(&sheet, &solution, &start).to_vec();
    assert!(ranked[0].expected.is_finite());
});
