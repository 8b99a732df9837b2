//! Rows and bonuses of a plain sheet under best play, exactly: the probability of every card that a game can
//! reach, followed from the empty card to the complete ones.

mod cards;
mod turns;

use self::cards::{Card, Cards};
use self::turns::{Ending, LANES, Turns};
use super::figure::{Figure, FinalScores};
use super::sheet_bonus::SheetBonus;
use super::sheet_outlook::{BonusOutlook, RowOutlook, SheetOutlook};
use crate::sheet::Sheet;
use crate::solve::Estimate;
use crate::solved_sheet::SolvedSheet;

/// The most cards that are followed, times the keeps and rolls of a turn.
const MOST_WORK: u64 = 1_500_000_000;

/// The most cards times points on them for which whole distributions are followed.
const MOST_SCORES: u64 = 4_000_000;

/// The least probable cards of each turn are not followed: those that together have at most this probability.
const IGNORED: f64 = 1e-11;

/// The games that reach a card.
#[derive(Clone, Debug, Default)]
struct Mass {
    probability: f64,
    /// Probability times points on the card, and times their square.
    points: f64,
    squares: f64,
    /// Probability that a bonus for all dice alike was earned.
    five_alike: f64,
    /// `[points]`: their probability, where distributions are followed.
    scores: Vec<f64>,
}

/// Best play followed through every card, turn by turn. It can be interrupted after every few cards.
#[derive(Clone, Debug)]
pub struct BestPlay {
    turn: usize,
    /// The cards of this turn, in the order of their numbers: neighbours have the same rows filled.
    cards: Vec<(Card, Mass)>,
    /// How many of `cards` have been followed.
    done: usize,
    next: Cards<Mass>,
    rows: Vec<Row>,
    turns: Turns,
    /// Mean points of bonuses for all dice alike.
    five_alike: f64,
}

#[derive(Clone, Debug)]
struct Row {
    points: f64,
    zero: f64,
    filled_in_turn: Vec<f64>,
}

impl BestPlay {
    /// Best play of `sheet` from the empty card on; `None` unless the sheet [is plain](Sheet::is_plain)
    /// and its cards are few enough.
    #[must_use]
    pub fn new(sheet: &Sheet) -> Option<Self> {
        let cards = Estimate::of(sheet.definition()).states;
        let rows = (sheet.lattice().keeps + sheet.lattice().rolls) as u64;
        let numbered = sheet.categories().len() <= Card::MAX_CATEGORIES;
        if !sheet.is_plain() || !numbered || cards.saturating_mul(rows) > MOST_WORK {
            return None;
        }
        let turns = sheet.categories().len();
        let scores = cards.saturating_mul(most_points(sheet)) <= MOST_SCORES;
        let empty = Mass {
            probability: 1.0,
            scores: if scores { vec![1.0] } else { Vec::new() },
            ..Mass::default()
        };
        let row = Row { points: 0.0, zero: 0.0, filled_in_turn: vec![0.0; turns] };
        Some(Self {
            turn: 0,
            cards: vec![(Card::EMPTY, empty)],
            done: 0,
            next: Cards::default(),
            rows: vec![row; turns],
            turns: Turns::new(sheet),
            five_alike: 0.0,
        })
    }

