//! Counts the errors of a player.

use dicepoker_engine::opponent::{ERROR, ErrorRates, FOOLISH};

/// A move of a player: its regret, its stake, and whether an error was possible.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    pub(crate) regret: f64,
    pub(crate) stake: f64,
    pub(crate) could_err: bool,
}

/// The place of a turn in its game.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    /// The third of the game, from 0.
    pub(crate) third: usize,
    /// Whether it is one of the last two turns.
    pub(crate) late: bool,
    /// Whether it is the last one.
    pub(crate) last: bool,
}

/// A share: a number of a total.
#[derive(Clone, Copy, Default)]
struct Share {
    some: u64,
    all: u64,
}

impl Share {
    fn count(&mut self, is: bool) {
        self.some += u64::from(is);
        self.all += 1;
    }

    fn value(self) -> f64 {
        self.some as f64 / (self.all as f64).max(1.0)
    }
}

/// Counts of decisions with a stake.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rates {
    best: Share,
    /// In the first, the middle and the last third of a game, and in its last turn.
    foolish: [Share; 4],
    /// In the middle third, and in the last two turns.
    errors: [Share; 2],
}

impl Rates {
    /// Counts the moves of a game of known length, turn by turn; `least` is the least stake that counts.
    pub(crate) fn count(&mut self, turns: &[Vec<Made>], least: f64) {
        for (turn, moves) in turns.iter().enumerate() {
            let left = turns.len() - turn;
            let third = (3 * turn / turns.len()).min(2);
            self.count_turn(moves, least, Stage { third, late: left <= 2, last: left == 1 });
        }
    }

    /// Counts the moves of a turn.
    pub(crate) fn count_turn(&mut self, moves: &[Made], least: f64, stage: Stage) {
        for made in moves.iter().filter(|made| made.stake > least) {
            let share = made.regret / made.stake;
            self.best.count(share < 1e-3);
            self.foolish[stage.third].count(share > FOOLISH);
            if stage.last {
                self.foolish[3].count(share > FOOLISH);
            }
            if stage.third == 1 && made.could_err {
                self.errors[0].count(share > ERROR);
            }
            if stage.late && made.could_err {
                self.errors[1].count(share > ERROR);
            }
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let add = |mine: &mut Share, theirs: Share| {
            mine.some += theirs.some;
            mine.all += theirs.all;
        };
        add(&mut self.best, other.best);
        self.foolish.iter_mut().zip(other.foolish).for_each(|(mine, theirs)| add(mine, theirs));
        self.errors.iter_mut().zip(other.errors).for_each(|(mine, theirs)| add(mine, theirs));
    }

    pub(crate) fn rates(&self) -> ErrorRates {
        let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
        let [middle, late] = self.errors.map(Share::value);
        ErrorRates {
            best: rounded(self.best.value()),
            foolish: self.foolish.map(|share| rounded(share.value())),
            late_to_middle: rounded(if middle > 0.0 { late / middle } else { 1.0 }),
        }
    }
}
