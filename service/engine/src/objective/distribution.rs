//! The exact distribution of the points that a card near its end still gains if it is played for
//! points. A few rows have a few possible sums, which no normal distribution fits.

use std::collections::HashMap;
use std::rc::Rc;

use crate::dice::Keep;
use crate::sheet::CardState;
use crate::solved_sheet::SolvedSheet;

/// The distributions of cards, each computed once.
#[derive(Debug, Default)]
pub(crate) struct ScoreDistributions {
    /// By card: the probability of every number of points.
    known: HashMap<CardState, Rc<[f64]>>,
}

impl ScoreDistributions {
    /// The probability of every number of points that a card in `state` may still gain, bonuses
    /// included.
    pub(crate) fn of(&mut self, solved: &SolvedSheet<'_>, state: CardState) -> Rc<[f64]> {
        let sheet = solved.sheet();
        if state.filled == sheet.categories() {
            return Rc::new([1.0]);
        }
        if let Some(known) = self.known.get(&state) {
            return Rc::clone(known);
        }
        // Many rolls have the same record.
        let mut records = HashMap::new();
        let turn = solved.turn(state);
        solved.for_each_ending(
            &turn,
            state,
            Keep::EMPTY,
            sheet.rolls(),
            |(roll, category, served, odds)| {
                let gain = sheet.gain(state, roll, category, served);
                let after = sheet.after(state, category, gain.points);
                *records.entry((after, gain.total() as usize)).or_insert(0.0) += odds;
            },
        );
        // In a fixed order, so that sums are bit-identical.
        let mut records: Vec<_> = records.into_iter().collect();
        records.sort_by_key(|&((after, gained), _)| (gained, after.filled, after.upper));
        let mut points = Vec::new();
        for ((after, gained), odds) in records {
            let further = self.of(solved, after);
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
    use crate::objective::Forecast;
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
        let solved = SolvedSheet::new(&sheet, &values);
        let forecast = Forecast::solve(&solved, 2);
        let mut distributions = ScoreDistributions::default();
        for open in [
            &["five_alike"][..],
            &["chance", "sixes"],
            &["full_house", "large_straight", "threes"],
            &["four_alike", "small_straight", "five_alike", "ones"],
        ] {
            let open: CategorySet =
                open.iter().map(|id| sheet.category(id).expect("a row")).collect();
            let filled = sheet.categories().without(open);
            let state = CardState { filled, ..CardState::EMPTY };
            let odds = distributions.of(&solved, state);
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                odds.iter().enumerate().map(|(points, odds)| odds * of(points as f64)).sum()
            };
            let mean = values.value(state);
            assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-9);
            assert!((sum(&|points| points) - mean).abs() < 1e-4, "{filled:?}");
            let variance = sum(&|points| (points - mean).powi(2));
            assert!((variance - forecast.variance(state)).abs() < 1e-3 * variance, "{filled:?}");
        }
    }
}
