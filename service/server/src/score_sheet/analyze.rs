//! Analysis of a score sheet: games of best play and of opponents, the same rules with a row or a throw less,
//! and best play followed through every card where the cards are few enough.

use std::ops::ControlFlow;
use std::sync::Arc;

use dicepoker_engine::category::Category;
use dicepoker_engine::definition::Definition;
use dicepoker_engine::opponent::Skill;
use dicepoker_engine::position::Position;
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Budget, Estimate, Solver, Unsolved, Values as _};
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::variants::{with_throws, without_row};
use dicepoker_engine::statistics::{
    BestPlay, Figure, GameStatistics, SheetBonus, SheetGames, SheetOutlook, Simulation,
};
use dicepoker_proto::v1 as pb;

use super::{RequestedPlayer, ScoreSheet, opponent};
use crate::analysis::write::{figure, figures, final_scores, scored_opponent, targets};
use crate::analysis::{Analyzing, Question, Slice, Table};
use crate::error::Error;
use crate::progress::Bounds;

/// Games between two checks of the time.
const BATCH: u64 = 8;

/// Limit on the estimated time of solving all variants, in seconds of one core.
const MOST_SECONDS_FOR_VARIANTS: f64 = 4.0;

/// Reads the request and begins.
pub(super) async fn analyze(
    rules: &Arc<ScoreSheet>,
    request: &pb::AnalyzeRequest,
    ruleset: &str,
    bounds: Bounds,
) -> Result<Box<dyn Analyzing>, Error> {
    let table = Table { players: 1..=1, unless_said: 1, scored: true };
    let question = Question::read(request, bounds, &table, opponent::read)?;
    let solution = rules.solution().await?;
    let exact = solution.is_exact();
    let sheet = rules.sheet();
    let points_a_turn = SolvedSheet::new(sheet, solution).points_a_turn();
    let objective = dicepoker_engine::objective::Objective::ExpectedScore;
    let opponents = question.opponents.iter().map(|&(_, opponent)| {
        let player = RequestedPlayer { opponent: Some(opponent), objective };
        (player.skill(ruleset, points_a_turn), GameStatistics::new(1))
    });
    let opponents = opponents.collect();
    Ok(Box::new(SheetAnalysis {
        rules: Arc::clone(rules),
        exact,
        quick: request.quick,
        prepared: false,
        games: SheetGames::new(sheet),
        opponents,
        variants: Vec::new(),
        solved: Vec::new(),
        best_play: None,
        exact_outlook: None,
        question,
    }))
}

/// The rules with one thing changed.
#[derive(Clone, Debug)]
enum Variant {
    /// Without the row of this index.
    WithoutRow(usize, Definition),
    /// With so many throws a turn.
    WithThrows(u8, Definition),
}

impl Variant {
    fn definition(&self) -> &Definition {
        let (Self::WithoutRow(_, definition) | Self::WithThrows(_, definition)) = self;
        definition
    }
}

/// The variants that are sound; none if solving them all takes too long.
fn variants(sheet: &Sheet, budget: &Budget) -> Vec<Variant> {
    let definition = sheet.definition();
    let rows = (0..definition.categories.len())
        .filter_map(|row| Some(Variant::WithoutRow(row, without_row(definition, row)?)));
    let rolls = definition.rolls;
    let throws = [rolls - 1, rolls + 1].into_iter();
    let throws = throws
        .filter_map(|throws| Some(Variant::WithThrows(throws, with_throws(definition, throws)?)));
    let all: Vec<Variant> = rows.chain(throws).collect();
    let estimates = || all.iter().map(|variant| Estimate::of(variant.definition()));
    let seconds: f64 = estimates().map(|estimate| estimate.seconds(1)).sum();
    let allowed = estimates().all(|estimate| estimate.within(budget).is_ok());
    if allowed && seconds <= MOST_SECONDS_FOR_VARIANTS { all } else { Vec::new() }
}

