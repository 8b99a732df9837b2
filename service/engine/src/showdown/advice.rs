//! Ranks every move of a position by its result under best play of all players: the chances in the
//! round and in the match, or the stakes to be won.

mod round;
mod several;

use super::contest::{Ahead, Round};
use super::definition::{Draws, Order};
use super::game::Showdown;
use super::in_turn::Chance;
use super::moves::ShowdownMove;
use super::open::flip;
use super::position::ShowdownPosition;
use super::solution::{Kind, ShowdownValues};
use super::turn::EQUAL;
use crate::dice::{Keep, Roll};

/// The possible ends of a round or a match for a player; the three add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Probability to win alone.
    pub win: f64,
    /// Probability to share the win.
    pub draw: f64,
    /// Probability to lose.
    pub loss: f64,
}

/// A move with its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShowdownAdvice {
    /// The move.
    pub chosen: ShowdownMove,
    /// The value that moves are ranked by: the probability to win, a tie of `k` counting `1/k`;
    /// where the game is for stakes, the stakes won on average from here on.
    pub value: f64,
    /// Regret against the best move, in the same unit.
    pub regret: f64,
    /// The chances in the round, where they are known.
    pub round: Option<Chances>,
    /// The chances in the match, where they are known.
    pub game: Option<Chances>,
    /// Where both choose at once: how often best play chooses it.
    pub probability: Option<f64>,
}

/// The moves of a position, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct ShowdownRanking {
    /// Every legal move.
    pub moves: Vec<ShowdownAdvice>,
    /// Whether values and chances are exact.
    pub exact: bool,
}

/// The result of a move: its value, and the chances in the round if they are known.
type Worth = (f64, Option<Chance>, Option<Chance>, Option<f64>);

/// Ranks every legal move of `position`.
///
/// # Panics
/// If the values are for another number of players.
#[must_use]
pub fn rank(
    game: &Showdown,
    values: &ShowdownValues,
    position: &ShowdownPosition,
) -> ShowdownRanking {
    let active = position.turn_order().len();
    let moves = position.legal_moves(game);
    let table = Table { game, values, position, active };
    let (worths, exact) = match values.several() {
        Some(several) => table.several(several, &moves),
        None => table.worths(values.round(active).expect("values for these players"), &moves),
    };
    let best = worths.iter().map(|worth| worth.0).fold(f64::NEG_INFINITY, f64::max);
    let mut ranked: Vec<ShowdownAdvice> = moves
        .into_iter()
        .zip(worths)
        .map(|(chosen, (value, round, game, probability))| ShowdownAdvice {
            chosen,
            value,
            regret: if best - value < EQUAL { 0.0 } else { best - value },
            round: round.map(Chances::of),
            game: game.map(Chances::of),
            probability,
        })
        .collect();
    // Stable: equal moves stay in the order of legal moves.
    ranked.sort_by(|a, b| a.regret.total_cmp(&b.regret));
    ShowdownRanking { moves: ranked, exact }
}

impl Chances {
    fn of([_, win, draw]: Chance) -> Self {
        Self { win, draw, loss: (1.0 - win - draw).max(0.0) }
    }
}

struct Table<'a> {
    game: &'a Showdown,
    values: &'a ShowdownValues,
    position: &'a ShowdownPosition,
    active: usize,
}

