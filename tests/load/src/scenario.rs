//! The calls: requests as they come up in games. Games are played on the server itself before the
//! load begins, by its own advice, so that positions are realistic.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use dicepoker_proto::v1 as proto;
use http::uri::PathAndQuery;
use prost::Message;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tonic::Status;

use crate::drive::{Call, Connections};
use crate::study;

/// The rulesets that are measured: the same from version to version, so that figures can be compared.
const RULESETS: [&str; 10] = [
    "dice-poker-13",
    "dice-poker-15",
    "poquer-tradicional",
    "yahtzee",
    "yahtzee-free-joker",
    "kniffel",
    "yatzy",
    "yacht",
    "generala",
    "maxi-yatzy",
];

/// Games played of each ruleset to collect positions.
const GAMES: u64 = 3;

/// The most moves of a game: a race can be long.
const MOST_MOVES: usize = 150;

/// Positions of a batch.
const BATCH: usize = 16;

/// The stages of a turn, by the throws still left.
const STAGES: [&str; 3] = ["last", "second", "first"];

/// Calls of one kind.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// `suggest/yahtzee/first` and the like.
    pub name: String,
    /// The calls, made in turn.
    pub calls: Arc<[Call]>,
}

impl Scenario {
    /// Makes one call, so that tables made on first use exist before the measurement.
    pub async fn warm(&self, connections: &Connections) -> Result<(), Status> {
        match self.calls.first() {
            Some(first) => connections.call(first).await.map(drop),
            None => Ok(()),
        }
    }
}

/// The null RPC: a call that does nothing.
pub fn health() -> Call {
    Call { path: PathAndQuery::from_static("/grpc.health.v1.Health/Check"), body: Bytes::new() }
}

/// The plainest Score call.
pub fn plain_score() -> Call {
    let request = proto::ScoreRequest {
        ruleset: "dice-poker-13".to_owned(),
        dice: vec![1, 3, 2, 4, 4],
        ..Default::default()
    };
    call("Score", &request)
}

/// A call of the service.
pub fn call(method: &str, message: &impl Message) -> Call {
    let path = format!("/dicepoker.v1.DicePokerService/{method}");
    Call { path: path.parse().expect("a path"), body: message.encode_to_vec().into() }
}

async fn send<M: Message + Default>(connections: &Connections, call: &Call) -> Result<M, Status> {
    let answer = connections.call(call).await?;
    M::decode(answer).map_err(|error| Status::internal(error.to_string()))
}

/// A position, and the suggested move.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The position.
    pub position: proto::Position,
    /// The move, which was played.
    pub advised: proto::Move,
    /// The dice that it threw.
    pub thrown: Vec<u32>,
}

/// All scenarios, in the order of the report.
pub async fn all(connections: &Connections) -> Result<Vec<Scenario>, Status> {
    let list = call("ListRulesets", &proto::ListRulesetsRequest::default());
    let mut rulesets = send::<proto::ListRulesetsResponse>(connections, &list).await?.rulesets;
    rulesets.retain(|ruleset| RULESETS.contains(&ruleset.id.as_str()));
    let mut named: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    let mut order = Vec::new();
    let mut add = |name: String, calls: Vec<Call>| {
        if !calls.is_empty() {
            order.push(name.clone());
            named.entry(name).or_default().extend(calls);
        }
    };
    add("null".to_owned(), vec![health()]);
    let (mut score, mut legal, mut apply, mut suggest) = (vec![], vec![], vec![], vec![]);
    let (mut by_stage, mut batches, mut studies) = (Vec::new(), Vec::new(), Vec::new());
    for ruleset in &rulesets {
        let race = ruleset.family() == proto::RulesetFamily::Race;
        let players = if race { 2 } else { 1 };
        let rules = Rules { ruleset: ruleset.id.clone(), definition: None, players };
        let moments = play(connections, &rules).await?;
        let mut all_stages = Vec::new();
        for (rolls_left, stage) in STAGES.iter().enumerate().rev() {
            let calls: Vec<Call> = moments
                .iter()
                .filter(|moment| !moment.position.dice.is_empty())
                .filter(|moment| moment.position.rolls_left as usize == rolls_left)
                .map(|moment| rules.suggest(&moment.position))
                .collect();
            suggest.extend(calls.iter().cloned());
            all_stages.extend(calls.iter().cloned());
            by_stage.push((format!("suggest/{}/{stage}", ruleset.id), calls));
        }
        batches.push((format!("suggest/{}", ruleset.id), all_stages));
        let positions: Vec<_> = moments.iter().map(|moment| &moment.position).collect();
        let whole = positions.chunks_exact(BATCH).map(|batch| rules.batch_suggest(batch));
        batches.push((format!("batch-suggest/{}", ruleset.id), whole.collect()));
        studies.extend(study::calls(&rules, &moments));
        let thrown = moments.iter().filter(|moment| !moment.position.dice.is_empty());
        score.extend(thrown.map(|moment| rules.score(&moment.position)));
        legal.extend(moments.iter().map(|moment| rules.legal_moves(&moment.position)));
        apply.extend(moments.iter().map(|moment| rules.apply(moment)));
    }
    let get: Vec<Call> = rulesets.iter().map(|ruleset| get_ruleset(&ruleset.id)).collect();
    let custom = custom(connections).await?;
    let custom_moments = play(connections, &custom).await?;
    let custom_suggest: Vec<Call> =
        custom_moments.iter().map(|moment| custom.suggest(&moment.position)).collect();
    let custom_score: Vec<Call> =
        custom_moments.iter().map(|moment| custom.score(&moment.position)).collect();
    let parts =
        [(60, &score), (15, &suggest), (15, &apply), (6, &legal), (2, &get), (2, &custom_score)];
    let mixed = mix(&parts);
    add("score".to_owned(), score);
    add("legal-moves".to_owned(), legal);
    add("apply".to_owned(), apply);
    add("get-ruleset".to_owned(), get);
    for (name, calls) in by_stage.into_iter().chain(batches).chain(studies) {
        add(name, calls);
    }
    add("score/custom".to_owned(), custom_score);
    add("suggest/custom".to_owned(), custom_suggest);
    add("mixed".to_owned(), mixed);
    Ok(order
        .into_iter()
        .map(|name| Scenario { calls: named.remove(&name).unwrap_or_default().into(), name })
        .collect())
}

