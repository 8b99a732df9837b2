//! Rounds in which players throw in turn, solved by backward induction from the last player on.
//!
//! A player who throws needs two facts about those before it: the best rank on the table and
//! the number of its holders; and of those after it, their answer to the rank at which it stops. So
//! the turns are solved from the last player to the first, one for every rank and number of
//! holders.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::game::Showdown;
use super::turn::{self, Row};

/// Chances of a player: the value it maximises, to win the round alone, and to share it.
pub(super) type Chance = Row<3>;

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
    /// The value of a tie of two players to the first of them.
    tie: f64,
    /// By throws allowed, place and holders: the chances of a player who holds each rank, alone or
    /// with others, when all up to this place have thrown.
    held: Vec<Vec<Vec<Vec<Chance>>>>,
    /// Of two players, by throws allowed and rank to beat: the second one's turn.
    replies: Vec<Vec<Vec<Vec<Chance>>>>,
    /// The first player's turn.
    opening: Vec<Vec<Chance>>,
}

impl InTurn {
    /// Solves the round for so many players, where a tie of two has the value `tie` to the first of
    /// them.
    pub(super) fn solve(game: &Showdown, players: usize, tie: f64) -> Self {
        let throws = game.definition().throws();
        let mut solved =
            Self { players, tie, held: Vec::new(), replies: Vec::new(), opening: Vec::new() };
        let limits = if game.definition().first_sets_throws { 1..=throws } else { throws..=throws };
        for limit in limits {
            solved.solve_limit(game, limit);
        }
        solved.opening = turn::solve(game, throws - 1, 0.0, |left| {
            let held = &solved.held[solved.limit_index(game, throws - left)][0][0];
            game.space().all_rolls().map(|roll| held[game.hands().rank(roll)]).collect()
        });
        solved
    }

    /// Solves the turns of all but the first player, who may throw so often.
    fn solve_limit(&mut self, game: &Showdown, limit: u8) {
        let ranks = game.hands().ranks();
        let last = self.players - 1;
        let base = |holders: usize| match holders {
            1 => [1.0, 1.0, 0.0],
            2 if self.players == 2 => [self.tie, 0.0, 1.0],
            _ => [1.0 / holders as f64, 0.0, 1.0],
        };
        let mut held = vec![Vec::new(); self.players];
        held[last] = (1..=self.players).map(|holders| vec![base(holders); ranks]).collect();
        let mut replies = Vec::new();
        for place in (1..self.players).rev() {
            let mut before = Vec::with_capacity(place);
            for holders in 1..=place {
                let chances = (0..ranks).map(|rank| {
                    let levels = turn::solve(game, limit - 1, 0.0, |_| {
                        self.stops(game, &held[place], holders, rank)
                    });
                    let root = levels[usize::from(limit) - 1][0];
                    if self.players == 2 {
                        let above = levels.iter().skip(1);
                        replies.push(
                            above
                                .map(|keeps| keeps.iter().map(|k| [k[0], k[1], k[2]]).collect())
                                .collect(),
                        );
                    }
                    let (below, equal) = (root[3], root[4]);
                    let alone = held[place][holders - 1][rank];
                    let joined = held[place][holders][rank];
                    std::array::from_fn(|i| below * alone[i] + equal * joined[i])
                });
                before.push(chances.collect());
            }
            held[place - 1] = before;
        }
        self.held.push(held);
        self.replies.push(replies);
    }

    /// The value of each roll to a player who stops at it against the best rank before it.
    fn stops(
        &self,
        game: &Showdown,
        held: &[Vec<Chance>],
        holders: usize,
        best: usize,
    ) -> Vec<Row<5>> {
        let own = game.space().all_rolls().map(|roll| game.hands().rank(roll));
        own.map(|own| self.stop_row(held, holders, best, own)).collect()
    }

    /// The chances of a player who stops at the rank `own`, and whether that is below or equal to
    /// the best before it, which so many players hold.
    fn stop_row(&self, held: &[Vec<Chance>], holders: usize, best: usize, own: usize) -> Row<5> {
        let (chance, equal) = match own.cmp(&best) {
            Ordering::Less => return [0.0, 0.0, 0.0, 1.0, 0.0],
            Ordering::Greater => (held[0][own], 0.0),
            Ordering::Equal if self.players == 2 => ([1.0 - self.tie, 0.0, 1.0], 1.0),
            Ordering::Equal => (held[holders][best], 1.0),
        };
        [chance[0], chance[1], chance[2], 0.0, equal]
    }

    fn limit_index(&self, game: &Showdown, limit: u8) -> usize {
        if game.definition().first_sets_throws { usize::from(limit) - 1 } else { 0 }
    }

    /// The chances of the first player before it throws.
    pub(super) fn start(&self) -> Chance {
        self.opening[self.opening.len() - 1][0]
    }

    /// The value of each keep with so many rethrows left after its throw.
    pub(super) fn keeps(&self, game: &Showdown, turn: Turn, left: u8) -> Cow<'_, [Chance]> {
        let Some((rank, holders)) = turn.to_beat else {
            return Cow::Borrowed(&self.opening[usize::from(left)]);
        };
        let at = self.limit_index(game, turn.limit);
        if self.players == 2 && left > 0 {
            return Cow::Borrowed(&self.replies[at][rank][usize::from(left) - 1]);
        }
        let stops = self.stops(game, &self.held[at][turn.place], holders, rank);
        let stops: Vec<Chance> = stops.into_iter().map(|row| [row[0], row[1], row[2]]).collect();
        let levels = turn::solve(game, left, 0.0, |_| stops.clone());
        Cow::Owned(levels.into_iter().next_back().unwrap_or_default())
    }

    /// The value of stopping at `rank` after so many throws.
    pub(super) fn stop(&self, game: &Showdown, turn: Turn, made: u8, rank: usize) -> Chance {
        let Some((best, holders)) = turn.to_beat else {
            return self.held[self.limit_index(game, made)][0][0][rank];
        };
        let held = &self.held[self.limit_index(game, turn.limit)][turn.place];
        let [value, win, draw, ..] = self.stop_row(held, holders, best, rank);
        [value, win, draw]
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let held = self.held.iter().flatten().flatten().map(Vec::len).sum::<usize>();
        let replies = self.replies.iter().flatten().flatten().map(Vec::len).sum::<usize>();
        let opening = self.opening.iter().map(Vec::len).sum::<usize>();
        (held + replies + opening) * size_of::<Chance>()
    }
}
