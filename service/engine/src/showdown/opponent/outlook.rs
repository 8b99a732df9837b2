//! Hands, seats and rounds of a showdown under best play.

use std::collections::BTreeMap;

use super::simulate::play_match;
use super::skill::ShowdownOpponent;
use crate::opponent::draw;
use crate::showdown::{Showdown, ShowdownMove, ShowdownPosition, ShowdownValues, rank, start};
use crate::statistics::{Figure, GameStatistics, Mean};

/// A hand of a showdown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandOutlook {
    /// Probability that it is thrown at once, exactly.
    pub first_chance: Figure,
    /// Probability that a player ends a round with it.
    pub final_chance: Figure,
    /// The value of the game to the player who throws first after it threw this hand at once: the
    /// share of the games won, or the stakes returned. `None` where no game began with it.
    pub worth: Option<Figure>,
}

/// The exact figures of a showdown, which need no games.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactShowdown {
    /// The value of the game to the player who throws first.
    pub start: Option<f64>,
    /// The same by the hand that it throws at once, best hand first.
    pub by_first_hand: Option<Vec<f64>>,
}

/// The most rolls of a player for which the value by first hand is computed.
const MOST_ROLLS: usize = 1000;

impl ExactShowdown {
    /// Computes them where best play is solved for whole matches: of one player or two, without
    /// raises. `values` are those for so many players.
    /// `values` are those for so many players.
    #[must_use]
    pub fn new(game: &Showdown, values: &ShowdownValues, players: usize) -> Self {
        let whole = players <= 2 && game.definition().raises == 0;
        let start = start(game, values, players).filter(|_| whole);
        let few = game.space().rolls() <= MOST_ROLLS;
        let by_first_hand = (whole && few).then(|| by_first_hand(game, values, players)).flatten();
        Self { start, by_first_hand }
    }
}

/// The value of the game by the first hand; `None` where it is not known when that hand lies on the
/// table.
fn by_first_hand(game: &Showdown, values: &ShowdownValues, players: usize) -> Option<Vec<f64>> {
    let (space, hands) = (game.space(), game.hands());
    let begin = ShowdownPosition::start(game, players);
    let first = begin.to_move();
    let mut sums = vec![(0.0, 0.0); game.definition().hands.len()];
    for roll in space.all_rolls() {
        let faces: Vec<u8> = space.faces_of(space.as_keep(roll)).collect();
        let thrown = begin.apply(game, ShowdownMove::Keep(crate::dice::Keep::EMPTY), &faces);
        let after = thrown.ok()?.position;
        let ranking = rank(game, values, &after);
        let best = ranking.moves.first().filter(|_| ranking.exact)?.value;
        let worth = if after.to_move() == first { best } else { 1.0 - best };
        let (probability, sum) = &mut sums[hands.hand(roll)];
        *probability += space.probability(roll);
        *sum += space.probability(roll) * worth;
    }
    Some(sums.into_iter().map(|(probability, sum)| sum / probability).collect())
}

/// Matches under best play, counted by hands and seats.
#[derive(Clone, Debug)]
pub struct ShowdownGames {
    statistics: GameStatistics,
    rounds: BTreeMap<u32, u64>,
    /// `[hand]`: values of games that began with it.
    begun: Vec<Mean>,
    /// `[hand]`: rounds that a player ended with it.
    ended: Vec<u64>,
}

impl ShowdownGames {
    /// No matches yet between so many players.
    #[must_use]
    pub fn new(game: &Showdown, players: usize) -> Self {
        let hands = game.definition().hands.len();
        Self {
            statistics: GameStatistics::new(players),
            rounds: BTreeMap::new(),
            begun: vec![Mean::default(); hands],
            ended: vec![0; hands],
        }
    }

    /// The results of the players.
    #[must_use]
    pub fn statistics(&self) -> &GameStatistics {
        &self.statistics
    }

    /// Plays the next match of `seed` and counts it: the same match that
    /// [`simulate_showdown`](super::simulate_showdown) plays under this number.
    pub fn play(&mut self, game: &Showdown, values: &ShowdownValues, seed: u64) {
        let players = self.statistics.players.len();
        let start = ShowdownPosition::start(game, players);
        let seed = draw::seed_of_game(seed, self.statistics.games);
        let perfect = vec![ShowdownOpponent::PERFECT; players];
        let mut first_hand = None;
        let mut rounds = 0;
        let ended = &mut self.ended;
        let scores = play_match(game, values, &start, &perfect, seed, |_, turn| {
            if first_hand.is_none() {
                let thrown = turn.steps.iter().map(|step| &step.thrown[..]);
                let whole = |thrown: &[u8]| game.space().roll_of(thrown);
                first_hand = thrown.filter_map(whole).next().map(|roll| game.hands().hand(roll));
            }
            if let Some(round) = &turn.round {
                rounds += 1;
                let dice = round.dice.iter().flatten();
                dice.for_each(|&roll| ended[game.hands().hand(roll)] += 1);
            }
        });
        let winners = crate::play::winners(&scores);
        let worth = match game.definition().payout {
            true => f64::from(scores[0]),
            false if winners.contains(&0) => 1.0 / winners.len() as f64,
            false => 0.0,
        };
        if let Some(hand) = first_hand {
            self.begun[hand].add(worth);
        }
        *self.rounds.entry(rounds).or_default() += 1;
        self.statistics.count(&scores, &winners);
    }

    /// The rounds of a match, with the probability of each number, ascending.
    pub fn rounds(&self) -> impl Iterator<Item = (u32, Figure)> + '_ {
        let games = self.statistics.games;
        self.rounds.iter().map(move |(&rounds, &count)| (rounds, Figure::share(count, games)))
    }

    /// Share of the games won by each seat, a win among `k` counting `1/k`; exact where possible.
    #[must_use]
    pub fn seats(&self, exact: &ExactShowdown) -> Vec<Figure> {
        match (exact.start, self.statistics.players.as_slice()) {
            (Some(first), [_, _]) => vec![Figure::exact(first), Figure::exact(1.0 - first)],
            (_, players) => {
                players.iter().map(|player| win_share(player, self.statistics.games)).collect()
            }
        }
    }

    /// The hands, best first.
    #[must_use]
    pub fn hands(&self, game: &Showdown, exact: &ExactShowdown) -> Vec<HandOutlook> {
        let throws = game.hands().throws();
        let all: u64 = throws.iter().sum();
        let ended: u64 = self.ended.iter().sum();
        let each = throws.iter().zip(&self.begun).zip(&self.ended).enumerate();
        each.map(|(hand, ((&ways, begun), &finals))| HandOutlook {
            first_chance: Figure::exact(ways as f64 / all as f64),
            final_chance: Figure::share(finals, ended),
            worth: match &exact.by_first_hand {
                Some(worths) => Some(worths[hand]).filter(|w| w.is_finite()).map(Figure::exact),
                None => Some(begun.figure()).filter(|_| begun.count() > 0),
            },
        })
        .collect()
    }
}

/// Share of so many games that a player won.
fn win_share(player: &crate::statistics::PlayerStatistics, games: u64) -> Figure {
    Figure::chance(player.win_share().value, Some(games.max(1)))
}
