//! The possible ends of a turn played for points, with their probabilities: these are pushed
//! forward through the solved turn, throw by throw.

use crate::advice::{Advisor, EQUAL};
use crate::category::Category;
use crate::dice::{Keep, Roll};
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{CardState, Sheet};
use crate::solved_sheet::SolvedSheet;
use crate::turn_solver::SolvedTurn;

/// An end of a turn: the roll, its category, whether it was the first roll of the turn, and the
/// probability.
pub(crate) type TurnEnding = (Roll, Category, bool, f64);

/// Every throw of the dice that are not kept, as faces in ascending order, with its odds.
fn throws(sheet: &Sheet, keep: Keep) -> Vec<(Vec<u8>, f64)> {
    let space = sheet.space();
    let free = space.dice() - space.size(keep);
    let odds = |keep: Keep| {
        // free! / (n1! n2! ...) of faces^free ordered throws.
        let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
        let same = space.counts(keep).iter().map(|&n| factorial(n.into())).product::<f64>();
        factorial(free) / same / (space.faces() as f64).powi(free as i32)
    };
    let thrown = space.level(free).map(|thrown| space.keep(thrown));
    thrown.map(|thrown| (space.faces_of(thrown).collect(), odds(thrown))).collect()
}

impl SolvedSheet<'_> {
    /// Calls `each` with every way in which a turn of a card in `state` may end after `keep`, with `throws`
    /// throws left.
    pub(crate) fn for_each_ending(
        &self,
        turn: &SolvedTurn<f64>,
        state: CardState,
        keep: Keep,
        throws: u8,
        mut each: impl FnMut(TurnEnding),
    ) {
        let sheet = self.sheet;
        let mut kept = vec![0.0; sheet.space().keeps()];
        kept[keep.index()] = 1.0;
        for left in (0..throws).rev() {
            self.throw_all(&mut kept);
            let served = left + 1 == sheet.rolls();
            let rolls: Vec<(Roll, f64)> = sheet
                .space()
                .all_rolls()
                .map(|roll| (roll, kept[sheet.space().as_keep(roll).index()]))
                .filter(|(_, odds)| *odds > 0.0)
                .collect();
            kept.fill(0.0);
            for (roll, odds) in rolls {
                match self.best_after(turn, state, roll, left, served) {
                    Move::Keep(keep) => kept[keep.index()] += odds,
                    Move::Record(category) => each((roll, category, served, odds)),
                    Move::Announce(_) => unreachable!("plain turns have no announcements"),
                }
            }
        }
    }

    /// Calls `each` with every possible end of a turn of any kind after `chosen` in `position`, and
    /// its probability.
    pub(crate) fn ways_of_position(
        &self,
        position: &Position,
        chosen: Move,
        mut each: impl FnMut(&Position, Category, f64),
    ) {
        let sheet = self.sheet;
        let mut advisor = Advisor::new();
        let mut now: Vec<(Position, Move, f64)> = vec![(position.clone(), chosen, 1.0)];
        while !now.is_empty() {
            let mut next: Vec<(Position, f64)> = Vec::new();
            for (position, chosen, odds) in now {
                match chosen {
                    Move::Record(category) => each(&position, category, odds),
                    Move::Announce(_) => {
                        let played = position.play(sheet, chosen, &[]).expect("legal");
                        next.push((played.position, odds));
                    }
                    Move::Keep(keep) => {
                        for (thrown, share) in throws(sheet, keep) {
                            let played = position.play(sheet, chosen, &thrown).expect("legal");
                            let to = played.position;
                            match next.iter_mut().find(|(other, _)| *other == to) {
                                Some((_, sum)) => *sum += odds * share,
                                None => next.push((to, odds * share)),
                            }
                        }
                    }
                }
            }
            let best = |position: &Position| advisor.rank(sheet, self.values, position)[0].chosen;
            let mut best = best;
            now = next
                .into_iter()
                .map(|(position, odds)| {
                    let chosen = best(&position);
                    (position, chosen, odds)
                })
                .collect();
        }
    }

    /// Spreads the probability of every keep over the rolls that its throw may show.
    fn throw_all(&self, kept: &mut [f64]) {
        let lattice = self.sheet.lattice();
        let share = 1.0 / lattice.faces as f64;
        for keep in 0..lattice.keeps {
            let odds = std::mem::take(&mut kept[keep]) * share;
            if odds > 0.0 {
                for &more in &lattice.more[keep * lattice.faces..][..lattice.faces] {
                    kept[usize::from(more)] += odds;
                }
            }
        }
    }

    /// The best move with `roll` on the table.
    fn best_after(
        &self,
        turn: &SolvedTurn<f64>,
        state: CardState,
        roll: Roll,
        left: u8,
        served: bool,
    ) -> Move {
        // In the order of advice, so that the turn is the one that best moves lead through.
        let sheet = self.sheet;
        let best = turn.roll(left, roll);
        let is_best = |value: f64| best - value < EQUAL;
        let record = |&category: &Category| {
            let gain = sheet.gain(state, roll, category, served);
            is_best(self.further(state, category, gain))
        };
        // Most rolls are thrown again.
        let recorded = best - turn.record(left, roll) < EQUAL;
        if let Some(category) = sheet.legal(state, roll).iter().filter(|_| recorded).find(record) {
            return Move::Record(category);
        }
        let keeps = sheet.space().keeps_of(roll);
        let keeps = keeps.filter(|&keep| is_best(turn.keep(left - 1, keep)));
        Move::Keep(keeps.max_by_key(|keep| keep.index()).expect("a roll has a best move"))
    }
}
