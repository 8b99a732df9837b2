//! Rounds of three or more players in which all throws lie open. There are too many rolls to
//! tabulate, but in a position all of them are known.
//!
//! In the last lap the moves of the next players depend only on the best rank among those who have
//! thrown last, and on the number of its holders. Before it the chances are an estimate: as if the
//! player to move made all its throws first, and each of the others then played only to beat what
//! it came to.

use super::check::MAX_PLAYERS;
use super::game::Showdown;
use super::in_turn::Chance;
use super::moves::keeps;
use super::open::compare;
use super::turn::{self, EQUAL};
use crate::dice::{Keep, Roll};

/// How often a player beats a rank that it plays to beat.
#[derive(Clone, Debug, Default)]
pub(super) struct Replies {
    /// By throws left but for none, rank to beat and roll: the probabilities to end above the rank,
    /// and at it.
    beaten: Vec<Vec<[f64; 2]>>,
}

impl Replies {
    pub(super) fn solve(game: &Showdown) -> Self {
        let (space, hands) = (game.space(), game.hands());
        let mut beaten = vec![Vec::new(); game.definition().rethrows.into()];
        for to_beat in 0..hands.ranks() {
            let end = |roll| compare(hands.rank(roll), to_beat, 0.5);
            let mut ends: Vec<Chance> = space.all_rolls().map(end).collect();
            for of_lap in &mut beaten {
                ends = before_lap(game, &ends);
                of_lap.extend(ends.iter().map(|&[_, win, draw]| [win, draw]));
            }
        }
        Self { beaten }
    }

    /// The estimated chances of a player by each roll that its throw may end with, after which it
    /// has `left` more throws. `others` are the dice of the other players and their throws left.
    pub(super) fn estimate(&self, game: &Showdown, others: &[(Roll, u8)], left: u8) -> Vec<Chance> {
        let rolls = game.space().rolls();
        let stays = |rank: usize| -> Chance {
            // By number of others who tie: the probability that none is above.
            let mut tied = [0.0; MAX_PLAYERS];
            tied[0] = 1.0;
            for &(roll, throws) in others {
                let of_lap = &self.beaten[usize::from(throws) - 1];
                let [above, equal] = of_lap[rank * rolls + roll.index()];
                for count in (0..MAX_PLAYERS).rev() {
                    let joined = count.checked_sub(1).map_or(0.0, |fewer| tied[fewer] * equal);
                    tied[count] = tied[count] * (1.0 - above - equal) + joined;
                }
            }
            let share = (1..).zip(tied).map(|(holders, chance)| chance / f64::from(holders)).sum();
            [share, tied[0], tied[1..].iter().sum()]
        };
        let by_rank: Vec<Chance> = (0..game.hands().ranks()).map(stays).collect();
        let rolls = game.space().all_rolls();
        let ends: Vec<Chance> = rolls.map(|roll| by_rank[game.hands().rank(roll)]).collect();
        (0..left).fold(ends, |ends, _| before_lap(game, &ends))
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.beaten.iter().map(|of_lap| size_of_val(&of_lap[..])).sum()
    }
}

/// The value of each roll to a player who may throw some of it again, given that of each result.
fn before_lap(game: &Showdown, ends: &[Chance]) -> Vec<Chance> {
    turn::best_of_keeps(game.space(), turn::expect(game.space(), ends), ends)
}

/// The chances of the first of `rolls`, whose last throw is next, by each roll that it may end
/// with. `to_beat` is the best rank of those who have thrown, and the number of its holders; the
/// other `rolls` are those of the next players, each with one throw left.
pub(super) fn last_lap(
    game: &Showdown,
    rolls: &[Roll],
    to_beat: Option<(usize, usize)>,
    players: usize,
) -> Vec<Chance> {
    let ranks = game.hands().ranks();
    let share = |holders: usize| match holders {
        1 => [1.0, 1.0, 0.0],
        _ => [1.0 / holders as f64, 0.0, 1.0],
    };
    // By holders and rank: the chances of one who holds it once all up to some player have thrown.
    let mut held: Vec<Vec<Chance>> =
        (1..=players).map(|holders| vec![share(holders); ranks]).collect();
    for (place, &roll) in rolls.iter().enumerate().skip(1).rev() {
        // Before this player threw, at most so many can have held a rank.
        let most = players - (rolls.len() - place);
        let choices = distributions(game, roll);
        held = before_throw(&choices, &held, most, ranks);
    }
    let own = game.space().all_rolls().map(|roll| game.hands().rank(roll));
    own.map(|own| match to_beat {
        Some((best, _)) if own < best => [0.0; 3],
        Some((best, holders)) if own == best => held[holders][own],
        _ => held[0][own],
    })
    .collect()
}

/// The probability of each rank, by keep of `roll`: all of it, then in the order of moves.
fn distributions(game: &Showdown, roll: Roll) -> Vec<Vec<f64>> {
    let space = game.space();
    let ranks = game.hands().ranks();
    std::iter::once(space.as_keep(roll))
        .chain(keeps(game, roll, Keep::EMPTY))
        .map(|keep| {
            let mut chances = vec![0.0; ranks];
            turn::outcomes(space, keep, &mut |roll, chance| {
                chances[game.hands().rank(roll)] += chance;
            });
            chances
        })
        .collect()
}

/// The chances of holders before a player throws who has these `choices` of ranks, given the
/// chances after it.
fn before_throw(
    choices: &[Vec<f64>],
    held: &[Vec<Chance>],
    most: usize,
    ranks: usize,
) -> Vec<Vec<Chance>> {
    // By choice and rank: what the player gains by ending above it, and the chance to end below.
    let above: Vec<Vec<f64>> = choices
        .iter()
        .map(|chances| {
            let mut above = vec![0.0; ranks];
            for rank in (0..ranks - 1).rev() {
                above[rank] = above[rank + 1] + chances[rank + 1] * held[0][rank + 1][0];
            }
            above
        })
        .collect();
    let below: Vec<Vec<f64>> = choices
        .iter()
        .map(|chances| {
            let mut sum = 0.0;
            chances
                .iter()
                .map(|chance| {
                    sum += chance;
                    sum - chance
                })
                .collect()
        })
        .collect();
    (1..=most)
        .map(|holders| {
            let at = |rank: usize| {
                let joined = held[holders][rank];
                let worth = |c: usize| above[c][rank] + choices[c][rank] * joined[0];
                // Choices are in the order of preference.
                let better = |a: usize, b: usize| if worth(b) > worth(a) + EQUAL { b } else { a };
                let chosen = (0..choices.len()).reduce(better).unwrap_or(0);
                let alone = held[holders - 1][rank];
                std::array::from_fn(|i| {
                    below[chosen][rank] * alone[i] + choices[chosen][rank] * joined[i]
                })
            };
            (0..ranks).map(at).collect()
        })
        .collect()
}