/// Definitions that the server has never seen: each is solved while its caller waits.
pub async fn unseen(connections: &Connections, count: u32) -> Result<Scenario, Status> {
    let custom = custom(connections).await?;
    let calls = (0..count).map(|number| {
        let mut rules = custom.clone();
        if let Some(definition) = &mut rules.definition {
            definition.upper_bonuses[0].points = 100 + number as i32;
        }
        rules.suggest(&proto::Position {
            dice: vec![1, 1, 2, 3, 6],
            rolls_left: 2,
            ..Default::default()
        })
    });
    Ok(Scenario { name: "suggest/unseen-definition".to_owned(), calls: calls.collect() })
}

/// Each part as often as its weight, in an order that looks random.
fn mix(parts: &[(usize, &Vec<Call>)]) -> Vec<Call> {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut mixed = Vec::new();
    for (weight, calls) in parts.iter().filter(|(_, calls)| !calls.is_empty()) {
        mixed.extend((0..weight * 100).map(|_| calls[random.random_range(0..calls.len())].clone()));
    }
    mixed.shuffle(&mut random);
    mixed
}

/// Yahtzee with another bonus, as a caller would send it.
async fn custom(connections: &Connections) -> Result<Rules, Status> {
    let got: proto::GetRulesetResponse = send(connections, &get_ruleset("yahtzee")).await?;
    let mut definition = got.ruleset.and_then(|ruleset| ruleset.definition);
    match &mut definition {
        Some(definition) if !definition.upper_bonuses.is_empty() => {
            definition.upper_bonuses[0].points = 40;
        }
        _ => return Err(Status::internal("yahtzee has no definition with a bonus")),
    }
    Ok(Rules { ruleset: String::new(), definition, players: 1 })
}

fn get_ruleset(id: &str) -> Call {
    let request = proto::GetRulesetRequest { ruleset: id.to_owned(), ..Default::default() };
    call("GetRuleset", &request)
}

/// Plays games by the server's advice and returns their positions.
async fn play(connections: &Connections, rules: &Rules) -> Result<Vec<Moment>, Status> {
    let mut moments = Vec::new();
    for seed in 0..GAMES {
        // A game starts with no dice on the table and all throws of a turn left.
        let mut position = proto::Position {
            rolls_left: 3,
            scorecards: vec![proto::Scorecard::default(); rules.players],
            ..Default::default()
        };
        for _ in 0..MOST_MOVES {
            let advice: proto::SuggestResponse =
                send(connections, &rules.suggest(&position)).await?;
            let advised = advice.r#move.ok_or_else(|| Status::internal("advice without a move"))?;
            let mut moment = Moment { position, advised, thrown: Vec::new() };
            let mut apply = rules.apply_request(&moment);
            apply.seed = Some(seed);
            let applied: proto::ApplyResponse = send(connections, &call("Apply", &apply)).await?;
            moment.thrown = applied.thrown;
            moments.push(moment);
            if applied.game_ended {
                break;
            }
            position = applied.position.unwrap_or_default();
        }
    }
    Ok(moments)
}

/// The rules that requests name or carry.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Id of a built-in ruleset.
    pub ruleset: String,
    definition: Option<proto::RulesetDefinition>,
    /// The number of players; a race needs two.
    players: usize,
}

impl Rules {
    fn suggest(&self, position: &proto::Position) -> Call {
        call("Suggest", &self.suggest_request(position))
    }

    fn batch_suggest(&self, positions: &[&proto::Position]) -> Call {
        let requests = positions.iter().map(|position| self.suggest_request(position)).collect();
        call("BatchSuggest", &proto::BatchSuggestRequest { requests })
    }

    /// The request for advice in a position.
    pub fn suggest_request(&self, position: &proto::Position) -> proto::SuggestRequest {
        proto::SuggestRequest {
            ruleset: self.ruleset.clone(),
            definition: self.definition.clone(),
            position: Some(position.clone()),
            ..Default::default()
        }
    }

    fn score(&self, position: &proto::Position) -> Call {
        let request = proto::ScoreRequest {
            ruleset: self.ruleset.clone(),
            definition: self.definition.clone(),
            position: Some(position.clone()),
            ..Default::default()
        };
        call("Score", &request)
    }

    fn legal_moves(&self, position: &proto::Position) -> Call {
        let request = proto::LegalMovesRequest {
            ruleset: self.ruleset.clone(),
            definition: self.definition.clone(),
            position: Some(position.clone()),
            ..Default::default()
        };
        call("LegalMoves", &request)
    }

    fn apply(&self, moment: &Moment) -> Call {
        let request = proto::ApplyRequest { seed: Some(7), ..self.apply_request(moment) };
        call("Apply", &request)
    }

    fn apply_request(&self, moment: &Moment) -> proto::ApplyRequest {
        proto::ApplyRequest {
            ruleset: self.ruleset.clone(),
            definition: self.definition.clone(),
            position: Some(moment.position.clone()),
            r#move: Some(moment.advised.clone()),
            ..Default::default()
        }
    }
}
