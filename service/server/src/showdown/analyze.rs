//! Analysis of a showdown: exact where matches are solved as a whole, else from games.

use std::ops::ControlFlow;
use std::sync::Arc;

use dicepoker_engine::showdown::{
    ExactShowdown, ShowdownGames, ShowdownOpponent, ShowdownPosition, simulate_showdown,
};
use dicepoker_engine::statistics::{Figure, FinalScores, GameStatistics};
use dicepoker_proto::v1 as pb;

use super::{Table, opponent};
use crate::analysis::write::{figure, final_scores, lengths, scored_opponent, targets, win_share};
use crate::analysis::{self, Analyzing, Question, Slice};
use crate::error::Error;
use crate::progress::Bounds;

/// Reads the request and begins.
pub(super) async fn analyze(
    table: &Arc<Table>,
    request: &pb::AnalyzeRequest,
    bounds: Bounds,
) -> Result<Box<dyn Analyzing>, Error> {
    let allowed = table.game.players();
    let seats = analysis::Table {
        unless_said: *allowed.start(),
        players: allowed,
        scored: table.game.definition().payout,
    };
    let question = Question::read(request, bounds, &seats, opponent::read)?;
    table.values(question.players).await?;
    let players = question.players;
    Ok(Box::new(ShowdownAnalysis {
        table: Arc::clone(table),
        exact: None,
        games: ShowdownGames::new(&table.game, players),
        opponents: vec![GameStatistics::new(players); question.opponents.len()],
        question,
    }))
}

struct ShowdownAnalysis {
    table: Arc<Table>,
    question: Question<ShowdownOpponent>,
    exact: Option<ExactShowdown>,
    games: ShowdownGames,
    /// Games of each opponent in the first seat, all others playing perfectly.
    opponents: Vec<GameStatistics>,
}

impl Analyzing for ShowdownAnalysis {
    fn run_slice(&mut self, slice: Slice<'_>) -> Result<(), Error> {
        let Self { table, question, .. } = self;
        let (game, values) = (&table.game, table.solved(question.players)?);
        let (all, seed) = (question.games, question.seed);
        if self.exact.is_none() {
            self.exact = Some(ExactShowdown::new(game, values, question.players));
        }
        while self.games.statistics().games < all {
            self.games.play(game, values, seed);
            if !slice.lasts() {
                return Ok(());
            }
        }
        let start = ShowdownPosition::start(game, question.players);
        for ((_, opponent), tally) in question.opponents.iter().zip(&mut self.opponents) {
            let mut players = vec![ShowdownOpponent::PERFECT; question.players];
            players[0] = *opponent;
            while tally.games < all {
                let number = tally.games..tally.games + 1;
                let go_on = |_: &GameStatistics| ControlFlow::Continue(());
                let played =
                    simulate_showdown(game, values, &start, &players, number, seed, 1, go_on);
                tally.add(&played.unwrap_or_else(|stopped| stopped.so_far));
                if !slice.lasts() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn progress(&self) -> f64 {
        let all = self.question.games * (1 + self.opponents.len() as u64);
        self.games() as f64 / all as f64
    }

    fn games(&self) -> u64 {
        let opponents = self.opponents.iter().map(|tally| tally.games);
        self.games.statistics().games + opponents.sum::<u64>()
    }

    fn write(&self) -> pb::Analysis {
        let game = &self.table.game;
        let Some(exact) = &self.exact else { return pb::Analysis::default() };
        let payout = game.definition().payout;
        let scores = FinalScores::sampled(&self.games.statistics().players[0]);
        let start = exact.start.map(Figure::exact);
        let hands = game.definition().hands.iter().zip(self.games.hands(game, exact));
        let seats = if payout { Vec::new() } else { self.games.seats(exact) };
        pb::Analysis {
            expected_score: payout.then(|| figure(start.unwrap_or(scores.mean()))).flatten(),
            standard_deviation: payout.then(|| figure(scores.deviation())).flatten(),
            final_scores: if payout { final_scores(&scores) } else { Vec::new() },
            targets: targets(&scores, &self.question.targets),
            opponents: self.write_opponents(payout),
            seats: seats.into_iter().filter_map(figure).collect(),
            lengths: lengths(self.games.rounds()),
            hands: hands
                .map(|(hand, outlook)| pb::HandAnalysis {
                    hand: hand.id.clone(),
                    first_chance: figure(outlook.first_chance),
                    final_chance: figure(outlook.final_chance),
                    worth: outlook.worth.and_then(figure),
                })
                .collect(),
            ..pb::Analysis::default()
        }
    }
}

impl ShowdownAnalysis {
    fn write_opponents(&self, payout: bool) -> Vec<pb::OpponentAnalysis> {
        let named = self.question.opponents.iter().map(|(opponent, _)| opponent);
        let played = named.zip(&self.opponents).filter(|(_, tally)| tally.games > 0);
        played
            .map(|(opponent, tally)| match payout {
                true => scored_opponent(opponent, &tally.players[0]),
                false => pb::OpponentAnalysis {
                    opponent: Some(opponent.clone()),
                    win_share: win_share(&tally.players[0]),
                    ..pb::OpponentAnalysis::default()
                },
            })
            .collect()
    }
}
