//! Matches of two players: the value of winning, tying or losing a round, solved from the last
//! round back.
//!
//! A tied round may be worth more or less than half a round won, so each state of the match has its
//! own value of a tie, and the round is solved for each of these.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::definition::{Draws, NextFirst, Order};
use super::game::Showdown;
use super::in_turn::{Chance, InTurn, Prizes};
use super::open::{Open, flip};
use super::simultaneous::{Duels, Simultaneous};

/// A round solved for one value of a tie.
#[derive(Clone, Debug)]
pub(super) enum Round {
    /// The players throw in turn.
    InTurn(InTurn),
    /// All throws lie open.
    Open(Open),
    /// Both choose at once.
    Simultaneous(Simultaneous),
}

impl Round {
    fn solve(game: &Showdown, tie: f64, duels: Option<&Arc<Duels>>) -> Self {
        match (game.definition().order, duels) {
            (Order::InTurn, _) => Self::InTurn(InTurn::solve(game, &Prizes::of_two(tie))),
            (_, None) => Self::Open(Open::solve(game, tie)),
            (_, Some(duels)) => {
                Self::Simultaneous(Simultaneous::solve(game, tie, Arc::clone(duels)))
            }
        }
    }

    /// The first player's chances before it throws. Of simultaneous choices that takes a matrix game
    /// for every pair of rolls.
    fn start(&self, game: &Showdown) -> Chance {
        match self {
            Self::InTurn(round) => round.start(),
            Self::Open(round) => round.start(),
            Self::Simultaneous(round) => round.start(game),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::InTurn(round) => round.bytes(),
            Self::Open(round) => round.bytes(),
            Self::Simultaneous(round) => round.bytes(),
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
    rounds: Vec<Solved>,
    ahead: BTreeMap<Score, Ahead>,
    duels: Option<Arc<Duels>>,
}

/// A round and what a tie in it is worth to its first player.
#[derive(Clone, Debug)]
struct Solved {
    tie: f64,
    round: Round,
    /// The first player's chances before it throws, as soon as they are asked for.
    start: Option<Chance>,
}

impl Contest {
    /// Solves every round of every match.
    pub(super) fn solve(game: &Showdown) -> Self {
        let simultaneous = game.definition().order == Order::Simultaneous;
        let duels = simultaneous.then(|| Arc::new(Duels::new(game)));
        let mut contest = Self { rounds: Vec::new(), ahead: BTreeMap::new(), duels };
        contest.known(game, (0, 0, 0));
        contest
    }

    /// Solves a round of simultaneous choices alone, whatever the match: for matches that are too
    /// large.
    pub(super) fn of_one_round(game: &Showdown) -> Self {
        let duels = Some(Arc::new(Duels::new(game)));
        let mut contest = Self { rounds: Vec::new(), ahead: BTreeMap::new(), duels };
        contest.round_of(game, 0.5);
        contest
    }

    /// The results of the next round of a match for its first player.
    pub(super) fn ahead(&self, game: &Showdown, score: Score) -> Option<Ahead> {
        self.ahead.get(&key(game, score)).copied()
    }

    /// A solved round.
    pub(super) fn round(&self, index: usize) -> &Round {
        &self.rounds[index].round
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
        if self.duels.is_some() && own > other {
            // It makes no difference which player is first; the one behind is taken to be.
            return flip(self.value(game, (other, own, rounds)));
        }
        let ahead = self.known(game, score);
        ahead.mean(self.start(game, ahead.round))
    }

    /// What the round of this score may lead to.
    fn known(&mut self, game: &Showdown, score: Score) -> Ahead {
        if let Some(&known) = self.ahead.get(&score) {
            return known;
        }
        let ahead = self.look_ahead(game, score);
        self.ahead.insert(score, ahead);
        ahead
    }

    /// The chances of the first player of a solved round before it throws.
    fn start(&mut self, game: &Showdown, round: usize) -> Chance {
        let Solved { round, start, .. } = &mut self.rounds[round];
        *start.get_or_insert_with(|| round.start(game))
    }

    /// The same, if they were asked for.
    pub(super) fn known_start(&self, round: usize) -> Option<Chance> {
        self.rounds[round].start
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
        if let Some(solved) = self.rounds.first() {
            return (0, solved.tie);
        }
        let mut tie = 0.5;
        if self.duels.is_some() {
            // Nobody is ahead by the rules.
            return (self.round_of(game, tie), tie);
        }
        // The error shrinks by the probability of a tie each time.
        for _ in 0..200 {
            let round = self.round_of(game, tie);
            let [value, win, draw] = self.start(game, round);
            self.rounds.clear();
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
        let same = self.rounds.iter().position(|solved| (solved.tie - tie).abs() < 1e-13);
        same.unwrap_or_else(|| {
            let round = Round::solve(game, tie, self.duels.as_ref());
            // Only of simultaneous choices it takes long, and may not be needed.
            let start = self.duels.is_none().then(|| round.start(game));
            self.rounds.push(Solved { tie, round, start });
            self.rounds.len() - 1
        })
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let rounds: usize = self.rounds.iter().map(|solved| solved.round.bytes()).sum();
        let duels = self.duels.as_ref().map_or(0, |duels| duels.bytes());
        rounds + duels + self.ahead.len() * size_of::<(Score, Ahead)>()
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
