//! Ranks every move of a position by its result under best play of all players: the chances in the
//! round and in the match, or the stakes to be won.

mod several;

use super::contest::{Ahead, Round};
use super::definition::{Draws, Order};
use super::game::Showdown;
use super::in_turn::{Chance, Turn};
use super::moves::ShowdownMove;
use super::open::{compare, flip, last_lap};
use super::position::ShowdownPosition;
use super::simultaneous::Simultaneous;
use super::solution::{Kind, ShowdownValues};
use super::stakes::{StakesRound, mirrored};
use super::turn::{self, EQUAL, Row};
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

/// The reason why moves cannot be ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{players} players who see all throws are too many to solve under these rules before the last \
     lap: moves are ranked with 1 rethrow, or 1 roll left"
)]
pub struct ManyLaps {
    /// The players.
    pub players: usize,
}

/// The result of a move: its value, and the chances in the round if they are known.
type Worth = (f64, Option<Chance>, Option<Chance>, Option<f64>);

/// Ranks every legal move of `position`.
///
/// # Errors
/// If there are three or more players in an open round, further laps to come, and the match is too
/// large to have been solved.
///
/// # Panics
/// If the values are for another number of players.
pub fn rank(
    game: &Showdown,
    values: &ShowdownValues,
    position: &ShowdownPosition,
) -> Result<ShowdownRanking, ManyLaps> {
    let active = position.turn_order().len();
    let moves = position.legal_moves(game);
    let table = Table { game, position, active };
    let (worths, exact) = match values.several() {
        Some(several) => table.several(several, &moves),
        None => {
            let round = values.round(active).expect("values for these players");
            table.worths(round, &moves)?
        }
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
    Ok(ShowdownRanking { moves: ranked, exact })
}

impl Chances {
    fn of([_, win, draw]: Chance) -> Self {
        Self { win, draw, loss: (1.0 - win - draw).max(0.0) }
    }
}

struct Table<'a> {
    game: &'a Showdown,
    position: &'a ShowdownPosition,
    active: usize,
}

