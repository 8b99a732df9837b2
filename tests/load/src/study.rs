//! Calls about whole turns and games: an opponent's turn, the review of a game, and advice for
//! another objective, by an opponent, or with its reasons.

use dicepoker_proto::v1 as proto;

use crate::drive::Call;
use crate::scenario::{Moment, Rules, call};

/// The rulesets whose games are studied: a score sheet and the race.
const STUDIED: [&str; 2] = ["yahtzee", "poquer-tradicional"];

/// The strength of the opponent.
const LEVEL: u32 = 5;

/// A change to a request for advice.
type Change = fn(&mut proto::SuggestRequest);

/// The calls about the games in `moments`, by name.
pub fn calls(rules: &Rules, moments: &[Moment]) -> Vec<(String, Vec<Call>)> {
    if !STUDIED.contains(&rules.ruleset.as_str()) {
        return Vec::new();
    }
    let name = |what: &str| format!("{what}/{}", rules.ruleset);
    let games = moments.chunk_by(|_, next| !begins_game(next));
    let turns = moments.iter().filter(|moment| moment.position.dice.is_empty());
    let mut calls = vec![
        (name("review"), games.map(|game| review(rules, game)).collect()),
        (name("play-turn"), turns.map(|moment| play_turn(rules, moment)).collect()),
        (name("suggest-by-opponent"), advice(rules, moments, by_opponent)),
    ];
    // The race has one objective and no explanations.
    if rules.ruleset == "yahtzee" {
        calls.push((name("suggest-to-win"), advice(rules, moments, to_win)));
        calls.push((name("suggest-to-reach"), advice(rules, moments, to_reach)));
        calls.push((name("suggest-with-reasons"), advice(rules, moments, with_reasons)));
    }
    calls
}

fn begins_game(moment: &Moment) -> bool {
    let position = &moment.position;
    position.dice.is_empty()
        && position.turns_ended == 0
        && position.scorecards.iter().all(|card| card.entries.is_empty())
}

/// The review of a finished game: a call of kilobytes that takes a search a move.
fn review(rules: &Rules, game: &[Moment]) -> Call {
    let step = |moment: &Moment| proto::TurnStep {
        r#move: Some(moment.advised.clone()),
        thrown: moment.thrown.clone(),
        ..Default::default()
    };
    let request = proto::ReviewRequest {
        ruleset: rules.ruleset.clone(),
        steps: game.iter().map(step).collect(),
        ..Default::default()
    };
    call("Review", &request)
}

fn play_turn(rules: &Rules, moment: &Moment) -> Call {
    let request = proto::PlayTurnRequest {
        ruleset: rules.ruleset.clone(),
        position: Some(moment.position.clone()),
        opponent: Some(opponent()),
        seed: Some(7),
        ..Default::default()
    };
    call("PlayTurn", &request)
}

/// Requests for advice where there is a choice.
fn advice(rules: &Rules, moments: &[Moment], change: Change) -> Vec<Call> {
    let choices = moments.iter().filter(|moment| !moment.position.dice.is_empty());
    let requests = choices.map(|moment| {
        let mut request = rules.suggest_request(&moment.position);
        change(&mut request);
        call("Suggest", &request)
    });
    requests.collect()
}

fn by_opponent(request: &mut proto::SuggestRequest) {
    request.opponent = Some(opponent());
    request.seed = 7;
}

/// Against an equally full card.
fn to_win(request: &mut proto::SuggestRequest) {
    request.objective = proto::Objective::Win.into();
    if let Some(position) = &mut request.position {
        let card = position.scorecards.first().cloned().unwrap_or_default();
        position.scorecards = vec![card; 2];
    }
}

/// A target that best play reaches in about half of its games.
fn to_reach(request: &mut proto::SuggestRequest) {
    request.objective = proto::Objective::ReachTarget.into();
    request.target = 250;
}

fn with_reasons(request: &mut proto::SuggestRequest) {
    request.explain = Some(proto::Explain::default());
}

fn opponent() -> proto::Opponent {
    proto::Opponent { kind: Some(proto::opponent::Kind::Level(LEVEL)) }
}
