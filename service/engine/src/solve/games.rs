//! Games of best play for points, many at a time, as the cards that they come to.

use std::ops::Range;

use super::Values;
use super::rounds::{Ahead, Rounds, Seat};
use crate::sheet::{CardState, Sheet};

/// Games played at a time.
const AT_ONCE: usize = 64;

/// The seed of all of them.
const SEED: u64 = 0;

/// A card with the points on it.
pub(crate) type Points = (CardState, i32);

/// The empty card of a sheet.
pub(crate) fn empty_card(sheet: &Sheet) -> Points {
    (CardState::EMPTY, sheet.starts_with())
}

/// Values of any kind.
struct Of<'a>(&'a (dyn Values + Sync));

impl Values for Of<'_> {
    fn value(&self, state: CardState) -> f64 {
        self.0.value(state)
    }
}

impl Ahead for Of<'_> {}

/// For each game that begins with the card `start` its player's card before every turn and at the end. The
/// same number is the same game.
pub(crate) fn cards_of_games(
    sheet: &Sheet,
    values: &(dyn Values + Sync),
    start: Points,
    games: Range<u64>,
) -> Vec<Vec<Points>> {
    let numbers: Vec<u64> = games.collect();
    let mut rounds = Rounds::new(sheet);
    let (mut played, mut found) = (Vec::new(), Vec::new());
    for numbers in numbers.chunks(AT_ONCE) {
        let seats = numbers.iter().enumerate();
        let seat = |(game, &number)| Seat::new(game, SEED, number).at(start.0);
        let mut seats: Vec<Seat> = seats.map(seat).collect();
        let mut cards = vec![vec![start]; numbers.len()];
        while !seats.is_empty() {
            rounds.play(&Of(values), &mut seats, &mut played);
            for (seat, played) in seats.iter_mut().zip(&played) {
                let cards = &mut cards[seat.game];
                let points = cards.last().map_or(0, |card| card.1);
                cards.push((played.after, points + played.gain));
                seat.state = played.after;
            }
            seats.retain(|seat| seat.state.filled != sheet.categories());
        }
        found.append(&mut cards);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::states;
    use super::*;
    use crate::ruleset::Ruleset;
    use crate::solve::Solution;

    #[test]
    fn games_gain_what_their_cards_are_worth() {
        for id in ["dice-poker-13", "yahtzee", "kosci"] {
            let rulesets = Ruleset::built_in();
            let ruleset = rulesets.into_iter().find(|r| r.id == id).expect("built in");
            let sheet = Sheet::new(ruleset.definition).expect("sound");
            let values = Solution::solve(&sheet, 1).expect("within the budget");
            let games = cards_of_games(&sheet, &values, empty_card(&sheet), 0..2_000);
            let few = cards_of_games(&sheet, &values, empty_card(&sheet), 5..9);
            assert_eq!(games[5..9], few);
            for turn in [0, sheet.categories().len() / 2] {
                let gained: Vec<f64> = games
                    .iter()
                    .map(|cards| {
                        let (state, points) = cards[turn];
                        let end = cards.last().expect("an end").1;
                        f64::from(end - points) - states::value(&sheet, &values, state)
                    })
                    .collect();
                let n = gained.len() as f64;
                let mean = gained.iter().sum::<f64>() / n;
                let error = (gained.iter().map(|g| (g - mean).powi(2)).sum::<f64>()).sqrt() / n;
                assert!(mean.abs() < 4.0 * error, "{id}, turn {turn}: {mean} ± {error}");
            }
        }
    }
}