struct SheetAnalysis {
    rules: Arc<ScoreSheet>,
    question: Question<dicepoker_engine::opponent::Opponent>,
    /// Whether the values are exact, not learned.
    exact: bool,
    /// Whether to skip following best play.
    quick: bool,
    /// Whether `variants` and `best_play` were made, which takes too long for a worker that reads calls.
    prepared: bool,
    games: SheetGames,
    opponents: Vec<(Skill, GameStatistics)>,
    variants: Vec<Variant>,
    /// The optimum of each variant.
    solved: Vec<Option<f64>>,
    /// Best play in progress.
    best_play: Option<BestPlay>,
    /// Its figures at the end.
    exact_outlook: Option<Arc<SheetOutlook>>,
}

impl Analyzing for SheetAnalysis {
    fn run_slice(&mut self, slice: Slice<'_>) -> Result<(), Error> {
        let rules = Arc::clone(&self.rules);
        let game = rules.game()?;
        let (all, seed) = (self.question.games, self.question.seed);
        if !self.prepared {
            self.prepare();
        }
        while self.games.games() < all {
            self.games.play(&game, seed);
            if !slice.lasts() {
                return Ok(());
            }
        }
        for (skill, tally) in &mut self.opponents {
            let start = Position::start(rules.sheet(), 1);
            let simulation = Simulation::new(game, start, seed);
            while tally.games < all {
                let numbers = tally.games..all.min(tally.games + BATCH);
                let played = simulation.run(&[&*skill], numbers, |_| ControlFlow::Continue(()));
                tally.add(&played.unwrap_or_else(|stopped| stopped.so_far));
                if !slice.lasts() {
                    return Ok(());
                }
            }
        }
        for (variant, optimum) in self.variants.iter().zip(&mut self.solved) {
            if optimum.is_none() {
                *optimum = Some(optimum_of(variant.definition(), slice)?);
                if !slice.lasts() {
                    return Ok(());
                }
            }
        }
        if slice.has_permit
            && let Some(best_play) = &mut self.best_play
            && let Some(outlook) = best_play.run(&game, || slice.lasts())
        {
            self.exact_outlook = Some(rules.keep_best_play(outlook));
            self.best_play = None;
        }
        Ok(())
    }

    fn progress(&self) -> f64 {
        let all = self.question.games as f64;
        let played = self.opponents.iter().map(|(_, tally)| tally.games as f64 / all);
        let solved = self.solved.iter().filter(|optimum| optimum.is_some()).count();
        let solved = (!self.solved.is_empty()).then(|| solved as f64 / self.solved.len() as f64);
        let followed = self.best_play.as_ref().map(|play| play.progress().min(0.999));
        let parts: Vec<f64> = std::iter::once(self.games.games() as f64 / all)
            .chain(played)
            .chain(solved)
            .chain(followed)
            .collect();
        parts.iter().sum::<f64>() / parts.len() as f64
    }

    fn needs_permit(&self) -> bool {
        let all = self.question.games;
        self.best_play.is_some()
            && self.games.games() == all
            && self.opponents.iter().all(|(_, tally)| tally.games == all)
            && self.solved.iter().all(Option::is_some)
    }

    fn games(&self) -> u64 {
        self.games.games() + self.opponents.iter().map(|(_, tally)| tally.games).sum::<u64>()
    }

