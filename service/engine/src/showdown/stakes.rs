//! Open rounds of two players for stakes: what is said about them between the first throws and the
//! second is a game of perfect information, since all dice lie open.

use super::game::Showdown;
use super::in_turn::Chance;
use super::moves::ShowdownMove;
use super::open::{Open, flip};
use super::position::Stakes;
use super::turn;
use crate::dice::Roll;

/// A solved round for stakes. Values are stakes won.
#[derive(Clone, Debug)]
pub(super) struct StakesRound {
    open: Open,
    /// By the first player's roll: its stakes and chances before the second one's first throw.
    opening: Vec<Chance>,
    /// The first player's before it throws.
    start: Chance,
}

impl StakesRound {
    pub(super) fn solve(game: &Showdown) -> Self {
        let space = game.space();
        let open = Open::solve(game, 0.5);
        let rolls = space.rolls();
        let mut opening = vec![[0.0; 3]; rolls];
        for second in space.all_rolls() {
            let keeps = thrown_keeps(game, &open, second);
            let stops = open.left_at(0, second).expect("the second player throws after it");
            let thrown = turn::best_of_keeps(space, keeps, stops);
            let share = space.probability(second);
            for (sum, thrown) in opening.iter_mut().zip(thrown) {
                let bets = Bets { limit: game.definition().raises, thrown };
                let worth = bets.best(Stakes::OPEN, true);
                (0..3).for_each(|i| sum[i] += share * worth[i]);
            }
        }
        let mut start = [0.0; 3];
        for (first, worth) in space.all_rolls().zip(&opening) {
            (0..3).for_each(|i| start[i] += space.probability(first) * worth[i]);
        }
        Self { open, opening, start }
    }

    /// The throws after the stakes stand.
    pub(super) fn open(&self) -> &Open {
        &self.open
    }

    /// What the first player wins before it throws.
    pub(super) fn start(&self) -> Chance {
        self.start
    }

    /// What the first player wins once it has thrown `roll` and before the second one throws.
    pub(super) fn opening(&self, roll: Roll) -> Chance {
        self.opening[roll.index()]
    }

    /// What is said when these rolls lie on the table.
    pub(super) fn bets(&self, game: &Showdown, first: Roll, second: Roll) -> Bets {
        let stops = self.open.left_at(0, second).expect("the second player throws after it");
        let keeps = thrown_keeps(game, &self.open, second);
        let options = game.space().keeps_of(first).map(|keep| keeps[keep.index()]);
        let better = |best: Chance, option: Chance| if option[0] > best[0] { option } else { best };
        let thrown = options.fold(stops[first.index()], better);
        Bets { limit: game.definition().raises, thrown }
    }

    /// Bytes that the tables take.
    pub(super) fn bytes(&self) -> usize {
        self.open.bytes() + size_of_val(&self.opening[..])
    }
}

/// What each keep of the first player is worth against this roll.
fn thrown_keeps(game: &Showdown, open: &Open, second: Roll) -> Vec<Chance> {
    let stops = open.left_at(0, second).expect("the second player throws after it");
    turn::expect(game.space(), stops)
}

/// What is said about stakes, as a game of perfect information.
pub(super) struct Bets {
    limit: u16,
    /// The first player's chances once the dice are thrown.
    thrown: Chance,
}

impl Bets {
    /// Stakes won, and the chances in the round, for the player who says `chosen`.
    pub(super) fn after(&self, stakes: Stakes, is_first: bool, chosen: ShowdownMove) -> Chance {
        let Stakes { stake, offered, raises_made, .. } = stakes;
        let answered = |stakes: Stakes| mirrored(self.best(stakes, !is_first));
        match chosen {
            ShowdownMove::GiveUp => [-f64::from(stake), 0.0, 0.0],
            ShowdownMove::Raise(amount) => answered(Stakes {
                stake: stake + offered,
                offered: amount,
                raises_made: raises_made + 1,
                closed: false,
            }),
            _ if offered == 0 && is_first => answered(stakes),
            _ => {
                let [value, win, draw] = if is_first { self.thrown } else { flip(self.thrown) };
                [f64::from(stake + offered) * (2.0 * value - 1.0), win, draw]
            }
        }
    }

    /// The same for the best that can be said. What a raise leads to only rises with its amount or
    /// only falls, so the least and the greatest stand for all of them.
    fn best(&self, stakes: Stakes, is_first: bool) -> Chance {
        let raises = [1, self.limit].map(ShowdownMove::Raise).into_iter();
        let raises = raises.filter(|_| stakes.raises_made < 2);
        let give_up = (stakes.offered > 0).then_some(ShowdownMove::GiveUp);
        let said = std::iter::once(ShowdownMove::Accept).chain(raises).chain(give_up);
        said.map(|chosen| self.after(stakes, is_first, chosen))
            .reduce(|best, next| if next[0] > best[0] { next } else { best })
            .expect("accepting is always possible")
    }
}

/// The other player's stakes and chances.
pub(super) fn mirrored([value, win, draw]: Chance) -> Chance {
    [-value, (1.0 - win - draw).max(0.0), draw]
}