    /// Share of the turns that were followed, from 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f64 {
        let turn = self.done as f64 / self.cards.len().max(1) as f64;
        (self.turn as f64 + turn) / self.rows.len() as f64
    }

    /// Follows cards until the last one, or until `more`, called after every few cards, returns false. Returns the
    /// figures at the end. `solved` must be exact, and of the same sheet.
    pub fn run(
        &mut self,
        solved: &SolvedSheet<'_>,
        mut more: impl FnMut() -> bool,
    ) -> Option<SheetOutlook> {
        while self.turn < self.rows.len() {
            while self.done < self.cards.len() {
                let last = self.cards.len().min(self.done + LANES);
                let states = self.cards[self.done..last].iter().map(|(card, _)| card.state());
                self.turns.play(solved, states);
                for (lane, index) in (self.done..last).enumerate() {
                    self.follow(solved.sheet(), lane, index);
                }
                self.done = last;
                if !more() {
                    return None;
                }
            }
            self.turn += 1;
            self.done = 0;
            self.cards = std::mem::take(&mut self.next).into_iter().collect();
            drop_improbable(&mut self.cards);
            self.cards.sort_unstable_by_key(|(card, _)| *card);
        }
        Some(self.outlook(solved.sheet()))
    }

    /// Passes the games of a card, whose turn is in this lane, to the cards after it.
    fn follow(&mut self, sheet: &Sheet, lane: usize, index: usize) {
        let (card, mass) = &mut self.cards[index];
        let (state, mass) = (card.state(), std::mem::take(mass));
        for Ending { category, gain, probability } in self.turns.endings(sheet, lane) {
            let reached = mass.probability * probability;
            let row = &mut self.rows[category.index()];
            row.points += reached * f64::from(gain.points);
            row.zero += if gain.points == 0 { reached } else { 0.0 };
            row.filled_in_turn[self.turn] += reached;
            self.five_alike += reached * f64::from(gain.five_alike_bonus);
            let after = sheet.after(state, category, gain.points);
            let next = self.next.entry(Card::of(after)).or_default();
            let gained = f64::from(gain.total());
            next.probability += reached;
            next.points += probability * (mass.points + mass.probability * gained);
            next.squares += probability
                * (mass.squares + 2.0 * gained * mass.points + gained * gained * mass.probability);
            let earned = gain.five_alike_bonus > 0;
            next.five_alike += if earned { reached } else { probability * mass.five_alike };
            add_scores(&mut next.scores, &mass.scores, gain.total(), probability);
        }
    }

    fn outlook(&self, sheet: &Sheet) -> SheetOutlook {
        let total = |part: fn(&Mass) -> f64| self.cards.iter().map(|(_, mass)| part(mass)).sum();
        let (mean, squares): (f64, f64) = (total(|mass| mass.points), total(|mass| mass.squares));
        let five_alike = BonusOutlook {
            chance: Figure::exact(total(|mass| mass.five_alike)),
            mean_points: Figure::exact(self.five_alike),
        };
        let bonuses = SheetBonus::all(sheet).into_iter().map(|bonus| match bonus.upper() {
            Some((least, points)) => {
                let reached =
                    self.cards.iter().filter(|(card, _)| i32::from(card.state().upper) >= least);
                let chance = reached.map(|(_, mass)| mass.probability).sum();
                let mean = chance * f64::from(points);
                BonusOutlook { chance: Figure::exact(chance), mean_points: Figure::exact(mean) }
            }
            None => five_alike,
        });
        let exact = |figures: &[f64]| figures.iter().copied().map(Figure::exact).collect();
        let rows = self.rows.iter().map(|row| RowOutlook {
            mean_points: Figure::exact(row.points),
            zero_chance: Figure::exact(row.zero),
            filled_in_turn: exact(&row.filled_in_turn),
        });
        let starts_with = sheet.starts_with();
        let mut scores = Vec::new();
        self.cards.iter().for_each(|(_, mass)| add_scores(&mut scores, &mass.scores, 0, 1.0));
        let scores = (starts_with..).zip(scores);
        SheetOutlook {
            rows: rows.collect(),
            bonuses: bonuses.collect(),
            mean: Figure::exact(f64::from(starts_with) + mean),
            deviation: Figure::exact((squares - mean * mean).max(0.0).sqrt()),
            final_scores: FinalScores::exact(scores),
        }
    }
}

/// The most points that a card can hold, roughly.
fn most_points(sheet: &Sheet) -> u64 {
    let definition = sheet.definition();
    let rows = sheet.categories().iter().map(|category| {
        let most = sheet.possible_points(category).last().copied().unwrap_or(0);
        u64::from(most.unsigned_abs()) + u64::from(definition.five_alike_bonus)
    });
    let bonuses = definition.upper_bonuses.iter().map(|bonus| u64::from(bonus.points));
    rows.sum::<u64>() + bonuses.sum::<u64>()
}

/// Drops the least probable cards, up to a probability of [`IGNORED`].
fn drop_improbable(cards: &mut Vec<(Card, Mass)>) {
    let mut probabilities: Vec<f64> = cards.iter().map(|(_, mass)| mass.probability).collect();
    probabilities.sort_unstable_by(f64::total_cmp);
    let mut sum = 0.0;
    let least = probabilities.into_iter().find(|probability| {
        sum += probability;
        sum > IGNORED
    });
    cards.retain(|(_, mass)| Some(mass.probability) >= least);
}

/// Adds `share` of the distribution `from`, moved up by `points`, to `to`.
fn add_scores(to: &mut Vec<f64>, from: &[f64], points: i32, share: f64) {
    if from.is_empty() {
        return;
    }
    let points = usize::try_from(points).expect("a plain sheet pays no negative points");
    if to.len() < from.len() + points {
        to.resize(from.len() + points, 0.0);
    }
    to[points..].iter_mut().zip(from).for_each(|(to, from)| *to += share * from);
}