    fn write(&self) -> pb::Analysis {
        let sheet = self.rules.sheet();
        let sampled = self.games.outlook();
        let outlook = self.exact_outlook.as_deref().unwrap_or(&sampled);
        let scores = match outlook.final_scores.is_empty() {
            true => &sampled.final_scores,
            false => &outlook.final_scores,
        };
        let optimum = self.rules.game().ok().filter(|_| self.exact).map(|game| game.optimum());
        pb::Analysis {
            expected_score: figure(optimum.map_or(outlook.mean, Figure::exact)),
            standard_deviation: figure(outlook.deviation),
            final_scores: final_scores(scores),
            targets: targets(scores, &self.question.targets),
            rows: self.write_rows(sheet, outlook, optimum),
            bonuses: SheetBonus::all(sheet)
                .into_iter()
                .zip(&outlook.bonuses)
                .map(|(bonus, outlook)| pb::BonusAnalysis {
                    field: bonus.field,
                    column: bonus.column.map_or_else(String::new, |column| {
                        sheet.definition().columns[column].id.clone()
                    }),
                    chance: figure(outlook.chance),
                    mean_points: figure(outlook.mean_points),
                })
                .collect(),
            opponents: self.write_opponents(),
            throws: self
                .variants
                .iter()
                .zip(&self.solved)
                .filter_map(|(variant, &with)| match variant {
                    Variant::WithThrows(throws, _) => Some(pb::ThrowsAnalysis {
                        throws: (*throws).into(),
                        worth: figure(Figure::exact(with? - optimum?)),
                    }),
                    Variant::WithoutRow(..) => None,
                })
                .collect(),
            ..pb::Analysis::default()
        }
    }
}

impl SheetAnalysis {
    fn prepare(&mut self) {
        self.prepared = true;
        if !self.exact {
            return;
        }
        let sheet = self.rules.sheet();
        self.variants = variants(sheet, self.rules.budget());
        self.solved = vec![None; self.variants.len()];
        if !self.quick {
            self.exact_outlook = self.rules.best_play();
            self.best_play = if self.exact_outlook.is_none() { BestPlay::new(sheet) } else { None };
        }
    }

    fn write_rows(
        &self,
        sheet: &Sheet,
        outlook: &SheetOutlook,
        optimum: Option<f64>,
    ) -> Vec<pb::RowAnalysis> {
        let worth = |category: Category| {
            let id = sheet.id(category);
            // A row of several boxes reports its worth at the first of them.
            let optimum = optimum.filter(|_| sheet.category(id) == Some(category))?;
            let mut solved = self.variants.iter().zip(&self.solved);
            let without = solved.find_map(|(variant, &without)| match variant {
                Variant::WithoutRow(row, _) if sheet.definition().categories[*row].id == id => {
                    without
                }
                _ => None,
            });
            figure(Figure::exact(optimum - without?))
        };
        let rows = sheet.categories().iter().zip(&outlook.rows);
        rows.map(|(category, row)| pb::RowAnalysis {
            category: sheet.id(category).to_owned(),
            column: sheet.column_id(category).to_owned(),
            entry: sheet.entry(category) as u32,
            mean_points: figure(row.mean_points),
            zero_chance: figure(row.zero_chance),
            filled_in_turn: figures(&row.filled_in_turn),
            worth: worth(category),
            ..pb::RowAnalysis::default()
        })
        .collect()
    }

    fn write_opponents(&self) -> Vec<pb::OpponentAnalysis> {
        let named = self.question.opponents.iter().map(|(opponent, _)| opponent);
        let played = named.zip(&self.opponents).filter(|(_, (_, tally))| tally.games > 0);
        played.map(|(opponent, (_, tally))| scored_opponent(opponent, &tally.players[0])).collect()
    }
}

/// Expected score of best play under `definition`.
fn optimum_of(definition: &Definition, slice: Slice<'_>) -> Result<f64, Error> {
    let sheet = Sheet::new(definition.clone())
        .map_err(|_| Error::Internal("a changed definition is unsound"))?;
    let solver = Solver { cancelled: Some(slice.cancelled), ..Solver::default() };
    match solver.solve(&sheet) {
        Ok(solution) => Ok(f64::from(sheet.starts_with()) + solution.value(CardState::EMPTY)),
        Err(Unsolved::OverBudget(over)) => Err(over.into()),
        Err(Unsolved::Cancelled) => Err(Error::Stopping),
    }
}
