//! The family of score sheets. [`ScoreSheets`] reads rulesets, [`ScoreSheet`] is one ready for play. Each
//! call has a file of its own; this one has the parts that several calls share.

mod analyze;
mod definition;
mod description;
mod family;
mod moves;
mod opponent;
mod position;
mod review;
mod score;
mod sheet;
mod simulate;
mod suggest;
mod support;
mod turn;

use std::sync::Arc;

use dicepoker_engine::moves::Move;
use dicepoker_engine::objective::Objective;
use dicepoker_engine::opponent::{Opponent, Skill};
use dicepoker_engine::play::Illegal;
use dicepoker_engine::position::{Position, Rejection};
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;
use tonic::async_trait;

pub(crate) use self::family::ScoreSheets;
use self::position::{read_position, write_totals};
use self::sheet::ScoreSheet;
use crate::analysis::Analyzing;
use crate::error::{Error, both};
use crate::family::Rules;
use crate::progress::{Bounds, Progress};

#[async_trait]
impl Rules for ScoreSheet {
    fn key(&self) -> &str {
        &self.key
    }

    fn kibibytes(&self) -> u32 {
        ScoreSheet::kibibytes(self)
    }

    fn describe(&self) -> pb::Ruleset {
        description::of_rules(self.sheet().definition(), self.expected_score())
    }

    async fn solve(self: Arc<Self>) -> Result<(), Error> {
        self.solution().await.map(|_| ())
    }

    async fn prepare_objectives(self: Arc<Self>) -> Result<(), Error> {
        self.prepare_forecast(true).await
    }

    fn score(&self, request: pb::ScoreRequest) -> Result<pb::ScoreResponse, Error> {
        score::score(self.sheet(), request)
    }

    fn legal_moves(&self, request: pb::LegalMovesRequest) -> Result<pb::LegalMovesResponse, Error> {
        moves::legal_moves(self.sheet(), request)
    }

    fn apply(&self, request: pb::ApplyRequest) -> Result<pb::ApplyResponse, Error> {
        moves::apply(self.sheet(), request)
    }

    async fn suggest(
        self: Arc<Self>,
        request: pb::SuggestRequest,
    ) -> Result<pb::SuggestResponse, Error> {
        suggest::suggest(&self, request).await
    }

    async fn play_turn(
        self: Arc<Self>,
        request: pb::PlayTurnRequest,
    ) -> Result<pb::PlayTurnResponse, Error> {
        turn::play_turn(&self, request).await
    }

    async fn simulate(
        self: Arc<Self>,
        request: pb::SimulateRequest,
        bounds: Bounds,
    ) -> Result<Progress<pb::SimulateResponse>, Error> {
        simulate::simulate(&self, request, bounds).await
    }

    async fn analyze(
        self: Arc<Self>,
        request: &pb::AnalyzeRequest,
        ruleset: &str,
        bounds: Bounds,
    ) -> Result<Box<dyn Analyzing>, Error> {
        analyze::analyze(&self, request, ruleset, bounds).await
    }

    async fn review(
        self: Arc<Self>,
        request: pb::ReviewRequest,
    ) -> Result<pb::ReviewResponse, Error> {
        review::review(&self, request).await
    }
}

/// A player as a request describes it.
#[derive(Clone, Copy, Debug)]
struct RequestedPlayer {
    /// Its opponent; perfect play if left out.
    opponent: Option<Opponent>,
    /// Its objective.
    objective: Objective,
}

impl RequestedPlayer {
    /// Parses the fields of a player.
    fn read(opponent: Option<&pb::Opponent>, objective: i32, target: i32) -> Result<Self, Error> {
        let opponent = opponent.map(opponent::read).transpose();
        let objective = opponent::read_objective(objective, target);
        both(opponent, objective).map(|(opponent, objective)| Self { opponent, objective })
    }

    /// Rejects the objective to win for a single player.
    fn check_rivals(self, players: usize, field: &str) -> Result<(), Error> {
        match self.objective {
            Objective::Win if players == 1 => Err(Error::invalid(
                field,
                "must be left out: a single player has no rivals; a position to win has a scorecard for each player",
            )),
            _ => Ok(()),
        }
    }

    /// Its settings, by the table of levels of `ruleset`, if that is built in.
    fn skill(self, ruleset: &str, points_a_turn: f64) -> Skill {
        let ruleset = Some(ruleset).filter(|id| !id.is_empty());
        self.opponent.map_or(Skill::PERFECT, |opponent| opponent.skill(ruleset, points_a_turn))
    }
}

/// The sums of every card.
fn totals(sheet: &Sheet, position: &Position) -> Vec<pb::ScorecardTotals> {
    position.cards().iter().map(|card| write_totals(sheet, card)).collect()
}

/// The winners, if the game is over.
fn winners_at_end(sheet: &Sheet, position: &Position, game_over: bool) -> Vec<u32> {
    let winners = if game_over { position.winners(sheet) } else { Vec::new() };
    winners.into_iter().map(|player| player as u32).collect()
}

/// The error of an illegal move; the faces that it throws are in the field `thrown`.
fn illegal(chosen: Move, reason: Illegal, thrown: &str) -> Error {
    let field = match (chosen, reason) {
        (_, Illegal::WrongThrow { .. }) => thrown,
        (Move::Keep(_), Illegal::NoRollsLeft) => "move.keep",
        (Move::Keep(_), _) => "move.keep.dice",
        (Move::Record(_), Illegal::NotThrown) => "move.record",
        (Move::Announce(_), _) => "move.announce.category",
        (Move::Record(_), _) => "move.record.category",
    };
    Error::invalid(field, reason.to_string())
}

fn required_position(sheet: &Sheet, position: Option<pb::Position>) -> Result<Position, Error> {
    match position {
        None => Err(Error::invalid("position", "required")),
        Some(position) => parse_position(sheet, position),
    }
}

fn parse_position(sheet: &Sheet, position: pb::Position) -> Result<Position, Error> {
    let mut found = Violations::new();
    if position.turns_ended > 0 {
        found.push("turns_ended", "must be left out: only the race has this field");
    }
    if position.running_count.is_some() {
        found.push("running_count", "must be left out: only the race has this field");
    }
    match (Position::parse(sheet, &read_position(position)), found.is_empty()) {
        (Ok(position), true) => Ok(position),
        (Err(rejection), true) => Err(Error::rejected("position", rejection)),
        (parsed, false) => {
            if let Err(Rejection::Impossible(more)) = parsed {
                found.extend_under("", more);
            }
            Err(Error::invalid_under("position", found))
        }
    }
}
