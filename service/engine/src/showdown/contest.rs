//! Matches of two players: the value of winning, tying or losing a round, solved from the last
//! round back.
//!
//! A tied round may be worth more or less than half a round won, so each state of the match has its
//! own value of a tie, and the round is solved for each of these.

use std::collections::BTreeMap;

use super::definition::{Draws, NextFirst, Order};
use super::game::Showdown;
use super::in_turn::{Chance, InTurn};
use super::open::{Open, flip};

/// A round solved for one value of a tie.
#[derive(Clone, Debug)]
pub(super) enum Round {
    /// The players throw in turn.
    InTurn(InTurn),
    /// All throws lie open.
    Open(Open),
}

impl Round {
    fn solve(game: &Showdown, tie: f64) -> Self {
        match game.definition().order {
            Order::InTurn => Self::InTurn(InTurn::solve(game, 2, tie)),
            _ => Self::Open(Open::solve(game, tie)),
        }
    }

    /// The first player's chances before it throws.
    pub(super) fn start(&self) -> Chance {
        match self {
            Self::InTurn(round) => round.start(),
            Self::Open(round) => round.start(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::InTurn(round) => round.bytes(),
            Self::Open(round) => round.bytes(),
        }
    }
}

/// A match of two players from the view of the first player of its next round: rounds won by it and
/// by the other one, and rounds played.
type Score = (u8, u8, u32);

/// The results of a round for its first player: its chances in the match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    /// The index of the solved round.
    pub(super) round: usize,
    /// The match after winning it: its value, and the probabilities to win and to share it.
    pub(super) won: Chance,
    /// The match after a tie.
    pub(super) tied: Chance,
    /// The match after losing it.
    pub(super) lost: Chance,
}

/// All matches of two players.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    rounds: Vec<(f64, Round)>,
    ahead: BTreeMap<Score, Ahead>,
}

impl Contest {
    /// Solves every round of every match.
    pub(super) fn solve(game: &Showdown) -> Self {
        let mut contest = Self { rounds: Vec::new(), ahead: BTreeMap::new() };
        contest.value(game, (0, 0, 0));
        contest
    }

    /// The results of the next round of a match for its first player.
    pub(super) fn ahead(&self, game: &Showdown, score: Score) -> Option<Ahead> {
        self.ahead.get(&key(game, score)).copied()
    }

    /// A solved round.
    pub(super) fn round(&self, index: usize) -> &Round {
        &self.rounds[index].1
    }

    /// The first player's chances in a match of this score.
    fn value(&mut self, game: &Showdown, score: Score) -> Chance {
        let score = key(game, score);
        let definition = game.definition();
        let (own, other, rounds) = score;
        let over = own.max(other) >= definition.wins_needed
            || definition.draws != Draws::Again && rounds >= definition.most_rounds(2);
        if over {
            return match own.cmp(&other) {
                std::cmp::Ordering::Greater => [1.0, 1.0, 0.0],
                std::cmp::Ordering::Equal => [0.5, 0.0, 1.0],
                std::cmp::Ordering::Less => [0.0; 3],
            };
        }
        let ahead = match self.ahead.get(&score) {
            Some(&known) => known,
            None => {
                let ahead = self.look_ahead(game, score);
                self.ahead.insert(score, ahead);
                ahead
            }
        };
        ahead.mean(self.round(ahead.round).start())
    }

    fn look_ahead(&mut self, game: &Showdown, (own, other, rounds): Score) -> Ahead {
        let definition = game.definition();
        let alternating = definition.next_first == NextFirst::Alternating;
        let next = rounds + 1;
        // The winner does not throw first in the next round.
        let won = flip(self.value(game, (other, own + 1, next)));
        let lost = match alternating {
            true => flip(self.value(game, (other + 1, own, next))),
            false => self.value(game, (own, other + 1, next)),
        };
        if definition.draws == Draws::Again {
            let (round, value) = self.thrown_again(game);
            let tied = std::array::from_fn(|i| value * won[i] + (1.0 - value) * lost[i]);
            return Ahead { round, won, tied, lost };
        }
        let more = u8::from(definition.draws == Draws::Split);
        let tied = match alternating {
            true => flip(self.value(game, (other + more, own + more, next))),
            false => self.value(game, (own + more, other + more, next)),
        };
        let tie = ((tied[0] - lost[0]) / (won[0] - lost[0])).clamp(0.0, 1.0);
        Ahead { round: self.round_of(game, tie), won, tied, lost }
    }

    /// The round in which a tie has the value of the round for its first player, and that value.
    fn thrown_again(&mut self, game: &Showdown) -> (usize, f64) {
        if let Some((tie, _)) = self.rounds.first() {
            return (0, *tie);
        }
        let mut tie = 0.5;
        // The error shrinks by the probability of a tie each time.
        for _ in 0..200 {
            let [value, win, draw] = Round::solve(game, tie).start();
            let settled = if draw < 1.0 { win / (1.0 - draw) } else { value };
            if (settled - tie).abs() < 1e-15 {
                break;
            }
            tie = settled;
        }
        (self.round_of(game, tie), tie)
    }

    /// The round for this value of a tie.
    fn round_of(&mut self, game: &Showdown, tie: f64) -> usize {
        let same = self.rounds.iter().position(|(known, _)| (known - tie).abs() < 1e-13);
        same.unwrap_or_else(|| {
            self.rounds.push((tie, Round::solve(game, tie)));
            self.rounds.len() - 1
        })
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let rounds: usize = self.rounds.iter().map(|(_, round)| round.bytes()).sum();
        rounds + self.ahead.len() * size_of::<(Score, Ahead)>()
    }
}

impl Ahead {
    /// The chances in the match, given those in the round.
    pub(super) fn mean(&self, [_, win, draw]: Chance) -> Chance {
        let loss = 1.0 - win - draw;
        std::array::from_fn(|i| win * self.won[i] + draw * self.tied[i] + loss * self.lost[i])
    }

    /// The same for the other player of the round.
    pub(super) fn flipped(&self) -> Self {
        let Self { round, won, tied, lost } = *self;
        Self { round, won: flip(lost), tied: flip(tied), lost: flip(won) }
    }
}

/// The score as far as it matters: tied rounds that are thrown again do not count.
fn key(game: &Showdown, (own, other, rounds): Score) -> Score {
    match game.definition().draws {
        Draws::Again => (own, other, 0),
        _ => (own, other, rounds),
    }
}
