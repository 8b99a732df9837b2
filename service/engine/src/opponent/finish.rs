//! What a card near its end still gains if it is played for points: the whole distribution,
//! exactly. Few rows come to few sums, which no normal curve resembles.

use std::collections::HashMap;
use std::rc::Rc;

use super::game::Game;
use crate::dice::Keep;
use crate::sheet::CardState;

/// The distributions of cards, each worked out once.
#[derive(Debug, Default)]
pub(super) struct Finishes {
    /// By card: the odds of every number of points.
    known: HashMap<CardState, Rc<[f64]>>,
}

impl Finishes {
    /// The odds of every number of points that a card in `state` may still gain, bonuses included.
    pub(super) fn of(&mut self, game: &Game<'_>, state: CardState) -> Rc<[f64]> {
        let sheet = game.sheet();
        if state.filled == sheet.categories() {
            return Rc::new([1.0]);
        }
        if let Some(known) = self.known.get(&state) {
            return Rc::clone(known);
        }
        // Many rolls come to the same record.
        let mut records = HashMap::new();
        let turn = game.turn(state);
        game.ways(&turn, state, Keep::EMPTY, sheet.rolls(), |(roll, category, served, odds)| {
            let gain = sheet.gain(state, roll, category, served);
            let after = sheet.after(state, category, gain.points);
            *records.entry((after, gain.total() as usize)).or_insert(0.0) += odds;
        });
        // In one order, so that sums are the same to the last bit.
        let mut records: Vec<_> = records.into_iter().collect();
        records.sort_by_key(|&((after, gained), _)| (gained, after.filled.bits(), after.upper));
        let mut points = Vec::new();
        for ((after, gained), odds) in records {
            let further = self.of(game, after);
            points.resize(points.len().max(gained + further.len()), 0.0);
            let sums = points[gained..].iter_mut().zip(further.iter());
            sums.for_each(|(sum, further)| *sum += odds * further);
        }
        let points: Rc<[f64]> = points.into();
        self.known.insert(state, Rc::clone(&points));
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::category::CategorySet;
    use crate::opponent::spread::Spread;
    use crate::ruleset::Ruleset;
    use crate::sheet::Sheet;
    use crate::solve::{Solution, Values};

    #[test]
    fn distributions_have_the_solved_mean_and_variance() {
        // Without an upper bonus variances are kept for every card.
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.into_iter().find(|r| r.id == "dice-poker-13").expect("built in");
        let sheet = Sheet::new(ruleset.definition).expect("sound");
        let values = Solution::solve(&sheet, 2).expect("within the budget");
        let game = Game::new(&sheet, &values);
        let spread = Spread::solve(&game, 2);
        let mut finishes = Finishes::default();
        for open in [
            &["five_alike"][..],
            &["chance", "sixes"],
            &["full_house", "large_straight", "threes"],
            &["four_alike", "small_straight", "five_alike", "ones"],
        ] {
            let open: CategorySet =
                open.iter().map(|id| sheet.category(id).expect("a row")).collect();
            let filled = sheet.categories().without(open);
            let state = CardState { filled, upper: 0, alike_scored: false };
            let odds = finishes.of(&game, state);
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                odds.iter().enumerate().map(|(points, odds)| odds * of(points as f64)).sum()
            };
            let mean = values.value(state);
            assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-9);
            assert!((sum(&|points| points) - mean).abs() < 1e-4, "{filled:?}");
            let variance = sum(&|points| (points - mean).powi(2));
            assert!((variance - spread.variance(state)).abs() < 1e-3 * variance, "{filled:?}");
        }
    }
}
