//! Rounds in which players throw in turn, solved by backward induction from the last player on.
//!
//! A player who throws needs two facts about those before it: the best rank on the table and
//! the number of its holders; and of those after it, their answer to the rank at which it stops. So
//! the turns are solved from the last player to the first, one for every rank and number of
//! holders. Holders joined in the order of their places, so the place of one among them tells who
//! it is.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::check::MAX_PLAYERS;
use super::definition::Draws;
use super::game::Showdown;
use super::turn::{self, Row};

/// Chances of a player: the value it maximises, to win the round alone, and to share it.
pub(super) type Chance = Row<3>;

/// The most repetitions to find what a tie of all is worth; three are enough for five dice.
const MOST_REPETITIONS: usize = 50;

/// What the best rank is worth to those who hold it at the end, by their number and by place among
/// them.
#[derive(Clone, Debug)]
pub(super) struct Prizes(Vec<Vec<Chance>>);

/// The turn of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Number of players who have thrown before it.
    pub(super) place: usize,
    /// The most throws of the turn.
    pub(super) limit: u8,
    /// The best rank before it and how many hold it; none for the first player.
    pub(super) to_beat: Option<(usize, usize)>,
}

/// A solved round in turn.
#[derive(Clone, Debug)]
pub(super) struct InTurn {
    players: usize,
    /// By throws allowed: what is known when all up to some place have thrown.
    limits: Vec<Limited>,
    /// The first player's turn.
    opening: Vec<Vec<Chance>>,
    /// Where ties are thrown again: the value of the round to each player before it begins.
    starts: Vec<f64>,
    /// Where ties are thrown again: the probability that all players tie.
    all_tie: f64,
}

/// The turns of all but the first player, who may throw so often.
#[derive(Clone, Debug, Default)]
struct Limited {
    /// By place, number of holders and place among them: the chances of one who holds each rank when
    /// all up to the place have thrown.
    held: Vec<Vec<Vec<Vec<Chance>>>>,
    /// Of two players, by rank to beat: the second one's turn.
    replies: Vec<Vec<Vec<Chance>>>,
    /// By rank of the first player: the values to the players after it.
    coming: Vec<[f64; MAX_PLAYERS]>,
    /// By rank of the first player: the probability that all others come to it.
    all_tie: Vec<f64>,
}

impl Prizes {
    /// A tie of two has the value `tie` to the first of them.
    pub(super) fn of_two(tie: f64) -> Self {
        Self(vec![vec![[1.0, 1.0, 0.0]], vec![[tie, 0.0, 1.0], [1.0 - tie, 0.0, 1.0]]])
    }

    /// So many players at most share the round.
    pub(super) fn shared(players: usize) -> Self {
        let mut prizes = Self(vec![vec![[1.0, 1.0, 0.0]]]);
        (2..=players).for_each(|holders| prizes.push(&vec![1.0 / holders as f64; holders]));
        prizes
    }

    /// Adds what the rank is worth to one more holder than before.
    fn push(&mut self, values: &[f64]) {
        self.0.push(values.iter().map(|&value| [value, 0.0, 1.0]).collect());
    }
}

impl InTurn {
    /// Solves the round between as many players as there are prizes.
    pub(super) fn solve(game: &Showdown, prizes: &Prizes) -> Self {
        match prizes.0.len() {
            // Nothing asks for the chances of later players.
            _ if game.definition().draws != Draws::Again => Self::solve_in_rows::<5>(game, prizes),
            ..=4 => Self::solve_in_rows::<7>(game, prizes),
            _ => Self::solve_in_rows::<11>(game, prizes),
        }
    }

