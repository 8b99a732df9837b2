//! Rows and bonuses of a score sheet under best play, counted over games.

use super::figure::{Figure, FinalScores, Mean};
use super::sheet_bonus::SheetBonus;
use super::{GameStatistics, Simulation};
use crate::opponent::Skill;
use crate::position::Position;
use crate::sheet::Sheet;
use crate::solved_sheet::SolvedSheet;

/// A box of the sheet at the end of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowOutlook {
    /// Mean points in it, without bonuses.
    pub mean_points: Figure,
    /// Probability that it holds no points.
    pub zero_chance: Figure,
    /// Probability that it is filled in each turn, from the first to the last.
    pub filled_in_turn: Vec<Figure>,
}

/// A bonus at the end of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BonusOutlook {
    /// Probability that it is earned, at least once.
    pub chance: Figure,
    /// Its mean points.
    pub mean_points: Figure,
}

/// The figures of a card under best play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheetOutlook {
    /// Every box, in the order of the sheet.
    pub rows: Vec<RowOutlook>,
    /// Every bonus, in the order of [`SheetBonus::all`].
    pub bonuses: Vec<BonusOutlook>,
    /// Mean final score.
    pub mean: Figure,
    /// Standard deviation of the final score.
    pub deviation: Figure,
    /// The final scores; empty unless exact.
    pub final_scores: FinalScores,
}

/// Games of a single player under best play, counted box by box.
#[derive(Clone, Debug)]
pub struct SheetGames {
    scores: GameStatistics,
    bonuses: Vec<SheetBonus>,
    rows: Vec<Row>,
    earned: Vec<Mean>,
    earned_games: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Row {
    points: Mean,
    held: u64,
    filled_in_turn: Vec<u64>,
}

impl SheetGames {
    /// No games yet.
    #[must_use]
    pub fn new(sheet: &Sheet) -> Self {
        let boxes = sheet.categories().len();
        let row = Row { points: Mean::default(), held: 0, filled_in_turn: vec![0; boxes] };
        let bonuses = SheetBonus::all(sheet);
        Self {
            scores: GameStatistics::new(1),
            rows: vec![row; boxes],
            earned: vec![Mean::default(); bonuses.len()],
            earned_games: vec![0; bonuses.len()],
            bonuses,
        }
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.scores.games
    }

    /// Plays game number [`SheetGames::games`] of `seed` and counts it: the same game that
    /// [`Simulation`] plays under this number.
    pub fn play(&mut self, solved: &SolvedSheet<'_>, seed: u64) {
        let sheet = solved.sheet();
        let simulation = Simulation::new(*solved, Position::start(sheet, 1), seed);
        let turns = simulation.record(&[&Skill::PERFECT], self.games());
        let mut filled = vec![None; self.rows.len()];
        for (turn, (_, played)) in turns.iter().enumerate() {
            let recorded = played.steps.iter().find_map(|step| step.recorded);
            if let Some((category, gain)) = recorded {
                filled[category.index()] = Some(gain.points);
                self.rows[category.index()].filled_in_turn[turn] += 1;
            }
        }
        for (row, points) in self.rows.iter_mut().zip(filled) {
            let points = points.unwrap_or(0);
            row.points.add(points.into());
            row.held += u64::from(points != 0);
        }
        let Some((_, last)) = turns.last() else { return };
        // With one player the next one to move is the same.
        let card = last.end.card();
        let bonuses = self.bonuses.iter().zip(&mut self.earned).zip(&mut self.earned_games);
        for ((bonus, points), games) in bonuses {
            let earned = bonus.earned(sheet, card);
            points.add(earned.unwrap_or(0).into());
            *games += u64::from(earned.is_some());
        }
        self.scores.count(&[card.totals(sheet).grand_total()], &[0]);
    }

    /// The figures of the games.
    #[must_use]
    pub fn outlook(&self) -> SheetOutlook {
        let games = self.games();
        let rows = self.rows.iter().map(|row| RowOutlook {
            mean_points: row.points.figure(),
            zero_chance: Figure::share(games - row.held, games),
            filled_in_turn: row.filled_in_turn.iter().map(|&n| Figure::share(n, games)).collect(),
        });
        let bonuses = self.earned.iter().zip(&self.earned_games).map(|(points, &earned)| {
            BonusOutlook { chance: Figure::share(earned, games), mean_points: points.figure() }
        });
        let final_scores = FinalScores::sampled(&self.scores.players[0]);
        SheetOutlook {
            rows: rows.collect(),
            bonuses: bonuses.collect(),
            mean: final_scores.mean(),
            deviation: final_scores.deviation(),
            final_scores,
        }
    }
}
