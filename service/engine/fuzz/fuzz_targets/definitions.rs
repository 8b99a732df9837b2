//! Rulesets of all kinds, sound or not: each is refused with reasons, or played, solved or learned, and
//! ranked. `just fuzz SECONDS definitions` runs it.

#![no_main]

#[path = "../../tests/it/definitions.rs"]
mod definitions;

use definitions::{Choose, wild};
use dicepoker_engine::advice::Advisor;
use dicepoker_engine::check::check;
use dicepoker_engine::moves::Move;
use dicepoker_engine::position::Position;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::{Budget, Estimate, Key, Solver, Training};
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

/// Dice with more keeps are too slow for many runs.
const MOST_KEEPS: usize = 500;

/// Plays a game of one player by the fuzzer's choices: what is legal can be played, and totals grow by
/// the gains.
fn play(sheet: &Sheet, choose: &mut impl Choose) {
    let mut position = Position::start(sheet, 1);
    loop {
        let before = position.card().totals(sheet).grand_total();
        let moves: Vec<Move> = position.legal_moves(sheet).collect();
        let chosen = moves[choose.below(moves.len() as u32) as usize];
        let dice = position.dice_thrown(sheet, chosen);
        let faces = sheet.space().faces() as u32;
        let thrown: Vec<u8> = (0..dice).map(|_| choose.below(faces) as u8 + 1).collect();
        let played = position.play(sheet, chosen, &thrown).expect("legal");
        if let Some((_, gain)) = played.recorded {
            let card = played.position.cards()[0];
            assert_eq!(card.totals(sheet).grand_total() - before, gain.total());
        }
        if played.game_over {
            return;
        }
        position = played.position;
    }
}

fuzz_target!(|data: &[u8]| {
    let budget = Budget { bytes: 8 << 20, work: 2_000_000 };
    let mut bytes = Bytes(data);
    let definition = wild(&mut bytes);
    let estimate = Estimate::of(&definition);
    if !check(&definition).is_empty() {
        assert!(Sheet::new(definition).is_err());
        return;
    }
    let _ = Key::of(&definition);
    let sheet = Sheet::new(definition).expect("checked");
    play(&sheet, &mut bytes);
    let solution = match estimate.within(&budget) {
        Ok(()) => Solver { budget, ..Solver::default() }.solve(&sheet).expect("within the budget"),
        Err(_) if sheet.space().keeps() > MOST_KEEPS || sheet.rolls() > 4 => return,
        Err(_) => Training { turns: 1, seed: 1, stopped: None }.run(&sheet),
    };
    let start = Position::start(&sheet, 1);
    let ranked = Advisor::new().rank(&sheet, &solution, &start).to_vec();
    assert!(ranked[0].expected.is_finite());
});