    /// Solves the round in which tied players throw a round of their own, given what rounds of fewer
    /// players are worth to each of them. What a tie of all is worth is found by repetition.
    pub(super) fn solve_again(game: &Showdown, fewer: &[Vec<f64>]) -> Self {
        let players = fewer.len() + 2;
        let mut prizes = Prizes::shared(1);
        fewer.iter().for_each(|values| prizes.push(values));
        prizes.push(&vec![1.0 / players as f64; players]);
        let mut solved = Self::solve(game, &prizes);
        // Rounding, and moves of equal value, may keep a tiny change alive.
        for _ in 0..MOST_REPETITIONS {
            let Some(all) = prizes.0.last_mut() else { break };
            let mut change = 0.0f64;
            for ([value, ..], start) in all.iter_mut().zip(&solved.starts) {
                let settled = (start - solved.all_tie * *value) / (1.0 - solved.all_tie);
                change = change.max((settled - *value).abs());
                *value = settled;
            }
            // What remains is multiplied by the probability that all tie.
            if change * solved.all_tie < 1e-15 {
                break;
            }
            solved = Self::solve(game, &prizes);
        }
        solved
    }

    /// Solves in rows of `N` numbers: a chance, the probabilities to stay below the best rank and to
    /// come to it, and the values to later players.
    fn solve_in_rows<const N: usize>(game: &Showdown, prizes: &Prizes) -> Self {
        let players = prizes.0.len();
        let throws = game.definition().throws();
        let allowed =
            if game.definition().first_sets_throws { 1..=throws } else { throws..=throws };
        let limits: Vec<Limited> =
            allowed.map(|limit| Limited::solve::<N>(game, prizes, limit)).collect();
        let limit = |made: u8| &limits[limit_index(game, made)];
        let levels = turn::solve(game, throws - 1, 0.0, |left| {
            let limit = limit(throws - left);
            let stop = |rank: usize| {
                let mut row = [0.0; N];
                row[..3].copy_from_slice(&limit.held[0][0][0][rank]);
                let coming = limit.coming[rank][1..players].iter().chain([&limit.all_tie[rank]]);
                row[3..].iter_mut().zip(coming).for_each(|(number, coming)| *number = *coming);
                row
            };
            game.space().all_rolls().map(|roll| stop(game.hands().rank(roll))).collect()
        });
        let root = levels[usize::from(throws) - 1][0];
        let mut coming = root[3..].iter().copied();
        let starts = [root[0]].into_iter().chain(coming.by_ref().take(players - 1)).collect();
        let all_tie = coming.next().unwrap_or_default();
        let opening = levels.iter().map(|keeps| keeps.iter().map(chance).collect()).collect();
        Self { players, limits, opening, starts, all_tie }
    }

    fn limit(&self, game: &Showdown, limit: u8) -> &Limited {
        &self.limits[limit_index(game, limit)]
    }

    /// The chances of the first player before it throws.
    pub(super) fn start(&self) -> Chance {
        self.opening[self.opening.len() - 1][0]
    }

    /// Where ties are thrown again: the value of the round to each player before it begins.
    pub(super) fn starts(&self) -> &[f64] {
        &self.starts
    }

    /// The value of each keep with so many rethrows left after its throw.
    pub(super) fn keeps(&self, game: &Showdown, turn: Turn, left: u8) -> Cow<'_, [Chance]> {
        let Some((rank, holders)) = turn.to_beat else {
            return Cow::Borrowed(&self.opening[usize::from(left)]);
        };
        let limit = self.limit(game, turn.limit);
        if self.players == 2 && left > 0 {
            return Cow::Borrowed(&limit.replies[rank][usize::from(left) - 1]);
        }
        let stops: Vec<Chance> = game
            .space()
            .all_rolls()
            .map(|roll| limit.stop(turn.place, (rank, holders), game.hands().rank(roll)))
            .collect();
        let levels = turn::solve(game, left, 0.0, |_| stops.clone());
        Cow::Owned(levels.into_iter().next_back().unwrap_or_default())
    }

    /// The value of stopping at `rank` after so many throws.
    pub(super) fn stop(&self, game: &Showdown, turn: Turn, made: u8, rank: usize) -> Chance {
        match turn.to_beat {
            None => self.limit(game, made).held[0][0][0][rank],
            Some(best) => self.limit(game, turn.limit).stop(turn.place, best, rank),
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let limits = self.limits.iter().map(Limited::bytes).sum::<usize>();
        limits + self.opening.iter().map(Vec::len).sum::<usize>() * size_of::<Chance>()
    }
}