impl Table<'_> {
    fn worths(&self, kind: &Kind, moves: &[ShowdownMove]) -> Result<(Vec<Worth>, bool), ManyLaps> {
        let definition = self.game.definition();
        let several = self.position.seats().len() > 2;
        let settled = definition.wins_needed == 1 && !(several && definition.draws == Draws::Again);
        let open_start = || !self.position.all_thrown();
        Ok(match kind {
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
                        return Ok((self.at_once(round, own == first, moves, ahead), exact));
                    }
                    Round::Simultaneous(_) => match contest.known_start(at) {
                        Some(start) if own == self.position.first() => {
                            let start = if own == first { start } else { flip(start) };
                            vec![start; moves.len()]
                        }
                        _ => return Ok((self.unknown(moves), false)),
                    },
                };
                (self.in_match(chances, ahead), !several || settled)
            }
            Kind::InTurn(round) => (self.in_match(self.in_turn(round, moves), None), settled),
            Kind::OpenTable if open_start() => (self.unknown(moves), false),
            Kind::OpenTable => (self.in_match(self.last_lap(moves)?, None), settled),
        })
    }

    /// The choices of a player who chooses at once with the other one.
    fn at_once(
        &self,
        round: &Simultaneous,
        first: bool,
        moves: &[ShowdownMove],
        ahead: Option<Ahead>,
    ) -> Vec<Worth> {
        let own = self.own();
        let left = self.position.rolls_left();
        let choices = round.choices(self.game, own, self.other(), left, first);
        let whole = self.game.space().as_keep(own);
        let worth = |&chosen: &ShowdownMove| {
            let keep = kept(chosen).unwrap_or(whole);
            let choice = choices.iter().find(|choice| choice.keep == keep);
            let choice = choice.expect("every legal move is a choice");
            let mut worth = self.in_match(vec![choice.chance], ahead)[0];
            worth.3 = Some(choice.probability);
            worth
        };
        moves.iter().map(worth).collect()
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

    fn in_turn(&self, round: &super::in_turn::InTurn, moves: &[ShowdownMove]) -> Vec<Chance> {
        let position = self.position;
        let limit = position.throw_limit(self.game);
        let turn = Turn { place: self.place(), limit, to_beat: self.to_beat() };
        let keeps =
            position.rolls_left().checked_sub(1).map(|left| round.keeps(self.game, turn, left));
        moves
            .iter()
            .map(|&chosen| match (kept(chosen), &keeps) {
                (Some(keep), Some(keeps)) => keeps[keep.index()],
                _ => {
                    let rank = self.game.hands().rank(self.own());
                    round.stop(self.game, turn, limit - position.rolls_left(), rank)
                }
            })
            .collect()
    }

    fn open(&self, round: &super::open::Open, moves: &[ShowdownMove]) -> Vec<Chance> {
        let position = self.position;
        if !position.all_thrown() {
            let order = position.turn_order();
            let first = order.first().and_then(|&first| position.seats()[first].dice);
            let chance = first.map_or(round.start(), |roll| flip(round.opening(roll)));
            return vec![chance; moves.len()];
        }
        let (own, other) = (self.own(), self.other());
        let rethrows = self.game.definition().rethrows;
        let left = position.rolls_left();
        let throw = 2 * usize::from(rethrows - left) + self.place();
        let stops = if left == 0 { None } else { round.left_at(throw, other) };
        let rank = |roll| self.game.hands().rank(roll);
        let tie = if self.place() == 0 { round.tie() } else { 1.0 - round.tie() };
        let compared: Vec<Chance>;
        let stops = match stops {
            Some(stops) => stops,
            None => {
                let rolls = self.game.space().all_rolls();
                compared = rolls.map(|roll| compare(rank(roll), rank(other), tie)).collect();
                &compared
            }
        };
        self.one_throw(stops, own, moves)
    }

    /// The moves of a player whose throw ends at one of these `stops`.
    fn one_throw<const N: usize>(
        &self,
        stops: &[Row<N>],
        own: Roll,
        moves: &[ShowdownMove],
    ) -> Vec<Row<N>> {
        let keeps = match moves {
            [_] => Vec::new(),
            _ => turn::expect(self.game.space(), stops),
        };
        let of = |&chosen: &ShowdownMove| match kept(chosen) {
            Some(keep) => keeps[keep.index()],
            None => stops[own.index()],
        };
        moves.iter().map(of).collect()
    }

    fn last_lap(&self, moves: &[ShowdownMove]) -> Result<Vec<Chance>, ManyLaps> {
        let position = self.position;
        let order = position.turn_order();
        let roll = |&player: &usize| position.seats()[player].dice;
        let rolls: Vec<Roll> = order.iter().skip(self.place()).filter_map(roll).collect();
        if position.rolls_left() > 1 {
            return Err(ManyLaps { players: self.active });
        }
        let stops = if position.rolls_left() == 1 {
            last_lap(self.game, &rolls, self.to_beat(), self.active)
        } else {
            let ranks: Vec<usize> =
                order.iter().filter_map(roll).map(|roll| self.game.hands().rank(roll)).collect();
            let best = ranks.iter().copied().max().unwrap_or_default();
            let holders = ranks.iter().filter(|&&rank| rank == best).count();
            let own = |roll: Roll| match self.game.hands().rank(roll) == best {
                true if holders == 1 => [1.0, 1.0, 0.0],
                true => [1.0 / holders as f64, 0.0, 1.0],
                false => [0.0; 3],
            };
            self.game.space().all_rolls().map(own).collect()
        };
        Ok(self.one_throw(&stops, self.own(), moves))
    }

    fn payout(&self, levels: &[Vec<Row<1>>], moves: &[ShowdownMove]) -> Vec<Worth> {
        let definition = self.game.definition();
        let left = usize::from(self.position.rolls_left());
        let cost = match self.position.dice() {
            Some(_) => f64::from(definition.rethrow_cost),
            None => 0.0,
        };
        moves
            .iter()
            .map(|&chosen| {
                let value = match kept(chosen) {
                    Some(keep) => levels[left - 1][keep.index()][0] - cost,
                    None => {
                        let hand = self.game.hands().hand(self.own());
                        f64::from(definition.hands[hand].pays)
                    }
                };
                (value, None, None, None)
            })
            .collect()
    }

    fn stakes(&self, stakes: &StakesRound, moves: &[ShowdownMove]) -> Vec<Worth> {
        let position = self.position;
        let worth = |[value, win, draw]: Chance| (value, Some([value, win, draw]), None, None);
        let stake = f64::from(position.stakes().stake);
        let first = position.seats()[position.first()].dice;
        if !position.all_thrown() {
            let chance = first.map_or(stakes.start(), |roll| mirrored(stakes.opening(roll)));
            return vec![worth(chance); moves.len()];
        }
        if !position.is_betting(self.game) {
            let chances = self.open(stakes.open(), moves);
            return chances
                .into_iter()
                .map(|[value, win, draw]| worth([stake * (2.0 * value - 1.0), win, draw]))
                .collect();
        }
        let is_first = self.place() == 0;
        let (own, other) = (self.own(), self.other());
        let (first, second) = if is_first { (own, other) } else { (other, own) };
        let bets = stakes.bets(self.game, first, second);
        moves.iter().map(|&chosen| worth(bets.after(position.stakes(), is_first, chosen))).collect()
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
    let ranking = rank(game, values, &ShowdownPosition::start(game, players)).ok()?;
    ranking.moves.first().filter(|_| ranking.exact).map(|best| best.value)
}