impl Table<'_> {
    fn worths(&self, kind: &Kind, moves: &[ShowdownMove]) -> (Vec<Worth>, bool) {
        let definition = self.game.definition();
        let several = self.position.seats().len() > 2;
        let settled = definition.wins_needed == 1;
        let open_start = || !self.position.all_thrown();
        match kind {
            Kind::Payout(levels) => (self.payout(levels, moves), true),
            Kind::Stakes(stakes) => (self.stakes(stakes, moves), true),
            Kind::Contest(contest) => {
                let own = self.position.to_move();
                let won = |player: usize| self.position.seats()[player].rounds_won;
                let mut first = self.position.first();
                if definition.order == Order::Simultaneous && won(1 - first) < won(first) {
                    // It makes no difference which player is first; the one behind is taken to be.
                    first = 1 - first;
                }
                let ahead = (!several)
                    .then(|| {
                        let rounds = self.position.rounds_played();
                        contest.ahead(self.game, (won(first), won(1 - first), rounds))
                    })
                    .flatten();
                let at = ahead.map_or(0, |ahead| ahead.round);
                let ahead = ahead.map(|ahead| if own == first { ahead } else { ahead.flipped() });
                let chances = match contest.round(at) {
                    Round::InTurn(round) => self.in_turn(round, moves),
                    Round::Open(round) => self.open(round, moves),
                    Round::Simultaneous(round) if self.position.all_thrown() => {
                        let exact = ahead.is_some() || settled;
                        return (self.at_once(round, own == first, moves, ahead), exact);
                    }
                    Round::Simultaneous(_) => match contest.known_start(at) {
                        Some(start) if own == self.position.first() => {
                            let start = if own == first { start } else { flip(start) };
                            vec![start; moves.len()]
                        }
                        _ => return (self.unknown(moves), false),
                    },
                };
                (self.in_match(chances, ahead), !several || settled)
            }
            Kind::InTurn(round) => (self.in_match(self.in_turn(round, moves), None), settled),
            Kind::OpenTable if open_start() => (self.unknown(moves), false),
            Kind::OpenTable if self.position.rolls_left() > 1 => {
                (self.in_match(self.before_last_lap(moves), None), false)
            }
            Kind::OpenTable => {
                let settled = settled && definition.draws != Draws::Again;
                (self.in_match(self.last_lap(moves), None), settled)
            }
        }
    }

    /// Before all players have thrown there is one move, and no table has its value.
    fn unknown(&self, moves: &[ShowdownMove]) -> Vec<Worth> {
        vec![(1.0 / self.active as f64, None, None, None); moves.len()]
    }

    /// Chances in the round and, given the values of the match, in the match.
    fn in_match(&self, round: Vec<Chance>, ahead: Option<Ahead>) -> Vec<Worth> {
        let definition = self.game.definition();
        round
            .into_iter()
            .map(|chance| {
                let game = match ahead {
                    Some(ahead) => Some(ahead.mean(chance)),
                    None if definition.wins_needed > 1 => None,
                    None if definition.draws == Draws::Again => Some([chance[0], chance[0], 0.0]),
                    None => Some(chance),
                };
                (game.map_or(chance[0], |game| game[0]), Some(chance), game, None)
            })
            .collect()
    }

    fn own(&self) -> Roll {
        self.position.dice().expect("the player to move has thrown")
    }

    /// The roll of the other one of two players.
    fn other(&self) -> Roll {
        let order = self.position.turn_order();
        let other = order.iter().find(|&&player| player != self.position.to_move());
        let seat = other.map(|&player| self.position.seats()[player]);
        seat.and_then(|seat| seat.dice).expect("both have thrown")
    }

    fn place(&self) -> usize {
        let order = self.position.turn_order();
        order.iter().position(|&player| player == self.position.to_move()).unwrap_or(0)
    }

    /// The best rank among the players before the one to move, and how many hold it.
    fn to_beat(&self) -> Option<(usize, usize)> {
        let order = self.position.turn_order();
        let before = order.iter().take(self.place());
        let ranks = before.filter_map(|&player| self.position.seats()[player].dice);
        let ranks: Vec<usize> = ranks.map(|roll| self.game.hands().rank(roll)).collect();
        let best = *ranks.iter().max()?;
        Some((best, ranks.iter().filter(|&&rank| rank == best).count()))
    }
}

/// The dice that a move keeps, if it throws some.
fn kept(chosen: ShowdownMove) -> Option<Keep> {
    match chosen {
        ShowdownMove::Keep(keep) => Some(keep),
        _ => None,
    }
}

/// What a match between so many players is worth to the one who throws first, in the unit by which
/// moves are ranked; `None` where nothing exact is known before the dice are thrown.
///
/// # Panics
/// If the values are for another number of players.
#[must_use]
pub fn start(game: &Showdown, values: &ShowdownValues, players: usize) -> Option<f64> {
    let ranking = rank(game, values, &ShowdownPosition::start(game, players));
    ranking.moves.first().filter(|_| ranking.exact).map(|best| best.value)
}