impl Limited {
    fn solve<const N: usize>(game: &Showdown, prizes: &Prizes, limit: u8) -> Self {
        let (players, ranks) = (prizes.0.len(), game.hands().ranks());
        let mut solved = Self { held: vec![Vec::new(); players], ..Self::default() };
        let same = |chances: &Vec<Chance>| chances.iter().map(|&c| vec![c; ranks]).collect();
        solved.held[players - 1] = prizes.0.iter().map(same).collect();
        // By number of holders and rank: the values to the players who have not thrown.
        let mut coming = vec![vec![[0.0; MAX_PLAYERS]; ranks]; players];
        solved.all_tie = vec![1.0; ranks];
        for place in (1..players).rev() {
            let mut before = vec![vec![vec![[0.0; 3]; ranks]; place]; place];
            let mut still_coming = vec![vec![[0.0; MAX_PLAYERS]; ranks]; place];
            for holders in 1..=place {
                for rank in 0..ranks {
                    let stops: Vec<Row<N>> = game
                        .space()
                        .all_rolls()
                        .map(|roll| {
                            let own = game.hands().rank(roll);
                            solved.stop_row(place, (rank, holders), own, &coming[0][own])
                        })
                        .collect();
                    let levels = turn::solve(game, limit - 1, 0.0, |_| stops.clone());
                    let root = levels[usize::from(limit) - 1][0];
                    if players == 2 {
                        let above = levels.iter().skip(1);
                        let chances = above.map(|keeps| keeps.iter().map(chance).collect());
                        solved.replies.push(chances.collect());
                    }
                    let (below, equal) = (root[3], root[4]);
                    let held = &solved.held[place];
                    for at in 0..holders {
                        let (alone, joined) =
                            (held[holders - 1][at][rank], held[holders][at][rank]);
                        before[holders - 1][at][rank] =
                            std::array::from_fn(|i| below * alone[i] + equal * joined[i]);
                    }
                    let later = &mut still_coming[holders - 1][rank];
                    later[place] = root[0];
                    let after = later.iter_mut().enumerate().take(players).skip(place + 1);
                    for (player, value) in after {
                        *value = root.get(3 + player).unwrap_or(&0.0)
                            + below * coming[holders - 1][rank][player]
                            + equal * coming[holders][rank][player];
                    }
                    if holders == place {
                        solved.all_tie[rank] *= equal;
                    }
                }
            }
            solved.held[place - 1] = before;
            coming = still_coming;
        }
        solved.coming = coming.swap_remove(0);
        solved
    }

    /// The chances of a player who stops at the rank `own` against the best one before it and the
    /// number of its holders.
    fn stop(&self, place: usize, (best, holders): (usize, usize), own: usize) -> Chance {
        let held = &self.held[place];
        match own.cmp(&best) {
            Ordering::Less => [0.0; 3],
            Ordering::Greater => held[0][0][own],
            Ordering::Equal => held[holders][holders][best],
        }
    }

    /// The same, whether the rank is below the best or equal to it and, where it is above, what is
    /// `coming` to later players.
    fn stop_row<const N: usize>(
        &self,
        place: usize,
        best: (usize, usize),
        own: usize,
        coming: &[f64; MAX_PLAYERS],
    ) -> Row<N> {
        let mut row = [0.0; N];
        row[..3].copy_from_slice(&self.stop(place, best, own));
        match own.cmp(&best.0) {
            Ordering::Less => row[3] = 1.0,
            Ordering::Equal => row[4] = 1.0,
            // The first of them is at place 2.
            Ordering::Greater => row[5..].copy_from_slice(&coming[2..N - 3]),
        }
        row
    }

    fn bytes(&self) -> usize {
        let held = self.held.iter().flatten().flatten().map(Vec::len).sum::<usize>();
        let replies = self.replies.iter().flatten().map(Vec::len).sum::<usize>();
        (held + replies) * size_of::<Chance>()
            + size_of_val(&self.coming[..])
            + size_of_val(&self.all_tie[..])
    }
}

fn limit_index(game: &Showdown, limit: u8) -> usize {
    if game.definition().first_sets_throws { usize::from(limit) - 1 } else { 0 }
}

/// The first numbers of a row.
fn chance<const N: usize>(row: &Row<N>) -> Chance {
    [row[0], row[1], row[2]]
}
