//! What a player needs to know of a round before it throws.

use super::lowest_matters;
use crate::dice::Roll;
use crate::showdown::check::MAX_PLAYERS;
use crate::showdown::game::Showdown;

/// The hands of the players who have thrown for the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Standing {
    /// The best rank.
    pub(super) best: u16,
    /// Who holds it, as bits of the places.
    pub(super) holders: u16,
    /// The lowest rank, where it matters.
    pub(super) low: u16,
    /// The first place that holds it, where it matters.
    pub(super) lowest: u8,
}

impl Standing {
    /// The standing after the player at `place` has come to `rank`.
    pub(super) fn with(game: &Showdown, before: Option<Self>, place: usize, rank: usize) -> Self {
        let (rank, own) = (rank as u16, 1 << place);
        let lowest = lowest_matters(game.definition());
        let alone = match lowest {
            true => Self { best: rank, holders: own, low: rank, lowest: place as u8 },
            false => Self { best: rank, holders: own, low: 0, lowest: 0 },
        };
        let Some(mut after) = before else { return alone };
        match rank.cmp(&after.best) {
            std::cmp::Ordering::Greater => (after.best, after.holders) = (rank, own),
            std::cmp::Ordering::Equal => after.holders |= own,
            std::cmp::Ordering::Less => {}
        }
        if lowest && rank < after.low {
            (after.low, after.lowest) = (rank, place as u8);
        }
        after
    }
}

/// What the worth of a position depends on, besides the dice of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Known {
    /// In turn the throws allowed, in the open the throws of all made so far.
    pub(super) throws: u8,
    /// How many players have thrown in this lap.
    pub(super) thrown: u8,
    pub(super) standing: Option<Standing>,
    /// In the open: the dice of the others who will throw again.
    pub(super) dice: [u16; MAX_PLAYERS],
}

impl Known {
    pub(super) fn in_turn(limit: u8, thrown: usize, standing: Standing) -> Self {
        let dice = [0; MAX_PLAYERS];
        Self { throws: limit, thrown: thrown as u8, standing: Some(standing), dice }
    }
}

/// An open round: the dice of its players and, in the last lap, what those have come to who have
/// thrown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) players: usize,
    pub(super) lap: u8,
    pub(super) thrown: usize,
    pub(super) standing: Option<Standing>,
    pub(super) dice: [u16; MAX_PLAYERS],
}

impl Table {
    pub(super) fn new(
        game: &Showdown,
        players: usize,
        lap: u8,
        thrown: usize,
        standing: Option<Standing>,
        rolls: &[Roll],
    ) -> Self {
        let last = lap + 1 >= game.definition().rethrows;
        let mut dice = [0; MAX_PLAYERS];
        for (at, (die, roll)) in dice.iter_mut().zip(rolls).enumerate() {
            *die = if last && at < thrown { 0 } else { roll.index() as u16 };
        }
        Self { players, lap, thrown, standing: standing.filter(|_| last), dice }
    }

    /// After the player to move, who sits at `place`, ends its throw with `roll`.
    pub(super) fn after(mut self, game: &Showdown, place: usize, roll: Roll) -> Self {
        if self.lap + 1 >= game.definition().rethrows {
            let rank = game.hands().rank(roll);
            self.standing = Some(Standing::with(game, self.standing, place, rank));
            self.dice[self.thrown] = 0;
        } else {
            self.dice[self.thrown] = roll.index() as u16;
        }
        self.thrown += 1;
        if self.thrown == self.players {
            (self.thrown, self.lap) = (0, self.lap + 1);
        }
        self
    }

    pub(super) fn is_over(&self, game: &Showdown) -> bool {
        self.lap >= game.definition().rethrows.max(1)
    }

    /// What is known apart from the dice of the player to move, and these.
    pub(super) fn known(mut self) -> (Known, usize) {
        let own = usize::from(std::mem::take(&mut self.dice[self.thrown]));
        let Self { lap, thrown, standing, dice, .. } = self;
        (Known { throws: lap, thrown: thrown as u8, standing, dice }, own)
    }
}
